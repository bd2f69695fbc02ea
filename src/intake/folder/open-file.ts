import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import { identityOf, versionOf } from './file-version.ts'
import { proveLocation } from './open-folder.ts'
import { CHANGED, NOT_A_FILE, orUnreadable, Unreadable } from './unreadable.ts'

/** An open file. Declare it with `using`: it is closed at the end of the block. */
export type OpenFile = { descriptor: number; size: number; stat: Stats } & Disposable

/* Files are read synchronously: bytes from the page cache arrive faster than through the thread pool. */

/**
 * Opens a file for reading, and verifies that it is at this path, whose folder is a real path (`realpath`). Throws
 * `Unreadable` if the file does not exist, is a symbolic link, folder, pipe or device, or is elsewhere.
 *
 * @param place another path to the same file, such as through an open folder
 */
export function openFile(path: string, place: string = path): OpenFile {
  return orUnreadable(() => {
    using opened = new DisposableStack() // Closes the file if a check fails; otherwise the caller closes it.
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const descriptor = opened.adopt(openSync(place, flags), closeSync)
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Unreadable(NOT_A_FILE)
    proveLocation(descriptor, path)
    const owned = opened.move()
    return { descriptor, size: stat.size, stat, [Symbol.dispose]: () => owned.dispose() }
  })
}

/** The first `maxBytes` bytes of an open file, or all of them if it has fewer. Throws `Unreadable`. */
export function readStart(file: OpenFile, maxBytes: number): Buffer {
  const bytes = Buffer.alloc(Math.min(file.size, maxBytes))
  let length = 0
  while (length < bytes.length) {
    const read = readAt(file, bytes.subarray(length), length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/** Fills `bytes` from this file offset. Returns the number of bytes read, 0 at the end. Throws `Unreadable`. */
export function readAt({ descriptor }: OpenFile, bytes: Uint8Array, at: number): number {
  return orUnreadable(() => readSync(descriptor, bytes, 0, bytes.length, at))
}

/** Throws `Unreadable` if a file was written to since it was opened. */
export function proveUnchanged({ descriptor, stat }: OpenFile): void {
  const now = orUnreadable(() => fstatSync(descriptor))
  if (versionOf(now) !== versionOf(stat)) throw new Unreadable(CHANGED)
}

/** The bytes of a file, read chunk by chunk on demand. Reading sets `size` and `stat`. */
export type FileChunks = AsyncIterable<Uint8Array> & {
  /** The number of bytes read so far. */
  size: number
  stat?: Stats
}

/**
 * Reads the file with this identity once, from start to end, without following symbolic links or opening pipes. Throws
 * `Unreadable` if a chunk cannot be read, or at the end if the file changed meanwhile.
 */
export function fileChunks(path: string, identity: string): FileChunks {
  const chunks: FileChunks = {
    size: 0,
    async *[Symbol.asyncIterator]() {
      using file = openFile(path)
      if (identityOf(file.stat) !== identity) throw new Unreadable(CHANGED)
      chunks.stat = file.stat
      // One more byte than the file has, so that a short read shows its end, and a small file needs one read.
      for (let capacity = Math.min(file.size + 1, CHUNK_BYTES); ; capacity = CHUNK_BYTES) {
        const chunk = Buffer.allocUnsafe(capacity)
        const length = readAt(file, chunk, chunks.size)
        chunks.size += length
        if (chunks.size > file.size) throw new Unreadable(CHANGED) // The file is growing, perhaps forever.
        const isLast = length < capacity
        if (isLast) proveUnchanged(file)
        if (length > 0) yield chunk.subarray(0, length)
        if (isLast) return
        await pause() // Yields to other work while reading a large file.
      }
    },
  }
  return chunks
}

const CHUNK_BYTES = 1 << 18
