import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { ValueTable } from './page.ts'

/** Values of colours in a text, by the columns of a table. */
const VALUE =
  /(?<Hex>#(?:[\da-f]{6}|[\da-f]{3})\b)|\brgb\b[\s:(]*(?<RGB>\d{1,3}(?:[\s,/]+\d{1,3}){2})\)?|\bcmyk\b[\s:(]*(?<CMYK>\d{1,3}%?(?:[\s,/]+\d{1,3}%?){3})\)?|\b(?:pantone|pms)\b[\s:]*(?<Pantone>(?:(?! (?:cmyk|rgb|ral|hex)\b)[\w ]){1,30})|\bral\b[\s:]*(?<RAL>\d{4})/gi

/** The table of records such as `Reed #3a7f5c`: each with a name and one colour; undefined for other texts. */
export function paletteOf(texts: readonly string[], line: number): ValueTable | undefined {
  const rows = texts.flatMap(text => rowOf(text) ?? [])
  if (rows.length < 2 || rows.length * 3 < texts.length * 2) return undefined
  const header = ['Name', ...COLUMNS.filter(column => rows.some(row => row.has(column)))]
  return { line, header, rows: rows.map(row => header.map(column => row.get(column) ?? '')) }
}

const COLUMNS = ['Hex', 'RGB', 'CMYK', 'Pantone', 'RAL']

function rowOf(text: string): Map<string, string> | undefined {
  const [row, hexes]: [Map<string, string>, Set<string>] = [new Map(), new Set()]
  if (text.length > MAX_TEXT) return undefined
  for (const { groups = {} } of text.matchAll(VALUE))
    for (const [column, value] of Object.entries(groups))
      if (value !== undefined) {
        if (column === 'Hex') hexes.add(value.toLowerCase())
        row.set(column, row.get(column) ?? value.trim())
      }
  const [before = '', after = ''] = [text.slice(0, text.search(VALUE)), text.replace(VALUE, ' ')]
  const name =
    [before, after].map(each => each.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')).find(each => each !== '') ?? ''
  const isColor = hexes.size === 1 || (hexes.size === 0 && row.has('RGB'))
  return isColor && /\p{L}/u.test(name) && name.length <= MAX_NAME ? row.set('Name', name) : undefined
}

const MAX_TEXT = 300
const MAX_NAME = 60

/** The lists of colours in Markdown; lines are those of the text. */
export function listedPalettes(text: string): ValueTable[] {
  if (text.length > MAX_PARSED || (text.match(VALUE)?.length ?? 0) < 2) return []
  const lists = (node: Nodes): ValueTable[] => {
    if (!('children' in node)) return []
    const items = node.type === 'list' ? node.children.map(item => plainOf(item)) : []
    return [paletteOf(items, node.position?.start.line ?? 1) ?? [], ...node.children.map(lists)].flat()
  }
  return lists(fromMarkdown(text))
}

/** Longer pages take seconds to parse. */
const MAX_PARSED = 100_000

function plainOf(node: Nodes): string {
  if ('value' in node) return node.type === 'html' ? ' ' : node.value
  return 'children' in node ? node.children.map(plainOf).join(node.type === 'listItem' ? ' ' : '') : ''
}
