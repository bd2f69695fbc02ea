import { beginsWithLabel, COLUMNS, isOnlyLabels, valuesIn } from '#brand/styles/notation.ts'
import type { Box } from '#formats/pdf/document.ts'
import type { PdfPage, Shape } from '#formats/pdf/page.ts'
import { fieldText } from '#platform/base/text.ts'
import { columnKey, tableKind } from '../conversion/palettes/csv.ts'
import { textsBetween } from '../pages/color-name.ts'
import { across, areaOf, boxAround, distance, itemsIn, runsOf, shortSide } from './boxes.ts'
import type { Line } from './lines.ts'

/**
 * A colour as printed: its name and values by the columns of a table, and its `others`, lines with words that no column
 * has. `fill` is the colour of its swatch if no screen value is printed.
 */
export type Swatch = Box & { values: Map<string, string>; fill: string | undefined; others: readonly string[] }

/** A line with its values, and with its label if that is apart, or a row of `cells`; `lines` are those of the page. */
type Text = Line & { values: Map<string, string>; lines: readonly Line[]; cells?: readonly string[] }

/** Finds colours on a page: values and their names on one card or below each other, and filled boxes without values. */
export function swatchesOf(page: PdfPage, lines: readonly Line[]): { swatches: Swatch[]; rest: Line[] } {
  if (lines.length === 0) return { swatches: [], rest: [] }
  const rows = rowsOf(lines)
  const inRows = new Set(rows.flatMap(row => row.lines))
  const texts = [...rows, ...textsOf(lines.filter(line => !inRows.has(line)))]
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
    const isOnScreen = values.has('Hex') || values.has('RGB')
    swatches.push({ ...boxAround(group), values, fill: isOnScreen ? undefined : fill, others: othersIn(group, values) })
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

/** Joins each item to the last group that it fits. */
function groupsOf<Item>(items: readonly Item[], fits: (group: readonly Item[], item: Item) => boolean): Item[][] {
  const groups: Item[][] = []
  for (const item of items) {
    const group = groups.findLast(each => fits(each, item))
    if (group) group.push(item)
    else groups.push([item])
  }
  return groups
}

/** The rows of tables of colours, which need no head: another row has values of the same kind in the same place. */
function rowsOf(lines: readonly Line[]): Text[] {
  const sorted = lines.filter(({ text }) => text.length <= MAX_NAME).sort((a, b) => a.base - b.base)
  const levels = groupsOf(sorted, ([first], line) => first !== undefined && isLevel(first, line))
  let head: Line[] = []
  const rows = levels.flatMap(level => {
    const cells = level.sort((a, b) => a.left - b.left)
    if (isHead(cells)) head = cells
    const isBelow = (cell: Line) => head.some(each => across(each, cell) === 0)
    const isCell = (cell: Line) => isBelow(cell) || !(isLabel(cell) || isParagraph(cell, levels))
    const isNext = (run: readonly Line[], cell: Line) => run.some(each => isBelow(cell) || across(each, cell) < 150)
    return runsOf(cells.filter(isCell), isNext).flatMap(run => rowsIn(run, run.some(isBelow) ? head : []))
  })
  const isLike = (one: Text, other: Text) =>
    one !== other && Math.abs(one.left - other.left) < 1 && sharesKind([one], other)
  return rows.filter(row => rows.some(other => isLike(row, other)))
}

/** Whether cells are words, of which one names a kind of values. */
function isHead(cells: readonly Line[]): boolean {
  const areWords = cells.every(({ text }) => valuesIn(text).size === 0 && !/^[#\d]/.test(text))
  return areWords && cells.length > 1 && cells.some(({ text }) => tableKind(['name', text]) === 'colors')
}

/** Whether the line above or below a text continues it: one without a value beside it. */
function isParagraph({ left, base, size }: Line, levels: readonly Line[][]): boolean {
  const isNear = (line: Line) =>
    line.base !== base && Math.abs(line.left - left) < 1 && Math.abs(line.base - base) < 1.6 * size
  return levels.some(level => level.some(isNear) && !level.some(({ text }) => valuesIn(text).size > 0))
}

/** The rows that cells are if they have values: of tables side by side, each has another value of a kind. */
function rowsIn(line: readonly Line[], head: readonly Line[]): Text[] {
  const [first] = line
  const cells = line.map(cell => namedText(cell, head))
  const found = cells.map(cell => [...inksIn(cell)])
  const kinds = found.map(values => values.map(([kind]) => kind))
  const again = kinds.findIndex((own, at) => own.some(kind => kinds.slice(0, at).flat().includes(kind)))
  const cut = kinds.findLastIndex((own, at) => at < again && own.length > 0) + 1
  if (cut < again) return [line.slice(0, cut), line.slice(cut)].flatMap(part => rowsIn(part, head))
  const values = new Map(found.flat())
  if (!first || again !== -1 || values.size === 0 || (cells.length < 2 && head.length === 0)) return []
  return [{ ...first, ...boxAround(line), text: cells.join(' '), values, lines: [...head, ...line], cells }]
}

/** The text of a cell, or of cells that touch, with the kinds of values that the heads of columns name before them. */
function namedText({ text, ...box }: Line, head: readonly Line[]): string {
  const over = head.filter(each => across(each, box) === 0)
  const kinds = over.map(each => columnKey(each.text, 'colors')?.replace('2', ' u') ?? each.text)
  if (valuesIn(text).size >= over.length) return text
  const words = text.split(' ')
  const named: string[] = []
  for (const kind of kinds.toReversed()) {
    const isValue = (value: string) =>
      [...inksIn(`${kind} ${value}`).values()].join().includes(value.replace(/ u$/i, ''))
    const at = words.findIndex((_, at) => isValue(words.slice(at).join(' ')))
    if (at !== -1) named.unshift(kind, ...words.splice(at))
  }
  return [...words, ...named].join(' ')
}

/** The values in a text; a colour may have two inks of Pantone, of which that for uncoated paper has its own column. */
function inksIn(text: string): Map<string, string> {
  const values = valuesIn(text)
  const ink = fieldText(values, 'Pantone')
  return UNCOATED.test(ink) && values.delete('Pantone') ? values.set('Pantone uncoated', ink) : values
}

const UNCOATED = /[\d\s]u$/i

function isLabel({ text }: Line): boolean {
  return beginsWithLabel(text) && valuesIn(text).size === 0
}

function isLevel(one: Line, other: Line): boolean {
  return Math.abs(one.base - other.base) < 0.3 * other.size
}

/** Lines from top to bottom: a value with its label, which is to its left or above it. */
function textsOf(lines: readonly Line[]): Text[] {
  const sorted = lines.toSorted((a, b) => a.base - b.base || a.left - b.left)
  const isBelow = (above: Line, line: Line) =>
    Math.abs(above.left - line.left) < 1 && line.base > above.base && line.base - above.base < 2 * line.size
  const isValue = (label: Line, line: Line | undefined) =>
    line && (across(label, line) < 3 * line.size || valuesIn(`${label.text} ${line.text}`).size > 0)
  const groups = new Map(sorted.map(line => [line, [line]]))
  for (const label of sorted.filter(isLabel)) {
    const level = sorted.filter(line => isLevel(label, line) && line.left > label.right)
    const [beside] = level.sort((a, b) => a.left - b.left)
    const value = isValue(label, beside) ? beside : sorted.find(line => isBelow(label, line))
    if (value && !isLabel(value) && groups.delete(label)) groups.get(value)?.unshift(label)
  }
  return [...groups].map(([line, parts]) => {
    const text = parts.map(part => part.text).join(' ')
    return { ...line, ...boxAround(parts), text, values: inksIn(text), lines: parts }
  })
}

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

/** Whether a text that is no row with a name is below a column: at its left or its middle. */
function continues(column: readonly Text[], text: Text): boolean {
  const last = column.at(-1)
  if (!last || [last, text].some(each => each.cells && textsBetween(each.text).length > 0)) return false
  const isCentred = Math.abs(last.left + last.right - text.left - text.right) < 0.6 * text.size
  const isLeft = column.some(({ left }) => Math.abs(left - text.left) < 0.6 * text.size)
  const step = text.base - last.base
  const isOther = text.values.size > 0 && !sharesKind(column, text)
  return step > 0 && step < (isOther ? 4 : 3) * Math.max(text.size, last.size) && (isLeft || isCentred)
}

function sharesKind(texts: readonly Text[], { values }: Text): boolean {
  return texts.some(text => text.values.keys().some(kind => values.has(kind)))
}

/** Divides a column where other texts or the same value follow: in between, the widest gap divides two colours. */
function groupsIn(column: readonly Text[]): Text[][] {
  const groups: Text[][] = []
  let pending: Text[] = []
  for (const text of column) {
    const group = groups.at(-1)
    if (text.values.size === 0) pending.push(text)
    else if (group && pending.length === 0 && !sharesKind(group, text)) group.push(text)
    else {
      const gaps = [...pending, text].map((each, at) => each.base - (pending[at - 1] ?? group?.at(-1) ?? each).base)
      const cut = group ? gaps.indexOf(Math.max(...gaps)) : 0
      group?.push(...namesAt(pending.slice(0, cut), group.at(-1)))
      groups.push([...namesAt(pending.slice(cut).toReversed(), text).toReversed(), text])
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
    const isAbove = at === 0 && text.base < before.base && textsBetween(before.text).length === 0
    const size = Math.max(before.size, isAbove ? text.size : 0)
    return at < 2 && text.text.length <= MAX_NAME && Math.abs(before.base - text.base) < 2.2 * size
  }
  const end = texts.findIndex((text, at) => !isNear(text, at))
  return texts.slice(0, end === -1 ? undefined : end)
}

/** The values of a colour, and its name if it has one; undefined for a sentence with a value. */
function valuesOf(group: readonly Text[], fill: string | undefined): Map<string, string> | undefined {
  const values = new Map<string, string>()
  for (const text of group) for (const [kind, value] of text.values) if (!values.has(kind)) values.set(kind, value)
  const ink = values.get('Pantone uncoated') ?? ''
  if (UNCOATED.test(ink) && !values.has('Pantone')) values.set('Pantone', ink).delete('Pantone uncoated')
  const names: { text: string; size: number }[] = []
  for (const { text, size, cells: own } of group.filter(({ text }) => !beginsWithLabel(text))) {
    const cells = own?.map(cell => (inksIn(cell).size > 0 || NO_NUMBER.test(cell) ? textsBetween(cell) : [cell])) ?? [
      textsBetween(text),
    ]
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

/** Lines with words or numbers that are in no column of their colour. */
function othersIn(group: readonly Text[], values: ReadonlyMap<string, string>): string[] {
  const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []
  const said = new Set(wordsIn([...values.values()].join(' ')))
  const isLabel = (word: string) => /^\p{L}/u.test(word) && (word.length === 1 || isOnlyLabels(word))
  const isSaid = (word: string) => said.has(word) || isLabel(word)
  return group.map(({ text }) => text).filter(text => !wordsIn(text).every(isSaid))
}

/** A text that is more, or less, than a number that has no kind. */
const NO_NUMBER = /\p{L}{2}|^\D*$/u

/** Whether words may be a name: few of them, and not a measure such as `270deg`. */
function isName(text: string): boolean {
  return /\p{L}{2}/u.test(text) && text.split(' ').length <= MAX_WORDS && !/^\d[\d.]*(?:deg|px|pt|%)/.test(text)
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
    .map(({ fill, ...box }) => ({ ...boxAround([box]), fill, values: new Map(), others: [] }))
}

/** Names colours without a name: by the nearest label to their left, above or close to them and a number, else by a value. */
function nameOthers(swatches: readonly Swatch[], lines: readonly Line[]): void {
  const isLabel = ({ text }: Line) =>
    /^.{0,29}[^.,;:]$/.test(text) && textsBetween(text).length > 0 && !beginsWithLabel(text)
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
