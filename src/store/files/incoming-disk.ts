import { createHash, randomUUID } from 'node:crypto'
import { closeSync, constants, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { settleAll } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'
import { parseHash } from '../../brand/snapshot.ts'
import type { Incoming } from './files.ts'
import { isPlainFile } from './plain-files.ts'

/**
 * Receives files in `{folder}/.incoming`, and commits them in large groups and at the end. A commit flushes each file
 * to the disk, then renames all files into place, then flushes their folders.
 */
export function receiveOnDisk(folder: string, workspace: string): Incoming {
  const incoming = incomingFolder(folder)
  const place = (hash: string) => join(folder, workspace, hash.slice(0, 2), hash)
  mkdirSync(incoming, { recursive: true, mode: 0o700 })
  let waiting: Uncommitted = { files: new Map(), bytes: 0 }
  const commit = async () => {
    const { files } = waiting
    waiting = { files: new Map(), bytes: 0 }
    try {
      await moveIntoPlace(files, place)
    } finally {
      for (const temporary of files.values()) rmSync(temporary, { force: true })
    }
  }
  return {
    add: async pieces => {
      const temporary = join(incoming, randomUUID())
      const isStored = (hash: Hash) => waiting.files.has(hash) || isPlainFile(place(hash))
      const { hash, bytes, isWritten } = await writePieces(pieces, temporary, isStored)
      if (!isWritten) return hash
      if (waiting.files.has(hash))
        rmSync(temporary) // A concurrent call has added the same bytes.
      else waiting.files.set(hash, temporary)
      waiting.bytes += bytes
      if (waiting.files.size >= MAX_UNCOMMITTED_FILES || waiting.bytes >= MAX_UNCOMMITTED_BYTES) await commit()
      return hash
    },
    commit,
    discard: () => {
      for (const temporary of waiting.files.values()) rmSync(temporary, { force: true })
      waiting.files.clear()
    },
  }
}

/** The folder of uncommitted files. */
export function incomingFolder(folder: string): string {
  return join(folder, '.incoming')
}

/** Uncommitted files: the temporary path of each hash. */
type Uncommitted = { files: Map<Hash, string>; bytes: number }

/** The most files and bytes that wait for a commit. After a crash, the next import reads uncommitted files again. */
const MAX_UNCOMMITTED_FILES = 2000
const MAX_UNCOMMITTED_BYTES = 128 << 20

/** Writes each piece when the next one arrives, so a stored file that consists of one piece is never written again. */
async function writePieces(
  pieces: AsyncIterable<Uint8Array>,
  temporary: string,
  isStored: (hash: Hash) => boolean,
): Promise<{ hash: Hash; bytes: number; isWritten: boolean }> {
  const digest = createHash('sha256')
  const file = lazyFile(temporary)
  let pending: Uint8Array = new Uint8Array()
  let bytes = 0
  let isWritten = false
  try {
    for await (const piece of pieces) {
      digest.update(piece)
      if (bytes > 0) file.write(pending)
      pending = piece
      bytes += piece.length
    }
    const hash = parseHash(digest.digest('hex'))
    const isNew = !isStored(hash)
    if (isNew) file.write(pending)
    isWritten = isNew
    return { hash, bytes, isWritten }
  } finally {
    file.close()
    if (!isWritten) rmSync(temporary, { force: true })
  }
}

/** A file that the first write creates. */
function lazyFile(path: string): { write: (bytes: Uint8Array) => void; close: () => void } {
  let descriptor: number | undefined
  return {
    write: bytes => {
      descriptor ??= openSync(path, 'wx', 0o600)
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    },
    close: () => descriptor !== undefined && closeSync(descriptor),
  }
}

async function moveIntoPlace(files: ReadonlyMap<Hash, string>, place: (hash: Hash) => string): Promise<void> {
  await flushAll([...files.values()])
  const folders = new Set<string>()
  for (const [hash, temporary] of files) {
    const target = place(hash)
    const folder = dirname(target)
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    renameSync(temporary, target)
    // The folders above may be new as well.
    folders
      .add(folder)
      .add(dirname(folder))
      .add(dirname(dirname(folder)))
  }
  await flushAll([...folders])
}

/** Flushes files or folders concurrently, so that the disk can combine the writes. */
async function flushAll(paths: readonly string[]): Promise<void> {
  let next = 0
  const work = async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      await using file = await open(path, constants.O_RDONLY)
      await file.sync()
    }
  }
  await settleAll(Array.from({ length: CONCURRENCY }, work))
}

const CONCURRENCY = 8
