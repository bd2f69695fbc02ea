import type { Box } from '#brand/pdf/document.ts'
import type { Shape } from '#brand/pdf/page.ts'
import { valuesIn, withoutValues } from '../pages/palettes.ts'
import { boxAround, isInside, type Line } from './lines.ts'

/** A colour as printed: its name and values by the columns of a table. `fill` is that of its swatch if it has no screen value. */
export type Swatch = Box & { values: Map<string, string>; fill: string | undefined }

/** Finds colours on a page: lines below each other with a name and different values, in or at a swatch. */
export function swatchesOf(lines: readonly Line[], shapes: readonly Shape[]): { swatches: Swatch[]; rest: Line[] } {
  const swatches: Swatch[] = []
  const used = new Set<Line>()
  for (const column of columnsOf(lines))
    for (const group of groupsIn(column, shapes)) {
      const box = boxAround(group)
      const fill = fillAt(box, shapes)
      const values = valuesOf(group, fill)
      if (!values) continue
      for (const line of group) used.add(line)
      const isKnown = values.has('Hex') || values.has('RGB')
      swatches.push({ ...box, values, fill: isKnown ? undefined : fill })
    }
  return { swatches, rest: lines.filter(line => !used.has(line)) }
}

/** Swatches side by side, from left to right. */
export type Palette = Box & { swatches: Swatch[] }

export function palettesOf(swatches: readonly Swatch[]): Palette[] {
  const palettes: Palette[] = []
  for (const swatch of swatches.toSorted((a, b) => a.top - b.top || a.left - b.left)) {
    const beside = palettes.find(({ top, bottom }) => swatch.top < bottom && swatch.bottom > top)
    if (!beside) palettes.push({ ...boxAround([swatch]), swatches: [swatch] })
    else
      Object.assign(beside, boxAround([beside, swatch]), {
        swatches: [...beside.swatches, swatch].sort((a, b) => a.left - b.left),
      })
  }
  return palettes
}

/** Lines with values, and those above, below and beside them, from top to bottom. */
function columnsOf(lines: readonly Line[]): Line[][] {
  const rows = lines.toSorted((a, b) => a.base - b.base || a.left - b.left)
  const columns: Line[][] = []
  for (const line of rows) {
    const fitting = columns.filter(column => column.some(each => isBeside(each, line)) || isBelow(column, line))
    const [column] = fitting
    if (column) column.push(line)
    else columns.push([line])
  }
  return columns.filter(column => column.some(({ text }) => valuesIn(text).size > 0))
}

/** A value to the right of its label. */
function isBeside(label: Line, line: Line): boolean {
  const gap = line.left - label.right
  return Math.abs(label.base - line.base) < 0.3 * line.size && gap > 0 && gap < 3 * line.size && LABEL.test(label.text)
}

function isBelow(column: readonly Line[], line: Line): boolean {
  const first = Math.min(...column.map(({ left }) => left))
  const last = column.at(-1)
  if (!last) return false
  const step = line.base - last.base
  const isCentred = Math.abs(last.left + last.right - line.left - line.right) < 0.6 * line.size
  return (
    step > 0 &&
    step < 3 * Math.max(line.size, last.size) &&
    (Math.abs(first - line.left) < 0.6 * line.size || isCentred)
  )
}

/** The name of a value, such as `CMYK`. */
const LABEL = /^(?:hex|rgb|cmyk|pantone|pms|ral|hks|ncs|html|web|coated|uncoated|[cu])\b.{0,12}$/i

/** Divides a column where another name or the same value follows. */
function groupsIn(column: readonly Line[], shapes: readonly Shape[]): Line[][] {
  const groups: Line[][] = []
  let kinds = new Set<string>()
  let pending: Line[] = []
  for (const [at, line] of column.entries()) {
    const found = new Set(valuesIn(joined(column, at)).keys())
    if (found.size === 0 && !LABEL.test(line.text)) {
      pending.push(line)
      continue
    }
    const repeats = [...found].some(kind => kinds.has(kind) && kind !== 'Hex')
    // The colour of the text on a swatch is printed in itself.
    const isOfText = kinds.has('Hex') && valuesIn(line.text).get('Hex')?.toLowerCase() === line.color
    const isNext = pending.length > 0 && kinds.size > 0 && !isOfText
    const first = groups.at(-1)?.[0]
    const isOneTile =
      first !== undefined && tileAt(first, shapes) === tileAt(line, shapes) && tileAt(line, shapes) !== undefined
    if (groups.length === 0 || ((repeats || isNext) && !isOneTile)) {
      groups.push(nameLines(pending, line))
      kinds = new Set()
    } else groups.at(-1)?.push(...pending)
    pending = []
    groups.at(-1)?.push(line)
    for (const kind of found) kinds.add(kind)
  }
  const last = groups.at(-1)
  if (last) last.push(...nameLines(pending.toReversed(), last.at(-1)).toReversed())
  return groups
}

/** The last short lines, at most two, that stand close to a line. */
function nameLines(pending: readonly Line[], line: Line | undefined): Line[] {
  const names: Line[] = []
  let to = line
  for (const each of pending.toReversed()) {
    if (!to || names.length === 2 || each.text.length > MAX_NAME || Math.abs(to.base - each.base) > 2.2 * each.size)
      break
    names.unshift(each)
    to = each
  }
  return names
}

/** The text of a line with the label before it. */
function joined(column: readonly Line[], at: number): string {
  const [before, line] = [column[at - 1], column[at]]
  const isLabelled = before && line && isBeside(before, line)
  return isLabelled ? `${before.text} ${line.text}` : (line?.text ?? '')
}

/** The name and values of a colour; undefined if a group has no value, or a sentence instead of a name. */
function valuesOf(group: readonly Line[], fill: string | undefined): Map<string, string> | undefined {
  const values = new Map<string, string>()
  const names: string[] = []
  for (const [at, line] of group.entries()) {
    const text = joined(group, at)
    const found = valuesIn(text)
    for (const [kind, value] of found) if (!values.has(kind)) values.set(kind, value)
    const rest = withoutValues(text)
    if (/\p{L}{2}/u.test(rest) && !LABEL.test(line.text)) names.push(rest)
  }
  if (values.size === 0 || names.some(name => name.length > MAX_NAME)) return undefined
  if (names.length === 0 && values.size === 1 && values.get('Hex')?.toLowerCase() !== fill) return undefined
  const [name = values.get('Pantone') ?? values.get('Hex') ?? '', ...usage] = names
  if (name === '') return undefined
  return new Map([['Name', name], ...values, ...(usage.length > 0 ? [['Usage', usage.join(', ')] as const] : [])])
}

const MAX_NAME = 60

/** The fill of the swatch around or nearest above or beside values. */
function fillAt(box: Box, shapes: readonly Shape[]): string | undefined {
  const swatches = shapes.filter(
    ({ fill, left, right, top, bottom }) => fill !== undefined && right - left > 10 && bottom - top > 10,
  )
  const around = swatches.findLast(shape => isInside(box, shape))
  if (around) return around.fill
  const distance = (shape: Shape) => {
    const across = Math.max(0, shape.left - box.right, box.left - shape.right)
    const along = Math.max(0, box.top - shape.bottom, shape.top - box.bottom)
    return across + along
  }
  const near = swatches.filter(shape => distance(shape) < MAX_DISTANCE && shape.right - shape.left < 400)
  return near.toSorted((a, b) => distance(a) - distance(b))[0]?.fill
}

/** The smallest filled shape around a line. */
function tileAt(line: Box, shapes: readonly Shape[]): Shape | undefined {
  const around = shapes.filter(shape => shape.fill !== undefined && isInside(line, shape))
  return around.toSorted((a, b) => areaOf(a) - areaOf(b))[0]
}

export function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top)
}

/** In points. */
const MAX_DISTANCE = 40
