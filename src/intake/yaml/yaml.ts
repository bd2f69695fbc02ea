import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  type ParsedNode,
} from 'yaml'
import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { slug } from '../../brand/slug.ts'
import { normalText } from '../folder/utf8.ts'
import { syntaxProblems } from './syntax.ts'
import { readTokens } from './tokens.ts'

/**
 * A YAML value as written. Scalars are never converted, so that `000000` and `0123` are kept. Lines are 1-based. A
 * missing value is `empty`; `comment` is the `#…` written instead of it.
 */
export type YamlNode =
  | { kind: 'text'; line: number; text: string }
  | { kind: 'empty'; line: number; comment?: string }
  | { kind: 'list'; line: number; items: YamlNode[] }
  | { kind: 'mapping'; line: number; entries: YamlEntry[] }

/** A key of a mapping and its value. The keys of a mapping differ. */
export type YamlEntry = { key: string; line: number; value: YamlNode }

/**
 * Reads one YAML document of plain strings, lists and mappings. If it cannot be read, `root` is absent and the problems
 * say why. Rejects anchors, aliases, tags and more than 32 levels as soon as they appear.
 *
 * @param firstLine the line of the file on which the document begins
 */
export function readYaml(source: string, firstLine = 1): { root?: YamlNode; problems: Problem[] } {
  const text = normalText(source)
  const lineAt = lineFinder(text, firstLine)
  const read = readTokens(text)
  if (!read.ok) {
    const { rule, offset, message } = read.problem
    return { problems: [{ rule, line: lineAt(offset), message }] }
  }
  const { tokens, unquoted } = read.value
  const [document, second] = compose(tokens, text.length)
  if (document === undefined) return { root: { kind: 'empty', line: firstLine }, problems: [] }
  const broken = syntaxProblems(text, document.errors, second?.range[0], unquoted, lineAt)
  if (broken.length > 0) return { problems: broken }
  const problems: Problem[] = []
  return { root: toNode(document.contents, 0, { text, lineAt, problems }), problems }
}

type Source = { text: string; lineAt: (offset: number) => number; problems: Problem[] }

function lineFinder(text: string, firstLine: number): (offset: number) => number {
  const counter = new LineCounter()
  counter.addNewLine(0)
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) counter.addNewLine(end + 1)
  return offset => counter.linePos(offset).line + firstLine - 1
}

/** Composes at most two documents, because the second is already an error. */
function compose(tokens: CST.Token[], length: number): Document.Parsed[] {
  const { stackTraceLimit } = Error
  // Every syntax error is an Error, and hostile input causes millions. Their stack traces would take most of the time.
  Error.stackTraceLimit = 0
  try {
    const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' })
    return [...composer.compose(tokens, true, length).take(2)]
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function toNode(node: ParsedNode | null, offset: number, source: Source): YamlNode {
  const start = node?.range[0] ?? offset
  const line = source.lineAt(start)
  if (isMap(node)) return { kind: 'mapping', line, entries: toEntries(node.items, source) }
  if (isSeq(node)) return { kind: 'list', line, items: node.items.map(item => toNode(item, start, source)) }
  if (isScalar(node) && node.type === 'PLAIN' && node.source !== '') reportCut(node.source, node.range[1], source)
  if (isScalar(node) && (node.source !== '' || node.type !== 'PLAIN'))
    return { kind: 'text', line, text: node.type?.startsWith('BLOCK') ? node.source.trimEnd() : node.source }
  const comment = /#\S.*/y
  comment.lastIndex = start
  const note = comment.exec(source.text)?.[0].trimEnd()
  return note === undefined ? { kind: 'empty', line } : { kind: 'empty', line, comment: note }
}

/**
 * Reports a value without quotes that ends before ` #1`. As a name it breaks the style ids with and without that part,
 * and may take the id of another.
 */
function reportCut(value: string, end: number, { text, lineAt, problems }: Source): void {
  const comment = /[ \t]+#[\p{L}\p{N}].*/uy
  comment.lastIndex = end
  const cut = comment.exec(text)?.[0].trimEnd()
  if (cut === undefined) return
  const message = `the value ends at ${quote(value)}, because YAML reads a # after a space as a comment; put it in quotes, as in ${quote((value + cut).replace(/^[“„«]|[”“»]$/gu, ''))}, or write a space after #`
  const breaks = { paths: [], ids: [slug(value), slug(value + cut), takenId(slug(value))] }
  problems.push({ rule: 'value-cut', line: lineAt(end), message, breaks })
}

/** Stands for the id of a style that another has, too, among the ids that a problem breaks. */
export function takenId(id: string): string {
  return `=${id}`
}

function toEntries(pairs: readonly Pair<ParsedNode, ParsedNode | null>[], source: Source): YamlEntry[] {
  const entries = new Map<string, YamlEntry>()
  for (const pair of pairs) {
    const key = toNode(pair.key, 0, source)
    if (key.kind !== 'text') {
      const message = 'a key of the mapping is not plain text; write a name before the colon'
      source.problems.push({ rule: 'yaml-syntax', line: key.line, message })
      continue
    }
    const first = entries.get(key.text)
    if (first === undefined) {
      const value = toNode(pair.value, pair.key.range[1], source)
      entries.set(key.text, { key: key.text, line: key.line, value })
    } else {
      const message = `${quote(key.text)} appears here and on line ${first.line}; keep one of the two`
      source.problems.push({ rule: 'yaml-duplicate-key', line: key.line, message })
    }
  }
  return [...entries.values()]
}
