import type { OutlineEntry } from '#brand/pdf/document.ts'
import { type Block, inReadingOrder, isBold } from './layout.ts'
import { heaviest, type Line } from './lines.ts'
import { BULLET, type Part, paragraphs, type Text } from './page-html.ts'

/** A page of the document with its parts. */
export type Read = { number: number; parts: Part[] }
/** Pages that belong together: a chapter of the outline, or those from a large heading on. */
export type Chapter = { title: string; pages: Read[] }

/** The size of most of the text. */
export function bodySize(lines: readonly Line[]): number {
  return heaviest(lines.map(({ size, text }) => [Math.round(size * 2) / 2, text.length]))[0]?.[0] ?? 10
}

/** Whether a block is a heading: short, no sentence or list, and larger than the text or bold. */
export function isHeading(block: Block, body: number): boolean {
  const text = paragraphs(block).join(' ')
  const isSentence = /[.!?…]$/.test(text) && text.split(' ').length > MAX_SENTENCE
  if (
    !/\p{L}{2}/u.test(text) ||
    isSentence ||
    SPECIMEN.test(text) ||
    (BULLET.test(text) && !/^[✓✔✗✘]/.test(text)) ||
    /[:,;]$/.test(text)
  )
    return false
  if (text.length > 120 || block.lines.length > 4) return false
  return block.size > LARGER * body || (isBold(block) && block.size > 0.95 * body && text.length < 80)
}

/** In words. */
const MAX_SENTENCE = 8
/** Letters of a font that are shown, no words. */
const SPECIMEN = /^aa$|abcdefg|aa ?bb ?cc|12345/i
/** The size of headings of their own, in sizes of the text. */
const LARGER = 1.15

/** The outline and title of a document, the size of most of its text, and its direction. */
export type DocumentFacts = {
  outline: readonly OutlineEntry[]
  title: string
  body: number
  isRightToLeft: boolean
}

/**
 * Divides a document into chapters, whose pages have their parts in reading order: by its outline, else where a page has
 * one of the largest headings. The first chapter has the title of the document, else the largest heading of its page.
 */
export function chaptersOf(pages: readonly Read[], { outline, title, body, isRightToLeft }: DocumentFacts): Chapter[] {
  const heads = headsOf(pages, body)
  const starts = outlineStarts(outline) ?? new Map([...heads].map(([page, head]) => [page, titleOf(head)]))
  const chapters: Chapter[] = []
  for (const { number, parts } of pages) {
    const page = { number, parts: inReadingOrder(parts, part => part === heads.get(number), isRightToLeft) }
    const start = starts.get(number)
    const last = chapters.at(-1)
    if (!last) chapters.push({ title: title || (start ?? titleOf(largestOn(page))), pages: [page] })
    else if (start === undefined) last.pages.push(page)
    else {
      const head = heads.get(number)
      const end = page.parts.slice(0, head && page.parts.indexOf(head))
      // Text that ends the chapter before.
      if (
        end.every(part => part.kind === 'text' && titleOf(part) !== start) &&
        end.some(part => 'lines' in part && part.lines.length > 2)
      )
        last.pages.at(-1)?.parts.push(...page.parts.splice(0, end.length))
      chapters.push({ title: start, pages: [page] })
    }
  }
  return chapters
}

/** The titles of chapters by their first page: the entries of the highest levels that have several, one for each page. */
function outlineStarts(outline: readonly OutlineEntry[]): Map<number, string> | undefined {
  const placed = outline.filter(({ page, title }) => page > 0 && title !== '')
  const level = Math.min(...placed.map(each => each.level))
  const top = placed.filter(each => each.level === level).length > 1 ? level : level + 1
  const starts = new Map<number, string>()
  for (const entry of placed) if (entry.level <= top && !starts.has(entry.page)) starts.set(entry.page, entry.title)
  return starts.size > 1 ? starts : undefined
}

/** The titles of pages: of the size that most of their largest headings have, or larger, and nearest to where most are. */
function headsOf(pages: readonly Read[], body: number): Map<number, Text> {
  const largest = pages.flatMap(page => largestOn(page) ?? []).filter(({ size }) => size > LARGER * body)
  const sizes = largest.map(({ size }) => Math.round(size)).sort((a, b) => b - a)
  const [least = Infinity] = heaviest(sizes.map(size => [size, 1])).map(([size]) => size)
  const tops = largest.filter(({ size }) => Math.round(size) === least).map(({ top }) => top)
  const usual = tops.sort((a, b) => a - b)[Math.floor(tops.length / 2)] ?? 0
  const entries = pages.flatMap(({ number, parts }) => {
    const large = headingsIn(parts).filter(({ size }) => Math.round(size) >= least)
    const above = large.filter(({ top, size }) => top < usual + size)
    const [head] = (above.length > 0 ? above : large).sort((a, b) => compareHeads(a, b, usual))
    return head ? [[number, head] as const] : []
  })
  return new Map(entries)
}

/** The much larger heading first, else the one nearer to the usual place. */
function compareHeads(a: Text, b: Text, usual: number): number {
  const isOneSize = Math.min(a.size, b.size) > 0.75 * Math.max(a.size, b.size)
  return isOneSize ? Math.abs(a.top - usual) - Math.abs(b.top - usual) : b.size - a.size
}

function largestOn({ parts }: Read): Text | undefined {
  return headingsIn(parts).sort((a, b) => b.size - a.size)[0]
}

export function headingsIn(parts: readonly Part[]): Text[] {
  return parts.filter(part => part.kind === 'text').filter(({ isHeading }) => isHeading)
}

function titleOf(block: Block | undefined): string {
  return block ? paragraphs(block).join(' ') : ''
}
