import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { PATIENCE_MS } from './patience.ts'

/** A running `housestyle serve`. */
export type Running = {
  /** Without a final slash, from its first output line. */
  url: string
  /** The base URL of the API. */
  baseUrl: string
  pid: number
  /** Its stderr, once it has ended. */
  log: Promise<string>
  /** Its stderr so far. */
  logged: () => string
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
export function serveIn(env: Record<string, string>, bin: string, ...args: string[]): Promise<Running> {
  return start([process.execPath, bin], env, args)
}

/** Starts `housestyle serve` in a shell that ran `setting`, for example `ulimit -n 64` or `umask 077`. */
export function serveWith(setting: string, bin: string, ...args: string[]): Promise<Running> {
  const shell = ['/bin/sh', '-c', `${setting}; exec "$0" "$@"`]
  return start([...shell, process.execPath, bin], { HOUSESTYLE_LOG: 'debug' }, args)
}

async function start([program = '', ...before]: string[], env: Record<string, string>, args: string[]) {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const child = spawn(program, [...before, 'serve', ...args, ...port, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const exit = once(child, 'exit')
  const complaint = text(child.stderr)
  let soFar = ''
  child.stderr.on('data', bytes => {
    soFar += bytes
  })
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
    return { url, baseUrl, pid: child.pid ?? 0, log: complaint, logged: () => soFar, stop }
  }
  clearTimeout(limit)
  throw new Error(`housestyle serve ${args.join(' ')} ended before it answered: ${await complaint}`)
}

/** The peak memory of a process (RSS), in MiB. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024
}
