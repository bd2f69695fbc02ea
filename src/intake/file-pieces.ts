import { readSync } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import { openFile } from './open-file.ts'

/** The bytes of a file in pieces, each read when it is asked for, and their sum once all were. */
export type FilePieces = AsyncIterable<Uint8Array> & { size: number }

/** What comes in place of a piece that cannot be read; its cause says why. */
export class UnreadablePiece extends Error {
  override readonly name = 'UnreadablePiece'
}

/** Reads a file once, from start to end; never what a symbolic link or a pipe leads to. */
export function filePieces(path: string): FilePieces {
  const pieces: FilePieces = {
    size: 0,
    async *[Symbol.asyncIterator]() {
      using file = orUnreadable(() => openFile(path))
      for (let room = Math.min(file.size + 1, LARGEST_PIECE); ; room = LARGEST_PIECE) {
        const piece = Buffer.allocUnsafe(room)
        const length = orUnreadable(() => readSync(file.descriptor, piece))
        if (length === 0) return
        pieces.size += length
        yield piece.subarray(0, length)
        if (length < room && pieces.size >= file.size) return
        await pause() // Other work goes on while a large file is read.
      }
    },
  }
  return pieces
}

const LARGEST_PIECE = 1 << 18

function orUnreadable<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    throw new UnreadablePiece('a file cannot be read', { cause })
  }
}
