import { foldersAbove } from '#brand/portable-paths.ts'
import { readAll } from '#platform/base/bytes.ts'
import { failed, ok } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import type { GitProblem, GitResult } from '../program/git-problem.ts'
import { StoppedGit, streamGit } from '../program/run-git.ts'
import { mirrorProblem } from '../repository/mirror.ts'
import { isUnsafeName } from '../repository/tree.ts'
import { type EditClone, type Head, inClone } from './clone.ts'

/** A file of a commit: its mode as in a tree, and its bytes. */
export type TreeFile = { mode: string; bytes: Uint8Array }

/**
 * Reads a file of the head by its path in the repository; undefined if there is none.
 *
 * @returns with a problem for a path that must not be edited: a link, a submodule, below one of these, or of git itself
 */
export async function readTreeFile(
  edited: EditClone,
  { clone, commit }: Pick<Head, 'clone' | 'commit'>,
  path: string,
): Promise<GitResult<TreeFile | undefined>> {
  if (!isEditable(path)) return failed(refusal(path, 'it is not a file of a guide'))
  for (const folder of foldersAbove(path)) {
    const mode = await entryOf(edited, { clone, commit }, folder)
    if (!mode.ok) return mode
    if (mode.value === undefined) return ok(undefined)
    if (mode.value.mode !== FOLDER) return failed(refusal(path, `${folder} is not a folder`))
  }
  const entry = await entryOf(edited, { clone, commit }, path)
  if (!entry.ok || entry.value === undefined) return entry.ok ? ok(undefined) : entry
  const { mode, hash } = entry.value
  if (!FILES.has(mode)) return failed(refusal(path, 'it is a folder, a link or a submodule'))
  const bytes = await streamGit(clone, ['cat-file', 'blob', hash], {}, ({ input, output }) => {
    input.end()
    return readAll(output, MAX_FILE_BYTES, () => new StoppedGit(refusal(path, 'it is larger than 50 MiB')))
  })
  return bytes.ok ? ok({ mode, bytes: bytes.value }) : failed(mirrorProblem(edited.source.url, bytes.problem))
}

/** Whether a path can be that of a file of a guide, not of git. */
export function isEditable(path: string): boolean {
  return !path.split('/').some(name => isUnsafeName(name) || name.toLowerCase().startsWith('.git'))
}

/** Hosts refuse files above 100 MB, and warn from 50. */
export const MAX_FILE_BYTES = 50 << 20
const FOLDER = '040000'
const FILES: ReadonlySet<string> = new Set(['100644', '100755'])

export function refusal(path: string, why: string): GitProblem {
  return { code: 'edit_refused', message: `cannot change ${quote(path)}: ${why}; change it with git` }
}

async function entryOf(
  edited: EditClone,
  { clone, commit }: Pick<Head, 'clone' | 'commit'>,
  path: string,
): Promise<GitResult<{ mode: string; hash: string } | undefined>> {
  const listed = await inClone(edited, clone, [
    '--literal-pathspecs',
    'ls-tree',
    '-z',
    '--full-tree',
    commit.hash,
    path,
  ])
  if (!listed.ok) return listed
  const [, mode, hash] = /^(\d{6}) \w+ ([0-9a-f]+)\t/.exec(listed.value) ?? []
  return ok(mode === undefined || hash === undefined ? undefined : { mode, hash })
}
