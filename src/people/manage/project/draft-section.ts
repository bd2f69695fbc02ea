import { pagePath, type SourcePaths } from '#brand/edit-link.ts'
import { compareStrings } from '#platform/base/text.ts'
import { draftState, stateText } from '#publishing/draft-state.ts'
import { MAX_NOTE } from '#publishing/publish.ts'
import { type DraftReviews, reviewsOf } from '#publishing/review.ts'
import { managesAll } from '#serving/access/session/rights.ts'
import { type Guide, pathBelow } from '#site/guide/guide.ts'
import { type Html, html } from '#site/html.ts'
import { isWaiting } from '#store/catalogue/catalogue.ts'
import { type DraftFinding, findDraftFindings, MAX_DRAFT_FINDINGS } from '#store/catalogue/draft-findings.ts'
import { findSourcePaths } from '#store/catalogue/edit-links.ts'
import { findPlan } from '#store/catalogue/plans.ts'
import { findWorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import { formToken, type ManageContext, type Managed } from '../context.ts'
import { type AnswerForm, answerList, reviewList, reviewState, visibilityNote, workspaceNote } from '../draft-parts.ts'
import { button, endForm, formHtml } from '../form.ts'
import { draftGuide, timeHtml } from '../manage-page.ts'
import { keptText } from '../refused-request.ts'
import type { Field } from '../sealed.ts'
import { draftChanges } from './draft-changes.ts'
import { planFields, planSection } from './plan-section.ts'

/**
 * The last form that was to publish: the fields that were entered, and whether it was refused because somebody asks for
 * changes (`isOver`). Then, the form offers to publish over these requests.
 */
export type PublishAttempt = { field: Field; isOver: boolean }

/** The draft of a project: whether it waits, the form that publishes it, its changes, answers and findings. */
export async function draftSection(context: ManageContext, managed: Managed, attempt: PublishAttempt): Promise<Html> {
  const { record, person } = managed
  const { database, clock } = context.store
  const guide = await draftGuide(context, managed)
  const { words } = guide
  const fields = await findWorkspaceFields(database, record.workspace)
  const workspace = workspaceNote(words, fields)
  const isNew = isWaiting(record)
  const isPublishable = isNew || (workspace !== undefined && managesAll(person))
  const now = clock.date()
  const token = formToken(context, person)
  const reviews = await reviewsOf(database, record, now)
  const form = { token, now, state: stateText(draftState(record, fields)), ...attempt, reviews }
  const review = isPublishable && reviewPart(guide, reviews, token)
  const isReviewed = reviews.reviews.length > 0 || reviews.missing !== undefined
  const plan = planSection(words, await findPlan(database, record), { token, now })
  const publishSection =
    isPublishable &&
    html`<section class="act" aria-labelledby="Publish"><h2 id="Publish">${words.manage.publish}</h2>\n${plan}${publishForm(managed, guide, form)}</section>\n`
  const changes = isNew && (await draftChanges(managed, guide))
  const workspaceStays = workspace && !managesAll(person) && html`<p>${words.manage.keepsWorkspace}</p>\n`
  const findings = await findingsList(context, managed, guide)
  // A review comes first if there is one, and its absence last.
  return html`${stateSection(context, managed, guide, { isNew, isPublishable, note: attempt.field('note') })}${publishSection}<section>${!isPublishable && plan}${isReviewed && review}${changes}${workspace}${workspaceStays}${findings}${!isReviewed && review}</section>
`
}

/** Whether a draft waits and since when, or why there is none. A note that can no longer be sent is kept to be copied. */
function stateSection(
  { importFailure }: ManageContext,
  { record }: Managed,
  guide: Guide,
  { isNew, isPublishable, note }: { isNew: boolean; isPublishable: boolean; note: string },
): Html {
  const { words, publication } = guide
  const { manage } = words
  const failure = importFailure(record)
  return html`<section><h2>${isPublishable ? manage.waits : manage.nothingWaits}</h2>
${!isPublishable && note !== '' && keptText(manage.unsent, note)}${failure !== undefined && html`<p class="result">${manage.importFailed({ reason: html`<bdi lang="en">${failure}</bdi>` })}</p>\n`}<p>${isPublishable ? manage.since({ time: timeHtml(words, publication.published.publishedAt) }) : html`${manage.nothingNew} ${manage.nextDraft}`}</p>
${record.untranslated && html`<p>${manage.translation(record.untranslated)}</p>\n`}${draftLinks(guide, isNew)}</section>
`
}

/** The links to the draft, and to its changes if it has some. */
function draftLinks(guide: Guide, isNew: boolean): Html {
  const { site, words, publication } = guide
  const changes = isNew && html`<a href="${pathBelow(guide, 'changes')}">${words.draft.changes}</a> `
  return html`<p class="links">${changes}<a href="${site.paths.project(publication.record)}">${words.manage.openDraft}</a></p>\n`
}

/** The answers of reviewers, with the forms that dismiss requests for changes, and whether they approve. */
function reviewPart({ words }: Guide, reviews: DraftReviews, token: string): Html {
  const { dismiss, dismissOf } = words.manage
  const dismissForm: AnswerForm = ({ request, who }) =>
    request !== undefined && endForm(token, request, button('dismiss', dismiss, { name: dismissOf({ who }) }))
  return html`<h2>${words.review.title}</h2>\n${reviewState(words, reviews)}${reviewList(words, reviews, dismissForm)}`
}

/** The token of the form, the state that it publishes, and the reviews of the draft. */
type PublishForm = PublishAttempt & { token: string; now: Date; state: string; reviews: DraftReviews }

/** The form that publishes a draft, now or at a time. It names the state that the person sees. */
function publishForm({ record }: Managed, { words }: Guide, form: PublishForm): Html {
  const { token, now, state, field, isOver, reviews } = form
  const { manage } = words
  const requests = isOver ? reviews.reviews.filter(({ request }) => request !== undefined) : []
  const publish =
    requests.length > 0
      ? html`${answerList(words, requests)}<input type="hidden" name="over" value="${requests.map(({ request }) => request).join(' ')}">${button('publish', manage.publishOver, { isPrimary: true })}`
      : button('publish', manage.publish, {
          isPrimary: true,
          isDisabled: reviews.missing !== undefined && !reviews.lacksOnlyAuthors,
        })
  const placeholder = record.draftNote !== undefined && html` placeholder="${record.draftNote}"`
  return formHtml(
    token,
    html`<input type="hidden" name="draft" value="${state}"><input type="hidden" name="published" value="${record.published?.revision ?? 0}">
${visibilityNote(words, record)}<p><label for="note">${manage.note}</label> <span class="quiet" id="note-hint">${manage.noteHint({ count: MAX_NOTE })}</span></p>
<textarea id="note" name="note" rows="3" maxlength="${MAX_NOTE}" aria-describedby="note-hint" dir="auto"${placeholder}>${field('note')}</textarea>
<div>${publish}</div>
${planFields(words, { at: field('at'), now })}`,
  )
}

/** The findings of a draft by file and line. A file of a page also has its name. */
async function findingsList({ store }: ManageContext, { record }: Managed, guide: Guide): Promise<Html> {
  const { manage } = guide.words
  const findings = await findDraftFindings(store.database, record)
  if (!findings) return html`<p>${manage.findingsUnknown}</p>\n`
  if (findings.length === 0) return html`<p>${manage.noFindings}</p>\n`
  const pages = await pagesByPath(guide, await findSourcePaths(store.database, record))
  const byPath = Map.groupBy(findings.toSorted(order), ({ path }) => path)
  const file = ([path, ofFile]: readonly [
    string,
    readonly DraftFinding[],
  ]) => html`<dt>${pages.get(path)}<code dir="ltr">${path}</code></dt>
${ofFile.map(finding => html`<dd>${finding.line !== null && html`${manage.line({ line: finding.line })}: `}<bdi lang="en">${finding.message}</bdi></dd>\n`)}`
  const isCut = findings.length === MAX_DRAFT_FINDINGS
  return html`<details${findings.length <= MAX_OPEN && html` open`}><summary>${manage.findings({ count: findings.length })}</summary>
<dl>
${Array.from(byPath, file)}</dl>
${isCut && html`<p>${manage.firstOnly({ count: findings.length })}</p>\n`}</details>
`
}

/** The most findings that are shown at once; more open on demand. */
const MAX_OPEN = 8

/** The order by path and line. That of the import is the same, except that it has consequences of other findings last. */
function order(one: DraftFinding, other: DraftFinding): number {
  return compareStrings(one.path, other.path) || (one.line ?? 0) - (other.line ?? 0)
}

/** The links to the pages of a draft, keyed by the path of their files in the brand folder. */
async function pagesByPath(
  { publication: { content, record }, site: { paths } }: Guide,
  source: SourcePaths | undefined,
): Promise<ReadonlyMap<string, Html>> {
  if (!source) return new Map()
  const pages = [...(await content.pages()).values()]
  return new Map(
    pages.map(({ id, name }) => {
      const path = pagePath(source, id)
      const pathInBrandFolder = source.folder === '' ? path : `${source.folder}/${path}`
      return [pathInBrandFolder, html`<a href="${paths.page(record, id)}">${name}</a> `]
    }),
  )
}
