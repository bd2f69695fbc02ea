import { foldersAbove } from '#brand/portable-paths.ts'
import { readAll } from '#platform/base/bytes.ts'
import { failed, ok } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import type { GitProblem, GitResult } from '../program/git-problem.ts'
import { StoppedGit, streamGit } from '../program/run-git.ts'
import { mirrorProblem } from '../repository/mirror.ts'
import { isUnsafeName } from '../repository/tree.ts'
import { type EditClone, type Head, inClone } from './clone.ts'

/** An entry of a tree: its path in the repository, its mode, and the hash of its bytes. */
export type TreeEntry = { path: string; mode: string; hash: string }

/** The mode by which git-update-index(1) removes a file. */
export const GONE = '000000'

/**
 * Reads a file of the head by its path in the repository; undefined if there is none.
 *
 * @returns with a problem for a path that must not be edited: a link, a submodule, below one of these, or of git itself
 */
export async function readTreeFile(
  edited: EditClone,
  head: Pick<Head, 'clone' | 'hash'>,
  path: string,
): Promise<GitResult<(TreeEntry & { bytes: Uint8Array }) | undefined>> {
  if (!isEditable(path)) return failed(refusal(path, 'it is not a file of a guide'))
  const folders = foldersAbove(path)
  // Also lists what is next to the folders and the file.
  const args = ['--literal-pathspecs', 'ls-tree', '-t', '-z', '--full-tree', head.hash, ...folders, path]
  const listed = await inClone(edited, head.clone, args, { maxBytes: MAX_LIST_BYTES })
  if (!listed.ok) return listed
  const entries = [...listed.value.matchAll(ENTRY)].map(([, mode = '', hash = '', each = '']) => ({
    path: each,
    mode,
    hash,
  }))
  const other = entries.find(each => each.mode !== FOLDER && folders.includes(each.path))
  if (other) return failed(refusal(path, `${other.path} is not a folder`))
  const entry = entries.find(each => each.path === path)
  if (!entry) return ok(undefined)
  if (!isFile(entry)) return failed(refusal(path, 'it is a folder, a link or a submodule'))
  const bytes = await streamGit(head.clone, ['cat-file', 'blob', entry.hash], {}, ({ input, output }) => {
    input.end()
    return readAll(output, MAX_FILE_BYTES, () => new StoppedGit(refusal(path, 'it is larger than 50 MiB')))
  })
  return bytes.ok ? ok({ ...entry, bytes: bytes.value }) : failed(mirrorProblem(edited.source.url, bytes.problem))
}

const MAX_LIST_BYTES = 32 << 20
const ENTRY = /(\d{6}) \w+ ([0-9a-f]+)\t([^\0]*)\0/g
const FOLDER = '040000'

/** Hosts refuse files above 100 MB, and warn from 50. */
export const MAX_FILE_BYTES = 50 << 20

/** Whether a path can be that of a file of a guide, not of git. */
export function isEditable(path: string): boolean {
  return !path.split('/').some(name => isUnsafeName(name) || name.toLowerCase().startsWith('.git'))
}

/** Whether an entry is a file, not a folder, a link or a submodule. */
export function isFile({ mode }: TreeEntry): boolean {
  return mode === '100644' || mode === '100755'
}

export function refusal(path: string, why: string): GitProblem {
  return { code: 'edit_refused', message: `cannot change ${quote(path)}: ${why}; change it with git` }
}
