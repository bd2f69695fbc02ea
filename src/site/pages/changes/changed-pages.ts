import { hunkLines, unifiedDiff } from '#brand/content-diff.ts'
import type { Page } from '#brand/page.ts'
import { pick } from '#platform/base/object.ts'
import type { Changes } from '#serving/publications/changes.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { pageSource } from '../page-view.ts'
import { type ChangedSection, changeHtml, nameHtml, type Version, versionsOf } from './changed-items.ts'
import { changedValues } from './changed-values.ts'

/** The comparison that a page of changes shows. */
export type Shown = {
  earlier: Publication
  /** Whether the reader may read the earlier revision, so that its names and text are shown. */
  mayName: boolean
  /** The id of the page that the reader opened. */
  page: string | undefined
  /** The query of the address that opens a page. */
  queryOf: (id: string) => string
}

/**
 * The pages that differ from an earlier revision, each as the website shows it with its changes marked, and as Markdown.
 * Only the first pages are rendered, or the opened one; the list of all opens the others.
 */
export async function changedPages(guide: Guide, changes: Changes<Page>, shown: Shown): Promise<ChangedSection> {
  const { words } = guide
  const versions = versionsOf(words, changes, shown.mayName, ({ name }) => name)
  const { page } = shown
  const open = page === undefined ? versions.slice(0, MAX_RENDERED) : versions.filter(({ item }) => item.id === page)
  const parts: Html[] = []
  for (const version of open) parts.push(await changedPage(guide, version, shown))
  const links = versions.map(version => {
    const { id, name } = version.item
    const query = open.includes(version) ? '' : shown.queryOf(id)
    return html`<li><a href="${query}#page-${id}">${name}</a> <span class="quiet">${version.what}</span></li>\n`
  })
  const list = versions.length > 1 && html`<ul class="contents">\n${links}</ul>\n`
  return { title: words.usage.kinds.page, anchor: 'pages', count: versions.length, content: html`${list}${parts}` }
}

const MAX_RENDERED = 12

async function changedPage(guide: Guide, version: Version<Page>, shown: Shown): Promise<Html> {
  const { site, publication } = guide
  const { item, before, after, what } = version
  const name = nameHtml(item.name, after && site.paths.page(publication.record, after.id))
  const oldName = before && after && shown.mayName && before.name !== after.name && html`<del>${before.name}</del> `
  const values = shown.mayName && changedValues(guide.words, { before, after }, settingsOf)
  const content = (shown.mayName || !before) && (await versionHtml(guide, version, shown))
  return changeHtml(html`${oldName}${name}`, what, html`${values}${content}`, `page-${item.id}`)
}

/** The settings of a page that its text does not show. */
function settingsOf(page: Page): object {
  return pick(page, ['id', 'cover', 'ground', 'wide', 'nav'])
}

/** The rendered text of a page with its changes marked, and below it the changed lines of its Markdown. */
async function versionHtml(guide: Guide, { before, after }: Version<Page>, { earlier }: Shown): Promise<Html> {
  const { site, publication, words } = guide
  const page = {
    before: before && (await pageSource(earlierGuide(guide, earlier), before)),
    after: after && (await pageSource(guide, after)),
    address: after ? site.paths.page(publication.record, after.id) : '',
  }
  const rendered = await site.renderChanges(page, publication.record.workspace)
  const texts = before && after && [await earlier.content.text(before), await publication.content.text(after)]
  const source = texts && sourceChanges(after.id, texts)
  const isWhole = !(before && after)
  const renderedPart = rendered && html`<div class="rendered prose${isWhole && html` whole`}">${rendered}</div>\n`
  const sourcePart =
    source &&
    html`<details${!rendered && html` open`}><summary>${words.changes.source}</summary>\n${source}</details>\n`
  return html`${renderedPart}${sourcePart}`
}

/** An earlier revision with the addresses of a guide, so that links to unchanged targets are the same in both. */
export function earlierGuide(guide: Guide, earlier: Publication): Guide {
  return { ...guide, publication: { ...earlier, record: guide.publication.record } }
}

/**
 * The changed lines among the first of a page's Markdown, as `housestyle diff` shows them; undefined if the Markdown is the
 * same.
 */
function sourceChanges(id: string, [before = '', after = '']: readonly string[]): Html | undefined {
  if (before === after) return undefined
  const firstLines = (text: string) => text.split('\n', MAX_COMPARED).join('\n')
  const comparedBefore = firstLines(before)
  const comparedAfter = firstLines(after)
  const lines = hunkLines(unifiedDiff(id, comparedBefore, comparedAfter, MAX_EDITS))
  const isCut = comparedBefore.length + comparedAfter.length < before.length + after.length
  const more = lines.length > MAX_LINES || isCut ? '\n…' : ''
  return html`<pre class="diff" tabindex="0"><code>${lines.slice(0, MAX_LINES).map(lineHtml)}${more}</code></pre>\n`
}

/** The limits of edits and lines that are compared within a few milliseconds. */
const MAX_EDITS = 400
const MAX_COMPARED = 5000
/** The number of changed lines that are shown; a rewritten page may have thousands. */
const MAX_LINES = 400

function lineHtml(line: string): Html {
  if (line.startsWith('+')) return html`<ins>${line}</ins>\n`
  if (line.startsWith('-')) return html`<del>${line}</del>\n`
  return html`${line}\n`
}
