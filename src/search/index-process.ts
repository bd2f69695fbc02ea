import process from 'node:process'
import type { IndexAnswer, IndexTask } from './index-builder.ts'
import { collectIndex, type IndexBuilder } from './index-builder.ts'

// This program runs in a child process, which ends when its parent disconnects.
let builder: IndexBuilder | undefined
process.on('message', (task: IndexTask) => {
  if (task.kind === 'begin') builder = collectIndex(block => void send(block), task.maxBytes)
  else if (task.kind !== 'end') builder?.add(task)
  else if (builder) {
    void sendRest(builder)
    builder = undefined // Frees its memory before the next index.
  }
})

/** Waits until each message has left, so that messages do not pile up here. */
async function sendRest({ finish }: IndexBuilder): Promise<void> {
  for (const answer of finish()) await send(answer)
}

/** Copies the message at once, and resolves when it has been sent. */
function send(answer: IndexAnswer): Promise<void> {
  return new Promise(resolve => process.send?.(answer, undefined, undefined, () => resolve()))
}
