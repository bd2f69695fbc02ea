import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { joinRuns, serial, withTimeout } from '#platform/base/promise.ts'
import { ok } from '#platform/base/result.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { GitResult } from '../program/git-problem.ts'
import { type EditClone, type Head, pushCommit, withHead } from './clone.ts'
import type { FileChange } from './merge-files.ts'
import { type Edit, planChanges, type Saved, saveEdit } from './save.ts'
import { readTreeFile } from './tree-file.ts'
import { planUndo, type Undo } from './undo.ts'

/** A followed branch that the service changes for people. Paths begin at the root of the repository. */
export type EditedSource = {
  source: GitSource
  /** A file of the head; undefined if there is none. The head is a minute old at most, if the host does not answer at once. */
  read: (path: string) => Promise<GitResult<{ bytes: Uint8Array } | undefined>>
  save: (edit: Edit & { changes: readonly FileChange[]; subject: string }) => Promise<GitResult<Saved>>
  /** Undoes a commit, unless its files have changed since: then it is a conflict. */
  undo: (edit: Edit & Undo) => Promise<GitResult<Saved>>
  /** Fetches the head, so that the next read need not wait for it. */
  refresh: () => void
  /** Asks the host whether it would accept a push. */
  tryPush: () => Promise<GitResult<undefined>>
}

export type EditOptions = Omit<EditClone, 'source' | 'last'> & {
  /** The commit at the head of a source, as the service has seen it last; it asks the host each minute. */
  followed: (source: GitSource) => Promise<string | undefined>
}

/** Opens a branch for edits by this process, in a clone in the folder `home`. */
export function openEdits(source: GitSource, { followed, ...options }: EditOptions): EditedSource {
  mkdirSync(join(options.home, 'clone'), { recursive: true, mode: 0o700 })
  const edited: EditClone = { ...options, source }
  const inTurn = serial()
  const withNewHead = <Value>(work: (head: Head) => Promise<GitResult<Value>>) => inTurn(() => withHead(edited, work))
  const askHost = joinRuns(() => withNewHead(async head => ok(head)))
  const newestHead = async () => {
    const { last, now } = edited
    const ageMs = last ? now().getTime() - last.at.getTime() : Number.POSITIVE_INFINITY
    if (last && ageMs < RECENT_MS) return ok(last.head)
    const isKept = last && (ageMs < KEPT_MS || last.head.hash === (await followed(source)))
    return isKept ? withTimeout(PATIENCE_MS, askHost(), () => ok(last.head)) : askHost()
  }
  return {
    source,
    read: async path => {
      const head = await newestHead()
      if (!head.ok) return head
      const file = await readTreeFile(edited, head.value, path)
      // Meanwhile, the clone may have been made again.
      const isFinal = file.ok || file.problem.code === 'edit_refused'
      return isFinal ? file : withNewHead(newHead => readTreeFile(edited, newHead, path))
    },
    save: edit => inTurn(() => saveEdit(edited, edit, head => planChanges(edited, head, edit))),
    undo: edit => inTurn(() => saveEdit(edited, edit, head => planUndo(edited, head, edit))),
    // The next read has the problem.
    refresh: () => void askHost().catch(() => undefined),
    tryPush: () => withNewHead(head => pushCommit(edited, head, head.hash, true)),
  }
}

const RECENT_MS = 3000
const KEPT_MS = 60_000
/** How long a reader waits for the host if a head of the last minute is at hand. */
const PATIENCE_MS = 350
