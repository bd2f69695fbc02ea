import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode, OperationalError } from '#platform/base/error.ts'
import type { NewFile } from './sources/source.ts'

/**
 * Writes a folder as a whole: it appears at its place when it is complete, or nothing of it remains. A folder that
 * exists keeps what it has; it is filled only at the end, because it may be on another disk than its parent. What a
 * killed run has left is removed first.
 *
 * @param inspect called with the complete folder before it appears
 */
export async function writeWhole(
  target: string,
  files: readonly NewFile[],
  { signal, inspect }: { signal: AbortSignal; inspect?: (folder: string) => Promise<void> },
): Promise<void> {
  const exists = existsSync(target)
  const staging = join(exists ? await realpath(target) : existingAbove(target), `.housestyle-${basename(target)}`)
  await rm(staging, { recursive: true, force: true })
  try {
    await naming(target, () => mkdir(staging))
    for (const file of files) {
      signal.throwIfAborted()
      await naming(join(target, file.to), () => writeFileOf(staging, file))
    }
    await inspect?.(staging)
    signal.throwIfAborted()
    await mkdir(dirname(target), { recursive: true })
    await moveAll(staging, target, exists ? await readdir(staging) : [''])
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Does a step whose failure names the path that the user knows, and that the system leaves out on a full disk. */
async function naming(path: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
  } catch (error) {
    throw errorCode(error) === '' || !(error instanceof Error) ? error : Object.assign(error, { path })
  }
}

function existingAbove(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) ? parent : existingAbove(parent)
}

async function writeFileOf(folder: string, { to, content }: NewFile): Promise<void> {
  if (to.split('/').some(name => NO_NAMES.has(name)) || ['\\', '\0'].some(sign => to.includes(sign)))
    throw new Error(`${JSON.stringify(to)} is no path in the new folder`)
  const path = join(folder, to)
  await mkdir(dirname(path), { recursive: true })
  if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content)
  else await content.copyTo(path)
}

const NO_NAMES: ReadonlySet<string> = new Set(['', '.', '..'])

/** Moves these names in a folder to another, or the folder itself if the name is empty; all or none. */
async function moveAll(from: string, to: string, names: readonly string[]): Promise<void> {
  const moved: string[] = []
  try {
    for (const name of names) {
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
