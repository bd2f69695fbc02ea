import type { Box } from '#formats/pdf/document.ts'
import type { Style } from '#formats/pdf/page.ts'
import { lettersOf, wordsIn } from '#platform/base/text.ts'
import { boxAround, byPlace, groupsOf, isBetween, lastOf, type Run, runsOf } from './boxes.ts'
import { byBase, heaviest, isRightToLeft, type Line } from './lines.ts'

/** Lines in one style below each other, and their text. */
export type Block = Box & Style & { lines: Run<Line>; text: string }

/** Joins lines to blocks. */
export function blocksOf(lines: readonly Line[]): Block[] {
  const groups = groupsOf(lines.toSorted(byBase), continues)
  return groups.map(group => {
    const block = { ...group[0], ...boxAround(group), lines: group }
    return { ...block, text: paragraphs(block).join(' ') }
  })
}

/** Whether a line is below others, in their style and at their left or right edge, or in their middle. */
function continues(lines: Readonly<Run<Line>>, line: Line): boolean {
  const [first] = lines
  const [above = first, before] = lines.slice(-2).reverse()
  const leading = before ? 1.15 * (above.base - before.base) + 0.5 : 1.75 * line.size
  const isBelow = isBetween(line.base - above.base, 0.5 * line.size, Math.min(1.9 * line.size, leading))
  const sizes = Math.abs(first.size - line.size) / line.size
  const weights = Math.abs(first.weight - line.weight)
  const isOneStyle = Math.max(sizes / 0.08, weights / 200) < 1 && first.color === line.color
  const [left, right] = [Math.abs(above.left - line.left), Math.abs(above.right - line.right)]
  const middle = Math.abs(above.left + above.right - line.left - line.right)
  return isBelow && isOneStyle && Math.min(left / 1.2, right / 0.3, middle) < line.size
}

/** The paragraphs of a block: a line that ends a sentence far before the others, or begins further in, divides them. */
export function paragraphs({ lines, left, right, size }: Omit<Block, 'text'>): string[] {
  const isShort = (line: Line) => line.right - line.left < 0.7 * (right - left)
  const indent = (before: Line, line: Line) =>
    isRightToLeft(line.text) ? before.right - line.right : line.left - before.left
  const goesOn = (before: Line, line: Line) =>
    !endsSentence(before.text) || !(isShort(before) || indent(before, line) > 0.8 * size)
  return runsOf(lines, (run, line) => goesOn(lastOf(run), line)).map(joinLines)
}

export function endsSentence(text: string): boolean {
  return /[.!?:…]["”’)]?$/.test(text)
}

/** Whether a text may continue a sentence. */
export function beginsSmall(text: string): boolean {
  return /^\p{Ll}/u.test(text)
}

/** Joins lines of a paragraph; a word that is divided at the end of a line becomes whole. */
export function joinLines(lines: readonly Line[]): string {
  return lines.reduce((text, { text: line }) => {
    if (/\p{Ll}[-‐]$/u.test(text) && beginsSmall(line)) return text.slice(0, -1) + line
    const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text)
    return text + (text === '' || isCjk ? '' : ' ') + line
  }, '')
}

/** Weighs lines against most of the text, which is not bold. Names of fonts count first: converters write any weight. */
export function weighLines(lines: readonly Line[]): void {
  const [[body = ''] = []] = heaviest(lines.map(({ weight, font, text }) => [`${weight} ${font}`, text.length]))
  for (const line of lines) {
    const isHeavy =
      Number.parseInt(body, 10) < 600 && line.weight >= 600 && !line.font.toLowerCase().includes('regular')
    const isBolder = namesBold(line.font) ? !namesBold(body) : isHeavy
    line.weight = isBolder ? Math.max(line.weight, 700) : Math.min(line.weight, 500)
  }
}

function namesBold(font: string): boolean {
  return BOLD.some(word => font.toLowerCase().includes(word))
}

const BOLD = wordsIn('bold, black, heavy, semib, semi-b, demi')

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
  if (parts.length < 2) return items.toSorted(byPlace)
  const ordered = parts.map(part => inReadingOrder(part, isTitle, isRightToLeft))
  if (!byRow) ordered.sort((a, b) => Number(b.some(isTitle)) - Number(a.some(isTitle)))
  return ordered.flat()
}

type Side = 'left' | 'top' | 'right' | 'bottom'

/** Cuts items at the widest gaps along an axis; `gap` is the widest. */
function cut<Item extends Box>(items: readonly Item[], from: Side, to: Side): { parts: Item[][]; gap: number } {
  let end = Math.min(...items.map(item => item[from]))
  const spaced = items
    .toSorted((a, b) => a[from] - b[from])
    .map(item => {
      const gap = item[from] - end
      end = Math.max(end, item[to])
      return { item, gap }
    })
  const gap = Math.max(0, ...spaced.map(each => each.gap))
  const least = Math.max(MIN_GAP, gap / 2)
  const parts = runsOf(spaced, (_, each) => each.gap < least)
  return { parts: parts.map(part => part.map(({ item }) => item)), gap }
}

/** In points. */
const MIN_GAP = 0.5

/** Whether texts have the same letters and digits. */
export function isSame(one: string, other: string): boolean {
  return lettersOf(one) === lettersOf(other)
}
