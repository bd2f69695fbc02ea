import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes that are needed again later, and not in between. */
export type Aside = {
  put: (bytes: Uint8Array) => Place
  /** A copy of what was put there. */
  get: (place: Place) => Uint8Array<ArrayBuffer>
  [Symbol.dispose]: () => void
}

/** Where bytes stand among all that were put aside. */
export type Place = { start: number; end: number }

/**
 * Puts bytes aside: as many as have `room` (8 MiB) in memory, the others in a temporary file for this user alone, which
 * is gone with it. So what is in memory does not grow with the folder that is read.
 */
export function openAside(room: number = 8 << 20): Aside {
  let pending = Buffer.alloc(0)
  let file: TemporaryFile | undefined
  let inFile = 0
  let total = 0
  const makeRoom = (length: number) => {
    if (total - inFile + length <= pending.length) return
    const used = pending.subarray(0, total - inFile)
    if (used.length + length <= room) {
      pending = Buffer.concat([used], Math.min(room, Math.max(2 * pending.length, used.length + length)))
      return
    }
    file ??= makeTemporaryFile()
    writeAll(file.descriptor, used)
    inFile = total
    if (length > pending.length) pending = Buffer.alloc(length)
  }
  return {
    put: bytes => {
      makeRoom(bytes.length)
      pending.set(bytes, total - inFile)
      const start = total
      total += bytes.length
      return { start, end: total }
    },
    get: ({ start, end }) => {
      if (start >= inFile) return new Uint8Array(pending.subarray(start - inFile, end - inFile))
      const bytes = new Uint8Array(end - start)
      if (file) readAll(file.descriptor, bytes, start)
      return bytes
    },
    [Symbol.dispose]: () => file?.remove(),
  }
}

type TemporaryFile = { descriptor: number; remove: () => void }

function makeTemporaryFile(): TemporaryFile {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-'))
  const descriptor = openSync(join(folder, 'aside'), 'wx+', 0o600)
  const remove = () => {
    closeSync(descriptor)
    rmSync(folder, { recursive: true, force: true })
  }
  return { descriptor, remove }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}

function readAll(descriptor: number, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < bytes.length; ) {
    const length = readSync(descriptor, bytes, at, bytes.length - at, from + at)
    if (length === 0) throw new Error('a temporary file was cut short while it was in use')
    at += length
  }
}
