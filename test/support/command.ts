import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { PATIENCE_MS } from './until.ts'

/** A running `housestyle serve`. */
export type Running = {
  /** Without a slash at the end, as its first line gives it. */
  url: string
  /** Where the API stands. */
  baseUrl: string
  pid: number
  /** What it wrote to stderr, once it has ended. */
  log: Promise<string>
  /** Asks it to end, and gives its exit code once it has. */
  stop: () => Promise<number | null>
}

/** Runs a command of the `bin/housestyle.js` given to its end and gives its stdout. Throws if it does not exit with 0. */
export async function command(bin: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], { timeout: PATIENCE_MS })
  return stdout
}

/**
 * Starts `housestyle serve` of the `bin/housestyle.js` given, on a free port unless one is named; resolves once it answers.
 * Throws with its stderr if it ends before that, or prints nothing for `PATIENCE_MS`.
 */
export function serve(bin: string, ...args: string[]): Promise<Running> {
  return serveIn({}, bin, ...args)
}

/** The same with these variables in its environment, besides those of the tests. */
export async function serveIn(env: Record<string, string>, bin: string, ...args: string[]): Promise<Running> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const child = spawn(process.execPath, [bin, 'serve', ...args, ...port, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const exit = once(child, 'exit')
  const complaint = text(child.stderr)
  const limit = setTimeout(() => child.kill(), PATIENCE_MS)
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url, base_url: baseUrl } = JSON.parse(line)
    if (event !== 'listening') continue
    clearTimeout(limit)
    const stop = async () => {
      child.kill()
      const [code] = await exit
      return code
    }
    return { url, baseUrl, pid: child.pid ?? 0, log: complaint, stop }
  }
  clearTimeout(limit)
  throw new Error(`housestyle serve ${args.join(' ')} ended before it answered: ${await complaint}`)
}

/** The most memory that a process has had (RSS), in MiB. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024
}
