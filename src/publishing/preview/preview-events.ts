import { on } from 'node:events'
import { endOwn, forkOwn } from '#platform/processes/own-process.ts'
import type { PreviewEvent, PreviewTask } from './preview.ts'

/**
 * Starts a process that previews a folder, so that requests never wait for it, and yields its events as they arrive. The
 * process has exited when the generator ends.
 *
 * @throws {Error} if the process cannot be started or exits by itself; once the signal is aborted, its reason.
 */
export async function* previewEvents(task: PreviewTask, signal: AbortSignal): AsyncGenerator<PreviewEvent> {
  signal.throwIfAborted()
  const child = forkOwn(new URL('./preview-process', import.meta.url))
  try {
    const messages = on(child, 'message', { signal, close: ['exit'] })
    // If it cannot be sent, the process has not started or has exited, and the messages end.
    if (child.connected) child.send(task, () => {})
    for await (const [event] of messages) yield event
  } finally {
    await endOwn(child)
  }
  throw new Error('the process that reads the folder has ended: start `housestyle dev` again')
}
