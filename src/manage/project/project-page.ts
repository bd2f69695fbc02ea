import { managesAll } from '../../access/session/exercised-rights.ts'
import { withoutUndefined } from '../../base/object.ts'
import type { Ids } from '../../contract/route.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { redirect } from '../../exchange/reply.ts'
import { type HistoryEntry, history, rollback, rolledBackTo } from '../../publishing/history.ts'
import type { CommandResult } from '../../publishing/project-ref.ts'
import { MAX_NOTE, type PublishResult, publish } from '../../publishing/publish.ts'
import { dismiss, parseState } from '../../publishing/review.ts'
import type { Guide } from '../../site/guide/guide.ts'
import { type Html, html, type Word } from '../../site/html.ts'
import type { Words } from '../../site/words/words.ts'
import {
  auditedBy,
  auditedReviewer,
  formToken,
  type ManageContext,
  type Managed,
  managedBy,
  whoOf,
} from '../context.ts'
import {
  button,
  foreignForm,
  formHtml,
  type ProjectAction,
  type Refused,
  readForm,
  type Sent,
  unshared,
} from '../form.ts'
import { managedGuide, managePage } from '../manage-page.ts'
import { endShare, share, shareSection } from '../share-section.ts'
import { draftSection } from './draft-section.ts'

/** The page of a project for people who manage it, and the replies to its forms. */
export async function projectReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const managed = await managedBy(context, request, ids)
  if (!managed) return undefined
  if (request.method !== 'POST') return page(context, managed, { done: new URLSearchParams(request.query).get('done') })
  const sent = readForm(context, request, managed.person)
  if (!sent) return foreignForm(context, request)
  const refused = await act(context, managed, sent)
  const { action, field } = sent
  if (refused) {
    // Shows the state that the action found.
    const current = await managedBy(context, request, ids)
    return current && page(context, current, { refused, note: field('note') })
  }
  const { base } = context.site
  const done = action === 'publish-over' ? 'publish' : action
  return unshared(redirect(303, `${base}/${ids.workspace}/${ids.project}/-/manage?done=${done}`))
}

/** What the person has just done or tried: the entered note, and its result. */
type Attempt = { done?: string | null; refused?: Refused; note?: string }

async function page(context: ManageContext, managed: Managed, { done, refused, note = '' }: Attempt): Promise<Reply> {
  const guide = await managedGuide(context, managed)
  const { manage } = guide.words
  const found = await history(context.store, managed.record, context.reportRows)
  const entries = found.ok ? found.value : []
  const token = formToken(context, managed.person)
  const result = refused
    ? html`<p class="result" role="${refused.status === 200 ? 'status' : 'alert'}">${refused.reason === undefined ? refused.message : manage.refusals[refused.reason]}</p>\n`
    : doneText(guide.words, managed, done)
  const main = html`${result}${publicationSection(
    guide,
    entries.find(({ current }) => current),
  )}${await draftSection(context, managed, { note, isOver: refused?.reason === 'changes_requested' })}${await shareSection(context, guide.words, managed, token)}${historySection(guide.words, entries, token)}`
  return managePage(context, guide, { title: manage.title, below: '/-/manage', main, status: refused?.status })
}

function doneText({ manage }: Words, { record: { published } }: Managed, done?: string | null): Html | undefined {
  if (done === 'dismiss') return html`<p class="result" role="status">${manage.dismissed}</p>\n`
  const text = DONE.find(each => each === done)
  return (
    text &&
    published &&
    html`<p class="result" role="status">${manage.done[text]({ revision: published.revision })}</p>\n`
  )
}

const DONE = ['publish', 'restore'] as const

function publicationSection(
  { words, site: { paths }, publication: { record } }: Guide,
  current: HistoryEntry | undefined,
): Html | undefined {
  if (!current) return undefined
  const { manage } = words
  const facts: readonly (readonly [Word, Html | Word | undefined])[] = [
    [manage.revision, html`<a href="${paths.project(record)}">${current.revision}</a>`],
    [manage.when, day(words, current)],
    [manage.who, html`<bdi>${current.who ?? '–'}</bdi>`],
    [manage.note, noteHtml(words, current)],
  ]
  return html`<section><h2>${manage.publishing}</h2>
<dl class="facts">
${facts.map(([name, value]) => value && html`<dt>${name}</dt>\n<dd>${value}</dd>\n`)}</dl></section>
`
}

function day(words: Words, { publishedAt }: HistoryEntry): Html {
  return html`<time datetime="${publishedAt}">${words.day(new Date(publishedAt))}</time>`
}

/** The note of a revision; that of a rollback in the language of the guide. */
function noteHtml({ manage }: Words, { note }: HistoryEntry): Html | Word | undefined {
  if (note === null) return undefined
  const restored = rolledBackTo(note)
  return restored === undefined ? html`<bdi>${note}</bdi>` : manage.restored({ revision: restored })
}

function historySection(words: Words, entries: readonly HistoryEntry[], token: string): Html | undefined {
  const { manage } = words
  if (entries.length === 0) return undefined
  return html`<section><h2>${manage.history}</h2>
<p>${manage.restoreHint}</p>
<ol class="history">
${entries.slice(0, MAX_ENTRIES).map(entry => historyItem(words, entry, token))}</ol>
${entries.length > MAX_ENTRIES && html`<p>${manage.firstOnly({ count: MAX_ENTRIES })}</p>\n`}</section>
`
}

function historyItem(words: Words, entry: HistoryEntry, token: string): Html {
  const { revision, who, note, current, retractedAt, freedAt } = entry
  const state = stateOf(words, entry)
  const isUsable = !current && retractedAt === undefined && freedAt === undefined
  return html`<li><div><p><strong>${words.manage.revision} ${revision}</strong>${state && html` · ${state}`}</p>
<p class="quiet">${day(words, entry)}${who !== null && html` · <bdi>${who}</bdi>`}</p>
${note !== null && html`<p>${noteHtml(words, entry)}</p>\n`}${reviewedLines(words, entry)}</div>${isUsable && restoreForm(words, token, revision)}</li>
`
}

/** Who approved a revision, and over whose requests it was published. */
function reviewedLines({ manage, list }: Words, { approvers = [], overRequests = [] }: HistoryEntry): Html[] {
  const people = (names: readonly string[]) => ({ who: html`<bdi>${list(names)}</bdi>` })
  const line = (text: Html | Word) => html`<p class="quiet">${text}</p>\n`
  return [
    ...(approvers.length > 0 ? [line(manage.approvedBy(people(approvers)))] : []),
    ...(overRequests.length > 0 ? [line(manage.overRequest(people(overRequests.map(({ who }) => who))))] : []),
  ]
}

const MAX_ENTRIES = 200

function stateOf({ manage }: Words, { current, retractedAt, freedAt }: HistoryEntry): Word | undefined {
  if (current) return manage.current
  if (retractedAt !== undefined) return manage.retracted
  return freedAt === undefined ? undefined : manage.freed
}

function restoreForm({ manage }: Words, token: string, revision: number): Html {
  const name = manage.restoreOf({ revision })
  return formHtml(
    token,
    html`<input type="hidden" name="revision" value="${revision}">${button('restore', manage.restore, { name })}`,
  )
}

/** Does what the button of a form says. Undefined if it is done. */
async function act(context: ManageContext, managed: Managed, sent: Sent): Promise<Refused | undefined> {
  const action = ACTIONS.get(sent.action)
  return action ? action(context, managed, sent) : { status: 400, reason: 'form' }
}

const ACTIONS: ReadonlyMap<string, ProjectAction> = new Map<string, ProjectAction>([
  ['publish', publishDraft],
  ['publish-over', publishDraft],
  ['restore', restore],
  ['dismiss', dismissRequest],
  ['share', share],
  ['end-share', endShare],
])

async function publishDraft(context: ManageContext, managed: Managed, { field }: Sent): Promise<Refused | undefined> {
  const { record, person } = managed
  const { store } = context
  // On one line, because commands print it on one.
  const [note, seen] = [field('note').replaceAll(/\s+/g, ' ').trim(), parseState(field('draft'))]
  if (note.length > MAX_NOTE) return { status: 422, reason: 'note_long' }
  if (!seen) return { status: 422, reason: 'form' }
  const over = field('over').split(' ')
  const by = {
    note: note === '' ? undefined : note,
    who: whoOf(person),
    seen,
    over,
    keepsWorkspace: !managesAll(person),
  }
  return finish(context, managed, 'published', await publish(store, record, by, store.clock.date()))
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
  return { status: CONFLICTS.some(each => each === reason) ? 409 : 422, reason: reason ?? 'form' }
}

/** The failures of commands that have their own messages. */
/** Another state of the draft or its reviews than the person knew. */
const CONFLICTS = ['draft_changed', 'changes_requested', 'draft_unapproved'] as const

const COMMAND_REASONS = [
  'changes_requested',
  'draft_unapproved',
  'draft_changed',
  'project_copying',
  'revision_unknown',
  'revision_retracted',
  'revision_freed',
] as const
