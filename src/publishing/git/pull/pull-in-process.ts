import { type ChildProcess, fork } from 'node:child_process'
import { addAbortListener, once } from 'node:events'
import { MODULE_EXTENSION } from '#platform/base/own-files.ts'
import { endFirst } from '#platform/processes/oom-score.ts'
import type { PullTask } from './pull.ts'

/** Pulls a source in its own process, which has exited when this returns. The result is in the store. */
export async function pullInProcess(task: PullTask, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  // The same extension as this file: .ts in development, .js when built.
  const program = new URL(`./pull-process${MODULE_EXTENSION}`, import.meta.url)
  // Detached, so that Ctrl-C reaches only this process, which then disconnects from the other.
  const child = fork(program, { detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  endFirst(child.pid)
  const exited = once(child, 'exit')
  using _ = addAbortListener(signal, () => end(child))
  child.send(task, () => {})
  const [code, killedBy] = await exited
  signal.throwIfAborted()
  if (code !== 0)
    throw new Error(`its process ended with ${killedBy ?? code}; see the log and the memory of the machine`)
}

/** The process kills its git and removes its checkout, if it can do so in time. */
function end(child: ChildProcess): void {
  if (child.connected) child.disconnect()
  setTimeout(() => child.kill('SIGKILL'), MAX_END_MS).unref()
}

const MAX_END_MS = 5000
