import type { Ids } from '../../contract/route.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { redirect } from '../../exchange/reply.ts'
import { type HistoryEntry, history, rolledBackTo } from '../../publishing/history.ts'
import type { Guide } from '../../site/guide/guide.ts'
import { type Html, html, type Word } from '../../site/html.ts'
import type { Words } from '../../site/words/words.ts'
import { formToken, type ManageContext, type Managed, managedBy } from '../context.ts'
import { button, foreignForm, formHtml, type Refused, readForm, unshared } from '../form.ts'
import { managedGuide, managePage } from '../manage-page.ts'
import { shareSection } from '../share/share-section.ts'
import { draftSection } from './draft-section.ts'
import { act } from './project-actions.ts'

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
  return unshared(redirect(303, `${base}/${ids.workspace}/${ids.project}/-/manage?done=${action}`))
}

/** What the person has just done or tried: the entered note, and its result. */
type Attempt = { done?: string | null; refused?: Refused; note?: string }

async function page(context: ManageContext, managed: Managed, { done, refused, note = '' }: Attempt): Promise<Reply> {
  const guide = await managedGuide(context, managed)
  const { manage } = guide.words
  const found = await history(context.store, managed.record, context.reportRows)
  const entries = found.ok ? found.value : []
  const token = formToken(context, managed.person)
  const main = html`${refused ? resultText(guide.words, refused) : doneText(guide.words, managed, done)}${publicationSection(
    guide,
    entries.find(({ current }) => current),
  )}${await draftSection(context, managed, note)}${await shareSection(context, guide.words, managed, token)}${historySection(guide.words, entries, token)}`
  return managePage(context, guide, { title: manage.title, below: '/-/manage', main, status: refused?.status })
}

function resultText({ manage }: Words, { status, reason, message }: Refused): Html {
  const text = reason === undefined ? message : manage.refusals[reason]
  return html`<p class="result" role="${status === 200 ? 'status' : 'alert'}">${text}</p>\n`
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

/** The published revision; undefined if nothing is published. */
function publicationSection(
  { words, paths, publication: { record } }: Guide,
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

/** The revisions, newest first, with buttons that publish their content again. */
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
${note !== null && html`<p>${noteHtml(words, entry)}</p>\n`}</div>${isUsable && restoreForm(words, token, revision)}</li>
`
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
