import { REVISION_PATH } from '#brand/contract/operations.ts'
import { refOf } from '#brand/ids.ts'
import { type HistoryEntry, rolledBackTo } from '#publishing/history.ts'
import { planState } from '#publishing/plan.ts'
import type { Guide } from '#site/guide/guide.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { revisionsForm } from '#site/pages/changes/changes-view.ts'
import type { Words } from '#site/words/words.ts'
import type { PlanRecord } from '#store/catalogue/plans.ts'
import { button, formHtml } from '../form.ts'
import { timeHtml } from '../manage-page.ts'
import { endedText } from './plan-section.ts'

/** The path of the history below that of its project. */
export const HISTORY_PATH = '/-/manage/history'

/** The revision that is published now. Undefined without one. */
export function publicationSection(
  { words, site: { paths }, publication: { record } }: Guide,
  entries: readonly HistoryEntry[],
): Html | undefined {
  const current = entries.find(({ current }) => current)
  if (!current) return undefined
  const { manage } = words
  const facts: readonly (readonly [Word, Html | Word | undefined])[] = [
    [manage.revision, html`<a href="${paths.project(record)}">${current.revision}</a>`],
    [manage.when, timeHtml(words, current.publishedAt)],
    [manage.who, html`<bdi>${current.who ?? '–'}</bdi>`],
    [manage.note, noteHtml(words, current)],
  ]
  return html`<section class="now"><h2>${manage.publishing}</h2>
<dl class="facts">
${facts.map(([name, value]) => value && html`<dt>${name}</dt>\n<dd>${value}</dd>\n`)}</dl></section>
`
}

/** The last revisions, with a link to all. */
export function recentSection(
  { words, site, publication: { record } }: Guide,
  entries: readonly HistoryEntry[],
  token: string,
): Html | undefined {
  const { manage } = words
  if (entries.length === 0) return undefined
  const home = site.paths.below(refOf(record), '')
  return html`<section><h2>${manage.history}</h2>
${revisionList(words, home, entries.slice(0, MAX_RECENT), token)}<p><a href="${home}${HISTORY_PATH}">${manage.allRevisions({ count: entries.length })}</a></p></section>
`
}

const MAX_RECENT = 3

/** All revisions, newest first, after the form that compares two of them. */
export function historySection(
  words: Words,
  home: string,
  entries: readonly HistoryEntry[],
  token: string,
  planned: PlanRecord | undefined,
): Html {
  const { manage } = words
  const endedPlan = planned?.endedAt && html`<p>${endedText(words, planState(planned))}</p>\n`
  if (entries.length === 0) return html`<p>${manage.noHistory}</p>\n${endedPlan}`
  // The content of a freed revision is deleted, so that nothing can be compared with it.
  const keptEntries = entries.filter(({ freedAt }) => freedAt === undefined)
  const revisions = keptEntries.slice(0, MAX_ENTRIES).map(({ revision, publishedAt, note }) => {
    const noteText = note ?? ''
    const restoredRevision = rolledBackTo(noteText)
    return {
      number: revision,
      publishedAt: new Date(publishedAt),
      note: restoredRevision === undefined ? noteText : `${manage.restored({ revision: restoredRevision })}`,
    }
  })
  const [to, from] = revisions.map(({ number }) => number) // The newest, and the one before it.
  const form =
    from !== undefined && revisionsForm(words, revisions, { from, to }, `${home}${REVISION_PATH}/${to}/-/changes`)
  return html`<section class="wide">${form}${revisionList(words, home, entries.slice(0, MAX_ENTRIES), token)}${entries.length > MAX_ENTRIES && html`<p>${manage.firstOnly({ count: MAX_ENTRIES })}</p>\n`}</section>
`
}

const MAX_ENTRIES = 200

/** A list of revisions. `home` is the path of the guide, below which managers read each revision. */
function revisionList(words: Words, home: string, entries: readonly HistoryEntry[], token: string): Html {
  return html`<ol class="entries">
${entries.map(entry => historyItem(words, home, entry, token))}</ol>
`
}

/** A revision in a list: its link, its state, who published it, its note, and the form that restores it. */
function historyItem(words: Words, home: string, entry: HistoryEntry, token: string): Html {
  const { revision, who, note, current, freedAt } = entry
  const state = stateOf(entry)
  const address = `${home}${REVISION_PATH}/${revision}`
  const name = html`${words.manage.revision} ${revision}`
  const hasPages = freedAt === undefined
  const changes = hasPages && revision > 1 && html` · <a href="${address}/-/changes">${words.changes.title}</a>`
  return html`<li${current && html` class="current"`}><div><p><strong>${hasPages ? html`<a href="${address}">${name}</a>` : name}</strong>${state && html` · ${words.manage[state]}`}</p>
<p class="quiet">${timeHtml(words, entry.publishedAt)}${who !== null && html` · <bdi>${who}</bdi>`}${changes}</p>
${note !== null && html`<p>${noteHtml(words, entry)}</p>\n`}${reviewedLines(words, entry)}</div>${isRestorable(entry) && restoreForm(words, token, revision)}</li>
`
}

/** Whether a revision can be published again: it is not the current one, and neither retracted nor freed. */
export function isRestorable(entry: HistoryEntry): boolean {
  return stateOf(entry) === undefined
}

/** Who approved a revision, over whose requests it was published, and the plans that ended after it. */
function reviewedLines(words: Words, { approvers = [], overRequests = [], endedPlans = [] }: HistoryEntry): Html[] {
  const { manage, list } = words
  const people = (names: readonly string[]) => ({ who: html`<bdi>${list(names)}</bdi>` })
  const line = (text: Html | Word) => html`<p class="quiet">${text}</p>\n`
  return [
    ...(approvers.length > 0 ? [line(manage.approvedBy(people(approvers)))] : []),
    ...(overRequests.length > 0 ? [line(manage.overRequest(people(overRequests.map(({ who }) => who))))] : []),
    ...endedPlans.map(plan => line(endedText(words, plan))),
  ]
}

/** The note of a revision; that of a rollback in the language of the guide. */
function noteHtml({ manage }: Words, { note }: HistoryEntry): Html | Word | undefined {
  if (note === null) return undefined
  const restored = rolledBackTo(note)
  return restored === undefined ? html`<bdi>${note}</bdi>` : manage.restored({ revision: restored })
}

/** The state of a revision, as `manage` names it; undefined for a former one that is kept. */
function stateOf({ current, retractedAt, freedAt }: HistoryEntry): 'current' | 'retracted' | 'freed' | undefined {
  if (current) return 'current'
  if (retractedAt !== undefined) return 'retracted'
  return freedAt === undefined ? undefined : 'freed'
}

/** The form that publishes a former revision again. */
function restoreForm({ manage }: Words, token: string, revision: number): Html {
  const name = manage.restoreOf({ revision })
  return formHtml(
    token,
    html`<input type="hidden" name="revision" value="${revision}">${button('restore', manage.restore, { name })}`,
  )
}
