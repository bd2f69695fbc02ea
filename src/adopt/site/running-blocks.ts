import { addTo } from '#platform/base/object.ts'
import { shownPath } from '../sources/source.ts'
import type { SourcePage } from './page-paths.ts'

/** A block of a page from its first line to the one after its last. */
type Block = { start: number; end: number; key: string }
type Divided = { source: SourcePage; blocks: readonly Block[] }

/** Takes out what pages in HTML begin or end with on most pages of a source, such as a menu or "Was this page helpful?". */
export function withoutRunning(pages: readonly SourcePage[]): SourcePage[] {
  const inHtml = pages.flatMap(source => (source.page.head ? [{ source, blocks: blocksOf(source.page.text) }] : []))
  const done = new Map<SourcePage, SourcePage>()
  for (const own of Map.groupBy(inHtml, ({ source }) => source.entry.label).values()) {
    const running = runningIn(own)
    for (const page of own) done.set(page.source, without(page, running))
  }
  return pages.map(source => done.get(source) ?? source)
}

/** The keys of blocks that more than half of the pages have near their beginning or end. */
function runningIn(pages: readonly Divided[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { blocks } of pages) {
    const keys = blocks.map(({ key }) => key)
    for (const key of new Set([...keys.slice(0, NEAR), ...keys.slice(-NEAR)]))
      if (!key.includes('```')) addTo(counts, key, 1)
  }
  return new Set([...counts].flatMap(([key, count]) => (count > 2 && count > pages.length / 2 ? [key] : [])))
}

/** In blocks. */
const NEAR = 8

function without({ source, blocks }: Divided, running: ReadonlySet<string>): SourcePage {
  const { entry, page } = source
  const first = blocks.findIndex(({ key }) => !running.has(key))
  const last = blocks.findLastIndex(({ key }) => !running.has(key))
  const removed = blocks.filter((_, at) => at < first || at > last)
  if (first === -1 || removed.length === 0) return source
  const rows = page.text.split('\n')
  const [from, to] = [blocks[first]?.start ?? 0, blocks[last]?.end ?? rows.length]
  const lost = removed.map(({ start, end }) => ({
    path: shownPath(entry),
    line: page.lines[start] ?? 1,
    what: 'the same on most pages',
    text: rows.slice(start, end).join(' '),
  }))
  const notes = { ...page.notes, lost: [...page.notes.lost, ...lost] }
  const text = `${rows.slice(from, to).join('\n')}\n`
  return { ...source, page: { ...page, text, lines: page.lines.slice(from, to), notes } }
}

/** The blocks between empty lines. Rows of only links to pages, such as the last and the next one, are known by their number. */
function blocksOf(text: string): Block[] {
  const blocks: (Block & { links: number })[] = []
  for (const [at, row] of text.split('\n').entries()) {
    if (row.trim() === '') continue
    const last = blocks.at(-1)
    const links = /^[#\s]*$/.test(row.replaceAll(PAGE_LINK, '')) ? (row.match(PAGE_LINK)?.length ?? 0) : 0
    if (last && links > 0 && last.links > 0)
      Object.assign(last, { end: at + 1, links: last.links + links, key: `${last.links + links} links` })
    else if (last?.end === at) Object.assign(last, { end: at + 1, key: `${last.key}\n${rowKey(row)}` })
    else blocks.push({ start: at, end: at + 1, links, key: links > 0 ? `${links} links` : rowKey(row) })
  }
  return blocks
}

const PAGE_LINK = /\[[^[\]]*\]\([^()]*(?:\.html?|\/)\)/g

/** A row without the targets of its links, which depend on the place of the page. */
function rowKey(row: string): string {
  return row.replaceAll(/(!\[[^[\]]*\]\([^()]*\))|\]\([^()]*\)/g, (_, picture?: string) => picture ?? ']')
}
