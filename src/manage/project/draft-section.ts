import { draftSettings, MAX_NOTE } from '../../publishing/publish.ts'
import { reviewsOf } from '../../publishing/review.ts'
import { type Guide, pathBelow } from '../../site/guide/guide.ts'
import { type Html, html } from '../../site/html.ts'
import { isServed } from '../../store/catalogue/catalogue.ts'
import { formToken, type ManageContext, type Managed } from '../context.ts'
import { button, formHtml } from '../form.ts'
import { draftGuide } from '../manage-page.ts'
import { answerList } from '../review/answer-list.ts'
import { draftChanges } from './draft-changes.ts'
import { findingsList } from './findings-list.ts'

/** The draft of a project: its changes, its findings, and the form that publishes it. `note` is what was entered before. */
export async function draftSection(context: ManageContext, managed: Managed, note: string): Promise<Html> {
  const { record } = managed
  const guide = await draftGuide(context, managed)
  const { manage, frame } = guide.words
  const isNew = !record.published || !isServed(record.draft, record.published)
  const failure = context.importFailure(record)
  return html`<section id="draft"><h2>${frame.draft}</h2>
${failure !== undefined && html`<p>${manage.importFailed({ reason: html`<bdi lang="en">${failure}</bdi>` })}</p>\n`}${isNew ? await draftChanges(context, managed, guide) : html`<p>${manage.nothingNew}</p>\n`}${draftLinks(guide, isNew)}
${await findingsList(context, managed, guide)}${isNew && (await reviewPart(context, managed, guide))}${isNew && publishForm(managed, guide, formToken(context, managed.person), note)}</section>
`
}

function draftLinks(guide: Guide, isNew: boolean): Html {
  const { words, paths, publication } = guide
  return html`<p><a href="${paths.project(publication.record)}">${words.manage.openDraft}</a>${isNew && html` · <a href="${pathBelow(guide, 'changes')}">${words.draft.changes}</a>`}</p>`
}

/** The answers of reviewers, and whether they approve. */
async function reviewPart({ store }: ManageContext, { record }: Managed, { words }: Guide): Promise<Html> {
  const { approved, reviews } = await reviewsOf(store.database, record)
  return html`<h3>${words.review.title}</h3>
<p>${approved ? words.review.approved : words.review.unapproved}</p>
${answerList(words, reviews)}`
}

function publishForm({ record }: Managed, { words: { manage } }: Guide, token: string, note: string): Html {
  const placeholder = record.draftNote !== undefined && html` placeholder="${record.draftNote}"`
  return formHtml(
    token,
    html`<input type="hidden" name="draft" value="${record.draft.snapshot}">
<input type="hidden" name="settings" value="${draftSettings(record)}">
<p><label for="note">${manage.note}</label> <span class="quiet" id="note-hint">${manage.noteHint({ count: MAX_NOTE })}</span></p>
<textarea id="note" name="note" rows="3" maxlength="${MAX_NOTE}" aria-describedby="note-hint" dir="auto"${placeholder}>${note}</textarea>
<div>${button('publish', manage.publish, { isPrimary: true })}</div>`,
  )
}
