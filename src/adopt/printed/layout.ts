import type { Box } from '#brand/pdf/document.ts'
import type { Style } from '#brand/pdf/page.ts'
import { boxAround, type Line } from './lines.ts'

/** Lines in one style below each other. */
export type Block = Box & Style & { lines: Line[] }

/** Joins lines to blocks. */
export function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  for (const line of lines.toSorted((a, b) => a.base - b.base || a.left - b.left)) {
    const fitting = blocks.filter(block => continues(block, line))
    const [block] = fitting.sort((a, b) => b.bottom - a.bottom || distance(a, line) - distance(b, line))
    if (block) Object.assign(block, boxAround([block, line]), { lines: [...block.lines, line] })
    else {
      const { text: _, base: __, ...style } = line
      blocks.push({ ...style, lines: [line] })
    }
  }
  return blocks
}

function distance(block: Box, line: Box): number {
  return Math.abs(block.left - line.left)
}

function continues(block: Block, line: Line): boolean {
  const [before, last] = block.lines.slice(-2)
  const above = last ?? before
  if (!above) return false
  const step = line.base - above.base
  const leading = last && before ? last.base - before.base : undefined
  const most = leading === undefined ? 1.75 * line.size : Math.min(1.9 * line.size, leading * 1.15 + 0.5)
  const isSame = Math.abs(block.size - line.size) < 0.08 * line.size && isOneWeight(block, line)
  const isLeft = Math.abs(above.left - line.left) < 1.2 * line.size
  const isRight = Math.abs(above.right - line.right) < 0.3 * line.size
  const isCentred = Math.abs(above.left + above.right - line.left - line.right) < line.size
  const isBelow = step > 0.5 * line.size && step < most
  return isSame && isBelow && (isLeft || isRight || isCentred) && block.color === line.color
}

function isOneWeight(one: Style, other: Style): boolean {
  return Math.abs(one.weight - other.weight) < 200 && isBold(one) === isBold(other)
}

export function isBold({ font, weight }: Style): boolean {
  return weight >= 600 || /bold|black|heavy|semi-?b|demi/i.test(font)
}

/**
 * The items of a page in reading order: white space cuts it into rows or columns, and these again. Of columns side by
 * side, the one with the title comes first.
 */
export function inReadingOrder<Item extends Box>(
  items: readonly Item[],
  isTitle: (item: Item) => boolean,
  isRightToLeft: boolean,
): Item[] {
  const rows = cut(items, 'top', 'bottom')
  const columns = cut(items, 'left', 'right')
  const byRow = rows.parts.length > 1 && (columns.parts.length < 2 || rows.gap >= 0.7 * columns.gap)
  const parts = byRow ? rows.parts : isRightToLeft ? columns.parts.toReversed() : columns.parts
  if (parts.length < 2) return items.toSorted((a, b) => a.top - b.top || a.left - b.left)
  const ordered = parts.map(part => inReadingOrder(part, isTitle, isRightToLeft))
  if (!byRow) ordered.sort((a, b) => Number(b.some(isTitle)) - Number(a.some(isTitle)))
  return ordered.flat()
}

type Side = 'left' | 'top' | 'right' | 'bottom'

/** Cuts items at the widest gaps along an axis; `gap` is the widest. */
function cut<Item extends Box>(items: readonly Item[], from: Side, to: Side): { parts: Item[][]; gap: number } {
  const sorted = items.toSorted((a, b) => a[from] - b[from])
  const ends: number[] = []
  for (const item of sorted) ends.push(Math.max(ends.at(-1) ?? item[from], item[to]))
  const gaps = sorted.map((item, at) => (at === 0 ? 0 : item[from] - (ends[at - 1] ?? 0)))
  const gap = Math.max(0, ...gaps)
  const parts: Item[][] = []
  for (const [at, item] of sorted.entries()) {
    const isCut = at === 0 || ((gaps[at] ?? 0) > MIN_GAP && (gaps[at] ?? 0) >= gap / 2)
    if (isCut) parts.push([item])
    else parts.at(-1)?.push(item)
  }
  return { parts, gap }
}

/** In points. */
const MIN_GAP = 0.5
