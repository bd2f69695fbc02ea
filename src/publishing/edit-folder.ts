import { createReadStream } from 'node:fs'
import { lstat, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { foldersAbove } from '#brand/portable-paths.ts'
import { openFile, readStart } from '#intake/folder/open-file.ts'
import { Unreadable } from '#intake/folder/unreadable.ts'
import { errorMessage } from '#platform/base/error.ts'
import { failed, ok } from '#platform/base/result.ts'
import { type Content, type FileChange, mergeFiles } from './git/edit/merge-files.ts'
import type { Saved } from './git/edit/save.ts'
import { isEditable, MAX_FILE_BYTES, refusal } from './git/edit/tree-file.ts'
import type { GitResult } from './git/program/git-problem.ts'

/** Reads a file of a brand folder by its path there; undefined if there is none. No link is followed. */
export async function readFolderFile(folder: string, path: string): Promise<GitResult<Uint8Array | undefined>> {
  if (!isEditable(path)) return failed(refusal(path, 'it is not a file of a guide'))
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined) return failed(refusal(path, 'its folder is missing'))
  for (const above of foldersAbove(path)) {
    const stat = await lstat(join(root, above)).catch(() => undefined)
    if (!stat) return ok(undefined)
    if (!stat.isDirectory()) return failed(refusal(path, `${above} is not a folder`))
  }
  try {
    using file = openFile(join(root, path))
    if (file.size > MAX_FILE_BYTES) return failed(refusal(path, 'it is larger than 50 MiB'))
    return ok(readStart(file, MAX_FILE_BYTES))
  } catch (error) {
    const isMissing = error instanceof Unreadable && !(await lstat(join(root, path)).catch(() => undefined))
    return isMissing ? ok(undefined) : failed(refusal(path, errorMessage(error)))
  }
}

/** Writes files of a brand folder, each as a whole. The changes of other programs are merged, or are a conflict. */
export async function saveInFolder(folder: string, changes: readonly FileChange[]): Promise<GitResult<Saved>> {
  const merged = await mergeFiles(changes, async path => {
    const read = await readFolderFile(folder, path)
    return read.ok ? ok(read.value && { bytes: read.value }) : read
  })
  if (!merged.ok) return merged
  const { files, conflicts } = merged.value
  if (conflicts.length > 0) return ok({ outcome: 'conflict', files: conflicts })
  for (const { path, content } of files) {
    try {
      await writeWhole(join(await realpath(folder), path), content)
    } catch (error) {
      return failed(refusal(path, errorMessage(error)))
    }
  }
  return ok({ outcome: 'saved', commit: undefined })
}

async function writeWhole(to: string, content: Content | undefined): Promise<void> {
  if (!content) return rm(to, { force: true })
  await mkdir(dirname(to), { recursive: true })
  const part = join(dirname(to), `.${basename(to)}.housestyle`)
  await rm(part, { force: true })
  // A new file, so that no link is followed, with the mode of the one before.
  const mode = (await stat(to).catch(() => undefined))?.mode
  const bytes = 'file' in content ? createReadStream(content.file) : content
  await writeFile(part, bytes, { flag: 'wx', mode })
  await rename(part, to)
}
