import { randomUUID } from 'node:crypto'
import { chmod, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { hunkLines, unifiedDiff } from '#brand/content-diff.ts'
import { openFile, readStart } from '#intake/folder/open-file.ts'
import { Unreadable } from '#intake/folder/unreadable.ts'
import { decodeText, encodeLike } from '#platform/base/bytes.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { applyEdits } from '#platform/base/text.ts'
import { describeSystemError } from '../../failure.ts'
import { type Linted, type LintParts, lintBytes, pathIn } from './lint-files.ts'

/** A file after its fixes: the findings in the fixed content and the diff of the fixes, or why it was not written. */
export type Fixed = Linted & { diff: string; problem?: string }

/** Makes the fixes of a file, on disk if `isWritten`, and compares the fixed content again. */
export async function fixFile(linted: Linted, parts: LintParts, folder: string, isWritten: boolean): Promise<Fixed> {
  const { file, bytes, edits } = linted
  const before = edits.length > 0 ? decodeText(bytes) : undefined
  if (before === undefined) return { ...linted, diff: '' }
  const after = applyEdits(before, edits)
  const fixed = encodeLike(bytes, after)
  // The path as the user named it, not the real one: `replaceFile` refuses it if it has a link.
  const typedPath = resolve(folder, file.shown)
  const written = isWritten ? await write(typedPath, fixed, bytes) : ok(null)
  if (!written.ok) return { ...linted, diff: '', problem: written.problem }
  // `patch` refuses paths that leave its folder (`../`): for these, the diff is relative to the folder that the user named.
  const path = pathIn(folder, typedPath)
  const pathInDiff = path.startsWith('..') ? pathIn(file.root, file.path) : path
  // `decodeText` drops the byte order mark of UTF-8 (3 bytes), but `patch` compares whole lines with the file.
  const hasMark = encodeLike(bytes, '').length === 3
  const mark = hasMark ? '\ufeff' : ''
  const diff = diffText(pathInDiff, mark + before, mark + after)
  return { ...(await lintBytes(file, fixed, parts)), diff }
}

/** Replaces a file; the problem is a sentence for the user. */
async function write(path: string, bytes: Uint8Array, before: Uint8Array): Promise<Result<null, string>> {
  try {
    return await replaceFile(path, bytes, before)
  } catch (error) {
    const problem = error instanceof Unreadable ? `${path} ${error.message}` : describeSystemError(error, path)
    if (problem === undefined) throw error
    return failed(problem)
  }
}

/** A unified diff for `patch` and `git apply`, which keeps the line ends; empty if nothing changes. */
export function diffText(path: string, before: string, after: string): string {
  const hunks = hunkLines(unifiedDiff('', before, after))
  if (hunks.length === 0) return ''
  return [`--- ${diffPath(`a/${path}`)}`, `+++ ${diffPath(`b/${path}`)}`, ...hunks, ''].join('\n')
}

/** A path in the head of a diff. With control characters, quotes or backslashes, git writes `"a/b\134c"` for `a/b\c`. */
function diffPath(path: string): string {
  const escaped = path.replace(/[\p{Cc}"\\]/gu, octalEscape)
  return escaped === path ? path : `"${escaped}"`
}

/** A character as git writes it in a path: a backslash, and three octal digits. */
function octalEscape(mark: string): string {
  const digits = mark.charCodeAt(0).toString(8)
  return `\\${digits.padStart(3, '0')}`
}

/** Replaces a file that still has the bytes `before`, keeping its mode. @throws {Unreadable} */
export async function replaceFile(path: string, bytes: Uint8Array, before: Uint8Array): Promise<Result<null, string>> {
  const real = await realpath(path)
  if (real !== path) return failed(`cannot write ${path}: its path has a link; name ${real}`)
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}`)
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
    // These checks come last, so that another program has little time to change the file before `rename`.
    using file = openFile(path)
    const { mode } = file.stat
    const isReadOnly = (mode & 0o222) === 0
    if (isReadOnly) return failed(`cannot write ${path}: it is read-only; allow writing, and try again`)
    // One byte more shows that the file has grown.
    const isUnchanged = readStart(file, before.length + 1).equals(before)
    if (!isUnchanged) return failed(`cannot write ${path}: it was changed; try again`)
    // 0o777 drops setuid and setgid: the new file may belong to someone else.
    await chmod(temporary, mode & 0o777)
    await rename(temporary, path)
    return ok(null)
  } finally {
    await rm(temporary, { force: true })
  }
}
