import type { Element, Nodes } from 'hast'
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
import { parseLines } from '#formats/markdown/markdown-tree.ts'
import { readBlocks, shownText } from '#formats/markdown/page-blocks.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf, lineCounter, wordSet } from '#platform/base/text.ts'
import type { ValueTable } from '../document.ts'
import { type Candidate, findName, textsBetween, withoutMarks, withoutValues } from './color-name.ts'
import { childElements, childrenOf, lineOf, linesOf, sourceLine, tagOf } from './html-tree.ts'

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
    isOnlyLabels(withoutValues(text.replaceAll(rows[at]?.[0] ?? '', ''))) &&
    valuesIn(text)
      .keys()
      .every(column => header.includes(column))
  return rows.length === texts.length && texts.every(isSaid)
}

function rowOf(text: string): Map<string, string> | undefined {
  const row = text.length > MAX_VALUES_LENGTH ? new Map<string, string>() : valuesIn(text)
  if (!hasScreenValue(row) || hexesIn(text).length > 1) return undefined
  const [name] = findName(wordsIn(text))?.texts ?? []
  return isShort(name) && !PART_OF_SENTENCE.test(name) ? row.set('Name', name) : undefined
}

function hexesIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/#(?:[\da-f]{6}|[\da-f]{3})\b/g))]
}

/** Words that begin or end with a small one, such as *White on*, or with only the end of a quotation. */
const PART_OF_SENTENCE = /^\p{Ll}{1,2}\s|\s\p{Ll}{1,2}$|["“”«»]/u

/** The words that may name the colour of a record: the lines before its values, then the words between and after them. */
function wordsIn(text: string): Candidate[] {
  const before = text.slice(0, firstValueAt(text)).split('\n')
  return [...before.map(withoutMarks), ...textsBetween(text)].map(words => ({ texts: [words.replace(TWICE, '$1')] }))
}

/** The name on a swatch and again below it. */
const TWICE = /^(.{2,60}) \1$/u

function hasScreenValue(row: ReadonlyMap<string, string>): boolean {
  return row.keys().some(namesScreenValue)
}

function isShort(name: string | undefined): name is string {
  return name !== undefined && name !== '' && name.length <= MAX_NAME
}

const MAX_NAME = 60

/**
 * The colours in Markdown: lists and paragraphs of them, and those that a heading names and whose values are below it;
 * lines are those of the text. Different colours below one heading have no names, and it is their group.
 */
export function listedPalettes(text: string): ValueTable[] {
  if (text.length > MAX_PARSED || valuesIn(text).size === 0) return []
  // Elements that are too deep in each other stay on their page.
  const palettes = attempt(() => palettesIn(parseLines(text), { headings: [] })) ?? []
  const groups = Map.groupBy(palettes, ({ heading }) => heading)
  groups.delete(undefined)
  const shared = new Set([...groups.values()].filter(group => new Set(group.map(valueIn)).size > 1).flat())
  return palettes.map(each => (shared.has(each) ? withoutNames(each.table) : each.table))
}

/**
 * Tables with the heading above each of them, unless headings are on the same line of the source, as in HTML on one line;
 * `lines` has the line in the source of each line of the text.
 */
export function withHeadings(tables: readonly ValueTable[], text: string, lines: readonly number[]): ValueTable[] {
  const lineAt = lineCounter(text)
  const headings = readBlocks(tables.length > 0 ? text : '')
    .filter(({ level }) => level > 0)
    .map(block => ({ line: sourceLine(lines, lineAt(block.start)), text: splitHeading(shownText(block)).text }))
  return tables.map(table => {
    const [last] = headings.filter(({ line }) => line <= table.line).slice(-1)
    return last && last.line < table.line ? { ...table, heading: last.text } : table
  })
}

/** A palette, and the heading that names its only colour. */
type Palette = { table: ValueTable; heading?: Heading | undefined }

function valueIn({ table }: Palette): string | undefined {
  const [[, value] = []] = table.rows
  return value
}

/** A table of colours whose names are their values, in groups with these names. */
function withoutNames({ line, header, rows }: ValueTable): ValueTable {
  const records = rows.map(cells => {
    const [name = '', value = name] = cells
    const row = new Map(header.map((column, at) => [column, cells[at] ?? '']))
    return row.set('Name', value).set('Group', name)
  })
  return tableOf(records, line)
}

/** Longer pages take seconds to parse. */
const MAX_PARSED = 100_000

/** A heading above a part: of a section of the page, of one in it, and so on. */
type Heading = { text: string; depth: number }

const NO_HEADING: Heading = { text: '', depth: 0 }

/** The headings above a place, also those that are inside other elements, as readers see them. */
type Outline = { headings: readonly Heading[] }

function palettesIn(node: Nodes, outline: Outline): Palette[] {
  const parts = childElements(node)
  const records = parts.filter(part => BOXES.has(part.tagName) || beginsBold(part))
  const { headings } = outline
  const table = paletteOf(records.map(textOf), lineOf(node)) ?? paletteOfLines(node) ?? valuesOf(node, headings)
  const palette = table ? { table } : colorOf(node, headings)
  if (palette) return [palette]
  return parts.flatMap(part => {
    const depth = headingDepth(part)
    const above = outline.headings.filter(each => each.depth < depth)
    if (depth > 0) outline.headings = [...above, { text: splitHeading(textOf(part)).text, depth }]
    return palettesIn(part, outline)
  })
}

/** Elements that may each be a colour, as a paragraph may that begins with a name in bold. */
const BOXES = wordSet('div section article li figure')

function beginsBold(node: Nodes): boolean {
  return tagOf(node) === 'p' && tagOf(childrenOf(node)[0]) === 'strong'
}

/** The palette of a paragraph with a colour on each line, and no other words. */
function paletteOfLines(node: Nodes): ValueTable | undefined {
  const lines = tagOf(node) === 'p' ? linesOf(node) : []
  const palette = paletteOf(lines, lineOf(node))
  return palette && saysAll(palette, lines) ? palette : undefined
}

/** Elements that may have the values of a colour that a heading names. */
const WITH_VALUES = wordSet('ul ol p dl pre tbody')

/** Elements that pair colours if they have several, such as a ground and its text. */
const ONE_COLOR = wordSet('tbody p')

/** The depth of a heading from 1, and a greater one of a paragraph that is only bold; 0 for other elements. */
function headingDepth(element: Element): number {
  const isBold = beginsBold(element) && element.children.length === 1
  return isBold ? HEADINGS.length + 1 : HEADINGS.indexOf(element.tagName) + 1
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

/** The text of a node, with a line for each block and line break in it. */
function textOf(node: Nodes): string {
  return linesOf(node).join('\n')
}

/** The table of colours without names of which an element has only the hex values; undefined for other elements. */
function valuesOf(node: Nodes, headings: readonly Heading[]): ValueTable | undefined {
  const text = shortText(node)
  const hexes = hexesIn(text)
  if (hexes.length < 2 || valuesIn(text).size > 1 || !isOnlyLabels(replaceValues(text, ' '))) return undefined
  const [{ text: group } = NO_HEADING] = headings.slice(-1)
  return tableOf(
    hexes.map(hex => new Map(Object.entries({ Name: hex, Hex: hex, Group: group }))),
    firstLine(node),
  )
}

/** The line of the content of an element, which may be one that HTML leaves out. */
function firstLine(node: Nodes): number {
  return lineOf(node.position ? node : childElements(node)[0])
}

/** The text of an element that may have the values of one colour; empty for others. */
function shortText(node: Nodes): string {
  const text = WITH_VALUES.has(tagOf(node)) ? textOf(node) : ''
  return text.length > MAX_VALUES_LENGTH ? '' : text
}

/**
 * The table of the colour whose values are in the lines of an element, with the name among them or in the heading, and its
 * group in the heading above that one, unless that is the title; undefined for other elements.
 */
function colorOf(node: Nodes, headings: readonly Heading[]): Palette | undefined {
  const text = shortText(node)
  if (ONE_COLOR.has(tagOf(node)) && hexesIn(text).length > 1) return undefined
  // A line is labels and values (`CMYK: 5 55 90 24`), another measure with a number (`LRV 45`), or a fact (`Usage: text`).
  const others = replaceValues(text, ' ')
    .split('\n')
    .map(withoutMarks)
    .filter(each => !isOnlyLabels(each) && !/\d/.test(each))
  const facts = new Map(others.flatMap(each => factIn(each)))
  const [heading = '', group = ''] = headings.map(({ text }) => text).reverse()
  const [title = '', role = ''] = heading.split(ROLE_AFTER)
  const [label = 'name', name = facts.get('name') ?? title, ...more] = others.filter(each => !FACT.test(each))
  const row = valuesIn(text).set('Name', name)
  const isNamed = colorKeyOf(label) === 'name' && more.length === 0
  const [{ depth } = NO_HEADING] = headings.slice(-1)
  const isBelowBold = depth > HEADINGS.length && others.length === 0
  const isSure = row.size > 2 || isBelowBold || text.split('\n').some(hasLabelledValue)
  if (!isNamed || !isSure || !isShort(name) || !hasScreenValue(row)) return undefined
  row.set('Use', facts.get('use') ?? role).set('Group', facts.get('group') ?? (headings.length > 2 ? group : ''))
  return { table: tableOf([row], firstLine(node)), heading: name === title ? headings.at(-1) : undefined }
}

/** Between a name and a role in a heading: `Off-White — Background`. */
const ROLE_AFTER = /\s[—–|]\s/

/** Whether a line is a value on a screen with its label: `Hex: #f8f6f2`. */
function hasLabelledValue(line: string): boolean {
  const label = withoutValues(line)
  return label !== '' && isOnlyLabels(label) && hasScreenValue(valuesIn(line))
}

/** A short label and words about it. */
const FACT = /^([^:]{1,30}):\s{1,3}(?=\S)/

/** The field that a line has a label for, with its words. */
function factIn(line: string): [string | undefined, string][] {
  const [all = '', label] = groupsOf(FACT, line)
  return label === undefined ? [] : [[colorKeyOf(label), line.slice(all.length)]]
}
