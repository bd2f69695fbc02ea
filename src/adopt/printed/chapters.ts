import type { OutlineEntry } from '#brand/pdf/document.ts'
import { type Block, isBold } from './layout.ts'
import { type Part, paragraphs } from './page-html.ts'

/** A page of the document with its parts in reading order. */
export type Read = { number: number; parts: Part[] }
/** Pages that belong together: a chapter of the outline, or those from a large heading on. */
export type Chapter = { title: string; pages: Read[] }

/** The size of most of the text. */
export function bodySize(pages: readonly Read[]): number {
  const counts = new Map<number, number>()
  for (const block of blocksOn(pages)) {
    const size = Math.round(block.size * 2) / 2
    counts.set(size, (counts.get(size) ?? 0) + lengthOf(block))
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10
}

function blocksOn(pages: readonly Read[]): Block[] {
  return pages.flatMap(({ parts }) => parts.filter(part => part.kind === 'text'))
}

function lengthOf({ lines }: Block): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0)
}

/** Whether a block is a heading: short, and larger than the text or bold. */
export function isHeading(block: Block, body: number): boolean {
  const length = lengthOf(block)
  const hasWord = block.lines.some(({ text }) => /\p{L}{2}/u.test(text) && !SPECIMEN.test(text))
  if (!hasWord || length > 120 || block.lines.length > 4 || /[:,;]$/.test(block.lines.at(-1)?.text ?? '')) return false
  return block.size > 1.15 * body || (isBold(block) && block.size > 0.95 * body && length < 80)
}

/** Letters of a font that are shown, no words. */
const SPECIMEN = /abcdefg|aabbcc|aa bb cc|12345/i

/** Divides a document into chapters: by its outline, else where a page begins with one of the largest headings. */
export function chaptersOf(pages: readonly Read[], outline: readonly OutlineEntry[], body: number): Chapter[] {
  const starts = outlineStarts(outline) ?? headingStarts(pages, body)
  const chapters: Chapter[] = []
  for (const page of pages) {
    const title = starts.get(page.number)
    if (title !== undefined || chapters.length === 0) chapters.push({ title: title ?? '', pages: [page] })
    else chapters.at(-1)?.pages.push(page)
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

/** The pages on which a heading of one size comes first: the size that most pages have, or a larger one. */
function headingStarts(pages: readonly Read[], body: number): Map<number, string> {
  const heads = pages.flatMap(({ number, parts }) => {
    const headings = parts.filter(part => part.kind === 'text').filter(block => isHeading(block, body))
    const [head] = headings.filter(({ size }) => size > 1.15 * body)
    return head ? [{ number, size: Math.round(head.size), title: paragraphs(head).join(' ') }] : []
  })
  const counts = new Map<number, number>()
  for (const { size } of heads) counts.set(size, (counts.get(size) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])
  const starts = heads.filter(({ size }) => most !== undefined && size >= most[0])
  return new Map(starts.map(({ number, title }) => [number, title]))
}
