import { hunkLines, unifiedDiff } from '#brand/content-diff.ts'
import type { Page } from '#brand/page.ts'
import type { Change, Changes } from '#serving/publications/changes.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { pageSource } from '../page-view.ts'

/** The earlier revision, whether its text is readable, the page that the reader opened, and the start of such a query. */
export type Shown = { earlier: Publication; mayName: boolean; opened: string | undefined; address: string }

/**
 * The pages that differ from an earlier revision, each as the website shows it with its changes marked, and as Markdown.
 * Only the first pages are rendered; the others are links that open them.
 */
export async function changedPages(guide: Guide, changes: Changes<Page>, shown: Shown): Promise<Html | undefined> {
  const { words } = guide
  const versions: readonly Version[] = [
    ...changes.changed.map(({ from, to }) => ({ before: from, after: to, what: words.changes.changed })),
    ...changes.added.map(after => ({ before: undefined, after, what: words.changes.added })),
    ...(shown.mayName ? changes.removed : []).map(before => ({
      before,
      after: undefined,
      what: words.changes.removed,
    })),
  ]
  if (versions.length === 0) return undefined
  const parts: Html[] = []
  let rendered = 0
  for (const version of versions) {
    const isOpen = shown.opened === undefined ? rendered < MAX_RENDERED : shown.opened === idOf(version)
    if (isOpen) rendered++
    parts.push(await changedPage(guide, version, { ...shown, isOpen }))
  }
  return html`<h2>${words.pages.pages}</h2>
${versions.length > MIN_LISTED && contents(versions)}${parts}`
}

/** Shorter lists need no contents. */
const MIN_LISTED = 3
const MAX_RENDERED = 12

/** Two versions of a page, at least one of them. */
type Version = { before: Page | undefined; after: Page | undefined; what: Word }

function idOf({ before, after }: Version): string {
  return (after ?? before)?.id ?? ''
}

function nameOf({ before, after }: Version): string {
  return (after ?? before)?.name ?? ''
}

function contents(versions: readonly Version[]): Html {
  return html`<ul class="contents">
${versions.map(version => html`<li><a href="#page-${idOf(version)}">${nameOf(version)}</a> <span class="quiet">${version.what}</span></li>\n`)}</ul>
`
}

async function changedPage(guide: Guide, version: Version, shown: Shown & { isOpen: boolean }): Promise<Html> {
  const { site, publication, words } = guide
  const { before, after, what } = version
  const id = idOf(version)
  const name = after ? html`<a href="${site.paths.page(publication.record, id)}">${after.name}</a>` : nameOf(version)
  const old = before && after && shown.mayName && before.name !== after.name && html`<del>${before.name}</del> `
  const isReadable = shown.mayName || !before
  const content = shown.isOpen
    ? isReadable && (await versionHtml(guide, version, shown))
    : html`<p><a href="${shown.address}page=${encodeURIComponent(id)}#page-${id}">${words.changes.show}</a></p>\n`
  return html`<div class="change" id="page-${id}"><h3>${old}${name} <span class="what">${what}</span></h3>
${content}</div>
`
}

async function versionHtml(guide: Guide, { before, after }: Version, { earlier }: Shown): Promise<Html> {
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
