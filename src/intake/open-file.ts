import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** An open file: closed at the end of the block that has it with `using`. */
export type OpenFile = { descriptor: number; size: number } & Disposable

/*
 * Reading waits here rather than in a pool of threads: what the system has in memory is there sooner than a thread can
 * be told to fetch it.
 */

/** Opens a file for reading. Throws where there is none, or a symbolic link, a folder, a pipe or a device instead. */
export function openFile(path: string): OpenFile {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const stat = fstatSync(descriptor)
  if (stat.isFile()) return { descriptor, size: stat.size, [Symbol.dispose]: () => closeSync(descriptor) }
  closeSync(descriptor)
  throw new NotPlainFile('it is not a file')
}

/** What `openFile` throws where something else than a file stands. */
export class NotPlainFile extends Error {
  override readonly name = 'NotPlainFile'
}

/** The bytes of an open file from its start: all of them, or as many as asked for. */
export function readStart({ descriptor, size }: OpenFile, maxBytes: number): Buffer {
  const bytes = Buffer.alloc(Math.min(size, maxBytes))
  let length = 0
  while (length < bytes.length) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}
