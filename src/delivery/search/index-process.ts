import process from 'node:process'
import type { IndexAnswer, IndexTask } from './index-builder.ts'
import { collectIndex, type IndexBuilder } from './index-builder.ts'
import { openStemmer } from './stemmer.ts'

// This program runs in a child process, which ends when its parent disconnects.
let builder: Promise<IndexBuilder> | undefined
process.on('message', (task: IndexTask) => {
  if (task.kind === 'begin') builder = begin(task)
  else if (task.kind !== 'end') void builder?.then(({ add }) => add(task))
  else {
    void builder?.then(sendRest)
    builder = undefined // Frees its memory before the next index.
  }
})

async function begin({ maxBytes, lang }: Extract<IndexTask, { kind: 'begin' }>): Promise<IndexBuilder> {
  return collectIndex(block => void send(block), maxBytes, await openStemmer(lang))
}

/** Waits until each message has left, so that messages do not pile up here. */
async function sendRest({ finish }: IndexBuilder): Promise<void> {
  for (const answer of finish()) await send(answer)
}

/** Copies the message at once, and resolves when it has been sent. */
function send(answer: IndexAnswer): Promise<void> {
  return new Promise(resolve => process.send?.(answer, undefined, undefined, () => resolve()))
}
