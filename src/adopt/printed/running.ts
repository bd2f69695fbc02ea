import type { Shape } from '#brand/pdf/page.ts'
import type { Line } from './lines.ts'

type PageContent = { height: number; lines: readonly Line[]; shapes: readonly Shape[] }

/** Takes out what several pages have at one place: running heads, feet and page numbers, but for their numbers, and drawings. */
export function withoutRunning<Page extends PageContent>(pages: readonly Page[]): { pages: Page[]; removed: string[] } {
  const counts = new Map<string, { count: number; text: string }>()
  for (const page of pages) {
    const items = [...page.lines.map(line => [lineKey(page, line), line.text] as const), ...page.shapes.map(shapeKey)]
    for (const [key, text] of new Map(items)) counts.set(key, { count: (counts.get(key)?.count ?? 0) + 1, text })
  }
  const least = Math.max(3, pages.length * 0.3)
  const running = new Map([...counts].filter(([, { count }]) => count >= least))
  const kept = pages.map(page => ({
    ...page,
    lines: page.lines.filter(line => !running.has(lineKey(page, line))),
    shapes: page.shapes.filter(shape => !running.has(shapeKey(shape)[0])),
  }))
  return { pages: kept, removed: [...running.values()].map(({ text }) => text).filter(text => text !== '') }
}

/** Near an edge, numbers may differ and columns change sides. */
function lineKey({ height }: PageContent, { base, left, text, size }: Line): string {
  const isEdge = base < height * 0.12 || base > height * 0.88
  const place = isEdge ? [Math.round(base / 4)] : [Math.round(base), Math.round(left), size]
  return [...place, isEdge ? text.replaceAll(/\d+|\s/g, '') : text].join(' ').toLowerCase()
}

function shapeKey({ kind, fill, left, top, right, bottom }: Shape): readonly [key: string, text: string] {
  return [[kind, fill, ...[left, top, right, bottom].map(Math.round)].join(' '), '']
}
