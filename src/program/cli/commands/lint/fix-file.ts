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

/** A file whose fixes are made, what remains in it, and their diff; or why the file was not written. */
export type Fixed = Linted & { diff: string; problem?: string }

/** Makes the fixes of a file, on disk if `isWritten`, and compares the fixed content again. */
export async function fixFile(linted: Linted, parts: LintParts, folder: string, isWritten: boolean): Promise<Fixed> {
  const { file, bytes, edits } = linted
  const before = edits.length > 0 ? decodeText(bytes) : undefined
  if (before === undefined) return { ...linted, diff: '' }
  const after = applyEdits(before, edits)
  const fixed = encodeLike(bytes, after)
  const named = resolve(folder, file.shown)
  const written = isWritten ? await write(named, fixed, bytes) : ok(null)
  if (!written.ok) return { ...linted, diff: '', problem: written.problem }
  // `patch` refuses paths out of its folder: there, the diff is for the folder that the user named.
  const path = pathIn(folder, named)
  const pathInDiff = path.startsWith('..') ? pathIn(file.root, file.path) : path
  // Without the byte order mark of UTF-8, the first line of a diff differs from the file.
  const hasMark = encodeLike(bytes, '').length === 3
  const mark = hasMark ? '\ufeff' : ''
  const diff = diffText(pathInDiff, mark + before, mark + after)
  return { ...(await lintBytes(file, fixed, parts)), diff }
}

/** Writes the path that the user named, so that no link is followed. */
async function write(path: string, bytes: Uint8Array, before: Uint8Array): Promise<Result<null, string>> {
  try {
    return await replaceFile(path, bytes, before)
  } catch (error) {
    const why = error instanceof Unreadable ? `${path} ${error.message}` : describeSystemError(error, path)
    if (why === undefined) throw error
    return failed(why)
  }
}

/** A unified diff for `patch` and `git apply`, which keeps the line ends; empty if nothing changes. */
export function diffText(path: string, before: string, after: string): string {
  const hunks = hunkLines(unifiedDiff('', before, after))
  if (hunks.length === 0) return ''
  return [`--- ${diffPath(`a/${path}`)}`, `+++ ${diffPath(`b/${path}`)}`, ...hunks, ''].join('\n')
}

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
    // Last, so that another program has little time to change the file.
    using file = openFile(path)
    const { mode } = file.stat
    const isReadOnly = (mode & 0o222) === 0
    if (isReadOnly) return failed(`cannot write ${path}: it is read-only; allow writing, and try again`)
    const isUnchanged = readStart(file, before.length + 1).equals(before)
    if (!isUnchanged) return failed(`cannot write ${path}: it was changed; try again`)
    // Without setuid and setgid: the new file may belong to someone else.
    await chmod(temporary, mode & 0o777)
    await rename(temporary, path)
    return ok(null)
  } finally {
    await rm(temporary, { force: true })
  }
}
