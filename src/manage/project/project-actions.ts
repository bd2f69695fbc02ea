import { managesAll } from '../../access/session/rights.ts'
import { withoutUndefined } from '../../base/object.ts'
import { parseState } from '../../publishing/draft-state.ts'
import { rollback } from '../../publishing/history.ts'
import type { CommandResult } from '../../publishing/project-ref.ts'
import { MAX_NOTE, type PublishResult, publish } from '../../publishing/publish.ts'
import { dismiss } from '../../publishing/review.ts'
import { auditedBy, auditedReviewer, type ManageContext, type Managed, whoOf } from '../context.ts'
import type { ProjectAction, Refused, Sent } from '../form.ts'
import { endShare, share } from '../share/share-actions.ts'

/** Does what the button of a form says. Undefined if it is done. */
export async function act(context: ManageContext, managed: Managed, sent: Sent): Promise<Refused | undefined> {
  const action = ACTIONS.get(sent.action)
  return action ? action(context, managed, sent) : { status: 400, reason: 'form' }
}

const ACTIONS: ReadonlyMap<string, ProjectAction> = new Map<string, ProjectAction>([
  ['publish', publishDraft],
  ['restore', restore],
  ['dismiss', dismissRequest],
  ['share', share],
  ['end-share', endShare],
])

async function publishDraft(context: ManageContext, managed: Managed, { field }: Sent): Promise<Refused | undefined> {
  const { record, person } = managed
  const { store } = context
  const [note, seen] = [noteOf(field('note')), parseState(field('draft'))]
  if (note.length > MAX_NOTE) return { status: 422, reason: 'note_long' }
  if (!seen) return { status: 422, reason: 'form' }
  const by = { note: note === '' ? undefined : note, who: whoOf(person), seen, keepsWorkspace: !managesAll(person) }
  return finish(context, managed, 'published', await publish(store, record, by, store.clock.date()))
}

/** On one line, because commands print it on one. */
function noteOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

async function restore(context: ManageContext, managed: Managed, { field }: Sent): Promise<Refused | undefined> {
  const { store } = context
  if (!/^[1-9]\d{0,8}$/.test(field('revision'))) return { status: 422, reason: 'form' }
  const { record, person } = managed
  const result = await rollback(store, record, Number(field('revision')), store.clock.date(), whoOf(person))
  return finish(context, managed, 'restored', result)
}

/** Dismisses a request for changes. Then the draft may be approved, and published by itself. */
async function dismissRequest(
  context: ManageContext,
  { record, person }: Managed,
  { field }: Sent,
): Promise<Refused | undefined> {
  const { store, access } = context
  const request = await dismiss(store, record, { id: field('id'), who: whoOf(person) }, store.clock.date())
  if (!request) return { status: 409, reason: 'request_gone' }
  const { workspace, project, reviewer } = request
  auditedBy(access, person).record({ event: 'dismissed', workspace, project, ...auditedReviewer(reviewer) })
  await context.checkRepositories?.()
  return undefined
}

/** Records the action, and serves its result at once. */
async function finish(
  { access, refresh }: ManageContext,
  { record: { workspace, project }, person }: Managed,
  event: 'published' | 'restored',
  result: CommandResult<PublishResult>,
): Promise<Refused | undefined> {
  if (!result.ok) return refusedBy(result.problem.code)
  const { changed, workspaceChanges } = result.value
  if (changed || workspaceChanges)
    auditedBy(access, person).record({ event, workspace, project, ...withoutUndefined({ workspaceChanges }) })
  await refresh()
  return undefined
}

function refusedBy(code: string): Refused {
  const reason = COMMAND_REASONS.find(each => each === code)
  return { status: reason === 'draft_changed' ? 409 : 422, reason: reason ?? 'form' }
}

/** The failures of commands that have their own messages. */
const COMMAND_REASONS = [
  'draft_changed',
  'project_copying',
  'revision_unknown',
  'revision_retracted',
  'revision_freed',
] as const
