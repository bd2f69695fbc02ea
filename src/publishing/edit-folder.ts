import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { foldersAbove } from '#brand/portable-paths.ts'
import { openFile, readStart } from '#intake/folder/open-file.ts'
import { Unreadable } from '#intake/folder/unreadable.ts'
import { errorCode, errorMessage } from '#platform/base/error.ts'
import { stoppable } from './git/edit/clone.ts'
import { type Content, type FileChange, type MergeTexts, mergeFiles } from './git/edit/merge-files.ts'
import type { Changes, Saved } from './git/edit/save.ts'
import { isEditable, MAX_FILE_BYTES, refusal } from './git/edit/tree-file.ts'

/**
 * A brand folder whose files people change in the browser. Paths begin in the folder. Has the same functions as a followed
 * branch (`EditedSource`), but no commits: nothing can be undone.
 */
export function openFolder(folder: string, merge: MergeTexts) {
  const find = async (path: string) => {
    const bytes = await readWhole(folder, path)
    return bytes && { id: await idOf(bytes), read: async () => bytes }
  }
  const save = async (changes: readonly FileChange[]): Promise<Saved> => {
    const { files, conflicts } = await mergeFiles(changes, find, idOf, merge)
    for (const { path, content } of files)
      await writeWhole(join(folder, path), content).catch(error => {
        throw refusal(path, errorMessage(error))
      })
    return conflicts.length > 0 ? { outcome: 'conflict', files: conflicts } : { outcome: 'saved', commit: undefined }
  }
  return {
    source: undefined,
    undo: undefined,
    history: undefined,
    read: (path: string) => stoppable(() => readWhole(folder, path)),
    save: ({ changes }: Pick<Changes, 'changes'>) => stoppable(() => save(changes)),
  }
}

/** Reads a file; undefined if there is none. No link is followed. */
async function readWhole(folder: string, path: string): Promise<Uint8Array | undefined> {
  if (!isEditable(path)) throw refusal(path, 'it is not a file of a guide')
  const root = await realpath(folder).catch(() => {
    throw refusal(path, 'its folder is missing')
  })
  try {
    for (const above of foldersAbove(path))
      if (!(await lstat(join(root, above))).isDirectory()) throw refusal(path, `${above} is not a folder`)
    using file = openFile(join(root, path))
    if (file.size > MAX_FILE_BYTES) throw refusal(path, 'it is larger than 50 MiB')
    return readStart(file, MAX_FILE_BYTES)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error instanceof Unreadable ? refusal(path, error.message) : error
  }
}

/** Equal for the same bytes. */
async function idOf(content: Content): Promise<string> {
  return hash('sha256', 'file' in content ? await readFile(content.file) : content)
}

const NO_FILE = { mode: undefined }

/** Writes a file as a whole, or removes it. */
async function writeWhole(to: string, content: Content | undefined): Promise<void> {
  if (!content) return rm(to, { force: true })
  await mkdir(dirname(to), { recursive: true })
  const part = join(dirname(to), `.${basename(to)}.housestyle`)
  await rm(part, { force: true })
  // A new file, so that no link is followed, with the mode of the one before.
  const { mode } = await stat(to).catch(() => NO_FILE)
  await writeFile(part, 'file' in content ? createReadStream(content.file) : content, { flag: 'wx', mode })
  await rename(part, to)
}
