import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from './files.ts'

/** Keeps files in a folder, as `{workspace}/{first two digits}/{hash}`. */
export function openDiskFiles(folder: string): Files {
  const place = (workspace: string, hash: string) => join(folder, workspace, hash.slice(0, 2), hash)
  const put: Files['put'] = async (workspace, source, hash) => {
    const target = place(workspace, hash)
    if (await exists(target)) return
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const temporary = join(dirname(target), `.${randomUUID()}.tmp`)
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
