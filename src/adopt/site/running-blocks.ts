import { addTo } from '#platform/base/object.ts'
import type { Document } from '../document.ts'
import { shownPath } from '../sources/source.ts'

/** A block of a page from its first line to the one after its last. */
type Block = { start: number; end: number; key: string }

/** Takes out what pages in HTML begin or end with on most pages of a source, such as a menu or "Was this page helpful?". */
export function withoutRunning(pages: readonly Document[]): Document[] {
  const inHtml = pages.filter(({ head }) => head !== undefined)
  const blocks = new Map(inHtml.map(source => [source, blocksOf(source.text)]))
  const sources = Map.groupBy(blocks, ([{ entry }]) => entry.label)
  const running = new Map(Array.from(sources, ([label, own]) => [label, runningIn(own.map(([, all]) => all))]))
  return pages.map(source => without(source, blocks.get(source), running.get(source.entry.label)))
}

/** The keys of blocks that more than half of the pages have near their beginning or end. */
function runningIn(pages: readonly (readonly Block[])[]): Set<string> {
  const counts = new Map<string, number>()
  for (const blocks of pages) {
    const keys = blocks.map(({ key }) => key)
    const near = [...keys.slice(0, NEAR), ...keys.slice(-NEAR)].filter(key => !key.includes('```'))
    for (const key of new Set(near)) addTo(counts, key, 1)
  }
  const frequent = [...counts].filter(([, count]) => count > Math.max(2, pages.length / 2))
  return new Set(frequent.map(([key]) => key))
}

/** In blocks. */
const NEAR = 8

function without(source: Document, blocks: readonly Block[] = [], running: ReadonlySet<string> = new Set()): Document {
  const { entry } = source
  const own = blocks.filter(({ key }) => !running.has(key))
  const [first = NO_BLOCK, last = first] = [...own.slice(0, 1), ...own.slice(-1)]
  const removed = blocks.filter(({ start }) => start < first.start || start > last.start)
  if (own.length === 0 || removed.length === 0) return source
  const rows = source.text.split('\n')
  const lost = removed.map(({ start, end }) => ({
    path: shownPath(entry),
    line: source.lines[start] ?? 1,
    what: 'the same on most pages',
    text: rows.slice(start, end).join(' '),
  }))
  const notes = { ...source.notes, lost: [...source.notes.lost, ...lost] }
  const text = `${rows.slice(first.start, last.end).join('\n')}\n`
  return { ...source, text, lines: source.lines.slice(first.start, last.end), notes }
}

const NO_BLOCK = { start: -1, end: -1, key: '' }

/** The blocks between empty lines. Rows of only links to pages, such as the last and the next one, are known by their number. */
function blocksOf(text: string): Block[] {
  let last = { start: -1, end: -1, links: 0, keys: [''] }
  const blocks: (typeof last)[] = []
  for (const [at, row] of text.split('\n').entries()) {
    if (row.trim() === '') continue
    const links = linksIn(row)
    const isList = Math.min(links, last.links) > 0
    if (isList || last.end === at) {
      last.end = at + 1
      last.links = isList ? last.links + links : 0
      last.keys.push(rowKey(row))
    } else {
      last = { start: at, end: at + 1, links, keys: [rowKey(row)] }
      blocks.push(last)
    }
  }
  return blocks.map(({ start, end, links, keys }) => ({
    start,
    end,
    key: links > 0 ? `${links} links` : keys.join('\n'),
  }))
}

/** The number of links to pages in a row that has nothing else. */
function linksIn(row: string): number {
  const isOnlyLinks = row.replaceAll(PAGE_LINK, '').replaceAll('#', '').trim() === ''
  return isOnlyLinks ? [...row.matchAll(PAGE_LINK)].length : 0
}

const PAGE_LINK = /\[[^[\]]*\]\([^()]*(?:\.html?|\/)\)/g

/** A row without the targets of its links, which depend on the place of the page. */
function rowKey(row: string): string {
  return row.replaceAll(/(!\[[^[\]]*\]\([^()]*\))|\]\([^()]*\)/g, (_, picture = ']') => picture)
}
