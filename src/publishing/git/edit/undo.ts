import { failed, ok } from '#platform/base/result.ts'
import type { GitResult } from '../program/git-problem.ts'
import { type EditClone, type Head, inClone } from './clone.ts'
import { DEPTH, deepen, type FileChange } from './save.ts'
import { readTreeFile } from './tree-file.ts'

/**
 * The changes that undo one of the last saves on a branch: its files as they were before it. They only apply while the
 * files are as the commit left them.
 */
export async function undoingChanges(
  edited: EditClone,
  head: Head,
  hash: string,
  isOwn: (path: string) => boolean,
): Promise<GitResult<{ changes: FileChange[]; subject: string }>> {
  const { clone, commit } = head
  const deeper = await deepen(edited, head)
  if (!deeper.ok) return deeper
  const log = await inClone(edited, clone, ['log', `-${DEPTH}`, '--no-show-signature', FORMAT, commit.hash, '--'])
  if (!log.ok) return log
  const [, parents = '', saveId = '', subject = ''] =
    log.value
      .split('\n')
      .map(line => line.split('\t'))
      .find(([own]) => own === hash) ?? []
  const [parent, ...others] = parents.split(' ').filter(Boolean)
  const isSave = parent !== undefined && others.length === 0 && saveId !== ''
  if (!isSave) return failed({ code: 'edit_refused', message: NOT_FOUND })
  const listed = await inClone(edited, clone, ['diff-tree', '-r', '-z', '--no-renames', '--name-only', parent, hash])
  if (!listed.ok) return listed
  const paths = listed.value.split('\0').filter(Boolean)
  // Nobody learns here which files other guides have.
  if (!paths.every(isOwn)) return failed({ code: 'edit_refused', message: NOT_FOUND })
  const changes: FileChange[] = []
  for (const path of paths) {
    const at = (each: string) => readTreeFile(edited, { clone, commit: { ...commit, hash: each } }, path)
    const [before, after] = [await at(hash), await at(parent)]
    if (!before.ok) return before
    if (!after.ok) return after
    changes.push({ path, before: before.value?.bytes, after: after.value?.bytes })
  }
  return ok({ changes, subject })
}

const FORMAT = '--format=%H%x09%P%x09%(trailers:key=Save-Id,valueonly,separator=%x2C)%x09%s'
const NOT_FOUND = 'cannot undo the save: it is not among the last saves of this guide; revert it with git'
