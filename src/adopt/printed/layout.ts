import type { Box } from '#formats/pdf/document.ts'
import type { Style } from '#formats/pdf/page.ts'
import { boxAround, runsOf } from './boxes.ts'
import { heaviest, isRightToLeft, type Line } from './lines.ts'

/** Lines in one style below each other, and their text. */
export type Block = Box & Style & { lines: Line[]; text: string }

/** Joins lines to blocks. */
export function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  for (const line of lines.toSorted((a, b) => a.base - b.base || a.left - b.left)) {
    const [block] = blocks.filter(each => continues(each, line)).sort((a, b) => b.bottom - a.bottom)
    if (block) Object.assign(block, boxAround([block, line]), { lines: [...block.lines, line] })
    else blocks.push({ ...line, lines: [line] })
  }
  return blocks.map(block => ({ ...block, text: paragraphs(block).join(' ') }))
}

function continues({ lines, ...block }: Block, line: Line): boolean {
  const [before, last] = lines.slice(-2)
  const above = last ?? before ?? line
  const step = line.base - above.base
  const leading = last && before ? 1.15 * (last.base - before.base) + 0.5 : 1.75 * line.size
  const isBelow = step > 0.5 * line.size && step < Math.min(1.9 * line.size, leading)
  const isOneSize = Math.abs(block.size - line.size) < 0.08 * line.size
  const isOneWeight = Math.abs(block.weight - line.weight) < 200
  const isLeft = Math.abs(above.left - line.left) < 1.2 * line.size
  const isRight = Math.abs(above.right - line.right) < 0.3 * line.size
  const isCentred = Math.abs(above.left + above.right - line.left - line.right) < line.size
  return isBelow && isOneSize && isOneWeight && (isLeft || isRight || isCentred) && block.color === line.color
}

/** The paragraphs of a block: a line that ends a sentence far before the others, or begins further in, divides them. */
export function paragraphs({ lines, left, right, size }: Omit<Block, 'text'>): string[] {
  const isEnded = ({ text }: Line) => /[.!?:…]["”’)]?$/.test(text)
  const isShort = (line: Line) => line.right - line.left < 0.7 * (right - left)
  const indent = (before: Line, line: Line) =>
    isRightToLeft(line.text) ? before.right - line.right : line.left - before.left
  const goesOn = (before: Line | undefined, line: Line) =>
    !before || !isEnded(before) || !(isShort(before) || indent(before, line) > 0.8 * size)
  return runsOf(lines, (run, line) => goesOn(run.at(-1), line)).map(joinLines)
}

/** Joins lines of a paragraph; a word that is divided at the end of a line becomes whole. */
export function joinLines(lines: readonly Line[]): string {
  return lines.reduce((text, { text: line }) => {
    if (/\p{Ll}[-‐]$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line
    const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text)
    return text + (text === '' || isCjk ? '' : ' ') + line
  }, '')
}

/** Weighs lines against most of the text, which is not bold. Names of fonts count first: converters write any weight. */
export function weighLines(lines: readonly Line[]): void {
  const [[body = ''] = []] = heaviest(lines.map(({ weight, font, text }) => [`${weight} ${font}`, text.length]))
  for (const line of lines) {
    const isHeavy = Number.parseInt(body, 10) < 600 && line.weight >= 600 && !/regular/i.test(line.font)
    const isBolder = BOLD.test(line.font) ? !BOLD.test(body) : isHeavy
    line.weight = isBolder ? Math.max(line.weight, 700) : Math.min(line.weight, 500)
  }
}

const BOLD = /bold|black|heavy|semi-?b|demi/i

export function isBold({ weight }: Style): boolean {
  return weight > 500
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
  let end = sorted[0]?.[from] ?? 0
  const gaps = new Map<Item, number>()
  for (const item of sorted) {
    gaps.set(item, item[from] - end)
    end = Math.max(end, item[to])
  }
  const gap = Math.max(0, ...gaps.values())
  const least = Math.max(MIN_GAP, gap / 2)
  return { parts: runsOf(sorted, (_, item) => (gaps.get(item) ?? 0) < least), gap }
}

/** In points. */
const MIN_GAP = 0.5
