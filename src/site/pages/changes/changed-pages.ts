import { hunkLines, unifiedDiff } from '#brand/content-diff.ts'
import type { Page } from '#brand/page.ts'
import type { Change, Changes } from '#serving/publications/changes.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { pageSource } from '../page-view.ts'
import { type ChangedSection, changeHtml, type Version, versionsOf } from './changed-items.ts'

/** The earlier revision, whether its text is readable, the page that the reader opened, and the start of such a query. */
export type Shown = { earlier: Publication; mayName: boolean; opened: string | undefined; address: string }

/**
 * The pages that differ from an earlier revision, each as the website shows it with its changes marked, and as Markdown.
 * Only the first pages are rendered, or the opened one; the list of all opens the others.
 */
export async function changedPages(guide: Guide, changes: Changes<Page>, shown: Shown): Promise<ChangedSection> {
  const { words } = guide
  const versions = versionsOf(words, changes, shown.mayName, ({ name }) => name)
  const { opened } = shown
  const open = opened === undefined ? versions.slice(0, MAX_RENDERED) : versions.filter(each => idOf(each) === opened)
  const parts: Html[] = []
  for (const version of open) parts.push(await changedPage(guide, version, shown))
  const link = (version: Version<Page>) => {
    const id = idOf(version)
    const address = `${open.includes(version) ? '' : `${shown.address}page=${encodeURIComponent(id)}`}#page-${id}`
    return html`<li><a href="${address}">${nameOf(version)}</a> <span class="quiet">${version.what}</span></li>
`
  }
  const isListed = versions.length > Math.min(open.length, MAX_UNLISTED)
  const list = isListed && html`<ul class="contents">\n${versions.map(link)}</ul>\n`
  return { title: words.pages.pages, anchor: 'pages', count: versions.length, content: html`${list}${parts}` }
}

/** Shorter lists of pages are left out. */
const MAX_UNLISTED = 3
const MAX_RENDERED = 12

function idOf({ before, after }: Version<Page>): string {
  return (after ?? before)?.id ?? ''
}

function nameOf({ before, after }: Version<Page>): string {
  return (after ?? before)?.name ?? ''
}

async function changedPage(guide: Guide, version: Version<Page>, shown: Shown): Promise<Html> {
  const { site, publication } = guide
  const { before, after, what } = version
  const name = after
    ? html`<a href="${site.paths.page(publication.record, after.id)}">${after.name}</a>`
    : nameOf(version)
  const old = before && after && shown.mayName && before.name !== after.name && html`<del>${before.name}</del> `
  const isMoved = before && after && before.id !== after.id
  const address = isMoved && html`<p><del>${before.id}</del> <ins>${after.id}</ins></p>\n`
  const content = (shown.mayName || !before) && (await versionHtml(guide, version, shown))
  return changeHtml(html`${old}${name}`, what, html`${address}${content}`, `page-${idOf(version)}`)
}

async function versionHtml(guide: Guide, { before, after }: Version<Page>, { earlier }: Shown): Promise<Html> {
  const { site, publication, words } = guide
  const old = earlierGuide(guide, earlier)
  const page = {
    before: before && (await pageSource(old, before)),
    after: after && (await pageSource(guide, after)),
    address: after ? site.paths.page(publication.record, after.id) : '',
  }
  const rendered = await site.renderChanges(page, publication.record.workspace)
  const source = before && after ? await sourceChanges([earlier, publication], { from: before, to: after }) : undefined
  return html`${rendered && html`<div class="rendered prose${!(before && after) && html` whole`}">${rendered}</div>\n`}${source && html`<details${!rendered && html` open`}><summary>${words.changes.source}</summary>\n${source}</details>\n`}`
}

/** An earlier revision with the addresses of a guide, so that links to unchanged targets are the same in both. */
export function earlierGuide(guide: Guide, earlier: Publication): Guide {
  return { ...guide, publication: { ...earlier, record: guide.publication.record } }
}

/** The changed lines of a page's Markdown, as `housestyle diff` shows them; undefined if the Markdown is the same. */
async function sourceChanges(
  [earlier, current]: readonly [Publication, Publication],
  { from, to }: Change<Page>,
): Promise<Html | undefined> {
  const [before, after] = [await earlier.content.text(from), await current.content.text(to)]
  if (before === after) return undefined
  const lines = hunkLines(unifiedDiff(to.id, before, after, MAX_EDITS))
  const more = lines.length > MAX_LINES ? '\n…' : ''
  return html`<pre class="diff" tabindex="0"><code>${lines.slice(0, MAX_LINES).map(lineHtml)}${more}</code></pre>\n`
}

/** Found within a few milliseconds. */
const MAX_EDITS = 400
/** A rewritten page may have thousands. */
const MAX_LINES = 400

function lineHtml(line: string): Html {
  if (line.startsWith('+')) return html`<ins>${line}</ins>\n`
  if (line.startsWith('-')) return html`<del>${line}</del>\n`
  return html`${line}\n`
}
