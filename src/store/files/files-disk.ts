import { randomUUID } from 'node:crypto'
import { constants, existsSync, readdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/error.ts'
import { isHash, isWorkspaceId } from '../../brand/ids.ts'
import type { Files, Part, StoredFile } from './files.ts'
import { incomingFolder, receiveOnDisk } from './incoming-disk.ts'

/**
 * Keeps files in a folder, as `{workspace}/{first two digits}/{hash}`; what is still being written stands in `.incoming`,
 * and the owner in `.store`, which no workspace is called.
 */
export function openDiskFiles(folder: string): Files {
  const place = (workspace: string, hash: string) => join(folder, workspace, hash.slice(0, 2), hash)
  const put: Files['put'] = async (workspace, hash, bytes) => {
    const incoming = receiveOnDisk(folder, workspace)
    try {
      if ((await incoming.add(bytes)) !== hash) throw new Error(`the bytes of file ${hash} do not have their hash`)
      await incoming.commit()
    } finally {
      incoming.discard()
    }
  }
  return {
    receive: workspace => receiveOnDisk(folder, workspace),
    listIncoming: () => namesIn(incomingFolder(folder)),
    removeIncoming: () => rm(incomingFolder(folder), { recursive: true, force: true }),
    copy: async (from, to, hash) => {
      if (existsSync(place(to, hash))) return
      await using source = await open(place(from, hash), constants.O_RDONLY)
      await put(to, hash, source.createReadStream({ autoClose: false, highWaterMark: 1 << 18 }))
    },
    open: async (workspace, hash, part) => {
      const handle = await openIfThere(place(workspace, hash))
      if (!handle) return undefined
      const chunks = readChunks(handle, part)
      await chunks.next()
      return chunks
    },
    list: workspace => {
      const parts = existsSync(join(folder, workspace)) ? readdirSync(join(folder, workspace)) : []
      return new Set(parts.flatMap(part => readdirSync(join(folder, workspace, part))))
    },
    put,
    listAll: () => listFiles(folder),
    remove: (workspace, hash) => rm(place(workspace, hash), { force: true }),
    ...ownerOnDisk(folder),
    isEmpty: async () => (await namesIn(folder)).length === 0,
    pathOf: place,
  }
}

async function* listFiles(folder: string): AsyncIterable<StoredFile> {
  for (const workspace of (await namesIn(folder)).filter(isWorkspaceId))
    for (const digits of await namesIn(join(folder, workspace)))
      for (const hash of (await namesIn(join(folder, workspace, digits))).filter(isHash))
        yield { workspace, hash, size: (await stat(join(folder, workspace, digits, hash))).size }
}

/** The names in a folder; none if it is gone. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Its first chunk is empty: a generator that never ran would not close the file when it is ended. */
async function* readChunks(file: FileHandle, part?: Part): AsyncGenerator<Uint8Array> {
  await using handle = file
  yield new Uint8Array()
  const { start, end } = part ?? { start: 0, end: (await handle.stat()).size - 1 }
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - start + 1))
  for (let at = start; at <= end; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at + 1), at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

const CHUNK_BYTES = 1 << 17

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT'
}

/** The owner is in the file `.store`, which is renamed into place, so that it is whole or missing. */
function ownerOnDisk(folder: string): Pick<Files, 'owner' | 'setOwner'> {
  const path = join(folder, '.store')
  return {
    owner: async () => (existsSync(path) ? (await readFile(path, 'utf8')).trim() || undefined : undefined),
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
