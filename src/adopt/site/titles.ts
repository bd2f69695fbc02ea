import { readBlocks, shownText } from '#formats/markdown/page-blocks.ts'
import type { PageHead } from '../pages/page.ts'
import { shownPath } from '../sources/source.ts'
import type { SourcePage } from './page-paths.ts'

/** Gives pages in HTML the titles that browsers show, without the name of the site, which most of them share. */
export function titlePages(pages: readonly SourcePage[]): SourcePage[] {
  const heads = Map.groupBy(pages, ({ entry }) => entry.label)
  const names = new Map(Array.from(heads, ([label, own]) => [label, siteNames(own)]))
  return pages.map(each => retitle(each, names.get(each.entry.label) ?? new Set()))
}

/** Takes away descriptions that three or more pages share, which describe none of them. */
export function withoutSharedDescriptions(pages: readonly SourcePage[]): SourcePage[] {
  const byText = Map.groupBy(pages, ({ entry, page }) => page.meta.description ?? entry.path)
  const shared = new Set([...byText.values()].filter(({ length }) => length > 2).flat())
  return pages.map(source => (shared.has(source) ? withoutDescription(source) : source))
}

function withoutDescription(source: SourcePage): SourcePage {
  const { description: text = '', ...meta } = source.page.meta
  const row = {
    path: shownPath(source.entry),
    line: 1,
    what: 'a description that several pages share',
    text,
    isOffPage: true,
  }
  const notes = { ...source.page.notes, lost: [...source.page.notes.lost, row] }
  return { ...source, page: { ...source.page, meta, notes } }
}

function retitle(source: SourcePage, names: ReadonlySet<string>): SourcePage {
  const { page } = source
  if (!page.head) return source
  const own = partsOf(page.head).filter(part => !names.has(part.words))
  const [first, last] = [own[0], own.at(-1)]
  const short = first && last ? page.head.title?.slice(first.start, last.end) : undefined
  const heading = readBlocks(page.text).find(({ level }) => level > 0)
  const given = page.meta.title ?? (heading?.level === 1 ? shownText(heading) : undefined)
  if (given === undefined || (given !== page.head.title && !names.has(given))) return source
  const title = short ?? (page.meta.title === undefined || heading !== undefined ? undefined : given)
  return { ...source, page: { ...page, meta: { ...page.meta, title } } }
}

/** The names of a site: the beginnings or ends of the titles of more than half of the pages, and the name that a page gives. */
export function siteNames(pages: readonly SourcePage[]): Set<string> {
  const heads = pages.flatMap(({ page }) => page.head ?? [])
  const counts = new Map<string, number>()
  for (const parts of heads.map(partsOf))
    for (const words of new Set([parts[0]?.words ?? '', parts.at(-1)?.words ?? '']))
      counts.set(words, (counts.get(words) ?? 0) + 1)
  const shared = [...counts].flatMap(([words, count]) => (count > 1 && count > heads.length / 2 ? [words] : []))
  return new Set([...shared, ...heads.flatMap(({ siteName }) => siteName ?? [])])
}

type Part = { start: number; end: number; words: string }

/** The parts of a title between signs, as in `Logo | Brand`. */
function partsOf({ title = '' }: PageHead): Part[] {
  const parts: Part[] = []
  let start = 0
  for (const sign of [...title.matchAll(/(?<!\s)\s+[|·•»:/–—-]+\s+|:\s+/g), { index: title.length, 0: '' }]) {
    parts.push({ start, end: sign.index, words: title.slice(start, sign.index) })
    start = sign.index + sign[0].length
  }
  return parts
}
