import type { Hash, ProjectRef } from '#brand/ids.ts'
import { pick } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import {
  findProject,
  isWaiting,
  listProjects,
  listSoundProjects,
  type ProjectRecord,
} from '#store/catalogue/catalogue.ts'
import type { Reviewed } from '#store/catalogue/history.ts'
import { removePlan } from '#store/catalogue/plans.ts'
import { addRevision, type Publisher, serveWorkspaceFields } from '#store/catalogue/pointers.ts'
import { serveReviewers } from '#store/catalogue/reviews.ts'
import { findWorkspaceFields, type WorkspaceKey, workspaceChanges } from '#store/catalogue/workspace-fields.ts'
import type { Queries } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'
import { type DraftState, draftState, hasSeen } from './draft-state.ts'
import {
  changedDraft,
  changeProject,
  copyingMessage,
  failedWith,
  idleProject,
  isOf,
  type Outcome,
  unapprovedDraft,
} from './project-ref.ts'
import { type Approvers, checkReviews, type DraftReviews, type Over, reviewsOf, unapproved } from './review.ts'
import { type Batch, checkTranslation, type Translations, updateTranslations } from './translations.ts'

/** The result of a publication or a rollback, as `--json` prints it. */
export type PublishResult = {
  workspace: string
  project: string
  revision: number
  snapshot: Hash
  publishedAt: string
  /** False if the same content was already published; then no revision is added. */
  changed: boolean
  /** The changed keys of `workspace.yaml` that it published too; absent if there are none. */
  workspaceChanges?: WorkspaceKey[]
  /** The translations that have a revision with its styles and files; absent if there are none. */
  translations?: string[]
}

/** Without `seen`, the draft need not be one that the publisher has seen. */
export type PublishOptions = By & { over?: Over | undefined; seen?: DraftState | undefined }

/** The publisher, who also publishes the changed fields of the workspace unless they keep these as they are. */
type By = Publisher & { keepsWorkspace?: boolean | undefined }

/** Characters. */
export const MAX_NOTE = 1000

/** Publishes a draft: its revision answers every request from then on. Without a note, it gets that of its import. */
export function publish(
  store: Store,
  ref: ProjectRef,
  { seen, over, ...by }: PublishOptions,
  now: Date,
): Outcome<PublishResult> {
  return changeProject(store, ref, async (queries, record) => {
    const checked = await checkDraft(queries, record, { seen, over }, now)
    return checked.ok ? ok(await publishDraft(queries, record, by, now)) : checked
  })
}

/** All projects that a transaction publishes, and the translations that it has already looked up. */
type Together = { together: readonly ProjectRef[]; known: Translations }

/**
 * Fails if a draft is not the one that somebody has `seen`, if its reviews prevent its publication, or if it is a
 * translation that must not be published. Without `seen`, any draft passes the first check; without `over`, the second.
 */
export async function checkDraft(
  queries: Queries,
  record: ProjectRecord,
  { seen, over, together = [record], known }: Pick<PublishOptions, 'seen' | 'over'> & Partial<Together>,
  now: Date,
): Outcome<undefined> {
  const translation = await checkTranslation(queries, record, together, known)
  if (!translation.ok) return translation
  const state = draftState(record, await findWorkspaceFields(queries, record.workspace))
  if (seen && !hasSeen(seen, state)) return changedDraft(record)
  return over === undefined ? ok(undefined) : checkReviews(record, await reviewsOf(queries, record, now), over)
}

/** The publisher of several projects, and the people whose approval their drafts need; by default, they need none. */
export type PublishesOptions = By & { over?: Over | undefined; approvers?: Approvers | undefined }

/** Publishes several projects in one transaction: all of them, or none if one fails or is not approved. */
export async function publishAll(
  store: Store,
  refs: readonly ProjectRef[],
  { approvers, over, ...by }: PublishesOptions,
  now: Date,
): Outcome<PublishResult[]> {
  return store.database.transaction(async queries => {
    const records: ProjectRecord[] = []
    for (const ref of refs) {
      const record = await idleProject(queries, ref)
      if (!record.ok) return record
      records.push(record.value)
    }
    const [refused] = approvers && approvers !== 'named' ? await unapproved(queries, records, approvers, now) : []
    const options = { over, byFor: () => by, known: new Map() }
    return refused ? unapprovedDraft(refused) : publishRecords(queries, records, options, now)
  })
}

/** Publishes projects that have their approvals, or none if one must not be published. Returns them in the given order. */
async function publishRecords(
  queries: Queries,
  records: readonly ProjectRecord[],
  { over, byFor, known }: { over: Over | undefined; byFor: (record: ProjectRecord) => By; known: Translations },
  now: Date,
): Outcome<PublishResult[]> {
  for (const record of records) {
    const checked = await checkDraft(queries, record, { over, together: records, known }, now)
    if (!checked.ok) return checked
  }
  // A translation (only these have `untranslated`) is published after its original, once, with both its own changes and the
  // styles and files of that.
  const isTranslation = ({ untranslated }: ProjectRecord) => Number(untranslated !== undefined)
  const ordered = records.toSorted((a, b) => isTranslation(a) - isTranslation(b))
  const results: PublishResult[] = []
  for (const [at, ref] of ordered.entries()) {
    const record = await findProject(queries, ref.workspace, ref.project)
    const later = ordered.slice(at + 1)
    if (record) results.push(await publishDraft(queries, record, byFor(record), now, { known, later }))
  }
  return ok(results.toSorted((a, b) => records.findIndex(isOf(a)) - records.findIndex(isOf(b))))
}

/** A project that waits for its approval, or because of another problem. */
type Skipped = ProjectRef & { problem?: string }

export type Publications = {
  published: PublishResult[]
  skipped: readonly Skipped[]
}

/**
 * Publishes all projects that exist when its transaction begins, or only wanted ones, which no damaged one prevents, and
 * skips those that must wait; none if one of them is being copied.
 */
export async function publishEvery(
  store: Store,
  { approvers, over, ...by }: PublishesOptions,
  now: Date,
  isWanted?: (record: ProjectRecord) => boolean,
): Outcome<Publications> {
  return store.database.transaction(async queries => {
    const all = await (isWanted ? listSoundProjects(queries) : listProjects(queries))
    const records = isWanted ? all.filter(isWanted) : all
    const busy = records.find(({ status }) => status === 'Processing')
    if (busy) return failedWith('project_copying', copyingMessage(busy))
    // Without approvers nothing waits: a project that must not be published fails all.
    const withoutApproval = approvers ? await unapproved(queries, records, approvers, now) : []
    const approved = records.filter(record => !withoutApproval.includes(record))
    const known = new Map()
    const { fit, waiting } = approvers ? await publishable(queries, approved, known) : { fit: approved, waiting: [] }
    const byFor = (record: ProjectRecord) => {
      const others = all.filter(({ workspace }) => workspace === record.workspace)
      // Reviewers of one guide do not decide about the others of its workspace.
      return { ...by, keepsWorkspace: approvers === 'signed-in' && others.length > 1 }
    }
    const published = await publishRecords(queries, fit, { over, byFor, known }, now)
    return published.ok ? ok({ published: published.value, skipped: [...withoutApproval, ...waiting] }) : published
  })
}

/** The projects that can be published together; the others wait, such as translations without their original. */
async function publishable(
  queries: Queries,
  records: readonly ProjectRecord[],
  known: Translations,
): Promise<{ fit: readonly ProjectRecord[]; waiting: Skipped[] }> {
  const fit = new Set(records)
  const waiting: Skipped[] = []
  let sizeBefore: number
  // Without one project, another one may have to wait too.
  do {
    sizeBefore = fit.size
    for (const record of fit) {
      const checked = await checkTranslation(queries, record, [...fit], known)
      if (checked.ok) continue
      fit.delete(record)
      waiting.push({ ...pick(record, ['workspace', 'project']), problem: checked.problem.message })
    }
  } while (fit.size < sizeBefore)
  return { fit: [...fit], waiting }
}

/** Publishes a draft that may be published, inside a transaction: a revision if it is new, and the fields of its workspace. */
export async function publishDraft(
  queries: Queries,
  record: ProjectRecord,
  { keepsWorkspace = false, ...by }: By,
  now: Date,
  batch?: Batch,
): Promise<PublishResult> {
  const changes = keepsWorkspace ? [] : workspaceChanges(await findWorkspaceFields(queries, record.workspace))
  if (changes.length > 0) await serveWorkspaceFields(queries, record.workspace)
  const isNew = isWaiting(record)
  const translations: string[] = []
  if (isNew) {
    const reviewed = { ...reviewedBy(await reviewsOf(queries, record, now)), ...by.reviewed }
    const note = by.note ?? record.draftNote
    await removePlan(queries, record)
    await addRevision(queries, record, record.draft, { ...by, note, reviewed }, now)
    await serveReviewers(queries, record)
    translations.push(...(await updateTranslations(queries, record, by, now, batch)))
  }
  const result = await publishResult(queries, record, { changed: isNew, translations })
  return changes.length > 0 ? { ...result, workspaceChanges: changes } : result
}

/** Who approved a draft, and the requests for changes that were open, for the history. */
function reviewedBy({ reviews }: DraftReviews): Reviewed {
  const approvals = reviews.filter(({ answer, old, ended }) => answer === 'approve' && !old && !ended)
  const requests = reviews.filter(({ request }) => request !== undefined)
  return {
    ...(approvals.length > 0 && { approvers: approvals.map(({ who }) => who) }),
    ...(requests.length > 0 && { overRequests: requests.map(each => pick(each, ['who', 'comment', 'at'])) }),
  }
}

/** The publication of a project as the transaction has just stored it. */
export async function publishResult(
  queries: Queries,
  ref: ProjectRef,
  { changed, translations }: { changed: boolean; translations: string[] },
): Promise<PublishResult> {
  const published = (await findProject(queries, ref.workspace, ref.project))?.published
  if (!published) throw new Error('the store did not keep a publication')
  const { revision, snapshot, publishedAt } = published
  const { workspace, project } = ref
  const result = { workspace, project, revision, snapshot, publishedAt: publishedAt.toISOString(), changed }
  return translations.length > 0 ? { ...result, translations } : result
}
