import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { housestyle, type Ran } from '../program/cli/housestyle.ts'

/** A process that runs commands one by one, which saves a process start for each. */
export type CommandLoop = { run: (args: readonly string[]) => Promise<Ran>; stop: () => void }

/** Starts a command loop. If it ends, pending commands reject. */
export function startCommandLoop(): CommandLoop {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    run: async args => {
      child.stdin.write(`${JSON.stringify(args)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`the process ended before ${args.join(' ')} did`)
      return JSON.parse(value)
    },
    stop: () => child.stdin.end(),
  }
}

if (import.meta.main)
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(await housestyle(JSON.parse(line)))}\n`)
