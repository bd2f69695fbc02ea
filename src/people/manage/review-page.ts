import type { Ids } from '#brand/contract/route.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { draftState, isUnchanged, parseState, stateText } from '#publishing/draft-state.ts'
import { type NewReview, review, reviewsOf } from '#publishing/review.ts'
import { draftProject } from '#serving/pointers/pointers.ts'
import { type Access, withDraftAccess } from '#site/authorize.ts'
import type { Guide } from '#site/guide/guide.ts'
import { replyWithAccess } from '#site/guide-reply.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { withFonts } from '#site/library/with-fonts.ts'
import { changesView, parseChangesQuery } from '#site/pages/changes/changes-view.ts'
import type { Words } from '#site/words/words.ts'
import { findProject, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { linkReviewer } from '#store/catalogue/reviews.ts'
import { findWorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import { auditedReviewer, formToken, type ManageContext, whoOf } from './context.ts'
import { reviewList, reviewState, visibilityNote, workspaceNote } from './draft-parts.ts'
import { button, formHtml, type Refused, type Sent } from './form.ts'
import { type Done, formPage, type LastForm, resultHtml } from './form-page.ts'
import type { Entitled } from './live-right.ts'
import { ownPage } from './manage-page.ts'
import { foreignForm } from './refused-request.ts'

/** The page of changes of a draft for its readers, who may answer there; undefined for everyone else. */
export function reviewReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const { site, store } = context
  return withDraftAccess(site, request, ids, async access => {
    // The draft in memory may be a moment older.
    const record = await findProject(store.database, ids.workspace, ids.project)
    if (record?.instance !== access.publication.record.instance) return undefined
    const publication = site.service.openPublication(draftProject(record))
    if (!publication) return undefined
    const reply = async (guide: Guide) => {
      const reviewer = reviewerOf(access, guide.words)
      const draft: ReviewedDraft = { guide, record, reviewer, query: request.query }
      return formPage<Reason>(context, request, reviewer.sender, {
        show: last => page(context, draft, last),
        act: async (sent, asked) =>
          sent.action === 'approve' && !reviewer.mayApprove
            ? foreignForm(context, request)
            : answer(asked, draft, sent),
      })
    }
    const current = { ...access, publication }
    return replyWithAccess(site, request, ids, current, { reply: async ({ guide }) => reply(await guide()) })
  })
}

/** A person or a share link that may answer. */
type Reviewer = {
  sender: Entitled
  mayApprove: boolean
  stored: Pick<NewReview, 'reviewer' | 'who' | 'isSignedIn' | 'signin' | 'email'>
}

type ReviewedDraft = { guide: Guide; record: ProjectRecord; reviewer: Reviewer; query: string }

/** The person or link behind an access, and how their answers are stored. */
function reviewerOf({ person, link }: Access, words: Words): Reviewer {
  if (person) {
    const { subject, signin, email } = person
    const who = whoOf(person) ?? `${words.review.someone}`
    return { sender: person, mayApprove: true, stored: { reviewer: subject, who, isSignedIn: true, signin, email } }
  }
  if (!link) throw new Error('a reader of a draft is signed in or has a link')
  const { id, name, mayApprove } = link
  const stored = { reviewer: linkReviewer(id), who: name ?? `${words.review.link}`, isSignedIn: false }
  return { sender: { link: id }, mayApprove, stored }
}

/** The message about a form that changed nothing; undefined if the page has not sent it as it is. */
type Reason = Word | undefined

/** Records the answer that a form sends. */
async function answer(context: ManageContext, draft: ReviewedDraft, sent: Sent): Promise<Done | Refused<Reason>> {
  const { store, access } = context
  const { guide, record, reviewer } = draft
  const { workspace, project } = record
  const words = guide.words.review
  const value = ANSWERS.find(each => each === sent.action)
  const seen = parseState(sent.field('draft'))
  const comment = sent.field('comment')
  if (!value) return { status: 400, reason: undefined }
  if (!seen) return { status: 422, reason: undefined }
  if (value === 'ask' && comment === '') return { status: 422, reason: words.noComment }
  if (comment.length > MAX_COMMENT) return { status: 422, reason: words.tooLong({ count: MAX_COMMENT }) }
  // `seen` is the state of the draft that the reviewer has answered, which may be an older one.
  const newReview = { ...reviewer.stored, ...seen, answer: value, comment: comment === '' ? undefined : comment }
  const recorded = await review(store, record, newReview, store.clock.date())
  if (!recorded.ok) return { status: 409, reason: words.stale }
  access.record({ event: 'draft-reviewed', workspace, project, ...auditedReviewer(reviewer.stored.reviewer) })
  if (value === 'approve') await context.checkRepositories?.()
  return { action: value }
}

const ANSWERS = ['approve', 'ask'] as const
const MAX_COMMENT = 2000

/** The page of changes with the answers so far, and the form for another. */
async function page(context: ManageContext, draft: ReviewedDraft, last: LastForm<Reason>): Promise<Reply> {
  const { done, refused, field } = last
  const { store } = context
  const { guide, record, reviewer, query } = draft
  const { words } = guide
  const fields = await findWorkspaceFields(store.database, record.workspace)
  const reviews = await reviewsOf(store.database, record, store.clock.date())
  const token = formToken(context, reviewer.sender)
  const state = stateText(draftState(record, fields))
  // A draft that changes nothing cannot be approved.
  const isOpen = !isUnchanged(record, fields)
  const currentReviewer = { ...reviewer, mayApprove: reviewer.mayApprove && isOpen }
  const form = answerForm(words, currentReviewer, { token, state, comment: field('comment') })
  const givenAnswer = ANSWERS.find(each => each === done?.action)
  const part = html`<section class="prose review">
<h2 id="Review">${words.review.title}</h2>
${resultHtml(refused?.reason, givenAnswer && words.review.done[givenAnswer], refused?.status)}${visibilityNote(words, record)}${workspaceNote(words, fields)}${isOpen ? reviewState(words, reviews) : html`<p>${words.review.unchanged}</p>\n`}${reviewList(words, reviews)}</section>
<div class="review answer">${form}</div>
`
  const made = await changesView(guide, { page: parseChangesQuery(query).page }, part)
  if (!made) throw new Error('every draft has a page to review it')
  return ownPage(await withFonts(guide, made))
}

function answerForm(
  { review }: Words,
  reviewer: Reviewer,
  { token, state, comment }: { token: string; state: string; comment: string },
): Html {
  const approve = reviewer.mayApprove && html`${button('approve', review.approve, { isPrimary: true })} `
  const fields = html`<input type="hidden" name="draft" value="${state}">
<p><label>${review.comment} <textarea name="comment" rows="2" maxlength="${MAX_COMMENT}" dir="auto">
${comment}</textarea></label></p>
<p>${approve}${button('ask', review.ask)}</p>`
  return formHtml(token, fields)
}
