import { withoutUndefined } from '../base/object.ts'
import { ok } from '../base/result.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { recordChange } from '../store/catalogue/changes.ts'
import { findRevision, listRevisions, markRevision, type RevisionRecord } from '../store/catalogue/history.ts'
import type { Store } from '../store/store.ts'
import { type CommandResult, failedWith } from './command-problem.ts'
import { changeProject, knownProject, unknownRevision } from './project-ref.ts'

/** An entry of a project's history, as `housestyle history --json` prints it. */
export type HistoryEntry = {
  revision: number
  snapshot: string
  publishedAt: string
  note: string | null
  /** Whether this revision is published now. */
  current: boolean
  /** The time at which it was retracted, if it was. */
  retractedAt?: string
  /** The time at which its content was freed, if it was. */
  freedAt?: string
}

/** The history of a project, newest first. */
export async function history(store: Store, ref: ProjectRef): Promise<CommandResult<HistoryEntry[]>> {
  const record = await knownProject(store.database, ref)
  if (!record.ok) return record
  const current = record.value.published?.revision
  const revisions = await listRevisions(store.database, ref.workspace, ref.project)
  return ok(revisions.map(revision => entryOf(revision, revision.number === current)))
}

function entryOf(revision: RevisionRecord, current: boolean): HistoryEntry {
  const { number, snapshot, publishedAt, note = null, retractedAt, freedAt } = revision
  return {
    revision: number,
    snapshot,
    publishedAt: publishedAt.toISOString(),
    note,
    current,
    ...withoutUndefined({ retractedAt: retractedAt?.toISOString(), freedAt: freedAt?.toISOString() }),
  }
}

/** Retracts a revision: it stays in the history but is no longer served. The published revision cannot be retracted. */
export function retract(
  store: Store,
  ref: ProjectRef,
  number: number,
  now: Date,
): Promise<CommandResult<{ done: true }>> {
  const { workspace, project } = ref
  return changeProject(store, ref, async (queries, { published }) => {
    if (!(await findRevision(queries, workspace, project, number))) return unknownRevision(ref, number)
    if (published?.revision === number) {
      const message = `revision ${number} of ${workspace}/${project} is the published one: publish, roll back or unpublish first`
      return failedWith('revision_current', message)
    }
    await markRevision(queries, { ...ref, number }, 'retracted_at', now)
    await recordChange(queries, workspace, project)
    return ok({ done: true })
  })
}
