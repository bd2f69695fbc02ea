import { draftState, stateText } from '#publishing/draft-state.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { ProjectRecord } from '#store/catalogue/catalogue.ts'
import { findWorkspaceFields, type WorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import type { ManageContext } from '../context.ts'
import type { Sent } from '../form.ts'
import type { Done } from '../form-page.ts'
import { refusalText } from '../project/project-page.ts'
import { publishDraft } from '../project/publish-actions.ts'

/** The people and the projects of a workspace that they manage. */
export type Manager = { person: Person; projects: readonly ProjectRecord[] }

/** The box that ticks a waiting draft. Its value is the state that the person sees. */
export function tickBox({ manage }: Words, record: ProjectRecord, fields: WorkspaceFields): Html {
  const { project, draft } = record
  const state = stateText(draftState(record, fields))
  return html`<label><input type="checkbox" name="${boxOf(project)}" value="${state}" aria-label="${manage.publish} ${draft.name}"> ${manage.publish}</label>`
}

/** The name of the box of a project. */
function boxOf(project: string): string {
  return `draft ${project}`
}

/**
 * Publishes the ticked drafts one after another. Undefined if none is ticked. The secret has a line for each, the project
 * and the reason of a refusal: `web ` if it is published, `print draft_changed` if it is not.
 */
export async function publishTicked(
  context: ManageContext,
  manager: Manager,
  { field }: Sent,
): Promise<Done | undefined> {
  const { person } = manager
  const fieldsNow = () => findWorkspaceFields(context.store.database, person.workspace)
  const fieldsBefore = await fieldsNow()
  const results: string[] = []
  for (const record of manager.projects) {
    const tickedState = field(boxOf(record.project))
    if (tickedState === '') continue
    // The first publication also publishes the fields of the workspace, which are a part of each state. So for the drafts
    // that the person has seen as they are, the state is computed again; any other is refused as it was sent.
    const isSeen = tickedState === stateText(draftState(record, fieldsBefore))
    const draft = isSeen ? stateText(draftState(record, await fieldsNow())) : tickedState
    const sent = { action: 'publish', field: (name: string) => (name === 'draft' ? draft : '') }
    const outcome = await publishDraft(context, { person, record }, sent)
    results.push(`${record.project} ${outcome && 'reason' in outcome ? outcome.reason : ''}`)
  }
  return results.length === 0 ? undefined : { action: 'publish', secret: results.join('\n') }
}

/** The results in the secret of `publishTicked` as a string, and whether a draft was not published. */
export async function tickedResults(
  context: ManageContext,
  words: Words,
  { person, projects }: Manager,
  secret: string,
): Promise<{ text: Html; isWarning: boolean }> {
  const results = secret.split('\n').map(line => line.split(' '))
  const refusals: Readonly<Record<string, Word>> = words.manage.refusals
  const lines = results.map(async ([project, reason = '']) => {
    const record = projects.find(each => each.project === project)
    if (!record) return undefined
    const { draft, published } = record
    const refusal =
      reason === 'published' ? await refusalText(context, { person, record }, words, reason) : refusals[reason]
    const text = refusal ?? words.manage.done.publish({ revision: published?.revision ?? 0 })
    return html`<bdi>${draft.name}</bdi>: ${text}<br>\n`
  })
  return { text: html`${await Promise.all(lines)}`, isWarning: results.some(([, reason]) => reason !== '') }
}
