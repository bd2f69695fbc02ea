import type { Ids } from '#brand/contract/route.ts'
import { parseDays, type UsageKind, type UsagePeriod, usagePeriod } from '#brand/usage.ts'
import { usageCsv } from '#delivery/export/usage-table.ts'
import { fieldText } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { content } from '#platform/exchange/reply.ts'
import { type KindUsage, usageReport } from '#publishing/usage.ts'
import { libraryOf } from '#serving/publications/library.ts'
import type { Guide } from '#site/guide/guide.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { filePath } from '#site/library/files/file-list.ts'
import { openFolderNotes } from '#site/library/files/folder-names.ts'
import { formatName, itemReader } from '#site/library/files/library-item.ts'
import type { Words } from '#site/words/words.ts'
import { listUsage } from '#store/catalogue/usage.ts'
import { type ManageContext, managedBy } from './context.ts'
import { unshared } from './form.ts'
import { managedGuide, managePage } from './manage-page.ts'
import { countTable, usageChart } from './usage-chart.ts'

/** Replies with the page of a project's usage in a period (`?days=30`). */
export async function usageReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const managed = await managedBy(context, request, ids)
  if (!managed) return undefined
  const guide = await managedGuide(context, managed)
  const period = requestedPeriod(context, request)
  const report = await usageReport(context.store.database, managed.record, period)
  const used = report.filter(({ total, before }) => total + before > 0)
  const nameOf = await namesIn(guide)
  const { usage } = guide.words
  const address = context.site.at(`/${managed.record.workspace}/${managed.record.project}/-/manage/usage`)
  const [first = '', last = ''] = [period.days[0], period.days.at(-1)].map(day => guide.words.day(new Date(day ?? '')))
  const main = html`<div class="usage">${periodLinks(guide.words, period, address)}
<p>${usage.lead({ first, last })}</p>
${used.length === 0 ? html`<p>${usage.none}</p>\n` : html`${totals(guide.words, report, period)}${used.map(each => kindSection(guide.words, each, period, nameOf))}`}</div>`
  return managePage(context, guide, { title: guide.words.manage.usage, below: '/-/manage/usage', main })
}

/** Replies with the counts of each day as CSV, for the period in the query. */
export async function usageCsvReply(context: ManageContext, request: Request, ids: Ids): Promise<Reply | undefined> {
  const managed = await managedBy(context, request, ids)
  if (!managed) return undefined
  const { days } = requestedPeriod(context, request)
  const csv = usageCsv(await listUsage(context.store.database, managed.record, days[0] ?? ''))
  const name = `${managed.record.project}-usage-${days.at(-1)}.csv`
  const handling = ['Content-Disposition', `attachment; filename="${name}"`]
  // Excel reads UTF-8 only with a byte order mark.
  return unshared(content('text/csv; charset=utf-8; header=present', `\ufeff${csv}`, { handling }))
}

const DEFAULT_DAYS = 30
/** The periods that the page offers, in days. */
const PERIODS = [7, 30, 90, 365]

function requestedPeriod({ store }: ManageContext, { query }: Request): UsagePeriod {
  const days = parseDays(fieldText(new URLSearchParams(query), 'days'))
  return usagePeriod(store.clock.date(), days ?? DEFAULT_DAYS)
}

function periodLinks({ usage, manage }: Words, { days }: UsagePeriod, address: string): Html {
  const link = (count: number) =>
    html`<li><a href="${address}?days=${count}"${count === days.length && html` aria-current="page"`}>${manage.share.days({ count })}</a></li>\n`
  return html`<nav class="periods" aria-label="${usage.current}"><ul>${PERIODS.map(link)}</ul>
<a href="${address}.csv?days=${days.length}" download>${usage.csv}</a></nav>`
}

/** The totals of all kinds, each with a link to its chart. */
function totals(words: Words, report: readonly KindUsage[], { before }: UsagePeriod): Html {
  const { usage, number } = words
  const fact = (used: KindUsage) => {
    const { kind, total } = used
    const facts = html`<span>${usage.kinds[kind]}</span> <strong>${number(total)}</strong> <span>${before.length > 0 && change(words, used)}</span>`
    return html`<li>${total + used.before === 0 ? html`<div>${facts}</div>` : html`<a href="#${kind}">${facts}</a>`}</li>\n`
  }
  return html`<ul class="totals">${report.map(fact)}</ul>
`
}

/** `+34% · 900 before`; small numbers have no percentage. */
function change({ usage, number, share }: Words, { total, before }: KindUsage): Html {
  const percent = Math.round((total / before - 1) * 100)
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±'
  return html`${before >= MIN_COMPARED && html`<bdi dir="ltr">${sign}${share(Math.abs(percent))}</bdi> · `}${usage.before({ before: number(before) })}`
}

/** The least count before that has a percentage. */
const MIN_COMPARED = 10

type Named = { name: Word; path?: string | undefined }

/** The names of items in a guide, with the paths of their pages; undefined for items that it no longer has. */
async function namesIn(guide: Guide): Promise<(kind: UsageKind, item: string) => Named> {
  const { words, publication, site } = guide
  const pages = await publication.content.pages()
  const library = await libraryOf(publication.content)
  const { titleOf } = await openFolderNotes(guide)
  const itemOf = await itemReader(guide, library.groups)
  const folderName = (folder: string) => (folder === 'files' ? words.sections.files : titleOf(folder))
  const fileName = (path: string): Named => {
    const file = library.files.get(path)
    if (!file) return { name: path.endsWith('/') ? `${folderName(path.slice(0, -1))} (ZIP)` : path }
    const item = itemOf(library.groupWith.get(path) ?? [file])
    return { name: words.list([item.name, formatName(words, file, item)]), path: filePath(guide, library, file) }
  }
  return (kind, item) => {
    if (kind === 'file') return fileName(item)
    const page = kind === 'page' ? pages.get(item) : undefined
    return page ? { name: page.name, path: site.paths.page(publication.record, item) } : { name: item }
  }
}

/** The chart of a kind, and its items with the most uses. */
function kindSection(
  words: Words,
  used: KindUsage,
  period: UsagePeriod,
  nameOf: (kind: UsageKind, item: string) => Named,
): Html {
  const { usage, manage } = words
  const { kind, items } = used
  const rows = items.slice(0, MAX_ITEMS).map(({ item, count, before }) => {
    const { name, path } = nameOf(kind, item)
    const shown = html`<bdi>${name}</bdi>`
    return { label: path === undefined ? shown : html`<a href="${path}">${shown}</a>`, count, before }
  })
  return html`<section id="${kind}"><h2>${usage.kinds[kind]}</h2>
${kind === 'missed' && html`<p>${usage.missedWhy}</p>\n`}<div class="counted"><div>${usageChart(words, used, period)}</div>
<div>${rows.length > 0 && countTable(words, usage.items[kind], rows, period.before.length > 0)}${items.length > MAX_ITEMS && html`<p>${manage.more({ count: items.length - MAX_ITEMS })}</p>\n`}</div></div></section>
`
}

const MAX_ITEMS = 10
