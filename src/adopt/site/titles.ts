import { basename, dirname } from 'node:path/posix'
import { readBlocks, shownText } from '#formats/markdown/page-blocks.ts'
import { addTo } from '#platform/base/object.ts'
import { singleSpaced } from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import { isReadme, withoutExtension } from '../sources/leave-out.ts'
import { withoutIndex } from '../sources/order.ts'
import { shownPath } from '../sources/source.ts'
import type { PagePlan } from './page-paths.ts'

/** Gives pages in HTML the titles that browsers show, without the name of the site, which most of them share. */
export function titlePages(pages: readonly Document[]): Document[] {
  const heads = Map.groupBy(pages, ({ entry }) => entry.label)
  const names = new Map(Array.from(heads, ([label, own]) => [label, siteNames(own)]))
  const folders = Map.groupBy(pages.filter(isWritten), folderOf).values()
  const tails = new Set(folders.filter(({ length }) => length > 2).flatMap(sharedTail))
  return pages.map(each => retitle(withoutTail(each, tails), names.get(each.entry.label) ?? new Set()))
}

function isWritten({ head, entry }: Document): boolean {
  return head === undefined && !isReadme(entry.path)
}

function folderOf({ entry }: Document): string {
  return dirname(shownPath(entry))
}

/** The last part of the titles of the pages in a folder, if all have it. */
function sharedTail(pages: readonly Document[]): string[] {
  const tails = pages.map(page => tailOf(titleOf(page)))
  const isShared = new Set(tails).size === 1
  return tails.slice(0, Number(isShared)).filter(Boolean)
}

/** The last part of a title with several; empty if it has one. */
function tailOf(title: string): string {
  const [{ words } = NO_PART] = partsOf(title).slice(1).slice(-1)
  return words
}

/** The title in front matter, or the first heading of a page, if it is of the page. */
function titleOf({ meta, text }: Document): string {
  const headings = readBlocks(text).filter(({ level }) => level > 0)
  const [heading = ''] = headings.slice(0, 1).map(block => (block.level === 1 ? shownText(block) : ''))
  return meta.title ?? heading
}

function withoutTail(source: Document, tails: ReadonlySet<string>): Document {
  const title = titleOf(source)
  if (!tails.has(tailOf(title))) return source
  const [{ end } = NO_PART] = partsOf(title).slice(-2)
  const { meta, text } = source
  const short = title.slice(0, end)
  const own = meta.title === undefined ? {} : { title: short }
  return { ...source, meta: { ...meta, ...own }, text: text.replace(`# ${title}`, () => `# ${short}`) }
}

/** Takes away descriptions that three or more pages share, which describe none of them. */
export function withoutSharedDescriptions(pages: readonly Document[]): Document[] {
  const byText = Map.groupBy(pages, ({ entry, meta }) => meta.description ?? entry.path)
  const shared = new Set([...byText.values()].filter(({ length }) => length > 2).flat())
  return pages.map(source => (shared.has(source) ? withoutDescription(source) : source))
}

function withoutDescription(source: Document): Document {
  const { description: text = '', ...meta } = source.meta
  const row = {
    path: shownPath(source.entry),
    line: 1,
    what: 'a description that several pages share',
    text,
    isOffPage: true,
  }
  const notes = { ...source.notes, lost: [...source.notes.lost, row] }
  return { ...source, meta, notes }
}

function retitle(source: Document, names: ReadonlySet<string>): Document {
  const { head, meta, text } = source
  if (!head) return source
  const { title: shown = '' } = head
  const parts = partsOf(shown).filter(({ words }) => !names.has(words))
  const { 0: first = NO_PART, [parts.length - 1]: last = NO_PART } = parts
  const headings = readBlocks(text).filter(({ level }) => level > 0)
  const given = titleOf(source)
  // A page that has the name of the site has it alone, without what only browsers and search engines show.
  const isNamed = names.has(given) && !shown.startsWith(given)
  if (given !== shown && !isNamed) return source
  const kept = headings.length > 0 ? undefined : meta.title
  const title = shown.slice(first.start, last.end) || kept
  return { ...source, meta: { ...meta, title } }
}

/** The names of a site: the beginnings or ends of the titles of more than half of the pages, and the name that a page gives. */
export function siteNames(pages: readonly Document[]): Set<string> {
  const heads = pages.flatMap(({ head }) => head ?? [])
  const counts = new Map<string, number>()
  for (const { title = '' } of heads) {
    const words = partsOf(title).map(part => part.words)
    for (const word of new Set([...words.slice(0, 1), ...words.slice(-1)])) addTo(counts, word, 1)
  }
  const shared = [...counts].filter(([, count]) => count > Math.max(1, heads.length / 2)).map(([words]) => words)
  return new Set([...shared, ...heads.flatMap(({ siteName }) => siteName ?? [])])
}

type Part = { start: number; end: number; words: string }

const NO_PART: Part = { start: 0, end: 0, words: '' }

/** The parts of a title between signs, as in `Logo | Brand`. */
function partsOf(title: string): Part[] {
  const parts: Part[] = []
  let start = 0
  for (const sign of [...title.matchAll(/(?<!\s)\s+[|·•»:/–—-]+\s+|:\s+/g), { index: title.length, 0: '' }]) {
    parts.push({ start, end: sign.index, words: title.slice(start, sign.index) })
    start = sign.index + sign[0].length
  }
  return parts
}

type HeadedPage = PagePlan & { heading: string | undefined }

type Guess = { key: 'title' | 'nav'; value: string; why: string }

/** The title of a page, unless it has one or the name of its file can be one, and its label if others have its title. */
export function guessesAbout({ to, heading, facts, text, meta }: HeadedPage, isAmbiguous: boolean): Guess[] {
  const words = fileWords(to)
  const title = to === 'pages/index.md' ? (facts.name ?? '') : words
  const isName = ['', ownName(to)].includes(title)
  const titles = [
    { key: 'title', value: title, why: 'the page has no heading', applies: () => heading === undefined },
    { key: 'title', value: title, why: 'its first heading is of a part', applies: () => beginsWithPart(text) },
  ] as const
  const guesses: readonly (Guess & { applies: () => boolean })[] = [
    ...(isName ? [] : titles),
    { key: 'nav', value: words, why: 'several pages have its title', applies: () => isAmbiguous },
  ]
  const due = guesses.filter(({ key, applies }) => meta[key] === undefined && applies())
  return due.map(({ applies: _, ...guess }) => guess)
}

/** Whether text is above the first heading of a page, which is one of several of its parts. */
function beginsWithPart(text: string): boolean {
  const [first, ...others] = readBlocks(text)
  const headings = others.filter(({ level }) => level > 0)
  const [{ level } = { level: 1 }] = headings
  return first?.level === 0 && level > 1 && headings.filter(each => each.level <= level).length > 1
}

/** The words of the name of a page, or of its folder, which it is the index of: `clear-space` becomes `Clear space`. */
export function fileWords(to: string): string {
  const words = singleSpaced(ownName(to).replaceAll('-', ' ').replaceAll('_', ' '))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function ownName(to: string): string {
  return basename(withoutIndex(withoutExtension(to)))
}
