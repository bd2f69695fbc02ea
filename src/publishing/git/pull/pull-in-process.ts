import { addAbortListener, once } from 'node:events'
import { endOwn, forkOwn } from '#platform/processes/own-process.ts'
import type { PullTask } from './pull.ts'

/** Pulls a source in its own process, which has exited when this returns. The result is in the store. */
export async function pullInProcess(task: PullTask, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = forkOwn(new URL('./pull-process', import.meta.url))
  const exited = once(child, 'exit')
  // It kills its git and removes its checkout, if it can do so in time.
  using _ = addAbortListener(signal, () => void endOwn(child))
  child.send(task, () => {})
  const [code, killedBy] = await exited
  signal.throwIfAborted()
  if (code !== 0)
    throw new Error(`its process ended with ${killedBy ?? code}; see the log and the memory of the machine`)
}
