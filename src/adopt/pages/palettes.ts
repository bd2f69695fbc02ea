import type { Nodes } from 'mdast'
import { COLUMNS, firstValueAt, isOnlyLabels, replaceValues, valuesIn } from '#brand/styles/notation.ts'
import { parseCommonMark } from '#formats/markdown/markdown-tree.ts'
import type { ValueTable } from './page.ts'

/** A text without values, and the marks around them. */
export function withoutValues(text: string): string {
  return withoutMarks(replaceValues(text, ' '))
}

/** The words before, between and after values. */
export function textsBetween(text: string): string[] {
  const texts = replaceValues(text, '\n').split('\n')
  return texts.map(withoutMarks).filter(each => /\p{L}{2}/u.test(each))
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\(\s*\)/g, ' ').replaceAll(/^[\s\p{P}]+|(?:(?!\))[\s\p{P}])+$/gu, '')
}

/** The name of a colour: the first line of words before its values, else the first words after them. */
function nameIn(text: string): string {
  const before = text.slice(0, firstValueAt(text)).split('\n')
  return [...before.map(withoutMarks), ...textsBetween(text)].find(words => !isOnlyLabels(words)) ?? ''
}

/**
 * The table of records such as `Reed #3a7f5c`: each with a name and one colour; undefined for other texts. A single record
 * needs two values, and a separate line for its name.
 */
export function paletteOf(texts: readonly string[], line: number): ValueTable | undefined {
  const rows = texts.flatMap(text => rowOf(text) ?? [])
  const [first] = rows
  const isOne = texts.length === 1 && first && first.size > 2 && texts[0]?.split('\n')[0] === first.get('Name')
  if (!isOne && (rows.length < 2 || rows.length * 3 < texts.length * 2)) return undefined
  const header = ['Name', ...COLUMNS.filter(column => rows.some(row => row.has(column)))]
  return { line, header, rows: rows.map(row => header.map(column => row.get(column) ?? '')) }
}

/** Whether a palette has all words and values of the records that it was made of, apart from the names of values. */
export function saysAll({ header, rows }: ValueTable, texts: readonly string[]): boolean {
  const isSaid = (text: string, at: number) =>
    isOnlyLabels(withoutValues(text.replace(rows[at]?.[0] ?? '', ''))) &&
    valuesIn(text)
      .keys()
      .every(column => header.includes(column))
  return rows.length === texts.length && texts.every(isSaid)
}

function rowOf(text: string): Map<string, string> | undefined {
  if (text.length > MAX_TEXT) return undefined
  const row = valuesIn(text)
  const hexes = new Set(text.toLowerCase().match(/#(?:[\da-f]{6}|[\da-f]{3})\b/g))
  const name = nameIn(text)
  const isColor = hexes.size <= 1 && (row.has('Hex') || row.has('RGB'))
  return isColor && name !== '' && name.length <= MAX_NAME ? row.set('Name', name) : undefined
}

const MAX_TEXT = 300
const MAX_NAME = 60

/** The colours in Markdown: lists of them, and those of `headedColors`; lines are those of the text. */
export function listedPalettes(text: string): ValueTable[] {
  return itemsIn(text).flatMap(({ items, isList, line, heading }) => {
    const palette = isList ? paletteOf(items, line) : undefined
    return palette ?? valuesOf(items, line, heading) ?? []
  })
}

/** The colours in Markdown that a heading names and whose values are below it; lines are those of the text. */
export function headedColors(text: string): ValueTable[] {
  return itemsIn(text).flatMap(({ items, line, heading }) => valuesOf(items, line, heading) ?? [])
}

type Items = { items: string[]; isList: boolean; line: number; heading: string }

/** The items of lists, and the lines of paragraphs and tables, in Markdown that has values, each with the heading above. */
function itemsIn(text: string): Items[] {
  if (text.length > MAX_PARSED || valuesIn(text).size === 0) return []
  const within = (node: Nodes, heading: string): Items[] => {
    if (!('children' in node)) return []
    let above = heading
    const inner = node.children.flatMap(child => {
      if (child.type === 'heading') above = plainOf(child)
      return within(child, above)
    })
    const isList = node.type === 'list'
    const items = isList ? node.children.map(item => plainOf(item)) : linesIn(node)
    return [{ items, isList, line: node.position?.start.line ?? 1, heading }, ...inner]
  }
  return within(parseCommonMark(text), '')
}

/** The lines of a paragraph; a table is one, too, without its extension of Markdown. */
function linesIn(node: Nodes): string[] {
  const lines = node.type === 'paragraph' ? plainOf(node).split('\n') : []
  return lines.filter(line => !line.startsWith('|') || /[^\s|-]/.test(line))
}

/** The table of the colour that a heading names, whose values are items of a list or rows; undefined for other ones. */
function valuesOf(items: readonly string[], line: number, name: string): ValueTable | undefined {
  const found = items.map(item => ({ item, values: valuesIn(item) }))
  const values = new Map(found.flatMap(each => [...each.values]))
  // Each item is labels and values (`CMYK: 5 55 90 24`), or another measure with a number (`LRV 45`).
  const areValues = found.every(each =>
    each.values.size > 0 ? isOnlyLabels(withoutValues(each.item)) : /\d/.test(each.item),
  )
  const isColor = values.size > 1 && areValues && name !== '' && name.length <= MAX_NAME
  const columns = COLUMNS.filter(column => values.has(column))
  if (!isColor || !(values.has('Hex') || values.has('RGB'))) return undefined
  return { line, header: ['Name', ...columns], rows: [[name, ...columns.map(column => values.get(column) ?? '')]] }
}

/** Longer pages take seconds to parse. */
const MAX_PARSED = 100_000

function plainOf(node: Nodes): string {
  if ('value' in node) return node.type === 'html' ? ' ' : node.value
  return 'children' in node ? node.children.map(plainOf).join(node.type === 'listItem' ? ' ' : '') : ''
}
