import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { MODULE_EXTENSION } from '../base/own-files.ts'
import { endFirst } from './oom-score.ts'

/**
 * Starts a program of ours, without its extension, in a process that ends when it is disconnected. It is detached, so
 * that Ctrl-C reaches only this process, which then disconnects from the other.
 */
export function forkOwn(program: URL, args: readonly string[] = [], options: ForkOptions = {}): ChildProcess {
  // The same extension as this file: .ts in development, .js when built.
  const file = new URL(`${program}${MODULE_EXTENSION}`)
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  const child = fork(file, args, { detached: true, execArgv: [], stdio: [...stdio], ...options })
  endFirst(child.pid)
  return child
}

/** Disconnects from a process, and kills it if it has not exited in time. Returns once it has exited. */
export async function endOwn(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  const limit = setTimeout(() => child.kill('SIGKILL'), MAX_END_MS)
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(limit)
}

const MAX_END_MS = 5000
