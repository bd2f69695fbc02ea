import { mkdirSync } from 'node:fs'
import { joinRuns, withTimeout } from '#platform/base/promise.ts'
import { ok } from '#platform/base/result.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import { type EditClone, type Head, pushCommit, stoppable, withHead } from './clone.ts'
import { historyOf } from './history.ts'
import { openQueue } from './queue.ts'
import { type Changes, lastSaves } from './save.ts'
import { findFile } from './tree-file.ts'
import { changesOfUndo, type Undo } from './undo.ts'

/** A followed branch that the service changes for people. Paths begin at the root of the repository. */
export type EditedSource = ReturnType<typeof openEdits>

/** Opens a branch for edits by this process. */
export function openEdits(edited: EditClone) {
  mkdirSync(edited.home, { recursive: true, mode: 0o700 })
  const { source, followed, now } = edited
  const { inLine, save } = openQueue(edited)
  const askHost = joinRuns(() => inLine(() => withHead(edited, async head => head)))
  /** The head to read from: the last one, if it is recent, or still the one followed and the host is slow. */
  const newestHead = async () => {
    const { last } = edited
    if (!last) return askHost()
    if (now().getTime() - last.at.getTime() < RECENT_MS) return ok(last)
    const isFollowed = last.hash === (await followed(source))
    return isFollowed ? withTimeout(PATIENCE_MS, askHost(), () => ok(last)) : askHost()
  }
  return {
    source,
    /** A file of the head; undefined if there is none. If the host is slow, the head is the one that is followed. */
    read: async (path: string) => {
      const readFrom = async (head: Head) => (await findFile(edited, head, path))?.read()
      const head = await newestHead()
      if (!head.ok) return head
      edited.check?.warm(head.value)
      const file = await stoppable(() => readFrom(head.value))
      // Meanwhile, the clone may have been made again.
      const isFinal = file.ok || file.problem.code === 'edit_refused'
      return isFinal ? file : inLine(() => withHead(edited, readFrom))
    },
    save: (changes: Changes) => save(changes.author, async () => ok(changes)),
    /** Undoes a recent save, unless its files have changed since: then it is a conflict. */
    undo: (undo: Undo) => save(undo.author, () => changesOfUndo(edited, undo)),
    /** The commits that changed a file, and the file as some of them left it. */
    history: (path: string, wanted: readonly string[]) => inLine(() => historyOf(edited, path, wanted)),
    /** Fetches the head, so that the next read need not wait for it, and has its problem. */
    refresh: () => void askHost().catch(() => undefined),
    /** Records the saves of processes that were killed between their push and its audit line. */
    recover: (record: Audit) =>
      inLine(() => stoppable(async () => edited.journal?.recover(record, async () => (await lastSaves(edited)).saves))),
    /** Asks the host whether it would accept a push. */
    tryPush: () => inLine(() => withHead(edited, head => pushCommit(edited, head, '--dry-run'))),
  }
}

/** The host is not asked again within this time. */
const RECENT_MS = 3000
/** How long a reader waits for the host if a head is at hand. */
const PATIENCE_MS = 350
