import type { Box } from '#formats/pdf/document.ts'
import type { Shape } from '#formats/pdf/page.ts'
import { distance } from './boxes.ts'
import { heaviest, type Line, withoutNumbers } from './lines.ts'

type PageContent = { width: number; height: number; lines: readonly Line[]; shapes: readonly Shape[] }

/**
 * Takes out what several pages have at one place: running heads, feet and numbers, and drawings. Also small lines that stand alone
 * near an edge of most pages, regardless of their words.
 *
 * Each line and shape has keys, which are equal on two pages if it is the same there; a key that many pages have is
 * running. `removed` has the texts that were taken out: the first and the last one if they differ only in numbers.
 */
export function withoutRunning<Page extends PageContent>(pages: readonly Page[]): { pages: Page[]; removed: string[] } {
  // A page counts once for each key.
  const keys = pages.flatMap(page => [
    ...new Set([
      ...page.lines.flatMap(line => lineKeys(page, line)),
      ...page.shapes.map(shape => shapeKey(page, shape)),
    ]),
  ])
  const counts = new Map(heaviest(keys.map(key => [key, 1])))
  const isRunning = (key: string) => {
    const share = key.startsWith(ANY_WORDS) ? MIN_SHARE_OF_ANY_WORDS : MIN_SHARE
    return (counts.get(key) ?? 0) >= Math.max(MIN_PAGES, pages.length * share)
  }
  const removedLines: string[] = []
  const cleanPages = pages.map(page => {
    const runningLines = new Set(page.lines.filter(line => lineKeys(page, line).some(isRunning)))
    removedLines.push(...Array.from(runningLines, ({ text }) => text))
    const lines = page.lines.filter(line => !runningLines.has(line))
    // Scans and photographs of whole pages differ, although they have one place.
    const isWholePage = ({ kind, top, bottom }: Shape) => kind === 'picture' && bottom - top > 0.5 * page.height
    const shapes = page.shapes.filter(shape => isWholePage(shape) || !isRunning(shapeKey(page, shape)))
    return { ...page, lines, shapes }
  })
  const removed = Map.groupBy(new Set(removedLines), withoutNumbers)
    .values()
    .map(([first = '', ...others]) => [first, ...others.slice(-1)].join(' … '))
  return { pages: cleanPages, removed: [...removed] }
}

/** How many pages have a running line, and their share of all pages: more for lines whose words do not count. */
const MIN_PAGES = 3
const MIN_SHARE = 0.3
const MIN_SHARE_OF_ANY_WORDS = 0.5

/**
 * The keys of a line: its place, size and text. Near an edge, numbers may differ and columns change sides, so that only its
 * row and its words count; a small line that stands alone there has a second key, without its words.
 */
function lineKeys(page: PageContent, line: Line): string[] {
  const { base, left, text, size } = line
  if (!isNearEdge(page, line)) return [[Math.round(base), Math.round(left), size, text].join(' ').toLowerCase()]
  // Rows have four points.
  const row = Math.round(base / 4)
  const isNeighbor = (other: Line) => other !== line && other.size === size && distance(other, line) < size
  const isSmall = size < 0.6 * Math.max(...page.lines.map(other => other.size)) && !page.lines.some(isNeighbor)
  const key = [row, withoutNumbers(text).replaceAll(' ', '')].join(' ').toLowerCase()
  return isSmall ? [key, [ANY_WORDS, row, Math.round(left), Math.round(size)].join(' ')] : [key]
}

/** Whether a box lies in the strip along an edge of its page, or with its middle in that above or below. */
function isNearEdge({ width, height }: PageContent, { left, top, right, bottom }: Box): boolean {
  const middle = (top + bottom) / 2 / height
  return Math.min(right / width, 1 - left / width, middle, 1 - middle) < EDGE
}

/** The share of a side of a page that is near its edges. */
const EDGE = 0.12
/** The beginning of keys without words. */
const ANY_WORDS = 'any words'

/** The key of a drawing; in a running head, it may have the colour of a chapter. */
function shapeKey(page: PageContent, shape: Shape): string {
  const { kind, left, top, right, bottom } = shape
  const fill = isNearEdge(page, shape) ? '' : shape.fill
  return [kind, fill, ...[left, top, right, bottom].map(Math.round)].join(' ')
}
