import type { Nodes as HtmlNodes } from 'hast'
import type { Nodes } from 'mdast'
import {
  COLUMNS,
  colorKeyOf,
  firstValueAt,
  isOnlyLabels,
  MAX_VALUES_LENGTH,
  replaceValues,
  valuesIn,
} from '#brand/styles/notation.ts'
import { parseCommonMark } from '#formats/markdown/markdown-tree.ts'
import { attempt } from '#platform/base/result.ts'
import {
  type Candidate,
  findName,
  SCREEN_KEYS,
  textsBetween,
  withoutMarks,
  withoutValues,
} from '../conversion/palettes/color-name.ts'
import { linesOf, parseHtml } from './html-tree.ts'
import type { ValueTable } from './page.ts'

/**
 * The table of records such as `Reed #3a7f5c`: each with a name and one colour; undefined for other texts. A single record
 * needs two values, and a separate line for its name.
 */
export function paletteOf(texts: readonly string[], line: number): ValueTable | undefined {
  const rows = texts.flatMap(text => rowOf(text) ?? [])
  const [first] = rows
  const isOne = texts.length === 1 && first && first.size > 2 && texts[0]?.split('\n')[0] === first.get('Name')
  if (!isOne && (rows.length < 2 || rows.length * 3 < texts.length * 2)) return undefined
  return tableOf(rows, line)
}

/** A table of rows by column, with the columns that one of them has. */
function tableOf(rows: readonly ReadonlyMap<string, string>[], line: number): ValueTable {
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
  if (text.length > MAX_VALUES_LENGTH) return undefined
  const row = valuesIn(text)
  const hexes = new Set(text.toLowerCase().match(/#(?:[\da-f]{6}|[\da-f]{3})\b/g))
  const [name] = findName(wordsIn(text))?.texts ?? []
  return hexes.size <= 1 && isColor(name, row) ? row.set('Name', name) : undefined
}

/** The words of a text that may name its colour: the lines before its values, then the words between and after them. */
function wordsIn(text: string): Candidate[] {
  const before = text.slice(0, firstValueAt(text)).split('\n')
  return [...before.map(withoutMarks), ...textsBetween(text)].map(words => ({ texts: [words] }))
}

/** Whether the values of a text are those of one colour: with a short name, and a value for screens. */
function isColor(name: string | undefined, row: ReadonlyMap<string, string>): name is string {
  const isShort = name !== undefined && name !== '' && name.length <= MAX_NAME
  return isShort && row.keys().some(column => SCREEN_KEYS.has(colorKeyOf(column)))
}

const MAX_NAME = 60

/**
 * The colours in Markdown: lists and paragraphs of them, and those that a heading names and whose values are below it;
 * lines are those of the text.
 */
export function listedPalettes(text: string): ValueTable[] {
  return text.length > MAX_PARSED || valuesIn(text).size === 0 ? [] : palettesIn(parseCommonMark(text), '')
}

/** A node of Markdown, or of the HTML in it. */
type Node = Nodes | HtmlNodes

function palettesIn(node: Node, heading: string, firstLine = 1): ValueTable[] {
  const line = (node.position?.start.line ?? 1) + firstLine - 1
  const text = textOf(node)
  if (valuesIn(text).size === 0) return []
  if (node.type === 'html') return palettesIn(htmlIn(node.value), heading, line)
  const palette =
    paletteOf(recordsIn(node).map(textOf), line) ?? (hasValues(node) ? colorOf(text, line, heading) : undefined)
  if (palette || !('children' in node)) return palette ? [palette] : []
  let above = heading
  const children: readonly Node[] = node.children
  return children.flatMap(child => {
    if (isHeading(child)) above = textOf(child)
    return palettesIn(child, above, firstLine)
  })
}

/** The children of a node that may each be a colour: items, boxes, and paragraphs that begin with a name in bold. */
function recordsIn(node: Node): Node[] {
  if (!('children' in node) || node.type === 'paragraph') return []
  const children: readonly Node[] = node.children
  return children.filter(
    child =>
      node.type === 'list' ||
      (child.type === 'paragraph' && child.children[0]?.type === 'strong') ||
      (child.type === 'element' && /^(?:div|section|article|li|figure)$/.test(child.tagName)),
  )
}

/** Whether a node may have the values of a colour that a heading names. */
function hasValues(node: Node): boolean {
  return node.type === 'list' || node.type === 'paragraph' || (node.type === 'element' && node.tagName === 'dl')
}

/** A heading, or a paragraph that is only bold. */
function isHeading(node: Node): boolean {
  const isBold = node.type === 'paragraph' && node.children.every(child => child.type === 'strong')
  return node.type === 'heading' || isBold || (node.type === 'element' && /^h[1-6]$/.test(node.tagName))
}

/**
 * The table of the colour whose values are in the lines of a text, with the name among them or in the heading; undefined
 * for other texts.
 */
function colorOf(text: string, line: number, heading: string): ValueTable | undefined {
  // A line is labels and values (`CMYK: 5 55 90 24`), or another measure with a number (`LRV 45`).
  const others = replaceValues(text, ' ')
    .split('\n')
    .map(withoutMarks)
    .filter(each => !isOnlyLabels(each) && !/\d/.test(each))
  const [label = 'name', name = heading, ...more] = others
  const row = valuesIn(text).set('Name', name)
  const isNamed = colorKeyOf(label) === 'name' && more.length === 0
  return isNamed && row.size > 2 && isColor(name, row) ? tableOf([row], line) : undefined
}

/** Longer pages take seconds to parse. */
const MAX_PARSED = 100_000

/** HTML as a tree, which is empty if it is too large for one. */
function htmlIn(html: string): HtmlNodes {
  return attempt(() => parseHtml(html, true)) ?? { type: 'root', children: [] }
}

/** The text of a node, with a line for each block and line break in it. */
function textOf(node: Node): string {
  if (node.type === 'html') return textOf(htmlIn(node.value))
  if (node.type === 'element') return linesOf(node).join('\n')
  if (node.type === 'break') return '\n'
  if (!('children' in node)) return 'value' in node && node.type !== 'comment' ? node.value : ''
  const children: readonly Node[] = node.children
  return children.map(textOf).join(children.some(({ type }) => BLOCKS.has(type)) ? '\n' : '')
}

const BLOCKS: ReadonlySet<string> = new Set([
  'paragraph',
  'list',
  'listItem',
  'heading',
  'blockquote',
  'code',
  'element',
])
