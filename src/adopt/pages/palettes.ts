import type { Nodes as HtmlNodes } from 'hast'
import type { Nodes } from 'mdast'
import {
  COLUMNS,
  colorKeyOf,
  firstValueAt,
  isOnlyLabels,
  MAX_VALUES_LENGTH,
  namesScreenValue,
  replaceValues,
  valuesIn,
} from '#brand/styles/notation.ts'
import { splitHeading } from '#formats/markdown/heading-ids.ts'
import { parseCommonMark } from '#formats/markdown/markdown-tree.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { type Candidate, findName, textsBetween, withoutMarks, withoutValues } from './color-name.ts'
import { isInline, lineOf, linesIn, parseHtml } from './html-tree.ts'
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
  const header = ['Name', ...[...COLUMNS, 'Use', 'Group'].filter(column => rows.some(row => row.get(column)))]
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
  const row = text.length > MAX_VALUES_LENGTH ? new Map<string, string>() : valuesIn(text)
  const hexes = new Set(text.toLowerCase().match(/#(?:[\da-f]{6}|[\da-f]{3})\b/g))
  if (!hasScreenValue(row) || hexes.size > 1) return undefined
  const [name] = findName(wordsIn(text))?.texts ?? []
  return isShort(name) && !PART_OF_SENTENCE.test(name) ? row.set('Name', name) : undefined
}

/** Words that begin or end with a small one, such as *White on*, or with only the end of a quotation. */
const PART_OF_SENTENCE = /^\p{Ll}{1,2}\s|\s\p{Ll}{1,2}$|["“”«»]/u

/** The words that may name the colour of a record: the lines before its values, then the words between and after them. */
function wordsIn(text: string): Candidate[] {
  const before = text.slice(0, firstValueAt(text)).split('\n')
  return [...before.map(withoutMarks), ...textsBetween(text)].map(words => ({ texts: [words] }))
}

function hasScreenValue(row: ReadonlyMap<string, string>): boolean {
  return row.keys().some(namesScreenValue)
}

function isShort(name: string | undefined): name is string {
  return name !== undefined && name !== '' && name.length <= MAX_NAME
}

const MAX_NAME = 60

/**
 * The colours in Markdown: lists and paragraphs of them, and those that a heading names and whose values are below it;
 * lines are those of the text.
 */
export function listedPalettes(text: string): ValueTable[] {
  return text.length > MAX_PARSED || valuesIn(text).size === 0 ? [] : palettesIn(partOf(parseCommonMark(text)), [])
}

/** A node of Markdown, or of the HTML in it. */
type Node = Nodes | HtmlNodes

/** A node with its text, which has a line for each block and line break in it; a long text is cut. */
type Part = { node: Node; line: number; text: string; parts: readonly Part[] }

/** A heading above a part: of a section of the page, of one in it, and so on. */
type Heading = { text: string; depth: number }

function palettesIn(part: Part, headings: readonly Heading[]): ValueTable[] {
  const records = recordsIn(part).map(({ text }) => text)
  const palette = paletteOf(records, part.line) ?? linesOf(part) ?? colorOf(part, headings)
  if (palette) return [palette]
  let above = headings
  return part.parts.flatMap(child => {
    const depth = headingDepth(child.node)
    if (depth > 0)
      above = [...above.filter(heading => heading.depth < depth), { text: splitHeading(child.text).text, depth }]
    return palettesIn(child, above)
  })
}

/** The parts of a part that may each be a colour: items, boxes, and paragraphs that begin with a name in bold. */
function recordsIn({ node, parts }: Part): readonly Part[] {
  if (PARTED.has(kindOf(node))) return node.type === 'list' ? parts : []
  return parts.filter(({ node: child }) => BOXES.has(kindOf(child)) || beginsBold(child))
}

/** The type of a node of Markdown, or the name of an element. */
function kindOf(node: Node): string {
  return node.type === 'element' ? node.tagName : node.type
}

function beginsBold(node: Node): boolean {
  return node.type === 'paragraph' && node.children[0]?.type === 'strong'
}

const PARTED = wordSet('list paragraph')
const BOXES = wordSet('div section article li figure')

/** The palette of a paragraph with a colour on each line, and no other words. */
function linesOf({ node, line, text }: Part): ValueTable | undefined {
  const lines = node.type === 'paragraph' ? text.split('\n') : []
  const palette = paletteOf(lines, line)
  return palette && saysAll(palette, lines) ? palette : undefined
}

/** Nodes that may have the values of a colour that a heading names. */
const WITH_VALUES = wordSet('list paragraph dl code')

/** The depth of a heading from 1, and a greater one of a paragraph that is only bold; 0 for other nodes. */
function headingDepth(node: Node): number {
  if (node.type === 'heading') return node.depth
  const isBold = node.type === 'paragraph' && node.children.every(child => child.type === 'strong')
  return isBold ? HEADINGS.length + 1 : HEADINGS.indexOf(kindOf(node)) + 1
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

/**
 * The table of the colour whose values are in the lines of a part, with the name among them or in the heading, and its
 * group in the heading above that one, unless that is the title; undefined for other parts.
 */
function colorOf({ node, line, text }: Part, headings: readonly Heading[]): ValueTable | undefined {
  if (!WITH_VALUES.has(kindOf(node)) || text.length > MAX_VALUES_LENGTH) return undefined
  // A line is labels and values (`CMYK: 5 55 90 24`), another measure with a number (`LRV 45`), or a fact (`Usage: text`).
  const others = replaceValues(text, ' ')
    .split('\n')
    .map(withoutMarks)
    .filter(each => !isOnlyLabels(each) && !/\d/.test(each))
  const facts = new Map(others.flatMap(each => factIn(each)))
  const [heading = '', group = ''] = headings.map(({ text }) => text).reverse()
  const [label = 'name', name = facts.get('name') ?? heading, ...more] = others.filter(each => !FACT.test(each))
  const row = valuesIn(text).set('Name', name)
  const isNamed = colorKeyOf(label) === 'name' && more.length === 0
  if (!isNamed || row.size < 3 || !isShort(name) || !hasScreenValue(row)) return undefined
  return tableOf(
    [row.set('Use', facts.get('use') ?? '').set('Group', facts.get('group') ?? (headings.length > 2 ? group : ''))],
    line,
  )
}

/** A short label and words about it. */
const FACT = /^([^:]{1,30}):\s{1,3}(?=\S)/

/** The field that a line has a label for, with its words. */
function factIn(line: string): [string | undefined, string][] {
  const [all = '', label] = groupsOf(FACT, line)
  return label === undefined ? [] : [[colorKeyOf(label), line.slice(all.length)]]
}

/** Longer pages take seconds to parse. */
const MAX_PARSED = 100_000

/** A node as a part; its HTML becomes a tree, which is empty if it is too large. */
function partOf(node: Node, firstLine = 1): Part {
  const line = lineOf(node) + firstLine - 1
  if (node.type === 'html') return partOf(attempt(() => parseHtml(node.value, true)) ?? NOTHING, line)
  const children: readonly Node[] = 'children' in node ? node.children : []
  const parts = children.map(child => partOf(child, firstLine))
  return { node, line, parts, text: textOf(node, parts).slice(0, MAX_TEXT) }
}

/** The text of each part is copied into those around it. */
const MAX_TEXT = 5000

const NOTHING: HtmlNodes = { type: 'root', children: [] }

/** The text of a node; a line break in the source is one in Markdown, and a space in an element. */
function textOf(node: Node, parts: readonly Part[]): string {
  const own = 'value' in node && node.type !== 'comment' ? node.value : ''
  const words = (text: string) => (node.type === 'element' ? text.replace(/\s/g, ' ') : text)
  const inside = parts.map(part => (isBlock(part.node) ? `\n${part.text}\n` : words(part.text))).join('')
  return isBlock(node) ? linesIn(own + inside).join('\n') : own + inside
}

function isBlock(node: Node): boolean {
  return node.type === 'element' ? !isInline(node) : BLOCKS.has(node.type)
}

const BLOCKS = wordSet('paragraph list listItem heading blockquote code break')
