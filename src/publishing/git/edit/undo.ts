import { failed, ok } from '#platform/base/result.ts'
import type { GitResult } from '../program/git-problem.ts'
import { type EditClone, type Head, inClone } from './clone.ts'
import { findSave, type Plan } from './save.ts'
import { GONE, isEditable, isFile, refusal } from './tree-file.ts'

export type Undo = {
  commit: string
  /** Whether a file is one that the person may change. */
  isOwn: (path: string) => boolean
  subject: (undone: string) => string
}

/**
 * Plans to undo one of the last saves on a branch: its files become as they were before it. A file that has changed since
 * is a conflict.
 */
export async function planUndo(
  edited: EditClone,
  head: Head,
  { commit, isOwn, subject }: Undo,
): Promise<GitResult<Plan>> {
  const save = await findSave(edited, head, ({ hash }) => hash === commit)
  if (!save.ok) return save
  const { parents, subject: undone } = save.value ?? { parents: '', subject: '' }
  if (!/^\w+$/.test(parents)) return failed(NOT_FOUND)
  const differences = (...args: string[]) =>
    inClone(edited, head.clone, ['--literal-pathspecs', 'diff-tree', '-r', '-z', '--no-renames', commit, ...args])
  const inverse = await differences(parents)
  if (!inverse.ok) return inverse
  const entries = entriesIn(inverse.value)
  // Nobody learns here which files other guides have.
  if (!entries.every(({ path }) => isOwn(path))) return failed(NOT_FOUND)
  const other = entries.find(entry => !isEditable(entry.path) || !(entry.mode === GONE || isFile(entry)))
  if (other) return failed(refusal(other.path, 'it is a link, a submodule or a file of git'))
  const later = await differences(head.hash, '--', ...entries.map(({ path }) => path))
  if (!later.ok) return later
  const conflicts = entriesIn(later.value).map(({ path }) => ({ path, theirs: undefined }))
  return ok({ subject: subject(undone), entries, conflicts })
}

/** The entries that are new in the second tree, in the output of git-diff-tree(1). */
function entriesIn(output: string) {
  const changes = [...output.matchAll(/:\d{6} (\d{6}) \w+ (\w+) \w\0([^\0]+)\0/g)]
  return changes.map(([, mode = '', hash = '', path = '']) => ({ path, mode, hash }))
}

const NOT_FOUND = {
  code: 'edit_refused',
  message: 'cannot undo the save: it is not among the last saves of this guide; revert it with git',
} as const
