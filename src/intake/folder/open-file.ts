import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { proveStanding } from './open-folder.ts'
import { CHANGED, NOT_A_FILE, orUnreadable, Unreadable } from './unreadable.ts'

/** An open file: closed at the end of the block that has it with `using`. */
export type OpenFile = { descriptor: number; size: number; stat: Stats } & Disposable

/*
 * Files are read synchronously: what the system has in its page cache arrives sooner than a thread could be asked for it.
 */

/**
 * Opens a file for reading, and proves that it stands at this path, whose folder is a real one (`realpath`). Throws
 * `Unreadable` if there is none, if it is a symbolic link, a folder, a pipe or a device, or if it stands elsewhere.
 *
 * @param place another way to the same file, as through a folder that is open
 */
export function openFile(path: string, place: string = path): OpenFile {
  return orUnreadable(() => {
    const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile()) throw new Unreadable(NOT_A_FILE)
      proveStanding(descriptor, path)
      return { descriptor, size: stat.size, stat, [Symbol.dispose]: () => closeSync(descriptor) }
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  })
}

/** Which file it is: its device and inode. */
export function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** Which file it is, and in which version: another when it is written to. */
export function versionOf(stat: Stats): string {
  return `${identityOf(stat)} ${stat.size} ${stat.mtimeMs}`
}

/** Throws `Unreadable` if a file was written to since it was opened. */
export function proveUnchanged({ descriptor, stat }: OpenFile): void {
  const now = orUnreadable(() => fstatSync(descriptor))
  if (versionOf(now) !== versionOf(stat)) throw new Unreadable(CHANGED)
}

/** Reads into the bytes from a place in the file on; gives how many were read. Throws `Unreadable`. */
export function readAt({ descriptor }: OpenFile, bytes: Uint8Array, at: number): number {
  return orUnreadable(() => readSync(descriptor, bytes, 0, bytes.length, at))
}

/** The bytes of an open file from its start: all of them, or as many as asked for. Throws `Unreadable`. */
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
