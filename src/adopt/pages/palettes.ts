import type { Nodes } from 'mdast'
import { parseCommonMark } from '#formats/markdown/markdown-tree.ts'
import type { ValueTable } from './page.ts'

const NUMBERS = String.raw`\d{1,3}(?:[\s,/·.|-]+\d{1,3}){2}`
const INKS = String.raw`\d{1,3}\s?%?(?:[\s,/·.|-]+\d{1,3}\s?%?){3}`
const SUFFIX = String.raw`(?:\s?(?:C|U|CP|UP|TPX|TCX|TPG|M))?`
/** Values of colours as they are written and printed, by the columns of a table. */
const PATTERNS: readonly (readonly [column: string, pattern: RegExp])[] = [
  [
    'Hex',
    /(?:\b(?:hex|html|web)\b[\s:#]*(?=[\da-f]{6}\b|(?<=#)[\da-f]{3}\b)|#\s?(?=[\da-f]{3}\b|[\da-f]{6}\b))(?<value>[\da-f]+)/gi,
  ],
  ['CMYK', new RegExp(String.raw`\bcmyk(?![a-z])[\s:(]*(?<value>${INKS})\)?`, 'gi')],
  [
    'CMYK',
    /\bc[\s:=]*(?<c>\d{1,3})%?[\s,/|·•]*m[\s:=]*(?<m>\d{1,3})%?[\s,/|·•]*y[\s:=]*(?<y>\d{1,3})%?[\s,/|·•]*k[\s:=]*(?<k>\d{1,3})%?/gi,
  ],
  ['RGB', new RegExp(String.raw`\brgb(?![a-z])[\s:(]*(?<value>${NUMBERS})\)?`, 'gi')],
  ['RGB', /\br[\s:=]*(?<r>\d{1,3})[\s,/|·•]*g[\s:=]*(?<g>\d{1,3})[\s,/|·•]*b[\s:=]*(?<b>\d{1,3})\b/gi],
  ['Pantone uncoated', /\b(?:pantone|pms)\s+(?:uncoated|u)\b[\s:]*(?<value>[\w-]+(?:\s\d{4})?)(?:\s?u\b)?/gi],
  [
    'Pantone',
    new RegExp(
      String.raw`\b(?:pantone|pms)\b®?(?:\s+(?:coated|c|solid|plus))*\b[\s:]*(?<value>(?:(?:black|cool|warm|process|reflex|rhodamine|rubine|bright|medium|dark|light|neutral)\s?(?:gr[ae]y|red|blue|black|green|yellow|orange|purple|violet)?\s?)?(?:p\s)?[\d-]{1,7}${SUFFIX}|(?:black|warm red|reflex blue|process \w+|rhodamine red|rubine red)${SUFFIX})\b`,
      'gi',
    ),
  ],
  ['HSL', /\b(?:hs[lbv]a?|hwb|(?:ok)?(?:lab|lch))\b[\s:(]*(?<value>[\d.]+%?(?:[\s,°]+-?[\d.]+%?){2})\)?/gi],
  ['HSB', /\bh[\s:=]*(?<h>\d{1,3})°?[\s,/|]*s[\s:=]*(?<s>\d{1,3})%?[\s,/|]*[bv][\s:=]*(?<b>\d{1,3})%?/gi],
  ['CSS', /(?<value>\bvar\(--[^)\s]{1,100}\))/gi],
  ['RAL', /\bral\b[\s:]*(?<value>\d{4}|\d{3} \d{2} \d{2})\b/gi],
  ['HKS', /\bhks\b[\s:]*(?<value>\d{1,2}\s?[knez]?)\b/gi],
  ['NCS', /\bncs\b[\s:]*(?<value>s?\s?\d{4}-[\w-]+)/gi],
  ['CMYK', new RegExp(`^(?<value>${INKS})$`, 'g')],
]

/** The values in a text, by column. */
export function valuesIn(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const [column, pattern] of PATTERNS) {
    const { value, ...parts } = text.matchAll(pattern).next().value?.groups ?? {}
    const all = value ?? Object.values(parts).join(', ')
    if (all !== '' && !values.has(column)) values.set(column, column === 'Hex' ? `#${all}` : all.trim())
  }
  return values
}

/** A text without values, and the marks around them. */
export function withoutValues(text: string): string {
  return withoutMarks(PATTERNS.reduce((rest, [, pattern]) => rest.replaceAll(pattern, ' '), text))
}

/** The words before, between and after values. */
export function textsBetween(text: string): string[] {
  const texts = PATTERNS.reduce((rest, [, pattern]) => rest.replaceAll(pattern, '\n'), text).split('\n')
  return texts.map(withoutMarks).filter(each => /\p{L}{2}/u.test(each))
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\(\s*\)/g, ' ').replaceAll(/^[\s\p{P}]+|(?:(?!\))[\s\p{P}])+$/gu, '')
}

/** The name of a colour: the first line of words before its values, else the first words after them. */
function nameIn(text: string): string {
  const starts = PATTERNS.flatMap(([, pattern]) => text.matchAll(pattern).next().value?.index ?? [])
  const before = text.slice(0, Math.min(...starts)).split('\n')
  return [...before.map(withoutMarks), ...textsBetween(text)].find(words => !ONLY_LABELS.test(words)) ?? ''
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
    ONLY_LABELS.test(withoutValues(text.replace(rows[at]?.[0] ?? '', ''))) &&
    valuesIn(text)
      .keys()
      .every(column => header.includes(column))
  return rows.length === texts.length && texts.every(isSaid)
}

/** The columns of colours, as the reader of tables knows them. */
export const COLUMNS = ['Hex', 'RGB', 'CMYK', 'Pantone', 'Pantone uncoated', 'RAL', 'HKS', 'NCS']

function rowOf(text: string): Map<string, string> | undefined {
  if (text.length > MAX_TEXT) return undefined
  const row = valuesIn(text)
  const hexes = new Set(text.toLowerCase().match(/#(?:[\da-f]{6}|[\da-f]{3})\b/g))
  const name = nameIn(text)
  const isColor = hexes.size === 1 || (hexes.size === 0 && row.has('RGB'))
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

/** The items of the lists and the rows of the tables in Markdown that has values, each with the heading above. */
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
    const items = isList ? node.children.map(item => plainOf(item)) : rowsIn(node)
    return [{ items, isList, line: node.position?.start.line ?? 1, heading }, ...inner]
  }
  return within(parseCommonMark(text), '')
}

/** The rows of a table, which is text without its extension of Markdown. */
function rowsIn(node: Nodes): string[] {
  return node.type === 'paragraph'
    ? plainOf(node)
        .split('\n')
        .filter(row => /^\|.*[^\s|-]/.test(row))
    : []
}

/** The table of the colour that a heading names, whose values are items of a list or rows; undefined for other ones. */
function valuesOf(items: readonly string[], line: number, name: string): ValueTable | undefined {
  const found = items.map(item => ({ item, values: valuesIn(item) }))
  const values = new Map(found.flatMap(each => [...each.values]))
  // Each item is labels and values (`CMYK: 5 55 90 24`), or another measure with a number (`LRV 45`).
  const areValues = found.every(each =>
    each.values.size > 0 ? ONLY_LABELS.test(withoutValues(each.item)) : /\d/.test(each.item),
  )
  const isColor = items.length > 1 && areValues && name !== '' && name.length <= MAX_NAME
  const columns = COLUMNS.filter(column => values.has(column))
  if (!isColor || !(values.has('Hex') || values.has('RGB'))) return undefined
  return { line, header: ['Name', ...columns], rows: [[name, ...columns.map(column => values.get(column) ?? '')]] }
}

const ONLY_LABELS =
  /^(?:hex|html|web|rgb|cmyk|pantone|pms|ral|hks|ncs|hs[lbv]|hwb|(?:ok)?(?:lab|lch)|css|(?:un)?coated|\P{L})*$/iu

/** Longer pages take seconds to parse. */
const MAX_PARSED = 100_000

function plainOf(node: Nodes): string {
  if ('value' in node) return node.type === 'html' ? ' ' : node.value
  return 'children' in node ? node.children.map(plainOf).join(node.type === 'listItem' ? ' ' : '') : ''
}
