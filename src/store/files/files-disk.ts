import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstat,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Hash, isHash, isStoredWorkspaceId } from '#brand/ids.ts'
import { parseHash } from '#brand/snapshot.ts'
import { errorCode } from '#platform/base/error.ts'
import { forEachOf } from '#platform/base/promise.ts'
import { DamagedContent } from '../store-error.ts'
import { openBatch } from './batch.ts'
import { type Files, type FileVersion, type Incoming, type Part, SMALL_FILE, type StoredFile } from './files.ts'

/**
 * Keeps files in a folder, at `{workspace}/{first two digits}/{hash}`. Incomplete files are in `.incoming`, and the
 * owner is in `.store`; no workspace can have these names.
 */
export function openDiskFiles(folder: string): Files {
  const place = (workspace: string, hash: string) => placeIn(folder, workspace, hash)
  const receive = (workspace: string) => receiveOnDisk(folder, workspace)
  return {
    receive,
    listIncoming: () => entriesIn(incomingFolder(folder)).map(({ name }) => name),
    removeIncoming: () => rm(incomingFolder(folder), { recursive: true, force: true }),
    copy: async (from, to, hash) => {
      if (isPlainFile(place(to, hash))) return
      await using source = await openIfPlain(place(from, hash))
      const origin = { kind: 'file', path: place(from, hash) } as const
      if (!source) throw new DamagedContent(origin, { isMissing: true })
      const bytes = source.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })
      await receiveFile(receive(to), hash, bytes, () => new DamagedContent(origin))
    },
    open: async (workspace, hash, part) => {
      const handle = await openIfPlain(place(workspace, hash))
      if (!handle) return undefined
      const chunks = readChunks(handle, part)
      await chunks.next()
      return chunks
    },
    readSmall: (workspace, hash) => readIfSmall(place(workspace, hash)),
    version: (workspace, hash) => versionAt(place(workspace, hash)),
    list: workspace => listHashes(folder, workspace),
    put: (workspace, hash, bytes) =>
      receiveFile(receive(workspace), hash, bytes, () => new Error(`the bytes of file ${hash} do not have their hash`)),
    listAll: () => listFiles(folder),
    remove: ({ workspace, hash }) => rm(place(workspace, hash), { force: true }),
    ...ownerOnDisk(folder),
    isEmpty: async () => !hasEntries(folder),
    pathOf: place,
  }
}

function placeIn(folder: string, workspace: string, hash: string): string {
  return join(folder, workspace, hash.slice(0, 2), hash)
}

/** Receives one file. Throws the error that `wrong` makes if its bytes have another hash. */
async function receiveFile(
  incoming: Incoming,
  hash: Hash,
  bytes: AsyncIterable<Uint8Array>,
  wrong: () => Error,
): Promise<void> {
  try {
    if ((await incoming.add(bytes)) !== hash) throw wrong()
    await incoming.commit()
  } finally {
    incoming.discard()
  }
}

/**
 * The bytes of a file; undefined if it is missing or larger than `SMALL_FILE`. Synchronous, because every start reads the
 * owner, and a thread would take longer than the read.
 */
function readIfSmall(path: string): Buffer | undefined {
  const descriptor = openIfPlainSync(path)
  if (descriptor === undefined) return undefined
  try {
    const { size } = fstatSync(descriptor)
    return size <= SMALL_FILE ? readFileSync(descriptor) : undefined
  } finally {
    closeSync(descriptor)
  }
}

/** The version of a file: its device, inode, size and ctime. */
function versionAt(path: string): Promise<FileVersion | undefined> {
  return new Promise(resolve =>
    lstat(path, { bigint: true }, (_, stat) => {
      if (!stat?.isFile()) return resolve(undefined)
      const { dev, ino, size, ctimeNs } = stat
      resolve({ id: `${dev} ${ino} ${size} ${ctimeNs}`, size: Number(size) })
    }),
  )
}

/**
 * Reads a file or a part of it, and closes it. The first chunk is empty, and the caller takes it at once: ending a
 * generator that has not started would not close the file.
 */
async function* readChunks(file: FileHandle, part?: Part): AsyncGenerator<Uint8Array> {
  await using handle = file
  yield new Uint8Array()
  const { start, end } = part ?? { start: 0, end: (await handle.stat()).size - 1 }
  for (let at = start; at <= end; ) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, end - at + 1))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Not more, because a stalled client keeps a chunk in memory. */
const CHUNK_BYTES = 1 << 16

/** The owner is in the file `.store`. */
function ownerOnDisk(folder: string): Pick<Files, 'owner' | 'setOwner'> {
  const path = join(folder, '.store')
  return {
    owner: async () => readIfSmall(path)?.toString().trim() || undefined,
    setOwner: async urn => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeInPlace(path, `${urn}\n`)
      await using parent = await open(folder)
      await parent.sync()
    },
  }
}

/** Writes a private file that is renamed into place, so that it is complete or missing. */
export async function writeInPlace(path: string, text: string): Promise<void> {
  const temporary = `${path}-${randomUUID()}`
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/**
 * Receives files in `{folder}/.incoming`, and commits them in large groups and at the end. A commit flushes each file
 * to the disk, then renames all files into place, then flushes their folders.
 */
function receiveOnDisk(folder: string, workspace: string): Incoming {
  const incoming = incomingFolder(folder)
  const place = (hash: string) => placeIn(folder, workspace, hash)
  mkdirSync(incoming, { recursive: true, mode: 0o700 })
  const batch = openBatch<string>(MAX_UNCOMMITTED, async files => {
    try {
      await moveIntoPlace(files, place)
    } finally {
      removeAll(files)
    }
  })
  return {
    add: async pieces => {
      const temporary = join(incoming, randomUUID())
      const isStored = (hash: Hash) => batch.has(hash) || isPlainFile(place(hash))
      const { hash, bytes, isWritten } = await writePieces(pieces, temporary, isStored)
      if (!isWritten) return hash
      if (batch.has(hash))
        rmSync(temporary) // A concurrent call has added the same bytes.
      else await batch.add(hash, temporary, bytes)
      return hash
    },
    commit: batch.commit,
    discard: () => removeAll(batch.take()),
  }
}

/** The folder of uncommitted files. */
function incomingFolder(folder: string): string {
  return join(folder, '.incoming')
}

/** Removes uncommitted files: the temporary path of each hash. */
function removeAll(files: ReadonlyMap<Hash, string>): void {
  for (const temporary of files.values()) rmSync(temporary, { force: true })
}

/** The most files and bytes that wait for a commit. After a crash, the next import reads uncommitted files again. */
const MAX_UNCOMMITTED = { files: 2000, bytes: 128 << 20 }

/**
 * Writes pieces of one file to a temporary path; removes what it has written if the file turns out to be stored already.
 * Writes each piece when the next one arrives, so a stored file that consists of one piece is never written again.
 */
async function writePieces(
  pieces: AsyncIterable<Uint8Array>,
  temporary: string,
  isStored: (hash: Hash) => boolean,
): Promise<{ hash: Hash; bytes: number; isWritten: boolean }> {
  const digest = createHash('sha256')
  const file = lazyFile(temporary)
  let latestPiece: Uint8Array = new Uint8Array()
  let bytes = 0
  let isWritten = false
  try {
    for await (const piece of pieces) {
      digest.update(piece)
      if (bytes > 0) file.write(latestPiece)
      latestPiece = piece
      bytes += piece.length
    }
    const hash = parseHash(digest.digest('hex'))
    const isNew = !isStored(hash)
    if (isNew) file.write(latestPiece)
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
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/** Flushes files to the disk, renames them into place, and flushes the folders that have changed. */
async function moveIntoPlace(files: ReadonlyMap<Hash, string>, place: (hash: Hash) => string): Promise<void> {
  await flushAll(files.values())
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
  await flushAll(folders)
}

/** Flushes files or folders concurrently, so that the disk can combine the writes. */
async function flushAll(paths: Iterable<string>): Promise<void> {
  await forEachOf(paths, CONCURRENCY, async path => {
    await using file = await open(path, constants.O_RDONLY)
    await file.sync()
  })
}

/** The number of paths that are flushed at once. */
const CONCURRENCY = 8

/** All files in the folder of a store. Symbolic links may point to another store, and are not followed. */
async function* listFiles(folder: string): AsyncIterable<StoredFile> {
  for (const { workspace, path } of partsIn(folder)) {
    await nextTurn()
    for (const file of entriesIn(path))
      if (isHash(file.name) && file.isFile()) {
        // It may have been removed after it was listed.
        const stat = ifPresent(() => lstatSync(join(path, file.name)))
        if (stat) yield { workspace, hash: file.name, size: stat.size }
      }
  }
}

/** The hashes of all files of a workspace. */
function listHashes(folder: string, workspace: string): Set<string> {
  const path = join(folder, workspace)
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return new Set()
  const parts = readdirSync(path, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const files = parts.flatMap(({ name }) => readdirSync(join(path, name), { withFileTypes: true }))
  return new Set(files.filter(entry => entry.isFile()).map(entry => entry.name))
}

function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Opens a plain file. Anything else counts as missing; opening a pipe does not block. */
async function openIfPlain(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, PLAIN).catch(undefinedIfMissing)
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

/** Opens a plain file synchronously, and returns its descriptor. */
function openIfPlainSync(path: string): number | undefined {
  const descriptor = ifPresent(() => openSync(path, PLAIN))
  if (descriptor === undefined || fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  return undefined
}

/** The flags for opening what may not be a plain file: without waiting for a pipe, and without following a link. */
const PLAIN = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/**
 * The entries of a folder; none if it does not exist. Synchronous, because commands read thousands of folders, and a
 * thread would take longer than each read.
 */
function entriesIn(folder: string): Dirent[] {
  return ifPresent(() => readdirSync(folder, { withFileTypes: true })) ?? []
}

/** Whether a folder exists and is not empty. */
function hasEntries(folder: string): boolean {
  using entries = ifPresent(() => opendirSync(folder))
  return entries !== undefined && entries.readSync() !== null
}

/** The folders of files in the folder of a store: `acme/0f`, one for the first two digits of their hashes. */
function* partsIn(folder: string): Iterable<{ workspace: string; path: string }> {
  for (const workspace of foldersIn(folder).filter(isStoredWorkspaceId))
    for (const part of foldersIn(join(folder, workspace))) yield { workspace, path: join(folder, workspace, part) }
}

function foldersIn(folder: string): string[] {
  return entriesIn(folder)
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
}

/** What is at a path; undefined if it is missing, or something that no store creates. */
export function ifPresent<Found>(look: () => Found): Found | undefined {
  try {
    return look()
  } catch (error) {
    return undefinedIfMissing(error)
  }
}

/** For `catch`: returns undefined if an error says that a path is missing; otherwise throws it. */
function undefinedIfMissing(error: unknown): undefined {
  if (MISSING.has(errorCode(error))) return undefined
  throw error
}

/** ENXIO means a socket or a device, ELOOP a symbolic link. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])
