import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import { identityOf, versionOf } from './file-version.ts'
import { proveLocation } from './open-folder.ts'
import { CHANGED, NOT_A_FILE, orUnreadable, Unreadable } from './unreadable.ts'

/** An open file. Declare it with `using`: it is closed at the end of the block. */
export type OpenFile = { descriptor: number; size: number; stat: Stats } & Disposable

/*
 * Files are read synchronously: bytes from the system's page cache arrive sooner than a thread could be asked for them.
 */

/**
 * Opens a file for reading, and proves that it stands at this path, whose folder is a real one (`realpath`). Throws
 * `Unreadable` if there is no file, if it is a symbolic link, a folder, a pipe or a device, or if it stands elsewhere.
 *
 * @param place another way to the same file, such as through an open folder
 */
export function openFile(path: string, place: string = path): OpenFile {
  return orUnreadable(() => {
    const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile()) throw new Unreadable(NOT_A_FILE)
      proveLocation(descriptor, path)
      return { descriptor, size: stat.size, stat, [Symbol.dispose]: () => closeSync(descriptor) }
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
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

/** Fills `bytes` from this offset of the file on, and returns how many bytes were read. Throws `Unreadable`. */
export function readAt({ descriptor }: OpenFile, bytes: Uint8Array, at: number): number {
  return orUnreadable(() => readSync(descriptor, bytes, 0, bytes.length, at))
}

/** Throws `Unreadable` if a file was written to since it was opened. */
export function proveUnchanged({ descriptor, stat }: OpenFile): void {
  const now = orUnreadable(() => fstatSync(descriptor))
  if (versionOf(now) !== versionOf(stat)) throw new Unreadable(CHANGED)
}

/** The bytes of a file, each chunk read when it is asked for. `size` and `stat` are set by reading. */
export type FileChunks = AsyncIterable<Uint8Array> & {
  /** How many bytes were read so far. */
  size: number
  stat?: Stats
}

/**
 * Reads the file with this identity once, from start to end, and never follows a symbolic link or opens a pipe. Throws
 * `Unreadable` if a chunk cannot be read, and at the end if the file was written to meanwhile.
 */
export function fileChunks(path: string, identity: string): FileChunks {
  const chunks: FileChunks = {
    size: 0,
    async *[Symbol.asyncIterator]() {
      using file = openFile(path)
      if (identityOf(file.stat) !== identity) throw new Unreadable(CHANGED)
      chunks.stat = file.stat
      for (let room = Math.min(file.size + 1, CHUNK_BYTES); ; room = CHUNK_BYTES) {
        const chunk = Buffer.allocUnsafe(room)
        const length = readAt(file, chunk, chunks.size)
        chunks.size += length
        if (chunks.size > file.size) throw new Unreadable(CHANGED) // It grows, perhaps without end.
        const isLast = length < room
        if (isLast) proveUnchanged(file)
        if (length > 0) yield chunk.subarray(0, length)
        if (isLast) return
        await pause() // Lets other work go on while a large file is read.
      }
    },
  }
  return chunks
}

const CHUNK_BYTES = 1 << 18
