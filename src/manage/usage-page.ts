import { dayOf, filename } from '../brand/file.ts'
import { USAGE_KINDS, type UsageKind, type UsageRow } from '../brand/usage.ts'
import type { Ids } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Guide } from '../site/guide/guide.ts'
import { type Html, html } from '../site/html.ts'
import type { Words } from '../site/words/words.ts'
import { listUsage } from '../store/catalogue/usage.ts'
import { type ManageContext, managedBy } from './context.ts'
import { managedGuide, managePage } from './manage-page.ts'

export async function usageReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const managed = await managedBy(context, request, ids)
  if (!managed) return undefined
  const guide = await managedGuide(context, managed)
  // In UTC, the oldest first.
  const now = context.store.clock.date().getTime()
  const days = Array.from({ length: DAYS }, (_, at) => dayOf(new Date(now - (DAYS - 1 - at) * 86_400_000)))
  const rows = await listUsage(context.store.database, managed.record, days[0] ?? '')
  const { usage } = guide.words
  const names = await namesIn(guide)
  const sections = USAGE_KINDS.map(kind => {
    const own = rows.filter(row => row.kind === kind)
    return own.length > 0 && kindSection(guide.words, kind, own, days, names)
  })
  const main = html`<p>${usage.lead({ count: days.length })}</p>
${rows.length === 0 ? html`<p>${usage.none}</p>\n` : html`${sections}${dayTable(guide.words, rows, days)}`}`
  return managePage(context, guide, { title: guide.words.manage.usage, below: '/-/manage/usage', main })
}

const DAYS = 30

async function namesIn({ publication: { content } }: Guide): Promise<(kind: UsageKind, item: string) => string> {
  const [pages, files] = [await content.pages(), await content.files()]
  return (kind, item) => {
    if (kind === 'page') return pages.get(item)?.name ?? item
    return kind === 'file' ? (files.get(item)?.title ?? filename(item)) : item
  }
}

function kindSection(
  words: Words,
  kind: UsageKind,
  rows: readonly UsageRow[],
  days: readonly string[],
  nameOf: (kind: UsageKind, item: string) => string,
): Html {
  const { usage } = words
  const items = countsBy(rows, ({ item }) => item)
  const most = [...items].toSorted(([, a], [, b]) => b - a).slice(0, MAX_ITEMS)
  const line = ([item, count]: [string, number]) =>
    html`<tr><td><bdi>${nameOf(kind, item)}</bdi></td><td>${words.number(count)}</td></tr>\n`
  return html`<section><h2>${usage.kinds[kind]}</h2>
${kind === 'missed' && html`<p>${usage.missedWhy}</p>\n`}<div class="counted">${chart(words, kind, rows, days)}
<table><thead><tr><th scope="col">${usage.items[kind]}</th><th scope="col">${usage.count}</th></tr></thead>
<tbody>${most.map(line)}</tbody></table></div></section>
`
}

const MAX_ITEMS = 10

/** Bars for the days, the highest as high as the chart. */
function chart({ usage, number }: Words, kind: UsageKind, rows: readonly UsageRow[], days: readonly string[]): Html {
  const counts = countsBy(rows, ({ day }) => day)
  const highest = Math.max(...counts.values())
  const bars = days.map((day, at) => {
    const height = Math.ceil(((counts.get(day) ?? 0) / highest) * CHART_HEIGHT)
    return height > 0 && html`<rect x="${at * 10 + 1}" y="${CHART_HEIGHT - height}" width="8" height="${height}"/>`
  })
  const total = number(rows.reduce((sum, { count }) => sum + count, 0))
  const label = usage.chart({ kind: usage.kinds[kind], total, highest: number(highest), count: days.length })
  return html`<svg class="chart" viewBox="0 0 ${days.length * 10} ${CHART_HEIGHT}" role="img" aria-label="${label}">${bars}</svg>`
}

const CHART_HEIGHT = 80

/** The numbers of all charts: a row for each day with requests, the latest first. */
function dayTable(words: Words, rows: readonly UsageRow[], days: readonly string[]): Html {
  const { usage } = words
  const kinds = USAGE_KINDS.filter(kind => rows.some(row => row.kind === kind))
  const counts = countsBy(rows, ({ day, kind }) => `${day} ${kind}`)
  const used = days.filter(day => rows.some(row => row.day === day)).toReversed()
  const cell = (day: string) => (kind: UsageKind) => html`<td>${words.number(counts.get(`${day} ${kind}`) ?? 0)}</td>`
  return html`<section><h2>${usage.byDay}</h2>
<div class="table" role="region" aria-label="${usage.byDay}" tabindex="0"><table><thead><tr><th scope="col">${usage.day}</th>${kinds.map(kind => html`<th scope="col">${usage.kinds[kind]}</th>`)}</tr></thead>
<tbody>${used.map(day => html`<tr><th scope="row">${words.dayOfYear(new Date(day))}</th>${kinds.map(cell(day))}</tr>\n`)}</tbody></table></div></section>
`
}

function countsBy(rows: readonly UsageRow[], keyOf: (row: UsageRow) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + row.count)
  return counts
}
