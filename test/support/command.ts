import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { PATIENCE_MS } from './until.ts'

/** A running `housestyle serve`. */
export type Running = {
  /** Without a final slash, from its first output line. */
  url: string
  /** The base URL of the API. */
  baseUrl: string
  pid: number
  /** Its stderr, once it has ended. */
  log: Promise<string>
  /** Asks it to end, and resolves to its exit code. */
  stop: () => Promise<number | null>
}

/** Runs a command with the given `bin/housestyle.js` and returns its stdout. Throws if it does not exit with 0. */
export async function command(bin: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], { timeout: PATIENCE_MS })
  return stdout
}

/**
 * Starts `housestyle serve` with the given `bin/housestyle.js`, by default on a free port; resolves once it answers.
 * Throws with its stderr if it ends before that, or prints nothing for `PATIENCE_MS`.
 */
export function serve(bin: string, ...args: string[]): Promise<Running> {
  return serveIn({}, bin, ...args)
}

/** Starts `housestyle serve` with additional environment variables. */
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

/** The peak memory of a process (RSS), in MiB. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024
}
