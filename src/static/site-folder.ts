import { mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { errorCode, OperationalError } from '../base/error.ts'
import type { SiteFile } from './static-site.ts'

/**
 * Writes a copy next to its folder, and moves it there once it is complete. If it fails, the old content stays. Returns
 * the number of files.
 *
 * @throws {OperationalError} `folder_not_empty` if the folder has anything except an earlier copy
 */
export async function writeSite(folder: string, files: AsyncIterable<SiteFile>): Promise<number> {
  const exists = await isReplaceable(folder)
  await mkdir(dirname(folder), { recursive: true })
  const unfinished = await mkdtemp(join(dirname(folder), `.${basename(folder).slice(0, 100)}.unfinished-`))
  try {
    const made = join(unfinished, 'new')
    await mkdir(made)
    let count = 0
    for await (const file of files) {
      await writeSiteFile(made, file)
      count++
    }
    await writeFile(join(made, MARK), MARK_TEXT)
    if (exists) await rename(folder, join(unfinished, 'old'))
    await rename(made, folder).catch(async (error: unknown) => {
      if (exists) await rename(join(unfinished, 'old'), folder)
      throw error
    })
    return count
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Marks a folder as a copy that may be replaced. */
const MARK = '.housestyle-site'
const MARK_TEXT = 'Made by `housestyle export --to site`, which replaces this folder as a whole.\n'

/** Whether an empty folder or an earlier copy exists at the path. Throws for anything else. */
async function isReplaceable(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (!stats) return false
  const names = stats.isDirectory() ? await readdir(folder) : undefined
  if (names && (names.length === 0 || names.includes(MARK))) return true
  const what = names ? 'has files that are not from an earlier copy' : 'is a file'
  throw new OperationalError('folder_not_empty', `${folder} ${what}: name a new or empty folder with --out`)
}

async function writeSiteFile(root: string, { path, chunks }: SiteFile): Promise<void> {
  const target = join(root, path)
  if (!target.startsWith(root + sep)) throw new Error(`a copy has a file outside of its folder: ${path}`)
  await mkdir(dirname(target), { recursive: true })
  const file = await open(target, 'wx')
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}
