import type { Box } from '#brand/pdf/document.ts'
import type { PdfPage, Shape } from '#brand/pdf/page.ts'
import { COLUMNS, textsBetween, valuesIn } from '../pages/palettes.ts'
import { areaOf, boxAround, distance, itemsIn, shortSide } from './boxes.ts'
import type { Line } from './lines.ts'

/** A colour as printed: its name and values by the columns of a table. `fill` is that of its swatch if it has no screen value. */
export type Swatch = Box & { values: Map<string, string>; fill: string | undefined }

/** A line with its values, and with its label if that is apart; `lines` are those of the page. */
type Text = Line & { values: Map<string, string>; lines: readonly Line[] }

/** Finds colours on a page: values and their names on one card or below each other, and filled boxes without values. */
export function swatchesOf(page: PdfPage, lines: readonly Line[]): { swatches: Swatch[]; rest: Line[] } {
  if (lines.length === 0) return { swatches: [], rest: [] }
  const texts = textsOf(lines)
  const cards = cardsOf(texts, page)
  const others = new Set(texts).difference(new Set(cards.flat()))
  const columns = groupsOf([...others], continues).filter(column => column.some(({ values }) => values.size > 0))
  const swatches: Swatch[] = []
  const used = new Set<Line>()
  for (const group of [...cards, ...columns.flatMap(groupsIn)]) {
    const fill = fillAt(group, texts, page.shapes)
    const values = valuesOf(group, fill)
    if (!values) continue
    for (const line of group.flatMap(text => text.lines)) used.add(line)
    swatches.push({ ...boxAround(group), values, fill: values.has('Hex') || values.has('RGB') ? undefined : fill })
  }
  swatches.push(...boxesWithoutText(page, lines, swatches))
  const rest = lines.filter(line => !used.has(line))
  nameOthers(swatches, rest)
  return { swatches, rest }
}

/** Swatches side by side, from left to right. */
export type Palette = Box & { swatches: Swatch[] }

export function palettesOf(swatches: readonly Swatch[]): Palette[] {
  const sorted = swatches.toSorted((a, b) => a.top - b.top || a.left - b.left)
  const isBeside = (row: readonly Swatch[], { top, bottom }: Swatch) =>
    row.some(other => top < other.bottom && bottom > other.top)
  const rows = groupsOf(sorted, isBeside).map(row => row.toSorted((a, b) => a.left - b.left))
  return rows.map(row => ({ ...boxAround(row), swatches: row }))
}

/** Joins each item to the first group that it fits. */
function groupsOf<Item>(items: readonly Item[], fits: (group: readonly Item[], item: Item) => boolean): Item[][] {
  const groups: Item[][] = []
  for (const item of items) {
    const group = groups.find(each => fits(each, item))
    if (group) group.push(item)
    else groups.push([item])
  }
  return groups
}

/** Lines from top to bottom: a value with its label, which is to its left or above it, and with the other cells of its row. */
function textsOf(lines: readonly Line[]): Text[] {
  const sorted = lines.toSorted((a, b) => a.base - b.base || a.left - b.left)
  const isLabel = ({ text }: Line) => LABEL.test(text) && valuesIn(text).size === 0
  const isBeside = (left: Line, line: Line, gap: number) =>
    Math.abs(left.base - line.base) < 0.3 * line.size && line.left > left.right && line.left - left.right < gap
  const isBelow = (above: Line, line: Line, step: number) =>
    Math.abs(above.left - line.left) < 1 && line.base > above.base && line.base - above.base < step * line.size
  const isParagraph = (line: Line) => sorted.some(each => isBelow(each, line, 1.6) || isBelow(line, each, 1.6))
  const groups = new Map(sorted.map(line => [line, [line]]))
  for (const label of sorted.filter(isLabel)) {
    const value =
      sorted.find(line => isBeside(label, line, 3 * line.size)) ?? sorted.find(line => isBelow(label, line, 2))
    if (value && !isLabel(value) && groups.delete(label)) groups.get(value)?.unshift(label)
  }
  for (const group of groups.values())
    for (const line of group.some(each => valuesIn(each.text).size > 0 && !isParagraph(each)) ? sorted : []) {
      const isCell = groups.get(line)?.length === 1 && !LABEL.test(line.text) && valuesIn(line.text).size === 0
      const last = group.at(-1)
      if (isCell && last && isBeside(last, line, MAX_COLUMN) && !isParagraph(line) && groups.delete(line))
        group.push(line)
    }
  return [...groups].map(([line, parts]) => {
    const cells = parts.indexOf(line) + 1
    const value = parts.slice(0, cells).map(({ text }) => text)
    const text = [value.join(' '), ...parts.slice(cells).map(part => part.text)].join('\n')
    return { ...line, ...boxAround(parts), text, values: valuesIn(text), lines: parts }
  })
}

/** The widest gap between the columns of a table, in points. */
const MAX_COLUMN = 150

/** The name of a value, such as `CMYK`. */
const LABEL = /^(?:hex|rgb|cmyk|pantone|pms|ral|hks|ncs|html|web|hs[lbv]|coated|uncoated|[cu])\b.{0,12}$/i

/** The texts in the largest box around a value that has no second value of a kind. */
function cardsOf(texts: readonly Text[], { shapes }: PdfPage): Text[][] {
  const cards: Text[][] = []
  for (const shape of shapes.filter(({ isPlain }) => isPlain).sort((a, b) => areaOf(b) - areaOf(a))) {
    const card = itemsIn(texts, shape)
    const kinds = card.flatMap(({ values }) => [...values.keys()])
    const isOne = kinds.length > 0 && kinds.length === new Set(kinds).size && card.length <= MAX_TEXTS
    if (isOne && !cards.flat().some(text => card.includes(text))) cards.push(card)
  }
  return cards
}

const MAX_TEXTS = 10

/** Whether a text is below a column: at its left or its middle. */
function continues(column: readonly Text[], text: Text): boolean {
  const last = column.at(-1)
  if (!last) return false
  const isCentred = Math.abs(last.left + last.right - text.left - text.right) < 0.6 * text.size
  const isLeft = column.some(({ left }) => Math.abs(left - text.left) < 0.6 * text.size)
  const step = text.base - last.base
  return step > 0 && step < 3 * Math.max(text.size, last.size) && (isLeft || isCentred)
}

/** Divides a column where other texts or the same value follow: in between, the widest gap divides two colours. */
function groupsIn(column: readonly Text[]): Text[][] {
  const groups: Text[][] = []
  let pending: Text[] = []
  for (const text of column) {
    const group = groups.at(-1)
    if (text.values.size === 0) pending.push(text)
    else if (
      group &&
      pending.length === 0 &&
      !group.some(({ values }) => values.keys().some(kind => text.values.has(kind)))
    )
      group.push(text)
    else {
      const gaps = [...pending, text].map((each, at) => each.base - (pending[at - 1] ?? group?.at(-1) ?? each).base)
      const cut = group ? gaps.indexOf(Math.max(...gaps)) : 0
      group?.push(...namesAt(pending.slice(0, cut), group.at(-1)))
      const names = text.lines.length > 1 && textsBetween(text.text).length > 0 ? [] : pending.slice(cut).toReversed()
      groups.push([...namesAt(names, text).toReversed(), text])
      pending = []
    }
  }
  const last = groups.at(-1)
  last?.push(...namesAt(pending, last.at(-1)))
  return groups
}

/** The first short texts, at most two, that follow closely on one. */
function namesAt(texts: readonly Text[], value: Text | undefined): Text[] {
  const isNear = (text: Text, at: number) => {
    const before = texts[at - 1] ?? value ?? text
    return at < 2 && text.text.length <= MAX_NAME && Math.abs(before.base - text.base) < 2.2 * before.size
  }
  const end = texts.findIndex((text, at) => !isNear(text, at))
  return texts.slice(0, end === -1 ? undefined : end)
}

/** The values of a colour, and its name if it has one; undefined for a sentence with a value. */
function valuesOf(group: readonly Text[], fill: string | undefined): Map<string, string> | undefined {
  const values = new Map<string, string>()
  for (const text of group) for (const [kind, value] of text.values) if (!values.has(kind)) values.set(kind, value)
  const names: { text: string; size: number }[] = []
  for (const { text, size } of group.filter(({ text }) => !LABEL.test(text))) {
    const cells = text.split('\n').map(textsBetween)
    const [parts, last] = [cells.flat(), names.at(-1)]
    if (cells.some(cell => cell.join(' ').length > MAX_NAME)) return undefined
    // A line that continues below.
    if (last?.size === size && /^\p{Ll}/u.test(text) && text.length < last.text.length)
      last.text += ` ${parts.shift() ?? ''}`
    names.push(...parts.map(part => ({ text: part, size })))
  }
  const [name] = names.filter(({ text }) => isName(text)).sort((a, b) => b.size - a.size)
  if (!name && values.size === 1 && values.get('Hex')?.toLowerCase() !== fill) return undefined
  const usage = names.filter(each => each !== name).map(({ text }) => text)
  // A value that tables of colours have no column for.
  for (const [kind, value] of values) if (!COLUMNS.includes(kind)) usage.push(`${kind} ${value}`)
  if (usage.length > 0) values.set('Usage', usage.join(', '))
  return name ? values.set('Name', name.text) : values
}

/** Whether words may be a name: few of them, and not a measure such as `270deg`. */
function isName(text: string): boolean {
  return text.split(' ').length <= MAX_WORDS && !/^\d[\d.]*(?:deg|px|pt|%)/.test(text)
}

/** In letters, and in words. */
const [MAX_NAME, MAX_WORDS] = [60, 6]

/** The fill of the swatch around or nearest to the texts of a colour: one without text if it can be. */
function fillAt(group: readonly Text[], texts: readonly Text[], shapes: readonly Shape[]): string | undefined {
  const box = boxAround(group)
  const others = texts.filter(text => !group.includes(text))
  const holds = (shape: Shape, inside: readonly Text[]) => itemsIn(inside, shape).length > 0
  const isSwatch = (shape: Shape) =>
    shape.fill && shortSide(shape) > 10 && distance(shape, box) < MAX_DISTANCE && !holds(shape, others)
  const priced = group.filter(({ values }) => values.size > 0)
  const rank = (shape: Shape) => Number(holds(shape, priced))
  const near = (one: Shape, other: Shape) =>
    distance(one, box) - distance(other, box) || rank(one) - rank(other) || areaOf(one) - areaOf(other)
  return shapes.filter(isSwatch).sort(near)[0]?.fill
}

/** Boxes of one size in a row or column, with different fills, that hold nothing and are away from other swatches. */
function boxesWithoutText(page: PdfPage, lines: readonly Line[], swatches: readonly Swatch[]): Swatch[] {
  const isLarge = (shape: Shape) => shortSide(shape) > 28 && areaOf(shape) < 0.2 * page.width * page.height
  const isEmpty = (box: Shape) => {
    const smaller = page.shapes.filter(shape => areaOf(shape) < (shape.isPlain ? 0.8 : 1) * areaOf(box))
    return itemsIn<Box>([...lines, ...smaller], box).length === 0
  }
  const isAway = (box: Shape) => !swatches.some(swatch => distance(swatch, box) < MAX_DISTANCE)
  const boxes = page.shapes
    .filter(({ isPlain, fill }) => isPlain && fill !== undefined && fill !== '#ffffff')
    .filter(box => isLarge(box) && isAway(box) && isEmpty(box))
  const isLike = (one: Shape, other: Shape) => {
    const isNear = (from: 'left' | 'top', to: 'right' | 'bottom') =>
      Math.abs(one[from] - other[from]) + Math.abs(one[to] - other[to]) < 4
    const isAsLarge = Math.abs(areaOf(one) ** 0.5 - areaOf(other) ** 0.5) < 2
    return one.fill !== other.fill && isAsLarge && (isNear('left', 'right') || isNear('top', 'bottom'))
  }
  return boxes
    .filter(box => boxes.some(other => isLike(box, other)))
    .map(({ fill, ...box }) => ({ ...boxAround([box]), fill, values: new Map() }))
}

/** Names colours without a name: by the nearest label to their left, above or close to them and a number, else by a value. */
function nameOthers(swatches: readonly Swatch[], lines: readonly Line[]): void {
  const isLabel = ({ text }: Line) =>
    /^.{0,29}[^.,;:]$/.test(text) && textsBetween(text).length > 0 && !LABEL.test(text)
  const labels = lines.filter(line => isLabel(line) && lines.filter(({ text }) => text === line.text).length === 1)
  const nameless = palettesOf(swatches.filter(({ values }) => !values.has('Name'))).flatMap(row => row.swatches)
  const labelOf = (swatch: Swatch) => {
    const farness = (line: Line) => {
      const space = distance(line, swatch)
      const isBefore = line.left < swatch.left && line.top < swatch.bottom && line.bottom > swatch.top
      if (space < MAX_DISTANCE / 2 || (isBefore && swatch.values.size === 0)) return space
      if (line.left > swatch.right || (line.bottom > swatch.top && !isBefore)) return Infinity
      return space * (line.right > swatch.left ? 2 : 4)
    }
    return labels.filter(line => farness(line) < Infinity).sort((a, b) => farness(a) - farness(b))[0]?.text
  }
  for (const [label, others] of Map.groupBy(nameless, labelOf))
    for (const [at, { values, fill }] of others.entries()) {
      const value = fill ?? values.get('Hex') ?? [...values.values()].join(' ')
      const name = label ?? `Color ${value.replace('#', '')}`
      values.set('Name', label !== undefined && others.length > 1 ? `${name} ${at + 1}` : name)
    }
}

/** The largest distance between a colour and its swatch, in points. */
export const MAX_DISTANCE = 40
