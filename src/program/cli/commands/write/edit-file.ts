import { randomUUID } from 'node:crypto'
import { chmod, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { hunkLines, unifiedDiff } from '#brand/content-diff.ts'
import { openFile, readStart } from '#intake/folder/open-file.ts'
import { Unreadable } from '#intake/folder/unreadable.ts'
import { decodeText, encodeLike } from '#platform/base/bytes.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { applyEdits, type Edit } from '#platform/base/text.ts'
import { type Arguments, hasFlag, type Io } from '../../command.ts'
import { describeSystemError, Misuse } from '../../failure.ts'
import { visible, withoutCommands } from '../../output/text.ts'

/** A file with its content, and what a fix replaces in it. `root` is the folder that the user named. */
type NamedFile = { path: string; root: string; bytes: Uint8Array; edits: readonly Edit[] }

/** Makes edits of a file, on disk if `isWritten`: its new content and the diff. The problem is a sentence for the user. */
export async function editFile(
  { path, root, bytes, edits }: NamedFile,
  folder: string,
  isWritten: boolean,
): Promise<Result<{ fixed: Uint8Array; diff: string }, string>> {
  const before = decodeText(bytes) ?? ''
  const after = applyEdits(before, edits)
  const fixed = encodeLike(bytes, after)
  const written = isWritten ? await write(path, fixed, bytes) : ok(null)
  if (!written.ok) return written
  // `patch` refuses paths that leave its folder (`../`): for these, the diff is relative to the folder that the user named.
  const pathInFolder = pathIn(folder, path)
  const pathInDiff = pathInFolder.startsWith('..') ? pathIn(root, path) : pathInFolder
  // `decodeText` drops the byte order mark of UTF-8 (3 bytes), but `patch` compares whole lines with the file.
  const hasMark = encodeLike(bytes, '').length === 3
  const mark = hasMark ? '\ufeff' : ''
  return ok({ fixed, diff: diffText(pathInDiff, mark + before, mark + after) })
}

/** Prints a diff without commands of CI systems, and without what moves the cursor of a terminal. */
export function printDiff(diff: string, print: (text: string) => void, { err }: Io): void {
  // Tabs and line ends (`\n`, `\r\n`) stay; everything between them is made visible.
  const shown = withoutCommands(diff.replace(/(?:[^\t\r\n]|\r(?!\n))+/g, visible))
  print(shown)
  if (shown !== diff) err(ESCAPED)
}

const ESCAPED =
  'a line of this diff is escaped, because a terminal or a CI system would obey it, so patch cannot apply the diff: correct the file with --fix --write\n'

/** Refuses to write without `--fix`. */
export function proveFix(args: Arguments): void {
  if (hasFlag(args, 'write') && !hasFlag(args, 'fix')) throw new Misuse('--write: add --fix')
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

/** The path of a file in a folder, with `/`. */
export function pathIn(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/')
}
