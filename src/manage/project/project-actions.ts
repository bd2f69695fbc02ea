import { isHash } from '../../brand/ids.ts'
import { rollback } from '../../publishing/history.ts'
import type { CommandResult } from '../../publishing/project-ref.ts'
import { MAX_NOTE, type PublishResult, publish } from '../../publishing/publish.ts'
import { auditedBy, type ManageContext, type Managed, whoOf } from '../context.ts'
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
  ['share', share],
  ['end-share', endShare],
])

async function publishDraft(context: ManageContext, managed: Managed, { field }: Sent): Promise<Refused | undefined> {
  const { record, person } = managed
  const { store } = context
  const [note, snapshot, settings] = [noteOf(field('note')), field('draft'), field('settings') || undefined]
  if (note.length > MAX_NOTE) return { status: 422, reason: 'note_long' }
  if (!isHash(snapshot)) return { status: 422, reason: 'form' }
  const by = { note: note === '' ? undefined : note, who: whoOf(person), seen: { snapshot, settings } }
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

/** Records the action, and serves its result at once. */
async function finish(
  { access, refresh }: ManageContext,
  { record: { workspace, project }, person }: Managed,
  event: 'published' | 'restored',
  result: CommandResult<PublishResult>,
): Promise<Refused | undefined> {
  if (!result.ok) return refusedBy(result.problem.code)
  if (result.value.changed) auditedBy(access, person).record({ event, workspace, project })
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
