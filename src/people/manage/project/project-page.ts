import type { Ids } from '#brand/contract/route.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { isUnchanged } from '#publishing/draft-state.ts'
import { type HistoryEntry, history } from '#publishing/history.ts'
import { dismiss } from '#publishing/review.ts'
import type { Guide } from '#site/guide/guide.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { isWaiting } from '#store/catalogue/catalogue.ts'
import { findPlan } from '#store/catalogue/plans.ts'
import { findWorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import {
  auditedBy,
  auditedReviewer,
  formToken,
  type ManageContext,
  type Managed,
  managedBy,
  whoOf,
} from '../context.ts'
import { button, formHtml, type ProjectAction, type ProjectRefusal, type Sent } from '../form.ts'
import { type Done, formPage, type LastForm, resultHtml } from '../form-page.ts'
import { managedGuide, managePage, timeHtml } from '../manage-page.ts'
import { endShare, madeLink, rotateAddresses, share, shareSection } from '../share-section.ts'
import { draftSection, type PublishAttempt } from './draft-section.ts'
import { HISTORY_PATH, historySection, publicationSection, recentSection } from './history-section.ts'
import { cancelPlanned, planDraft, publishDraft, restore } from './publish-actions.ts'
import { questionForm, questionOf } from './questions.ts'
import { rightsSection } from './rights.ts'

/** The pages of a project for people who manage it, and the replies to their forms. */
export async function projectReply(
  context: ManageContext,
  request: Request,
  ids: Ids,
  section: Section,
): Promise<Reply | undefined> {
  const managed = await managedBy(context, request, ids)
  if (!managed) return undefined
  return formPage<ProjectRefusal['reason']>(context, request, managed.person, {
    questions: QUESTIONS,
    show: async last => {
      // After a refusal, shows the state that the action found.
      const current = last.refused ? await managedBy(context, request, ids) : managed
      // *Back* may return to a question after its answer.
      const isSettled = last.refused?.reason === 'changes_requested' && current && (await isPublished(context, current))
      return current && page(context, current, section, isSettled ? { field: last.field } : last)
    },
    act: async (sent, formContext) => {
      const name = actionOf(sent)
      const action = ACTIONS.get(name)
      if (!action) return { status: 400, reason: 'form' }
      // Some actions are only done once the person has agreed (`sure`).
      const question = sent.field('sure') === '' && (await questionOf(context, managed, sent.field))
      if (question) return SURE
      const outcome = await action(formContext, managed, sent)
      return outcome && 'reason' in outcome ? outcome : { action: name, ...outcome }
    },
  })
}

const SURE: ProjectRefusal = { status: 409, reason: 'sure' }
/** The refusals that ask: whether to do what cannot be undone, and whether to publish over requests for changes. */
const QUESTIONS = [SURE, { status: 409, reason: 'changes_requested' }] as const

/** Whether the draft is published already, so that nothing waits. */
async function isPublished({ store }: ManageContext, { record }: Managed): Promise<boolean> {
  return isUnchanged(record, await findWorkspaceFields(store.database, record.workspace))
}

export type Section = 'draft' | 'history' | 'links'

/** A page of a project: the result of the last form or its question, then the section. */
async function page(
  context: ManageContext,
  managed: Managed,
  section: Section,
  { done, refused, field }: LastForm<ProjectRefusal['reason']>,
): Promise<Reply> {
  const guide = await managedGuide(context, managed)
  const { words } = guide
  const { title, below, content } = PAGES[section]
  const attempt = { field, isOver: refused?.reason === 'changes_requested' }
  const main = await content(context, managed, guide, attempt)
  const question = refused?.reason === 'sure' ? await questionOf(context, managed, field) : undefined
  const refusal = question?.text(words) ?? (refused && (await refusalText(context, managed, words, refused.reason)))
  const confirm = question && questionForm(words, question, field, formToken(context, managed.person))
  const result = resultHtml(refusal, done && doneText(words, managed, done), refused?.status)
  const token = formToken(context, managed.person)
  // After a link has ended, its readers may still know addresses of files: a button changes these.
  const rotate = done?.action === 'end-share' && formHtml(token, button('rotate-files', words.manage.share.rotate))
  const desk = html`${result}${confirm}${rotate}<div class="desk">\n${main}</div>\n`
  return managePage(context, guide, { title: title(words), below, main: desk })
}

/** Why a form changed nothing; about a draft that somebody has published, who and when. */
export async function refusalText(
  context: ManageContext,
  managed: Managed,
  words: Words,
  reason: ProjectRefusal['reason'],
): Promise<Html | Word | undefined> {
  const { published, refusals } = words.manage
  if (reason !== 'published') return reason === 'sure' ? undefined : refusals[reason]
  const [newest] = await entriesOf(context, managed)
  const { revision = 0, publishedAt = new Date(), who } = newest ?? {}
  return published({ revision, time: timeHtml(words, publishedAt), who: html`<bdi>${who ?? '–'}</bdi>` })
}

type SectionPage = {
  title: (words: Words) => Word
  below: string
  content: (context: ManageContext, managed: Managed, guide: Guide, attempt: PublishAttempt) => Promise<Html>
}

const PAGES: Readonly<Record<Section, SectionPage>> = {
  draft: { title: ({ manage }) => manage.title, below: '/-/manage', content: draftContent },
  history: {
    title: ({ manage }) => manage.history,
    below: HISTORY_PATH,
    content: async (context, managed, { words }) =>
      historySection(
        words,
        context.site.paths.below(managed.record, ''),
        await entriesOf(context, managed),
        formToken(context, managed.person),
        await findPlan(context.store.database, managed.record),
      ),
  },
  links: {
    title: ({ manage }) => manage.share.title,
    below: '/-/manage/links',
    content: (context, managed, { words }, { field }) => shareSection(context, words, managed, field),
  },
}

/** What waits and *Publish* first, then what is published. */
async function draftContent(
  context: ManageContext,
  managed: Managed,
  guide: Guide,
  attempt: PublishAttempt,
): Promise<Html> {
  const entries = await entriesOf(context, managed)
  const token = formToken(context, managed.person)
  const draft = await draftSection(context, managed, attempt)
  return html`${draft}${publicationSection(guide, entries)}${await rightsSection(guide)}${recentSection(guide, entries, token)}`
}

/** The revisions of a project, newest first; none before its first publication. */
async function entriesOf({ store }: ManageContext, { record }: Managed): Promise<readonly HistoryEntry[]> {
  const found = await history(store, record)
  return found.ok ? found.value : []
}

/** What an action did, in words; undefined for an action that these pages do not have. */
function doneText(words: Words, { record }: Managed, { action, secret }: Done): Html | Word | undefined {
  const { manage } = words
  const revision = record.published?.revision ?? 0
  const texts = new Map<string, Html | Word>([
    ['publish', manage.done.publish({ revision })],
    ['restore', html`${manage.done.restore({ revision })}${isWaiting(record) && html` ${manage.done.draftStays}`}`],
    ['dismiss', manage.dismissed],
    ['plan', manage.plan.planned],
    ['cancel-plan', manage.plan.cancelled],
    ['share', secret === undefined ? manage.share.unseen : madeLink(words, secret)],
    ['end-share', html`${manage.share.ended} ${manage.share.seen}`],
    ['end-draft-share', manage.share.ended],
    ['rotate-files', manage.share.rotated],
  ])
  return texts.get(action)
}

/** With a time, *Publish* plans a publication too: Enter in the field of the time presses it. */
function actionOf({ action, field }: Sent): string {
  return action === 'publish' && field('at') !== '' ? 'plan' : action
}

const ACTIONS: ReadonlyMap<string, ProjectAction> = new Map<string, ProjectAction>([
  ['publish', publishDraft],
  ['plan', planDraft],
  ['cancel-plan', cancelPlanned],
  ['restore', restore],
  ['dismiss', dismissRequest],
  ['share', share],
  ['end-share', endShare],
  ['rotate-files', rotateAddresses],
])

/** Dismisses a request for changes. Then the draft may be approved, and published by itself. */
async function dismissRequest(
  context: ManageContext,
  { record, person }: Managed,
  { field }: Sent,
): Promise<ProjectRefusal | undefined> {
  const { store, access } = context
  const request = await dismiss(store, record, { id: field('id'), who: whoOf(person) }, store.clock.date())
  if (!request) return { status: 409, reason: 'request_gone' }
  const { workspace, project, reviewer } = request
  auditedBy(access, person).record({ event: 'dismissed', workspace, project, ...auditedReviewer(reviewer) })
  await context.checkRepositories?.()
  return undefined
}
