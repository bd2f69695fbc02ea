import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SpillBuffer = {
  put: (bytes: Uint8Array) => Span
  /** A copy of the stored bytes. */
  get: (span: Span) => Uint8Array<ArrayBuffer>
  [Symbol.dispose]: () => void
}

export type Span = { start: number; end: number }

/**
 * Opens a buffer that keeps up to `memoryBytes` bytes (16 MiB) in memory and writes the rest to a temporary file in
 * `folder`, so that memory does not grow with the brand folder.
 */
export function openSpillBuffer(memoryBytes: number = 16 << 20, folder: string = tmpdir()): SpillBuffer {
  let pending = Buffer.alloc(0)
  let file: number | undefined
  let inFile = 0
  let total = 0
  let maxInMemory = memoryBytes
  const ensureCapacity = (length: number) => {
    if (total - inFile + length <= pending.length) return
    const used = pending.subarray(0, total - inFile)
    if (used.length + length > maxInMemory && moveToFile(used)) {
      if (length > pending.length) pending = Buffer.alloc(length)
    } else {
      const doubled = Math.min(maxInMemory, 2 * pending.length)
      pending = Buffer.concat([used], Math.max(doubled, used.length + length))
    }
  }
  const moveToFile = (bytes: Uint8Array): boolean => {
    try {
      file ??= openTemporaryFile(folder)
      writeAll(file, bytes, inFile)
      inFile = total
      return true
    } catch {
      maxInMemory = Number.POSITIVE_INFINITY // The disk is full or not writable, so the rest stays in memory.
      return false
    }
  }
  return {
    put: bytes => {
      ensureCapacity(bytes.length)
      pending.set(bytes, total - inFile)
      const start = total
      total += bytes.length
      return { start, end: total }
    },
    get: ({ start, end }) => {
      if (start >= inFile) return new Uint8Array(pending.subarray(start - inFile, end - inFile))
      const bytes = new Uint8Array(end - start)
      if (file !== undefined) readAll(file, bytes, start)
      return bytes
    },
    [Symbol.dispose]: () => file !== undefined && closeSync(file),
  }
}

/** Opens an unlinked file, which the system removes when this process ends, even if it is killed. */
function openTemporaryFile(folder: string): number {
  const own = mkdtempSync(join(folder, 'housestyle-'))
  try {
    return openSync(join(own, 'spill'), 'wx+', 0o600)
  } finally {
    rmSync(own, { recursive: true })
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, from + at)
}

function readAll(descriptor: number, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < bytes.length; ) {
    const length = readSync(descriptor, bytes, at, bytes.length - at, from + at)
    if (length === 0) throw new Error('a temporary file was truncated while it was in use')
    at += length
  }
}
