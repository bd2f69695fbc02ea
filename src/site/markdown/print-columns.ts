import type { Element } from 'hast'
import { element } from '../cards/element.ts'
import { lettersOf, longestWord } from '../cards/long-words.ts'
import { attribute, classesOf, elementsOf, rowsOf, textOf } from './hast.ts'

/**
 * Makes a wide table fit on paper: adds a column group with the widths that its words need, which screens ignore.
 * `share` is the part of a sheet's width that its place has. Returns the class for the size of its letters; undefined
 * if it fits in the usual size.
 */
export function fitOnPaper(table: Element, share = 1): string | undefined {
  const capacity = (size: number) => share * lettersOnPaper(size)
  const columns = columnsOf(table)
  const sum = (of: (column: Column) => number) => columns.reduce((total, column) => total + of(column), 0)
  const needed = sum(({ word }) => word + GAP)
  const more = sum(({ word, text }) => text - word)
  const fits = (size: number) => needed + Math.min(more, 0.2 * capacity(size)) <= capacity(size)
  const isLong = columns.some(({ word }) => word === MAX_WORD)
  if (!isLong && needed <= 0.7 * capacity(PRINT_SIZES[0])) return undefined
  const size = PRINT_SIZES.find(fits)
  const room = Math.max(0, capacity(size ?? SMALLEST) - needed)
  const total = needed + room
  const cols = columns.map(({ word, text }) => {
    const letters = word + GAP + (more === 0 ? room / columns.length : (room * (text - word)) / more)
    return element('col', { width: `${((100 * letters) / total).toFixed(1)}%` })
  })
  const others = table.children.filter(child => child.type !== 'element' || child.tagName !== 'colgroup')
  const isCaption = others[0]?.type === 'element' && others[0].tagName === 'caption'
  table.children = others.toSpliced(isCaption ? 1 : 0, 0, element('colgroup', {}, cols))
  if (size === undefined && needed > capacity(SMALLEST)) return 'print-over'
  return `print-${size ?? 5}`
}

/** The part of the width of an element that its content has on paper. */
export function shareOnPaper(element: Element): number {
  return Math.min(...[element.tagName, ...classesOf(element)].map(name => SHARES.get(name) ?? 1))
}

const SHARES: ReadonlyMap<string, number> = new Map([
  ['li', 0.96],
  ['blockquote', 0.93],
  ['split', 0.46],
  ['columns-2', 0.46],
  ...[3, 4, 5, 6].map((columns): [string, number] => [`columns-${columns}`, 0.3]),
])

/** In points. */
export const PRINT_SIZES = [9, 8, 7, 6] as const
const SMALLEST = 5.5
/** The space between columns, in letters. */
const GAP = 1.5

/** The letters of a size that fit next to each other on A4, whose text is 174 mm wide. */
function lettersOnPaper(size: number): number {
  return (174 * 72) / 25.4 / (0.58 * size)
}

/** The longest word and the longest text of a column, in letters. */
type Column = { word: number; text: number }

function columnsOf(table: Element): Column[] {
  const columns: Column[] = []
  for (const cells of rowsOf(table)) {
    let at = 0
    for (const cell of cells) {
      const span = Math.min(Math.max(1, Number(attribute(cell, 'colSpan') ?? 1) || 1), MAX_SPAN)
      const text = textOf(cell, MAX_TEXT)
      const pictures = elementsOf(cell).filter(({ tagName }) => tagName === 'img')
      const widths = pictures.map(picture => Math.min(Number(attribute(picture, 'width') ?? PICTURE), PICTURE) / 8)
      const word = Math.min(MAX_WORD, Math.max(1, longestWord(text), ...widths))
      for (const end = at + span; at < end; at++) {
        const column = columns[at] ?? { word: 1, text: 1 }
        columns[at] = column
        if (span > 1) continue
        column.word = Math.max(column.word, word)
        column.text = Math.max(column.text, column.word, lettersOf(text))
      }
    }
  }
  return columns
}

/** A longer word breaks anywhere. */
const MAX_WORD = 24
const MAX_TEXT = 300
const MAX_SPAN = 100
/** The width of a picture that a cell should show, in pixels. */
const PICTURE = 64
