import { isHash } from '../../brand/ids.ts'
import type { Ids } from '../../contract/route.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { redirect } from '../../exchange/reply.ts'
import { review, reviewsOf } from '../../publishing/review.ts'
import { draftProject } from '../../serving/pointers/drafts.ts'
import { type Access, withDraftAccess } from '../../site/authorize.ts'
import type { Guide } from '../../site/guide/guide.ts'
import { replyWithAccess } from '../../site/guide-reply.ts'
import { type Html, html, type Word } from '../../site/html.ts'
import { withFonts } from '../../site/library/with-fonts.ts'
import { changesView } from '../../site/pages/changes/changes-view.ts'
import type { Words } from '../../site/words/words.ts'
import { findProject, type ProjectRecord } from '../../store/catalogue/catalogue.ts'
import { formToken, type ManageContext, type Sender, whoOf } from '../context.ts'
import { button, foreignForm, formHtml, readForm, type Sent, unshared } from '../form.ts'
import { ownPage } from '../manage-page.ts'
import { answerList } from './answer-list.ts'

/** The page of changes of a draft for its readers, who may answer there; undefined for everyone else. */
export function reviewReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const { site, store } = context
  return withDraftAccess(site, request, ids, async access => {
    // The draft in memory may be a moment older.
    const record = await findProject(store.database, ids.workspace, ids.project)
    const isSame = record?.instance === access.publication.record.instance
    const publication = isSame ? site.openPublication(draftProject(record)) : undefined
    if (!publication) return undefined
    const reply = async (guide: Guide) => {
      const draft: ReviewedDraft = { guide, record: publication.record, reviewer: reviewerOf(access, guide.words) }
      return request.method === 'POST' ? answer(context, request, draft) : page(context, draft)
    }
    const current = { ...access, publication }
    return replyWithAccess(site, request, ids, current, { reply: async ({ guide }) => reply(await guide()) })
  })
}

/** A person or a share link that may answer. */
type Reviewer = {
  sender: Sender
  mayApprove: boolean
  /** The hash of their name, or the id of the link, for the log. */
  audited: { subject: string } | { share: string }
  stored: { reviewer: string; who: string; isSignedIn: boolean }
}

type ReviewedDraft = { guide: Guide; record: ProjectRecord; reviewer: Reviewer }

function reviewerOf({ person, link }: Access, words: Words): Reviewer {
  if (person) {
    const { subject } = person
    const stored = { reviewer: subject, who: whoOf(person) ?? `${words.review.someone}`, isSignedIn: true }
    return { sender: person, mayApprove: true, audited: { subject }, stored }
  }
  if (!link) throw new Error('a reader of a draft is signed in or has a link')
  const { id, name, mayApprove } = link
  const stored = { reviewer: `share:${id}`, who: name ?? `${words.review.link}`, isSignedIn: false }
  return { sender: { link: id }, mayApprove, audited: { share: id }, stored }
}

/** Records the answer that a form sends. */
async function answer(context: ManageContext, request: Request, draft: ReviewedDraft): Promise<Reply> {
  const { store, access, site } = context
  const { guide, record, reviewer } = draft
  const sent = readForm(context, request, reviewer.sender)
  if (!sent || (sent.action === 'approve' && !reviewer.mayApprove)) return foreignForm(context, request)
  const { workspace, project } = record
  const words = guide.words.review
  const value = ANSWERS.find(each => each === sent.action)
  const [snapshot, comment] = [sent.field('draft'), sent.field('comment')]
  if (!value) return page(context, draft, { status: 400, sent })
  if (!isHash(snapshot)) return page(context, draft, { status: 422, sent })
  if (comment.length > MAX_COMMENT)
    return page(context, draft, { status: 422, sent, message: words.tooLong({ count: MAX_COMMENT }) })
  const given = { ...reviewer.stored, answer: value, snapshot, comment: comment === '' ? undefined : comment }
  const recorded = await review(store, record, given, store.clock.date())
  if (!recorded.ok) return page(context, draft, { status: 409, sent, message: words.stale })
  access.record({ event: 'draft-reviewed', workspace, project, ...reviewer.audited })
  if (value === 'approve') await context.checkRepositories?.()
  return unshared(redirect(303, `${site.paths.project(guide.publication.record)}/-/changes#Review`))
}

const ANSWERS = ['approve', 'ask'] as const
const MAX_COMMENT = 2000

/** Why a form changed nothing, and what it sent. */
type Refused = { status: 400 | 409 | 422; sent: Sent; message?: Word }

async function page({ store, ...context }: ManageContext, draft: ReviewedDraft, refused?: Refused): Promise<Reply> {
  const { guide, record, reviewer } = draft
  const { words } = guide
  const { approved, reviews } = await reviewsOf(store.database, record)
  const form = answerForm(words, draft, formToken(context, reviewer.sender), refused?.sent.field('comment'))
  const part = html`<section class="prose review">
<h2 id="Review">${words.review.title}</h2>
${refused?.message !== undefined && html`<p role="alert"><strong>${refused.message}</strong></p>\n`}<p>${approved ? words.review.approved : words.review.unapproved}</p>
${answerList(words, reviews)}${form}</section>
`
  const made = await changesView(guide, part)
  if (!made) throw new Error('every draft has a page to review it')
  return ownPage(await withFonts(guide, made), refused?.status)
}

function answerForm({ review }: Words, { record, reviewer }: ReviewedDraft, token: string, comment = ''): Html {
  const approve = reviewer.mayApprove && html`${button('approve', review.approve, { isPrimary: true })} `
  const fields = html`<input type="hidden" name="draft" value="${record.draft.snapshot}">
<p><label>${review.comment} <textarea name="comment" rows="4" maxlength="${MAX_COMMENT}" dir="auto">
${comment}</textarea></label></p>
<p>${approve}${button('ask', review.ask)}</p>`
  return formHtml(token, fields, 'Review')
}
