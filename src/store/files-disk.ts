import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from './files.ts'

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
    swept ??= sweep(incoming)
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
  await using to = await open(target, 'wx', 0o600)
  const digest = createHash('sha256')
  for await (const chunk of from.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })) {
    digest.update(chunk)
    await to.writeFile(chunk)
  }
  if (digest.digest('hex') !== hash) throw new Error(`${source} changed while it was read: try again`)
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
