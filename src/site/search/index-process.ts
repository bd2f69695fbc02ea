import process from 'node:process'
import { collectIndex } from './index-builder.ts'
import type { IndexPart } from './index-task.ts'
import type { PackedIndex } from './packed-index.ts'

// The program of a process of its own, which ends when the one that started it lets go.
let collecting = collectIndex()
process.on('message', (part: IndexPart) => {
  if (!('isAll' in part)) return collecting.add(part)
  const packed = collecting.packed()
  collecting = collectIndex()
  void answer(packed)
})

async function answer({ counts, bytes }: PackedIndex): Promise<void> {
  await send(counts)
  for (let at = 0; at < bytes.length; at += PIECE) await send(bytes.subarray(at, at + PIECE))
}

/** Bytes: so that whoever takes them is held up by each for a fraction of a millisecond. */
const PIECE = 256 << 10

function send(message: object): Promise<void> {
  return new Promise(resolve => process.send?.(message, undefined, undefined, () => resolve()))
}
