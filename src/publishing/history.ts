import type { ProjectRef } from '#brand/ids.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import {
  findRevision,
  listRevisions,
  markRevision,
  pointerTo,
  type Reviewed,
  type RevisionRecord,
} from '#store/catalogue/history.ts'
import { addRevision } from '#store/catalogue/pointers.ts'
import type { Queries } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'
import { type Withdrawn, withdraw } from './plan.ts'
import { failedWith, knownProject, type Outcome, unknownRevision, usableRevision } from './project-ref.ts'
import { type PublishResult, publishResult } from './publish.ts'
import { checkServed, updateTranslations, withOriginal } from './translations.ts'

/** An entry of a project's history, as `housestyle history --json` prints it. */
export type HistoryEntry = {
  revision: number
  snapshot: string
  publishedAt: string
  note: string | null
  who: string | null
  current: boolean
  retractedAt?: string
  freedAt?: string
} & Reviewed

/** The revisions of a project, newest first. */
export async function history(store: Store, ref: ProjectRef): Outcome<HistoryEntry[]> {
  const record = await knownProject(store.database, ref)
  if (!record.ok) return record
  const current = record.value.published?.revision
  const records = await listRevisions(store.database, ref.workspace, ref.project)
  return ok(records.map(revision => entryOf(revision, revision.number === current)))
}

function entryOf(revision: RevisionRecord, current: boolean): HistoryEntry {
  const { number, snapshot, publishedAt, note = null, who = null, reviewed, retractedAt, freedAt } = revision
  return {
    revision: number,
    snapshot,
    publishedAt: publishedAt.toISOString(),
    note,
    who,
    current,
    ...reviewed,
    ...withoutUndefined({ retractedAt: retractedAt?.toISOString(), freedAt: freedAt?.toISOString() }),
  }
}

/** Retracts a revision: it cannot be published again, but stays in the history. Fails for the published one. */
export function retract(store: Store, ref: ProjectRef, number: number, now: Date): Withdrawn<{ done: true }> {
  const { workspace, project } = ref
  return withdraw(store, ref, { code: 'retracted', now }, async (queries, { published }) => {
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

/**
 * Publishes the content of an earlier revision as a new revision; the draft is unchanged. Without a number, it takes
 * the latest revision with a different snapshot. The name of the old revision returns, its visibility does not
 * (decisions/0007).
 */
export function rollback(
  store: Store,
  ref: ProjectRef,
  number: number | undefined,
  now: Date,
  who?: string,
): Withdrawn<PublishResult> {
  return withdraw(store, ref, { code: 'rolled_back', now }, async (queries, record) => {
    const target = await targetOf(queries, record, number)
    if (!target.ok) return target
    const { visibility, revisions } = record.published ?? record.draft
    const { snapshot, name, facts } = target.value
    const served = { snapshot, name, visibility, revisions, facts }
    const checked = await checkServed(queries, { ...record, draft: served })
    if (!checked.ok) return checked
    if (record.published?.snapshot === snapshot)
      return ok(await publishResult(queries, ref, { changed: false, translations: [] }))
    const note = ROLLED_BACK + target.value.number
    await addRevision(queries, record, served, { note, who }, now)
    const translations = await updateTranslations(queries, record, { who }, now)
    return ok(await publishResult(queries, ref, { changed: true, translations }))
  })
}

/** The revision that a rollback published again, by the note in the history; undefined for any other note. */
export function rolledBackTo(note: string): number | undefined {
  const number = note.startsWith(ROLLED_BACK) ? Number(note.slice(ROLLED_BACK.length)) : 0
  return number > 0 ? number : undefined
}

const ROLLED_BACK = 'Rolled back to '

/** The revision to publish again, with the content that it has now: a translation inherits from its original of today. */
async function targetOf(queries: Queries, record: ProjectRecord, number: number | undefined): Outcome<RevisionRecord> {
  if (number === undefined) return earlierRevision(queries, record)
  const revision = await usableRevision(queries, record, number)
  return revision.ok ? ok(await asOfToday(queries, record, revision.value)) : revision
}

/** The latest usable revision whose content differs from what is published. */
async function earlierRevision(queries: Queries, record: ProjectRecord): Outcome<RevisionRecord> {
  const { workspace, project, published } = record
  const records = await listRevisions(queries, workspace, project)
  for (const revision of records.filter(({ retractedAt, freedAt }) => !retractedAt && !freedAt)) {
    const earlier = await asOfToday(queries, record, revision)
    if (earlier.snapshot !== published?.snapshot) return ok(earlier)
  }
  const name = `${workspace}/${project}`
  const message = `${name} has no earlier revision to roll back to: see \`housestyle history ${name}\``
  return failedWith('revision_unknown', message)
}

/** A revision with the content that it would have if it were published now. */
async function asOfToday(queries: Queries, { workspace }: ProjectRecord, revision: RevisionRecord) {
  return { ...revision, snapshot: await withOriginal(queries, workspace, revision.snapshot) }
}

/** A project as if the given revision were published. Without a number, the published revision. */
export async function revisionRecord(queries: Queries, ref: ProjectRef, number?: number): Outcome<ProjectRecord> {
  const lookup = await knownProject(queries, ref)
  if (!lookup.ok) return lookup
  const record = lookup.value
  if (number === undefined) {
    const name = `${ref.workspace}/${ref.project}`
    const fix = `publish it with \`housestyle publish ${name}\`, or name a --revision`
    return record.published ? lookup : failedWith('project_unpublished', `${name} is not published: ${fix}`)
  }
  const revision = await usableRevision(queries, ref, number)
  if (!revision.ok) return revision
  return ok({ ...record, published: pointerTo(revision.value, record.published ?? record.draft) })
}
