import { readFile } from 'node:fs/promises'
import { decodeText, encodeLike } from '#platform/base/bytes.ts'
import { ok } from '#platform/base/result.ts'
import type { GitResult } from '../program/git-problem.ts'
import { mergedText, passagesOf } from './merge.ts'

/** A file as the person opened it and as it shall be, by its path; undefined: it does not exist. */
export type FileChange = { path: string; before: Uint8Array | undefined; after: Content | undefined }

/** Bytes, or the absolute path of a file that has them and stays until the save ends. */
export type Content = Uint8Array | { file: string }

/** A file in which another person changed the same places: as it is now. */
export type Conflict = { path: string; theirs: Uint8Array | undefined }

/** What has to be written for the changes of a person, with those of others, and the files in which these exclude each other. */
export async function mergeFiles<File extends { bytes: Uint8Array }>(
  changes: readonly FileChange[],
  read: (path: string) => Promise<GitResult<File | undefined>>,
) {
  const files: { path: string; content: Content | undefined; current: File | undefined }[] = []
  const conflicts: Conflict[] = []
  for (const change of changes) {
    const now = await read(change.path)
    if (!now.ok) return now
    const { path } = change
    const bytes = now.value?.bytes
    const content = await mergeFile(change, bytes)
    if (content === 'conflict') conflicts.push({ path, theirs: bytes })
    else if (!(await isSame(content, bytes))) files.push({ path, content, current: now.value })
  }
  return ok({ files, conflicts })
}

/** A file on disk is not merged. */
async function mergeFile({ before, after }: FileChange, current: Uint8Array | undefined) {
  // A form cannot tell an empty file from none.
  const isOpened = (await isSame(before, current)) || (!before && current?.length === 0)
  if (isOpened || (await isSame(after, current))) return after
  if (!current || !before || !after || 'file' in after) return 'conflict'
  const [base, mine, theirs] = [before, after, current].map(decodeText)
  if (base === undefined || mine === undefined || theirs === undefined) return 'conflict'
  const merged = passagesOf(base, mine, theirs).map(mergedText)
  return merged.includes(undefined) ? 'conflict' : encodeLike(current, merged.join(''))
}

async function isSame(one: Content | undefined, other: Uint8Array | undefined): Promise<boolean> {
  if (!one || !other) return one === other
  return Buffer.compare('file' in one ? await readFile(one.file) : one, other) === 0
}
