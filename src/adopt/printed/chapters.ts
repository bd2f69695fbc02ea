import type { OutlineEntry } from '#formats/pdf/document.ts'
import { countWords, lettersOf } from '#platform/base/text.ts'
import { lastOf, type Run } from './boxes.ts'
import type { Contents } from './contents.ts'
import { type Block, endsSentence, inReadingOrder, isBold, isSame } from './layout.ts'
import { heaviest, type Line, withoutNumbers } from './lines.ts'
import { headingsIn, type Part, type Read, type Text, textsIn } from './page-html.ts'

/** Pages that belong together: a chapter of the outline, or those from a large heading on. */
export type Chapter = Start & { pages: Run<Read> }
/** The title of a chapter; `depth` is 1 if it is a part of the last one with 0. */
type Start = { title: string; depth: number }
type PlacedStart = Start & { page: number }

/** The size of most of the text. */
export function bodySize(lines: readonly Line[]): number {
  const [[size = 10] = []] = heaviest(lines.map(({ size, text }) => [Math.round(size * 2) / 2, text.length]))
  return size
}

/** Whether a block is a heading: short, no sentence or list, and larger than the text or bold. */
export function isHeading({ text, lines, ...block }: Block, body: number): boolean {
  if (text.length > 120 || lines.length > 4 || NO_HEADINGS.some(isNone => isNone(text))) return false
  return block.size > LARGER * body || (isBold(block) && block.size > 0.95 * body && text.length < 80)
}

const NO_HEADINGS: readonly ((text: string) => boolean)[] = [
  text => countWords(text) === 0,
  // The beginning of a list or of another text.
  text => ':,;'.includes(text.slice(-1)),
  // An item of a list; signs of verdicts are before headings too.
  text => BULLETS.includes(text.slice(0, 2)),
  // A sentence of more than eight words.
  text => endsSentence(text) && text.split(' ').length > 8,
  // Letters of a font that are shown, no words.
  text => lettersOf(text) === 'aa' || SPECIMENS.some(letters => lettersOf(text).includes(letters)),
]
/** Bullets, each with a space. */
const BULLETS = '• · ▪ ▸ ► ◦ ‣ ⁃ ○ ● ■ □ – — - '
const SPECIMENS = ['aabbcc', 'abcdefg', '12345']
/** The least size of a heading that is not bold, in sizes of the text. */
const LARGER = 1.15

export type DocumentFacts = {
  outline: readonly OutlineEntry[]
  contents: readonly Contents[]
  title: string
  body: number
  isRightToLeft: boolean
}

/**
 * Divides a document into chapters, whose pages have their parts in reading order: by its outline, else by its table of
 * contents, which is no page of a chapter, else where a page has one of the largest headings. The first chapter has the
 * title of the document, else the largest heading of its page.
 */
export function chaptersOf(
  allPages: readonly Read[],
  { outline, contents, title, body, isRightToLeft }: DocumentFacts,
): Chapter[] {
  const pages = allPages.filter(page => !contents.some(each => each.page === page))
  const heads = headsOf(pages, body)
  const placed = [outlineStarts(outline), contentsStarts(contents)].find(list => pagesOf(list).size > 1)
  const starts = placed
    ? startsOn(pages, placed)
    : new Map(heads.entries().map(([page, { text }]) => [page, { title: text, depth: 0 }]))
  const chapters: Chapter[] = []
  for (const page of pages) {
    const { number, parts } = page
    const [start, last] = [starts.get(page), chapters.at(-1)]
    const { title: startTitle = '' } = start ?? {}
    const head = textsIn(parts).find(({ text }) => isSame(text, startTitle)) ?? heads.get(page)
    const ordered = inReadingOrder(parts, part => part === head, isRightToLeft)
    if (!last) {
      const own = [title, ...largestIn(parts).map(({ text }) => text), startTitle].find(Boolean) ?? ''
      chapters.push({ title: own, depth: 0, pages: [{ number, parts: ordered }] })
    } else if (start) {
      const end = endOf(ordered, head)
      lastOf(last.pages).parts.push(...end)
      chapters.push({ ...start, pages: [{ number, parts: ordered.slice(end.length) }] })
    } else last.pages.push({ number, parts: ordered })
  }
  return chapters
}

/** The text above the title of a page, which ends the chapter before; labels above it belong to the title. */
function endOf(parts: readonly Part[], head: Text | undefined): Text[] {
  const above = head ? parts.slice(0, parts.indexOf(head)) : []
  const texts = textsIn(above)
  return texts.length === above.length && texts.some(({ lines }) => lines.length > 2) ? texts : []
}

/** The starts of chapters: the entries of the highest level that has several, and those one level below. */
function outlineStarts(outline: readonly OutlineEntry[]): PlacedStart[] {
  const placed = outline.filter(({ page, title }) => page > 0 && title !== '')
  const [, top = 0] = placed.map(({ level }) => level).sort((a, b) => a - b)
  const starts = new Map<number, PlacedStart>()
  for (const { page, title, level } of placed.filter(each => each.level <= top + 1))
    if (!starts.has(page)) starts.set(page, { page, title, depth: Number(level > top && starts.size > 1) })
  return [...starts.values()]
}

function contentsStarts(contents: readonly Contents[]): PlacedStart[] {
  const numbered = contents.filter(({ isNumbered }) => isNumbered)
  return numbered.flatMap(({ titles }) => Array.from(titles, ([page, title]) => ({ page, title, depth: 0 })))
}

function pagesOf(starts: readonly PlacedStart[]): ReadonlySet<number> {
  return new Set(starts.map(({ page }) => page))
}

/** The first of the starts on each page, on its first sheet. */
function startsOn(pages: readonly Read[], starts: readonly PlacedStart[]): Map<Read | undefined, Start> {
  const sheets = new Map(pages.toReversed().map(page => [page.number, page]))
  return new Map(starts.toReversed().map(({ page, ...start }) => [sheets.get(page), start]))
}

/** The titles of pages: of the size that most of their largest headings have, or larger, and nearest to where most are. */
function headsOf(pages: readonly Read[], body: number): Map<Read, Text> {
  const largest = pages.flatMap(({ parts }) => largestIn(parts)).filter(({ size }) => size > LARGER * body)
  const sizes = largest.map(({ size }) => Math.round(size)).sort((a, b) => b - a)
  const [least = Infinity] = heaviest(sizes.map(size => [size, 1])).map(([size]) => size)
  const tops = largest.filter(({ size }) => Math.round(size) === least).map(({ top }) => top)
  const [usual = 0] = tops.sort((a, b) => a - b).slice(tops.length / 2)
  const entries = pages.flatMap(page => {
    const heads = titlesIn(page.parts).filter(({ size }) => Math.round(size) >= least)
    const nearest = heads.sort((a, b) => Math.abs(a.top - usual) - Math.abs(b.top - usual))
    return nearest.slice(0, 1).map(head => [page, head] as const)
  })
  return new Map(entries)
}

/** The largest title, if there is one. */
function largestIn(parts: readonly Part[]): Text[] {
  return titlesIn(parts)
    .sort((a, b) => b.size - a.size)
    .slice(0, 1)
}

/** Headings, without specimens of fonts, which say the name of their own font and perhaps a size. */
function titlesIn(parts: readonly Part[]): Text[] {
  const words = (text: string) => lettersOf(withoutNumbers(text))
  return headingsIn(parts).filter(({ text, font }) => !words(font).startsWith(words(text)))
}
