import { managesAll } from '../../access/session/rights.ts'
import { draftState, stateText } from '../../publishing/draft-state.ts'
import { MAX_NOTE } from '../../publishing/publish.ts'
import { reviewsOf } from '../../publishing/review.ts'
import { type Guide, pathBelow } from '../../site/guide/guide.ts'
import { type Html, html } from '../../site/html.ts'
import { isServed } from '../../store/catalogue/catalogue.ts'
import { findWorkspaceFields } from '../../store/catalogue/workspace-fields.ts'
import { formToken, type ManageContext, type Managed } from '../context.ts'
import { visibilityNote, workspaceNote } from '../draft-effects.ts'
import { button, endForm, formHtml } from '../form.ts'
import { draftGuide } from '../manage-page.ts'
import { answerList, answerText } from '../review/answer-list.ts'
import { draftChanges } from './draft-changes.ts'
import { findingsList } from './findings-list.ts'

/** The draft of a project: its changes, its findings, and the form that publishes it. `note` is what was entered before. */
export async function draftSection(context: ManageContext, managed: Managed, note: string): Promise<Html> {
  const { record, person } = managed
  const guide = await draftGuide(context, managed)
  const { manage, frame } = guide.words
  const fields = await findWorkspaceFields(context.store.database, record.workspace)
  const workspace = workspaceNote(guide.words, fields)
  const isNew = !record.published || !isServed(record.draft, record.published)
  const isPublishable = isNew || (workspace !== undefined && managesAll(person))
  const failure = context.importFailure(record)
  return html`<section id="draft"><h2>${frame.draft}</h2>
${failure !== undefined && html`<p>${manage.importFailed({ reason: html`<bdi lang="en">${failure}</bdi>` })}</p>\n`}${isNew && (await draftChanges(context, managed, guide))}${!isPublishable && html`<p>${manage.nothingNew}</p>\n`}${workspace}${workspace && !managesAll(person) && html`<p>${manage.keepsWorkspace}</p>\n`}${draftLinks(guide, isNew)}
${await findingsList(context, managed, guide)}${isPublishable && (await reviewPart(context, managed, guide))}${isPublishable && publishForm(managed, guide, { token: formToken(context, person), state: stateText(draftState(record, fields)), note })}</section>
`
}

function draftLinks(guide: Guide, isNew: boolean): Html {
  const { words, paths, publication } = guide
  return html`<p><a href="${paths.project(publication.record)}">${words.manage.openDraft}</a>${isNew && html` · <a href="${pathBelow(guide, 'changes')}">${words.draft.changes}</a>`}</p>`
}

/** The answers of reviewers, whether they approve, and the forms that dismiss requests for changes. */
async function reviewPart(context: ManageContext, { record, person }: Managed, { words }: Guide): Promise<Html> {
  const { database, clock } = context.store
  const { approved, reviews, requests, damaged } = await reviewsOf(database, record, clock.date())
  context.reportRows(damaged)
  const token = formToken(context, person)
  const { dismiss, dismissOf } = words.manage
  const forms = requests.map(request => {
    const name = dismissOf({ who: request.who })
    return html`<li><div>${answerText(words, request)}</div>\n${endForm(token, request.id, button('dismiss', dismiss, { name }))}</li>\n`
  })
  return html`<h3>${words.review.title}</h3>
<p>${approved ? words.review.approved : words.review.unapproved}</p>
${answerList(words, reviews)}${forms.length > 0 && html`<ul class="entries">\n${forms}</ul>\n`}`
}

/** The token of the form, the state that it publishes, and the entered note. */
type PublishForm = { token: string; state: string; note: string }

function publishForm({ record }: Managed, { words }: Guide, { token, state, note }: PublishForm): Html {
  const { manage } = words
  const placeholder = record.draftNote !== undefined && html` placeholder="${record.draftNote}"`
  return formHtml(
    token,
    html`<input type="hidden" name="draft" value="${state}">
${visibilityNote(words, record)}<p><label for="note">${manage.note}</label> <span class="quiet" id="note-hint">${manage.noteHint({ count: MAX_NOTE })}</span></p>
<textarea id="note" name="note" rows="3" maxlength="${MAX_NOTE}" aria-describedby="note-hint" dir="auto"${placeholder}>${note}</textarea>
<div>${button('publish', manage.publish, { isPrimary: true })}</div>`,
  )
}
