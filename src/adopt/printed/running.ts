import type { Shape } from '#formats/pdf/page.ts'
import { distance } from './boxes.ts'
import { heaviest, type Line } from './lines.ts'

type PageContent = { height: number; lines: readonly Line[]; shapes: readonly Shape[] }

/**
 * Takes out what several pages have at one place: running heads, feet and page numbers, except for their numbers, and
 * drawings. Also small lines that stand alone near an edge of most pages, regardless of their words.
 */
export function withoutRunning<Page extends PageContent>(pages: readonly Page[]): { pages: Page[]; removed: string[] } {
  const keys = pages.flatMap(page => [
    ...new Set([...page.lines.flatMap(line => lineKeys(page, line)), ...page.shapes.map(shapeKey)]),
  ])
  const counts = new Map(heaviest(keys.map(key => [key, 1])))
  const isRunning = (key: string) =>
    (counts.get(key) ?? 0) >= Math.max(3, pages.length * (key.startsWith(ANY) ? 0.5 : 0.3))
  const removed = new Map<string, string>()
  const kept = pages.map(page => {
    const running = new Set(page.lines.filter(line => lineKeys(page, line).some(isRunning)))
    for (const { text } of running) removed.set(text.replaceAll(/\d+/g, ''), text)
    const lines = page.lines.filter(line => !running.has(line))
    // Scans and photographs of whole pages differ, although they have one place.
    const isWhole = ({ kind, top, bottom }: Shape) => kind === 'picture' && bottom - top > 0.5 * page.height
    return { ...page, lines, shapes: page.shapes.filter(shape => isWhole(shape) || !isRunning(shapeKey(shape))) }
  })
  return { pages: kept, removed: [...removed.values()] }
}

/** Near an edge, numbers may differ and columns change sides. */
function lineKeys({ height, lines }: PageContent, line: Line): string[] {
  const { base, left, text, size } = line
  if (base > height * 0.12 && base < height * 0.88)
    return [[Math.round(base), Math.round(left), size, text].join(' ').toLowerCase()]
  const row = Math.round(base / 4)
  const isBeside = (other: Line) => other !== line && other.size === size && distance(other, line) < size
  const isSmall = size < 0.6 * Math.max(...lines.map(each => each.size)) && !lines.some(isBeside)
  const key = [row, text.replaceAll(/\d+|\s/g, '')].join(' ').toLowerCase()
  return isSmall ? [key, [ANY, row, Math.round(left), Math.round(size)].join(' ')] : [key]
}

const ANY = 'any words'

function shapeKey({ kind, fill, left, top, right, bottom }: Shape): string {
  return [kind, fill, ...[left, top, right, bottom].map(Math.round)].join(' ')
}
