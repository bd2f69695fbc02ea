import { beginsWithLabel, COLUMNS, isOnlyLabels, namesScreenValue, valuesIn } from '#brand/styles/notation.ts'
import type { Box } from '#formats/pdf/document.ts'
import type { PdfPage, Shape } from '#formats/pdf/page.ts'
import { fieldText } from '#platform/base/text.ts'
import { findName, textsBetween } from '../pages/color-name.ts'
import {
  across,
  areaOf,
  boxAround,
  byPlace,
  distance,
  groupsOf,
  isBetween,
  itemsIn,
  lastOf,
  type Run,
  runsOf,
  shortSide,
} from './boxes.ts'
import { fillAt, MAX_DISTANCE } from './fill.ts'
import { beginsSmall } from './layout.ts'
import { byBase, isLevel, type Line, levelsOf } from './lines.ts'
import { isLabel, isLike } from './open-grids.ts'
import { type Table, tablesOf } from './tables.ts'

/**
 * A colour as printed: its name and values by the columns of a table, and its `others`, lines with words that no column
 * has. `fill` is the colour of its swatch if no screen value is printed. A box without values is `isUnnamed` if it has no
 * label of its own.
 */
export type Swatch = Box & {
  values: Map<string, string>
  fill: string | undefined
  others: readonly string[]
  isUnnamed?: boolean
}

/** A line with its values, with its label if that is apart, and with values beside it; `lines` are those of the page. */
type Text = Line & { values: Map<string, string>; lines: readonly Line[] }

export type Colors = { tables: Table[]; swatches: Swatch[]; rest: Line[] }

/**
 * Finds colours on a page: those of tables, values and their names on one card or below each other, and filled boxes
 * without values.
 */
export function swatchesOf(page: PdfPage, allLines: readonly Line[]): Colors {
  if (allLines.length === 0) return { tables: [], swatches: [], rest: [] }
  const { tables, rest: lines } = tablesOf(page, allLines)
  const texts = withRows(textsOf(lines))
  const cards = cardsOf(texts, page)
  const apart = new Set(texts).difference(new Set(cards.flat()))
  const columns = groupsOf([...apart], continues).filter(column => column.some(({ values }) => values.size > 0))
  const named = [...cards, ...columns.flatMap(groupsIn)].flatMap(group => {
    const box = boxAround(group)
    const own = group.filter(({ values }) => values.size > 0)
    const others = texts.filter(text => !group.includes(text))
    const near = fillAt({ box, own, others, shapes: page.shapes })
    const values = valuesOf(group, near)
    if (!values) return []
    const fill = values.keys().some(namesScreenValue) ? undefined : near
    return [{ ...box, values, fill, others: othersIn(group, values), lines: group.flatMap(text => text.lines) }]
  })
  const swatches = [...named, ...boxesWithoutText(page, allLines, [...tables, ...named])]
  const used = new Set(named.flatMap(swatch => swatch.lines))
  const rest = lines.filter(line => !used.has(line))
  nameOthers(swatches, rest)
  return { tables, swatches, rest }
}

/** The pages of a document that states values of colours, without unnamed boxes, which are parts of drawings there. */
export function withoutUnnamed<Page extends Colors>(pages: readonly Page[]): Page[] {
  const stated = pages.flatMap(({ swatches }) => swatches.filter(({ fill }) => fill === undefined))
  const isKept = ({ isUnnamed }: Swatch) => stated.length < MIN_STATED || !isUnnamed
  return pages.map(page => ({ ...page, swatches: page.swatches.filter(isKept) }))
}

const MIN_STATED = 2

/** Swatches side by side, from left to right. */
export type Palette = Box & { swatches: Swatch[] }

export function palettesOf(swatches: readonly Swatch[]): Palette[] {
  const sorted = swatches.toSorted(byPlace)
  const isBeside = (row: readonly Swatch[], { top, bottom }: Swatch) =>
    row.some(other => top < other.bottom && bottom > other.top)
  const rows = groupsOf(sorted, isBeside).map(row => row.toSorted((a, b) => a.left - b.left))
  return rows.map(row => ({ ...boxAround(row), swatches: row }))
}

/** The values in a text; a colour may have two inks of Pantone, of which that for uncoated paper has its own column. */
function inksIn(text: string): Map<string, string> {
  const values = valuesIn(text)
  const ink = fieldText(values, 'Pantone')
  return UNCOATED.test(ink) && values.delete('Pantone') ? values.set('Pantone uncoated', ink) : values
}

const UNCOATED = /[\d\s]u$/i

/** Lines from top to bottom: a value with its label, which is to its left or above it. */
function textsOf(lines: readonly Line[]): Text[] {
  const sorted = lines.toSorted(byBase)
  const isBelow = (above: Line, line: Line) =>
    Math.abs(above.left - line.left) < 1 && isBetween(line.base - above.base, 0, 2 * line.size)
  const isValue = (label: Line, line: Line) =>
    across(label, line) < 3 * line.size || valuesIn(`${label.text} ${line.text}`).size > 0
  const groups = new Map(sorted.map(line => [line, [line]]))
  for (const label of sorted.filter(isLabel)) {
    const level = sorted.filter(line => isLevel(label, line) && line.left > label.right)
    const beside = level.sort((a, b) => a.left - b.left).slice(0, 1)
    const below = sorted.filter(line => isBelow(label, line))
    const [value] = [...beside.filter(line => isValue(label, line)), ...below]
    if (value && !isLabel(value) && groups.delete(label)) groups.get(value)?.unshift(label)
  }
  return [...groups].map(([line, parts]) => {
    const text = parts.map(part => part.text).join(' ')
    return { ...line, ...boxAround(parts), text, values: inksIn(text), lines: parts }
  })
}

/** Joins values beside each other, if another level has values of one of their kinds in the same place. */
function withRows(texts: readonly Text[]): Text[] {
  const bare = texts.filter(({ text, values }) => values.size > 0 && textsBetween(text).length === 0)
  const isNext = (run: readonly Text[], text: Text) =>
    run.some(each => across(each, text) < MAX_GAP) && !sharesKind(run, text)
  const runs = levelsOf(bare).flatMap(level => runsOf(level, isNext))
  const rows = runs.filter(run => run.length > 1)
  const like = rows.filter(row => rows.some(other => other !== row && isLike(other, row)))
  const inRows = new Set(like.flat())
  return [...like.map(joinTexts), ...texts.filter(text => !inRows.has(text))]
}

/** Between values of a row, in points. */
const MAX_GAP = 150

/** The text that others are together. */
function joinTexts(texts: Run<Text>): Text {
  const text = texts.map(each => each.text).join(' ')
  const values = new Map(texts.flatMap(each => [...each.values]))
  const lines = texts.flatMap(each => each.lines)
  return { ...texts[0], ...boxAround(texts), text, values, lines }
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

/** Whether a text is below a column: at its left or its middle. */
function continues(column: Readonly<Run<Text>>, text: Text): boolean {
  const last = lastOf(column)
  const toMiddle = Math.abs(last.left + last.right - text.left - text.right)
  const toLeft = column.map(({ left }) => Math.abs(left - text.left))
  const isOther = text.values.size > 0 && !sharesKind(column, text)
  const maxStep = (isOther ? 4 : 3) * Math.max(text.size, last.size)
  return isBetween(text.base - last.base, 0, maxStep) && Math.min(toMiddle, ...toLeft) < 0.6 * text.size
}

function sharesKind(texts: readonly Text[], { values }: Text): boolean {
  return texts.some(text => text.values.keys().some(kind => values.has(kind)))
}

/**
 * Divides a column where the same kind of value follows, or another one after texts that are not close: in between, the
 * widest gap divides two colours.
 */
function groupsIn(column: readonly Text[]): Text[][] {
  const between = (from: Text, to: Text) => column.slice(column.indexOf(from), column.indexOf(to) + 1)
  const isValued = ({ values }: Text) => values.size > 0
  const groups = runsOf(
    column.filter(isValued),
    (run, text) => !sharesKind(run, text) && areClose(between(lastOf(run), text)),
  )
  /** The texts of a group begin behind the widest gap above its first value. */
  const starts = groups.map(([first]) => {
    const above = column.slice(0, column.indexOf(first)).findLastIndex(isValued)
    const texts = column.slice(Math.max(0, above), column.indexOf(first) + 1)
    const gaps = texts.map((text, at) => text.base - (texts[at - 1] ?? text).base)
    return above === -1 ? 0 : above + gaps.indexOf(Math.max(...gaps))
  })
  return groups.map((group, at) => {
    const [first, last] = [group[0], lastOf(group)]
    const above = column.slice(starts[at], column.indexOf(first)).toReversed()
    const below = column.slice(column.indexOf(last) + 1, starts[at + 1])
    return [...namesAt(above, first).toReversed(), ...between(first, last), ...namesAt(below, last)]
  })
}

/** Whether texts between values are short, and as close to them as lines of a paragraph. */
function areClose(texts: readonly Text[]): boolean {
  const isNext = (text: Text, at: number) =>
    text.base - (texts[at - 1] ?? text).base < 1.8 * text.size && text.text.length <= MAX_NAME
  return texts.length === 2 || texts.every(isNext)
}

/** The first short texts, at most two, that follow closely on one. */
function namesAt(texts: readonly Text[], value: Text): Text[] {
  const [[, ...names] = [value]] = runsOf([value, ...texts], (run, text) => {
    const before = lastOf(run)
    const isAbove = before === value && text.base < value.base && textsBetween(value.text).length === 0
    const size = Math.max(before.size, isAbove ? text.size : 0)
    return run.length < 3 && text.text.length <= MAX_NAME && Math.abs(before.base - text.base) < 2.2 * size
  })
  return names
}

/** The values of a colour, and its name if it has one; undefined for a sentence with a value. */
function valuesOf(group: readonly Text[], fill: string | undefined): Map<string, string> | undefined {
  const rgb = group.filter(({ text }) => BARE_RGB.test(text)).map(({ text }): [string, string] => ['RGB', text])
  const values = new Map<string, string>()
  for (const [kind, value] of [...group.flatMap(text => [...text.values]), ...rgb])
    if (!values.has(kind)) values.set(kind, value)
  const ink = fieldText(values, 'Pantone uncoated')
  if (UNCOATED.test(ink) && !values.has('Pantone')) values.set('Pantone', ink).delete('Pantone uncoated')
  const texts = group.filter(({ text }) => !beginsWithLabel(text)).map(text => ({ ...text, parts: partsOf(text) }))
  if (texts.some(({ parts }) => parts.join(' ').length > MAX_NAME)) return undefined
  const runs = runsOf(
    texts.filter(({ parts }) => parts.length > 0),
    continuesWords,
  )
  const words = runs.flatMap(run => wordsOf(run).map(part => ({ texts: [part], size: run[0].size })))
  const name = findName(words.filter(({ texts }) => texts.join().split(' ').length <= MAX_WORDS))
  if (!name && values.size === 1 && values.get('Hex')?.toLowerCase() !== fill) return undefined
  const usage = words.filter(each => each !== name).flatMap(({ texts }) => texts)
  // A value that tables of colours have no column for.
  for (const [kind, value] of values) if (!COLUMNS.includes(kind)) usage.push(`${kind} ${value}`)
  if (usage.length > 0) values.set('Usage', usage.join(', '))
  return name ? values.set('Name', name.texts.join()) : values
}

/** The words of a text around its values. */
function partsOf({ text }: Text): string[] {
  return textsBetween(text).filter(each => !isOnlyLabels(each))
}

type Words = Text & { parts: readonly string[] }

/** The words of lines, of which the last ones of the first line continue below. */
function wordsOf([first, ...others]: Readonly<Run<Words>>): string[] {
  const last = [...first.parts.slice(-1), ...others.flatMap(({ parts }) => parts)]
  return [...first.parts.slice(0, -1), last.join(' ')]
}

/** Whether a line continues words above that are longer. */
function continuesWords(run: Readonly<Run<Words>>, { text, size }: Words): boolean {
  const isShorter = wordsOf(run).slice(-1).join('').length > text.length
  return isShorter && run[0].size === size && beginsSmall(text)
}

/** Three numbers that are the whole line of a colour with other values. */
const BARE_RGB = /^(?:\d{1,3}[\s,/·|-]{1,3}){2}\d{1,3}$/
/** In letters, and in words. */
const [MAX_NAME, MAX_WORDS] = [60, 6]

/** Lines with words or numbers that are in no column of their colour. */
function othersIn(group: readonly Text[], values: ReadonlyMap<string, string>): string[] {
  const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []
  const said = new Set(wordsIn([...values.values()].join(' ')))
  const isLabel = (word: string) => Number.isNaN(Number(word)) && (word.length === 1 || isOnlyLabels(word))
  const isSaid = (word: string) => said.has(word) || isLabel(word)
  return group.map(({ text }) => text).filter(text => !wordsIn(text).every(isSaid))
}

/** Boxes of one size in a row or column, with different fills, that hold nothing and are away from other swatches. */
function boxesWithoutText(page: PdfPage, lines: readonly Line[], swatches: readonly Box[]): Swatch[] {
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
    const shiftAcross = Math.abs(one.left - other.left) + Math.abs(one.right - other.right)
    const shiftDown = Math.abs(one.top - other.top) + Math.abs(one.bottom - other.bottom)
    const isAsLarge = Math.abs(areaOf(one) ** 0.5 - areaOf(other) ** 0.5) < 2
    return one.fill !== other.fill && isAsLarge && Math.min(shiftAcross, shiftDown) < 4
  }
  return boxes
    .filter(box => boxes.some(other => isLike(box, other)))
    .map(({ fill, ...box }) => ({ ...boxAround([box]), fill, values: new Map(), others: [] }))
}

/** Names colours without a name: by the nearest label close to them, or before them, and a number, else by a value. */
function nameOthers(swatches: readonly Swatch[], lines: readonly Line[]): void {
  const isLabel = ({ text }: Line) =>
    /^.{0,29}[^.,;:]$/.test(text) && textsBetween(text).length > 0 && !beginsWithLabel(text)
  const once = Map.groupBy(lines.filter(isLabel), ({ text }) => text)
    .values()
    .filter(same => same.length === 1)
  const labels = [...once].flat()
  const nameless = palettesOf(swatches.filter(({ values }) => !values.has('Name'))).flatMap(row => row.swatches)
  const labelOf = (swatch: Swatch) => {
    // Text to the left of values may be another column.
    const end = swatch.values.size === 0 ? swatch.bottom : swatch.top
    const isClose = (line: Line) => distance(line, swatch) < MAX_DISTANCE / 2
    const isNear = (line: Line) => isClose(line) || (line.left <= swatch.right && line.bottom <= end)
    // A label to the left of a colour is nearer than one above it.
    const farness = (line: Line) => 2 * distance(line, swatch) - across(line, swatch)
    const [nearest] = labels.filter(isNear).sort((a, b) => farness(a) - farness(b))
    return nearest?.text
  }
  for (const [label, others] of Map.groupBy(nameless, labelOf))
    for (const [at, swatch] of others.entries()) {
      const { values, fill = values.get('Hex') } = swatch
      swatch.isUnnamed = values.size === 0 && (label === undefined || others.length > 1)
      const [value = ''] = [fill, ...values.values()].filter(each => each !== undefined)
      const number = others.length > 1 ? ` ${at + 1}` : ''
      values.set('Name', label === undefined ? `Color ${value.replace('#', '')}` : label + number)
    }
}
