import type { OutlineEntry } from '#formats/pdf/document.ts'
import { groupsOf } from '#platform/base/text.ts'
import { type Block, inReadingOrder, isBold } from './layout.ts'
import { heaviest, type Line } from './lines.ts'
import { BULLET, type Part, type Text, textsIn } from './page-html.ts'

/** A page of the document with its parts. */
export type Read = { number: number; parts: Part[] }
/** Pages that belong together: a chapter of the outline, or those from a large heading on. */
export type Chapter = Start & { pages: Read[] }
/** The title of a chapter; `depth` is 1 if it is a part of the last one with 0. */
type Start = { title: string; depth: number }

/** The size of most of the text. */
export function bodySize(lines: readonly Line[]): number {
  return heaviest(lines.map(({ size, text }) => [Math.round(size * 2) / 2, text.length]))[0]?.[0] ?? 10
}

/** Whether a block is a heading: short, no sentence or list, and larger than the text or bold. */
export function isHeading({ text, lines, ...block }: Block, body: number): boolean {
  const isSentence = /[.!?…]$/.test(text) && text.split(' ').length > MAX_SENTENCE
  const isItem = BULLET.test(text) && !/^[✓✔✗✘]/.test(text)
  if (!/\p{L}{2}/u.test(text) || /[:,;]$/.test(text) || SPECIMEN.test(text) || isSentence || isItem) return false
  if (text.length > 120 || lines.length > 4) return false
  return block.size > LARGER * body || (isBold(block) && block.size > 0.95 * body && text.length < 80)
}

/** In words. */
const MAX_SENTENCE = 8
/** Letters of a font that are shown, no words. */
const SPECIMEN = /^aa$|abcdefg|aa ?bb ?cc|12345/i
/** The least size of a heading that is not bold, in sizes of the text. */
const LARGER = 1.15

export type DocumentFacts = { outline: readonly OutlineEntry[]; title: string; body: number; isRightToLeft: boolean }

/**
 * Divides a document into chapters, whose pages have their parts in reading order: by its outline, else by its table of
 * contents, else where a page has one of the largest headings. The first chapter has the title of the document, else the
 * largest heading of its page.
 */
export function chaptersOf(pages: readonly Read[], { outline, title, body, isRightToLeft }: DocumentFacts): Chapter[] {
  const heads = headsOf(pages, body)
  const entries = outlineStarts(outline) ?? contentsStarts(pages)
  const chapters: Chapter[] = []
  for (const page of pages) {
    const { number, parts } = page
    const [largest, last] = [heads.get(page), chapters.at(-1)]
    const start = entries ? entries.get(number) : largest && { title: largest.text, depth: 0 }
    entries?.delete(number)
    const isTitle = ({ text }: Text) => start !== undefined && isSame(text, start.title)
    const head = textsIn(parts).find(isTitle) ?? largest
    const ordered = inReadingOrder(parts, part => part === head, isRightToLeft)
    if (last && start === undefined) last.pages.push({ number, parts: ordered })
    else {
      const end = last ? endOf(ordered, head) : []
      last?.pages.at(-1)?.parts.push(...end)
      const own = { number, parts: ordered.slice(end.length) }
      const shown = entries && start ? start.title : largestIn(parts)?.text
      const first = { title: title || (shown ?? ''), depth: 0 }
      chapters.push({ ...(last && start ? start : first), pages: [own] })
    }
  }
  return chapters
}

/** The text above the title of a page, which ends the chapter before; labels above it belong to the title. */
function endOf(parts: readonly Part[], head: Text | undefined): Text[] {
  const above = parts.slice(0, head && parts.indexOf(head))
  const texts = textsIn(above)
  return head && texts.length === above.length && texts.some(({ lines }) => lines.length > 2) ? texts : []
}

/** The starts of chapters by their page: the entries of the highest level that has several, and those one level below. */
function outlineStarts(outline: readonly OutlineEntry[]): Map<number, Start> | undefined {
  const placed = outline.filter(({ page, title }) => page > 0 && title !== '')
  const level = Math.min(...placed.map(each => each.level))
  const top = placed.filter(each => each.level === level).length > 1 ? level : level + 1
  const starts = new Map<number, Start>()
  for (const { level: own, page, title } of placed)
    if (own <= top + 1 && !starts.has(page)) starts.set(page, { title, depth: own > top && starts.size > 1 ? 1 : 0 })
  return starts.size > 1 ? starts : undefined
}

/**
 * The starts of chapters by a table of contents: rows of a title and a number, which is the page that has this title, also
 * if the pages before number 1 have others.
 */
function contentsStarts(pages: readonly Read[]): Map<number, Start> | undefined {
  const titled = ({ number, parts }: Read) => textsIn(parts).map(({ text }) => `${number} ${lettersOf(text)}`)
  const titles = new Set(pages.flatMap(titled))
  const has = (page: number, title: string) => titles.has(`${page} ${lettersOf(title)}`)
  for (const { parts } of pages.slice(0, MAX_FRONT)) {
    const rows = Map.groupBy(
      textsIn(parts).flatMap(({ lines }) => lines),
      ({ base }) => Math.round(base),
    )
    const entries = [...rows.values()].flatMap(row => {
      const text = row.toSorted((a, b) => a.left - b.left).map(each => each.text)
      const [, title = '', label] = groupsOf(/^(?=.*\d$)(.*[^\s.·…_\d]).*?(\d{1,3})$/, text.join(' '))
      return label === undefined ? [] : [{ title, label: Number(label) }]
    })
    for (let before = 0; before < MAX_FRONT; before++) {
      const count = entries.filter(({ title, label }) => has(label + before, title)).length
      if (count > Math.max(2, entries.length / 2))
        return new Map(entries.map(({ title, label }) => [label + before, { title, depth: 0 }]))
    }
  }
  return undefined
}

/** In pages. */
const MAX_FRONT = 10

/** Whether texts have the same letters and digits. */
export function isSame(one: string, other: string): boolean {
  return lettersOf(one) === lettersOf(other)
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The titles of pages: of the size that most of their largest headings have, or larger, and nearest to where most are. */
function headsOf(pages: readonly Read[], body: number): Map<Read, Text> {
  const largest = pages.flatMap(({ parts }) => largestIn(parts) ?? []).filter(({ size }) => size > LARGER * body)
  const sizes = largest.map(({ size }) => Math.round(size)).sort((a, b) => b - a)
  const [least = Infinity] = heaviest(sizes.map(size => [size, 1])).map(([size]) => size)
  const tops = largest.filter(({ size }) => Math.round(size) === least).map(({ top }) => top)
  const usual = tops.sort((a, b) => a - b)[Math.floor(tops.length / 2)] ?? 0
  const entries = pages.flatMap(page => {
    const heads = titlesIn(page.parts).filter(({ size }) => Math.round(size) >= least)
    const [head] = heads.sort((a, b) => Math.abs(a.top - usual) - Math.abs(b.top - usual))
    return head ? [[page, head] as const] : []
  })
  return new Map(entries)
}

function largestIn(parts: readonly Part[]): Text | undefined {
  return titlesIn(parts).sort((a, b) => b.size - a.size)[0]
}

/** Headings, without specimens of fonts, which say the name of their own font and perhaps a size. */
function titlesIn(parts: readonly Part[]): Text[] {
  const words = (text: string) => lettersOf(text).replaceAll(/\P{L}/gu, '')
  return headingsIn(parts).filter(({ text, font }) => !words(font).startsWith(words(text)))
}

export function headingsIn(parts: readonly Part[]): Text[] {
  return textsIn(parts).filter(({ isHeading }) => isHeading)
}
