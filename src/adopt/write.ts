import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperationalError } from '#base/error.ts'
import type { NewFile } from './sources/source.ts'

/**
 * Writes a folder as a whole: it appears at its place when it is complete, or nothing of it remains. A folder that
 * exists keeps what it has; it is filled only at the end, because it may be on another disk than its parent.
 *
 * @param inspect called with the complete folder before it appears
 */
export async function writeWhole(
  target: string,
  files: readonly NewFile[],
  { signal, inspect }: { signal: AbortSignal; inspect: (folder: string) => Promise<void> },
): Promise<void> {
  const exists = existsSync(target)
  const parent = exists ? await realpath(target) : dirname(target)
  const firstMade = await mkdir(parent, { recursive: true })
  const staging = await mkdtemp(join(parent, '.housestyle-'))
  try {
    for (const file of files) {
      signal.throwIfAborted()
      await writeFileOf(staging, file)
    }
    await inspect(staging)
    signal.throwIfAborted()
    if (exists) await moveAll(staging, parent)
    else await rename(staging, target)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (firstMade !== undefined) await removeEmpty(parent, firstMade)
    throw error
  }
  await rm(staging, { recursive: true, force: true })
}

async function writeFileOf(folder: string, { to, content }: NewFile): Promise<void> {
  if (to.split('/').some(name => name === '' || name === '.' || name === '..') || /[\\\0]/.test(to))
    throw new Error(`${JSON.stringify(to)} is no path in the new folder`)
  const path = join(folder, to)
  await mkdir(dirname(path), { recursive: true })
  if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content)
  else await content.copyTo(path)
}

/** Moves everything in a folder into another, or nothing. */
async function moveAll(from: string, to: string): Promise<void> {
  const moved: string[] = []
  try {
    for (const name of await readdir(from)) {
      if (await lstat(join(to, name)).catch(() => undefined))
        throw new OperationalError('folder_changed', `cannot write ${join(to, name)}: another program has written it`)
      await rename(join(from, name), join(to, name))
      moved.push(name)
    }
  } catch (error) {
    for (const name of moved) await rename(join(to, name), join(from, name))
    throw error
  }
}

/** Removes the folders that were made for the target, from the last to the first, unless somebody uses them. */
async function removeEmpty(last: string, first: string): Promise<void> {
  for (let folder = last; folder.length >= first.length; folder = dirname(folder))
    await rmdir(folder).catch(() => undefined)
}
