import { isMap, isScalar, isSeq } from 'yaml'
import { isBlockScalar, type Node, parseYaml, scalarText } from './yaml-source.ts'

/** The place of a new value: the column of its key or dash, and whether it is in brackets. */
export type Place = { column: number; isFlow: boolean; eol: string }

/** A value as text: the part on the line of its key, and the lines below it. */
export type Written = { inline: string; below?: string }

/**
 * Writes a string as a scalar. It keeps the style of the scalar before, if that style can hold the string. Several
 * lines become a block, in brackets a string in double quotes.
 *
 * @param before the scalar that it replaces, and its source
 * @param isChoice whether `true` or `no` without quotes are meant as words
 */
export function writeScalar(
  text: string,
  place: Place,
  before: { node: Node; source: string } = { node: null, source: '' },
  isChoice = false,
): Written {
  const { node, source } = before
  const type = isScalar(node) ? node.type : undefined
  const isMultiline = text.includes('\n')
  const isWritable = !place.isFlow && !/[^\P{Cc}\n\t]/u.test(text)
  if (isBlockScalar(node) && isWritable) {
    const block = blockLike(source, text, place)
    if (block !== undefined) return { inline: block }
  }
  if (isMultiline && isWritable && type !== 'QUOTE_DOUBLE')
    return { inline: '|', below: indentLines(text, ' '.repeat(place.column + 2), place.eol) }
  const single = `'${text.replaceAll("'", "''")}'`
  if (type === 'QUOTE_SINGLE' && !isMultiline && isText(single, text, place.isFlow)) return { inline: single }
  const wasWord = type === 'PLAIN' && TYPED.test(scalarText(node) ?? '')
  const isPlain = type !== 'QUOTE_DOUBLE' && type !== 'QUOTE_SINGLE' && !isMultiline && !/\p{Cc}/u.test(text)
  const isTyped = NULL.test(text) || (TYPED.test(text) && !isChoice && !wasWord)
  return { inline: isPlain && !isTyped && isText(text, text, place.isFlow) ? text : JSON.stringify(text) }
}

/** Writes a key in the style of the key before. */
export function writeKey(text: string, source = ''): string {
  const single = `'${text.replaceAll("'", "''")}'`
  const styles = source.startsWith("'") ? [single] : source.startsWith('"') ? [] : [text]
  const key = styles.find(style => !/[\p{Cc}]/u.test(style) && !NULL.test(style) && isKey(style, text))
  return key ?? JSON.stringify(text)
}

const NULL = /^(?:null|~)$/i
/** Strings that YAML 1.1 or 1.2 reads as a truth value without quotes. */
const TYPED = /^(?:true|false|yes|no|on|off)$/i

/** A block scalar with the header and the indentation of the one before, if the string can be written so. */
function blockLike(source: string, text: string, { column, eol }: Place): string | undefined {
  const [header = '', ...lines] = source.split(/\r\n|\n|\r/)
  const width = /^ */.exec(lines.find(line => line.trim() !== '') ?? '')?.[0].length ?? 0
  const block = (first: string, indent: number) => {
    const content = first.startsWith('>') ? text.replaceAll('\n', '\n\n') : text
    return first + eol + indentLines(content, ' '.repeat(indent), eol)
  }
  const headers = [header, header.replace(/^>/, '|')]
  const possible = headers.find(each => width > column && isText(block(each, width - column), text, false))
  return possible === undefined ? undefined : block(possible, width)
}

function indentLines(text: string, indent: string, eol: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '' : indent + line))
    .join(eol)
}

/** Whether our reader takes a scalar as this string, as a value and as an entry of a list. */
function isText(scalar: string, text: string, isFlow: boolean): boolean {
  const documents = isFlow ? [`{k: ${scalar}}`, `[${scalar}]`] : [`k: ${scalar}\n`, `- ${scalar}\n`]
  return documents.every(document => {
    const source = parseYaml(document)
    const root = source.ok ? source.value.root : null
    const nodes = isMap(root) ? root.items.map(({ value }) => value) : isSeq(root) ? root.items : []
    return nodes.length === 1 && nodes.every(node => isScalar(node) && scalarText(node) === text)
  })
}

function isKey(key: string, text: string): boolean {
  const source = parseYaml(`- ${key}: x\n- {${key}: x}`)
  const root = source.ok ? source.value.root : null
  const keys = isSeq(root)
    ? root.items.map(map => (isMap(map) && map.items.length === 1 ? map.items[0]?.key : null))
    : []
  return keys.length === 2 && keys.every(node => isScalar(node) && node.source === text)
}
