import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { extname } from 'node:path'
import type { PreviewEvent, PreviewTask } from './preview.ts'

/**
 * Has a process of its own follow a folder, so that requests never wait for it, and gives its news as they come. The
 * process has ended when this has.
 *
 * @throws {Error} if the process cannot be run or ends by itself, and the reason of the signal once it is aborted.
 */
export async function* previewEvents(task: PreviewTask, signal: AbortSignal): AsyncGenerator<PreviewEvent> {
  signal.throwIfAborted()
  // The same extension as this file: .ts in development, .js if it was built.
  const program = new URL(`./preview-process${extname(import.meta.url)}`, import.meta.url)
  // A group of its own: Ctrl-C is for the process that started it, which then lets go.
  const child = fork(program, { detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  try {
    const messages = on(child, 'message', { signal, close: ['exit'] })
    // Where it cannot be sent, the process has not started or has ended, and so do the messages.
    if (child.connected) child.send(task, () => {})
    for await (const [news] of messages) if (isNews(news)) yield news
  } finally {
    await end(child)
  }
  throw new Error('the process that reads the folder has ended: start housestyle dev again')
}

/** Whether a message is what `preview-process.ts` sends: it sends nothing else. */
function isNews(message: unknown): message is PreviewEvent {
  return typeof message === 'object' && message !== null
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
