import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { MODULE_EXTENSION } from '#platform/base/own-files.ts'
import { endFirst } from '#platform/processes/oom-score.ts'
import type { PreviewEvent, PreviewTask } from './preview.ts'

/**
 * Starts a process that previews a folder, so that requests never wait for it, and yields its events as they arrive. The
 * process has exited when the generator ends.
 *
 * @throws {Error} if the process cannot be started or exits by itself; once the signal is aborted, its reason.
 */
export async function* previewEvents(task: PreviewTask, signal: AbortSignal): AsyncGenerator<PreviewEvent> {
  signal.throwIfAborted()
  // The same extension as this file: .ts in development, .js when built.
  const program = new URL(`./preview-process${MODULE_EXTENSION}`, import.meta.url)
  // Detached, so that Ctrl-C reaches only this process, which then disconnects from the other.
  const child = fork(program, { detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  endFirst(child.pid)
  try {
    const messages = on(child, 'message', { signal, close: ['exit'] })
    // If it cannot be sent, the process has not started or has exited, and the messages end.
    if (child.connected) child.send(task, () => {})
    for await (const [event] of messages) yield event
  } finally {
    await end(child)
  }
  throw new Error('the process that reads the folder has ended: start `housestyle dev` again')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  const limit = setTimeout(() => child.kill('SIGKILL'), MAX_END_MS)
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(limit)
}

const MAX_END_MS = 5000
