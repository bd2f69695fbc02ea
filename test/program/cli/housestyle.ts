import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Io } from '#program/cli/command.ts'
import { run } from '#program/cli/run.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

/** The program that tests start: the source, or in a complete run the built program, which starts faster. */
export const MAIN = process.env.TEST_PROGRAM
  ? join(process.env.TEST_PROGRAM, '../../dist/main.js')
  : join(import.meta.dirname, '../../../src/main.ts')

/** The output and the exit status of a command. */
export type Ran = { status: number | null; signal: string | null; stdout: string; stderr: string }

type Where = { cwd?: string; env?: Record<string, string> }

type Process = Where & {
  kill?: { signal: NodeJS.Signals; afterMs: number }
  /** Called with each piece of stderr. */
  hears?: (text: string) => void
}

/** Runs `housestyle` with these arguments in this process, without a terminal. */
export async function housestyle(
  args: readonly string[],
  { cwd = '/', env = {} }: Where = {},
  more: Partial<Io> = {},
): Promise<Ran> {
  const ran = { stdout: '', stderr: '' }
  const status = await run(args, {
    out: text => {
      ran.stdout += text
    },
    outBytes: async bytes => {
      ran.stdout += new TextDecoder().decode(bytes)
    },
    err: text => {
      ran.stderr += text
    },
    hasColor: { out: false, err: false },
    nodeVersion: process.versions.node,
    isTerminal: false,
    columns: 80,
    environment: env,
    folder: cwd,
    signal: new AbortController().signal,
    kill: (id, signal) => void process.kill(id, signal),
    ...more,
  })
  return { status, signal: null, ...ran }
}

/** Makes a function that runs commands with these options, which must succeed, and returns their stdout. */
export function commandsWith(...options: string[]): (...args: string[]) => Promise<string> {
  return async (...args) => {
    const { status, stdout, stderr } = await housestyle([...args, ...options], { env: { HOUSESTYLE_LOG: 'silent' } })
    assert.equal(status, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }
}

/** Runs it in its own process, which must end within `PATIENCE_MS`. */
export async function housestyleProcess(
  args: readonly string[],
  { cwd, env = {}, kill, hears }: Process = {},
): Promise<Ran> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  if (hears) child.stderr.on('data', chunk => hears(`${chunk}`))
  const timer = kill && setTimeout(() => child.kill(kill.signal), kill.afterMs)
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  clearTimeout(timer)
  return { status, signal, stdout, stderr }
}
