import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { once, serial } from '#platform/base/promise.ts'
import { ok } from '#platform/base/result.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#store/temporary-folder.ts'
import type { GitProblem, GitResult } from '../program/git-problem.ts'
import { type EditClone, type Head, pushCommit, withHead } from './clone.ts'
import { type Edit, type Saved, saveEdit } from './save.ts'
import { readTreeFile, type TreeFile } from './tree-file.ts'
import { undoingChanges } from './undo.ts'

/** A followed branch that the service changes for people. Paths begin at the root of the repository. */
export type EditedSource = {
  source: GitSource
  /** A file of the head, which is at most a few seconds old; undefined if there is none. */
  read: (path: string) => Promise<GitResult<TreeFile | undefined>>
  save: (edit: Omit<Edit, 'committer' | 'now'>) => Promise<GitResult<Saved>>
  /** Undoes a commit, unless its files have changed since: then it is a conflict. `isOwn` says which files it may change. */
  undo: (commit: string, edit: Undo) => Promise<GitResult<Saved>>
  /** Why the host would refuse a push; undefined if it would accept one. */
  refusal: () => Promise<GitProblem | undefined>
}

export type Undo = Omit<Edit, 'committer' | 'now' | 'changes' | 'subject' | 'isStrict'> & {
  isOwn: (path: string) => boolean
  subject: (undone: string) => string
}

export type EditOptions = Omit<EditClone, 'source' | 'home'> & {
  sources: readonly GitSource[]
  /** The folder of all mirrors. */
  mirrors: string
  committer: Edit['committer']
  now: () => Date
}

/** Opens the clones in which this process commits, one for each source, made on first use. */
export function openEdits(options: EditOptions) {
  const folders: TemporaryFolder[] = []
  const makeFolder = async () => {
    await mkdir(options.mirrors, { recursive: true, mode: 0o700 })
    const folder = await makeTemporaryFolder(options.mirrors)
    folders.push(folder)
    await mkdir(join(folder.path, 'clone'))
    return folder.path
  }
  const sources = options.sources.map(source => openSource(source, options, once(makeFolder)))
  return {
    sources,
    close: async () => {
      for (const folder of folders) await folder[Symbol.asyncDispose]()
    },
  }
}

function openSource(source: GitSource, options: EditOptions, home: () => Promise<string>): EditedSource {
  const { committer, now } = options
  const inTurn = serial()
  let last: { head: Head; at: number } | undefined
  const withClone = <Value>(work: (edited: EditClone) => Promise<GitResult<Value>>) =>
    inTurn(async () => work({ ...options, source, home: await home() }))
  return {
    source,
    read: path =>
      withClone(async edited => {
        const isRecent = last && now().getTime() - last.at < RECENT_MS
        const head = isRecent && last ? ok(last.head) : await withHead(edited, async found => ok(found))
        if (!head.ok) return head
        if (!isRecent) last = { head: head.value, at: now().getTime() }
        return readTreeFile(edited, head.value, path)
      }),
    save: edit =>
      withClone(edited => {
        last = undefined
        return saveEdit(edited, { ...edit, committer, now: now() })
      }),
    undo: (commit, { isOwn, subject, ...edit }) =>
      withClone(async edited => {
        last = undefined
        const found = await withHead(edited, head => undoingChanges(edited, head, commit, isOwn))
        if (!found.ok) return found
        const { changes } = found.value
        const named = { ...edit, changes, subject: subject(found.value.subject), isStrict: true }
        return saveEdit(edited, { ...named, committer, now: now() })
      }),
    refusal: async () => {
      const tried = await withClone(edited =>
        withHead(edited, head => pushCommit(edited, head, head.commit.hash, true)),
      )
      return tried.ok ? undefined : tried.problem
    },
  }
}

const RECENT_MS = 3000
