import type { GitResult } from '../program/git-problem.ts'
import { StoppedGit } from '../program/run-git.ts'
import { type EditClone, inClone, stoppable } from './clone.ts'
import type { FileChange } from './merge-files.ts'
import { type Changes, type Edit, lastSaves } from './save.ts'

export type Undo = Edit & {
  commit: string
  /** Whether a file is one that the person may change. */
  isOwn: (path: string) => boolean
  subject: (undone: string) => string
}

/**
 * The changes that bring back the earlier content of the files of a recent save. A file that has changed since is a
 * conflict.
 */
export function changesOfUndo(edited: EditClone, undo: Undo): Promise<GitResult<Changes>> {
  const { commit, isOwn, subject: subjectFor, ...edit } = undo
  return stoppable(async () => {
    const { clone, saves } = await lastSaves(edited)
    const save = saves.find(({ hash }) => hash === commit)
    // A commit with several parents is not a save.
    if (!save || !/^\w+$/.test(save.parents)) throw new StoppedGit(NOT_FOUND)
    const diff = await inClone(edited, clone, [...DIFF.split(' '), save.parents, commit])
    const changes = [...diff.matchAll(CHANGE)].map(([, earlier = '', saved = '', path = '']) => {
      return { path, before: contentOf(saved), after: contentOf(earlier) }
    })
    // Nobody learns here which files other guides have.
    if (!changes.every(({ path }) => isOwn(path))) throw new StoppedGit(NOT_FOUND)
    return { ...edit, changes, subject: subjectFor(save.subject) }
  })
}

/** git-diff-tree(1), and the earlier and the saved hash and the path of a file in its output. */
const DIFF = 'diff-tree -r -z --no-renames'
const CHANGE = /:\d{6} \d{6} (\w+) (\w+) \w\0([^\0]+)\0/g

/** The content of a file with a hash; undefined for the hash that stands for no file. */
function contentOf(hash: string): FileChange['after'] {
  return /^0+$/.test(hash) ? undefined : { file: hash }
}

const NOT_FOUND = {
  code: 'edit_refused',
  message: 'cannot undo the save: it is not among the last saves of this guide; revert it with git',
} as const
