import type { Stats } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import { identityOf, openFile, proveUnchanged, readAt } from './open-file.ts'
import { CHANGED, Unreadable } from './unreadable.ts'

/** The bytes of a file in pieces, each read when it is asked for; then `size` and `stat` say which file it was. */
export type FilePieces = AsyncIterable<Uint8Array> & {
  size: number
  stat?: Stats
}

/**
 * Reads a file once, from start to end; never what a symbolic link or a pipe leads to. Throws `Unreadable` if a piece
 * cannot be read, or at the end if the file was written to meanwhile.
 */
export function filePieces(path: string, identity: string): FilePieces {
  const pieces: FilePieces = {
    size: 0,
    async *[Symbol.asyncIterator]() {
      using file = openFile(path)
      if (identityOf(file.stat) !== identity) throw new Unreadable(CHANGED)
      pieces.stat = file.stat
      for (let room = Math.min(file.size + 1, MAX_PIECE); ; room = MAX_PIECE) {
        const piece = Buffer.allocUnsafe(room)
        const length = readAt(file, piece, pieces.size)
        pieces.size += length
        if (pieces.size > file.size) throw new Unreadable(CHANGED) // It grows, perhaps without end.
        const isLast = length < room
        if (isLast) proveUnchanged(file)
        if (length > 0) yield piece.subarray(0, length)
        if (isLast) return
        await pause() // Other work goes on while a large file is read.
      }
    },
  }
  return pieces
}

const MAX_PIECE = 1 << 18
