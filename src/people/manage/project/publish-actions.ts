import { singleSpaced } from '#platform/base/text.ts'
import { auditPublications } from '#publishing/audit.ts'
import { parseState } from '#publishing/draft-state.ts'
import { rollback } from '#publishing/history.ts'
import { cancelPlan, type PlanOptions, parseTime, planPublication } from '#publishing/plan.ts'
import type { CommandResult } from '#publishing/project-ref.ts'
import { MAX_NOTE, type PublishResult, publish } from '#publishing/publish.ts'
import { managesAll } from '#serving/access/session/rights.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { auditedBy, type ManageContext, type Managed, whoOf } from '../context.ts'
import type { ProjectAction, ProjectRefusal, Sent } from '../form.ts'

// What the buttons of a project's pages do: publish, plan, cancel a plan, and restore a revision.

export const publishDraft: ProjectAction = async (context, managed, sent) => {
  const publication = publicationOf(managed, sent)
  // Only a refusal has a status.
  if ('status' in publication) return publication
  const { store } = context
  const result = await publish(store, managed.record, publication, store.clock.date())
  // If nothing changed, somebody else may have published the same draft just before.
  const isNew = result.ok && (result.value.changed || result.value.workspaceChanges)
  const publishedBefore = isNew ? undefined : await publishedSince(context, managed, sent)
  return publishedBefore ?? finish(context, managed, 'published', result)
}

export const planDraft: ProjectAction = async (context, managed, sent) => {
  const publication = publicationOf(managed, sent)
  if ('status' in publication) return publication
  const { store, access } = context
  const { record, person } = managed
  const { workspace, project } = record
  const at = parseTime(`${sent.field('at')}Z`)
  if (!at) return { status: 422, reason: 'time_invalid' }
  const { subject, signin, email } = person
  const options = { ...publication, subject, signin, email, at }
  const planned = await planPublication(store, record, options, store.clock.date())
  if (!planned.ok) return (await publishedSince(context, managed, sent)) ?? refusedBy(planned.problem.code)
  auditedBy(access, person).record({ event: 'publication-planned', workspace, project })
  return undefined
}

/** A refusal if somebody has published the draft of a form since its page was opened. */
async function publishedSince(
  { store }: ManageContext,
  { record }: Managed,
  { field }: Sent,
): Promise<ProjectRefusal | undefined> {
  const { published } = (await findProject(store.database, record.workspace, record.project)) ?? {}
  const isSeen = published?.snapshot === parseState(field('draft'))?.snapshot
  return isSeen && published && published.revision > Number(field('published'))
    ? { status: 409, reason: 'published' }
    : undefined
}

/** The publication that a form asks for, or its refusal. The note is on one line, because commands print it on one. */
function publicationOf({ person }: Managed, { field }: Sent): ProjectRefusal | Omit<PlanOptions, 'at'> {
  const note = singleSpaced(field('note'))
  const seen = parseState(field('draft'))
  if (note.length > MAX_NOTE) return { status: 422, reason: 'note_long' }
  if (!seen) return { status: 422, reason: 'form' }
  // `over` has the ids of the requests for changes that the person saw, with spaces between them.
  const over = field('over').split(' ')
  const keepsWorkspace = !managesAll(person)
  return { note: note === '' ? undefined : note, who: whoOf(person), seen, over, keepsWorkspace }
}

export const cancelPlanned: ProjectAction = async ({ store, access }, { record, person }) => {
  const cancelled = await cancelPlan(store, record, auditedBy(access, person).record)
  return cancelled.ok ? undefined : refusedBy(cancelled.problem.code)
}

export const restore: ProjectAction = async (context, managed, { field }) => {
  if (!/^[1-9]\d{0,8}$/.test(field('revision'))) return { status: 422, reason: 'form' }
  const { record, person } = managed
  const now = context.store.clock.date()
  const result = await rollback(context.store, record, Number(field('revision')), now, whoOf(person))
  return finish(context, managed, 'restored', result)
}

/** Records the action, and serves its result at once. */
async function finish(
  { access, refresh }: ManageContext,
  { person }: Managed,
  event: 'published' | 'restored',
  result: CommandResult<PublishResult>,
): Promise<ProjectRefusal | undefined> {
  if (!result.ok) return refusedBy(result.problem.code)
  auditPublications(auditedBy(access, person).record, [result.value], { via: 'page' }, event)
  await refresh()
  return undefined
}

/** The refusal of a page for the failure of a command, by its code. */
function refusedBy(code: string): ProjectRefusal {
  const reason = code === 'draft_unchanged' ? 'draft_changed' : (REASONS.find(each => each === code) ?? 'form')
  return { status: CONFLICTS.includes(reason) ? 409 : 422, reason }
}

/** The refusals because the project has another state than the person knew (409). */
const CONFLICTS: readonly string[] = ['draft_changed', 'changes_requested', 'draft_unapproved', 'project_copying']
/** The failures of commands that have their own messages. */
const REASONS = [
  'changes_requested',
  'draft_unapproved',
  'translation_refused',
  'draft_changed',
  'project_copying',
  'revision_unknown',
  'revision_retracted',
  'revision_freed',
  'time_past',
] as const
