import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isHash, isWorkspaceId } from '../brand/ids.ts'
import type { Files, KeptFile } from './files.ts'

/**
 * Keeps files in a folder, as `{workspace}/{first two digits}/{hash}`; what is still being written stands in `.incoming`,
 * which no workspace is called.
 */
export function openDiskFiles(folder: string): Files {
  const incoming = join(folder, '.incoming')
  let swept: Promise<void> | undefined
  const place = (workspace: string, hash: string) => join(folder, workspace, hash.slice(0, 2), hash)
  const put: Files['put'] = async (workspace, source, hash) => {
    const target = place(workspace, hash)
    if (await exists(target)) return
    swept ??= sweep(incoming).catch(error => {
      swept = undefined
      throw error
    })
    await swept
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const temporary = join(incoming, randomUUID())
    try {
      await copySynced(source, temporary, hash)
      await rename(temporary, target)
      await syncFolder(dirname(target))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }
  return {
    put,
    carry: (from, to, hash) => put(to, place(from, hash), hash),
    open: async (workspace, hash) => {
      const handle = await openIfThere(place(workspace, hash))
      return handle?.createReadStream()
    },
    keep: async (workspace, hash, bytes) => {
      const target = place(workspace, hash)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      try {
        await writeSynced(bytes, target, hash, 'the bytes of a file do not have their hash')
      } catch (error) {
        await rm(target, { force: true })
        throw error
      }
      await syncFolder(dirname(target))
    },
    listAll: () => listFiles(folder),
    remove: (workspace, hash) => rm(place(workspace, hash), { force: true }),
    where: place,
  }
}

async function* listFiles(folder: string): AsyncIterable<KeptFile> {
  for (const workspace of (await namesIn(folder)).filter(isWorkspaceId))
    for (const digits of await namesIn(join(folder, workspace)))
      for (const hash of (await namesIn(join(folder, workspace, digits))).filter(isHash))
        yield { workspace, hash, size: (await stat(join(folder, workspace, digits, hash))).size }
}

/** The names in a folder, none where it is gone. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Removes what imports that were killed have left; what another import is writing now has just been changed. */
async function sweep(incoming: string): Promise<void> {
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const changed = await stat(path).catch(() => undefined)
    if (changed && Date.now() - changed.mtimeMs > LEFT_MS) await rm(path, { force: true })
  }
}

const LEFT_MS = 10 * 60_000

async function copySynced(source: string, target: string, hash: string): Promise<void> {
  await using from = await open(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const bytes = from.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })
  await writeSynced(bytes, target, hash, `${source} changed while it was read: try again`)
}

async function writeSynced(
  bytes: AsyncIterable<Uint8Array>,
  target: string,
  hash: string,
  otherwise: string,
): Promise<void> {
  await using to = await open(target, 'wx', 0o600)
  const digest = createHash('sha256')
  for await (const chunk of bytes) {
    digest.update(chunk)
    await to.writeFile(chunk)
  }
  if (digest.digest('hex') !== hash) throw new Error(otherwise)
  await to.sync()
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, constants.O_RDONLY)
  await folder.sync()
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
