import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, lstat, readFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hash } from '../../brand/ids.ts'
import { DamagedContent } from '../store-error.ts'
import { type Files, type FileVersion, type Part, SMALL_FILE } from './files.ts'
import { incomingFolder, receiveOnDisk } from './incoming-disk.ts'
import {
  entriesIn,
  hasEntries,
  isPlainFile,
  listFiles,
  listHashes,
  openIfPlain,
  openIfPlainSync,
} from './plain-files.ts'

/**
 * Keeps files in a folder, at `{workspace}/{first two digits}/{hash}`. Incomplete files are in `.incoming`, and the
 * owner is in `.store`; no workspace can have these names.
 */
export function openDiskFiles(folder: string): Files {
  const place = (workspace: string, hash: string) => join(folder, workspace, hash.slice(0, 2), hash)
  const receiveFile = async (workspace: string, hash: Hash, bytes: AsyncIterable<Uint8Array>, wrong: () => Error) => {
    const incoming = receiveOnDisk(folder, workspace)
    try {
      if ((await incoming.add(bytes)) !== hash) throw wrong()
      await incoming.commit()
    } finally {
      incoming.discard()
    }
  }
  return {
    receive: workspace => receiveOnDisk(folder, workspace),
    listIncoming: () => entriesIn(incomingFolder(folder)).map(({ name }) => name),
    removeIncoming: () => rm(incomingFolder(folder), { recursive: true, force: true }),
    copy: async (from, to, hash) => {
      if (isPlainFile(place(to, hash))) return
      await using source = await openIfPlain(place(from, hash))
      const origin = { kind: 'file', path: place(from, hash) } as const
      if (!source) throw new DamagedContent(origin, { isMissing: true })
      const bytes = source.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })
      await receiveFile(to, hash, bytes, () => new DamagedContent(origin))
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
      receiveFile(workspace, hash, bytes, () => new Error(`the bytes of file ${hash} do not have their hash`)),
    listAll: () => listFiles(folder),
    remove: ({ workspace, hash }) => rm(place(workspace, hash), { force: true }),
    ...ownerOnDisk(folder),
    isEmpty: async () => !hasEntries(folder),
    pathOf: place,
  }
}

/** Synchronous, because every start reads the owner, and a thread would take longer than the read. */
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
 * The first chunk is empty, and the caller takes it at once: ending a generator that has not started would not close
 * the file.
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

/** A stalled client keeps a chunk in memory. */
const CHUNK_BYTES = 1 << 16

/** The owner is in the file `.store`. It is renamed into place, so that it is complete or missing. */
function ownerOnDisk(folder: string): Pick<Files, 'owner' | 'setOwner'> {
  const path = join(folder, '.store')
  return {
    owner: async () => readIfSmall(path)?.toString().trim() || undefined,
    setOwner: async urn => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = `${path}-${randomUUID()}`
      try {
        await writeSafely(temporary, `${urn}\n`)
        await rename(temporary, path)
      } finally {
        await rm(temporary, { force: true })
      }
      await using parent = await open(folder)
      await parent.sync()
    },
  }
}

async function writeSafely(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}
