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
  type YAMLError,
} from 'yaml'
import { normalText, quote } from '#platform/base/text.ts'
import { readTokens } from './tokens.ts'

/**
 * A YAML value as written. Scalars are never converted, so that `000000` and `0123` are kept (decisions/0001). Lines
 * are 1-based. A missing value is `empty`; `comment` is the `#…` written instead of it.
 */
export type YamlNode =
  | { kind: 'text'; line: number; text: string }
  | { kind: 'empty'; line: number; comment?: string }
  | { kind: 'list'; line: number; items: YamlNode[] }
  | { kind: 'mapping'; line: number; entries: YamlEntry[] }

/** A key of a mapping and its value. The keys of a mapping differ. */
export type YamlEntry = { key: string; line: number; value: YamlNode }

/** A mistake in YAML. `cut` has the value that is read, and the one that was probably meant. */
export type YamlProblem = {
  kind: 'too-large' | 'alias' | 'depth' | 'syntax' | 'duplicate-key' | 'value-unquoted' | 'value-cut'
  line: number
  message: string
  cut?: { read: string; meant: string }
}

/**
 * Reads one YAML document of plain strings, lists and mappings. If it cannot be read, `root` is absent and the problems
 * say why. Rejects anchors, aliases, tags and more than 32 levels as soon as they appear.
 *
 * @param firstLine the line of the file on which the document begins
 */
export function parseYaml(source: string, firstLine = 1): { root?: YamlNode; problems: YamlProblem[] } {
  const text = normalText(source)
  const lineAt = lineFinder(text, firstLine)
  const read = readTokens(text)
  if (!read.ok) {
    const { offset, ...problem } = read.problem
    return { problems: [{ ...problem, line: lineAt(offset) }] }
  }
  const { tokens, unquoted } = read.value
  const [document, second] = compose(tokens, text.length)
  if (document === undefined) return { root: { kind: 'empty', line: firstLine }, problems: [] }
  const unreadable = syntaxProblems(text, document.errors, second?.range[0], unquoted, lineAt)
  if (unreadable.length > 0) return { problems: unreadable }
  const problems: YamlProblem[] = []
  return { root: toNode(document.contents, 0, { text, lineAt, problems }), problems }
}

type Source = { text: string; lineAt: (offset: number) => number; problems: YamlProblem[] }

/** Returns the line of each offset in a text with LF line ends. */
export function lineFinder(text: string, firstLine = 1): (offset: number) => number {
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

/** Converts a node of the parser. `offset` is the end of its key, where the `#…` of a missing value may be. */
function toNode(node: ParsedNode | null, offset: number, source: Source): YamlNode {
  const [start] = node?.range ?? [offset]
  const line = source.lineAt(start)
  if (isMap(node)) return { kind: 'mapping', line, entries: toEntries(node.items, source) }
  if (isSeq(node)) return { kind: 'list', line, items: node.items.map(item => toNode(item, start, source)) }
  if (isScalar(node) && node.type === 'PLAIN' && node.source !== '') reportCut(node.source, node.range[1], source)
  // Only a plain scalar can be empty; `""` is text.
  if (isScalar(node) && (node.source !== '' || node.type !== 'PLAIN'))
    return { kind: 'text', line, text: node.type?.startsWith('BLOCK') ? node.source.trimEnd() : node.source }
  const comment = /#\S.*/y
  comment.lastIndex = start
  const note = comment.exec(source.text)?.[0].trimEnd()
  return note === undefined ? { kind: 'empty', line } : { kind: 'empty', line, comment: note }
}

/** Reports a value without quotes that ends before ` #1`. */
function reportCut(value: string, end: number, { text, lineAt, problems }: Source): void {
  const comment = /[ \t]+#[\p{L}\p{N}].*/uy
  comment.lastIndex = end
  const cut = comment.exec(text)?.[0].trimEnd()
  if (cut === undefined) return
  const message = `the value ends at ${quote(value)}, because YAML reads a # after a space as a comment; put it in quotes, as in ${quote((value + cut).replace(/^[“„«]|[”“»]$/gu, ''))}, or write a space after #`
  problems.push({ kind: 'value-cut', line: lineAt(end), message, cut: { read: value, meant: value + cut } })
}

function toEntries(pairs: readonly Pair<ParsedNode, ParsedNode | null>[], source: Source): YamlEntry[] {
  const entries = new Map<string, YamlEntry>()
  for (const pair of pairs) {
    const key = toNode(pair.key, 0, source)
    if (key.kind !== 'text') {
      const message = 'a key of the mapping is not plain text; write a name before the colon'
      source.problems.push({ kind: 'syntax', line: key.line, message })
      continue
    }
    const first = entries.get(key.text)
    if (first === undefined) {
      const value = toNode(pair.value, pair.key.range[1], source)
      entries.set(key.text, { key: key.text, line: key.line, value })
    } else {
      const message = `${quote(key.text)} appears here and on line ${first.line}; keep one of the two`
      source.problems.push({ kind: 'duplicate-key', line: key.line, message })
    }
  }
  return [...entries.values()]
}

const MAX_PROBLEMS = 20
/** The parser may give many errors for one line, of which only one is reported. */
const MAX_ERRORS = MAX_PROBLEMS * 50

/**
 * The syntax problems of a YAML document: at most one per line, and twenty in all. An unquoted `#` in brackets
 * (`[#fff, #000]`) turns the rest of its line into a comment; only the value is reported, not the errors that it
 * causes.
 *
 * @param second the offset of a second document
 * @param unquoted the offsets of such comments
 */
function syntaxProblems(
  text: string,
  errors: readonly YAMLError[],
  second: number | undefined,
  unquoted: readonly number[],
  lineAt: (offset: number) => number,
): YamlProblem[] {
  if (errors.length > 0 && unquoted.length > 0)
    return onePerLine(unquoted.map(offset => ({ kind: 'value-unquoted', line: lineAt(offset), message: UNQUOTED })))
  const mistakes = errors.length === 0 ? [] : findMistakes(errors.slice(0, MAX_ERRORS), text)
  if (second !== undefined) mistakes.push({ offset: second, message: SECOND })
  return onePerLine(mistakes.map(({ offset, message }) => ({ kind: 'syntax', line: lineAt(offset), message })))
}

const UNQUOTED = 'a value has a # outside quotes, which YAML reads as a comment; put the value in quotes'
const SECOND = 'a second document begins here; keep one document per file'

function onePerLine(problems: readonly YamlProblem[]): YamlProblem[] {
  const first = new Map<number, YamlProblem>()
  for (const problem of problems) if (!first.has(problem.line)) first.set(problem.line, problem)
  return [...first.values()].slice(0, MAX_PROBLEMS)
}

type Mistake = { offset: number; message: string }

/** Describes parser errors plainly, without consequences of others; only one if it makes the rest unreadable. */
function findMistakes(errors: readonly YAMLError[], text: string): Mistake[] {
  const [soleCause] = SOLE_CAUSES.flatMap(([pattern, message]) => {
    const offset = text.search(pattern)
    return offset === -1 ? [] : [{ offset, message }]
  })
  if (soleCause) return [soleCause]
  const causes = errors.filter((error, at) => at === 0 || !isConsequence(error))
  const byLine = Map.groupBy(causes, ({ pos }) => lineStart(text, pos[0]))
  return [...byLine].flatMap(([start, [first]]) => (first ? toMistake(first, start, text) : []))
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Lines that explain any error, and make the errors after them meaningless: most are never valid YAML. */
const SOLE_CAUSES: readonly [pattern: RegExp, message: string][] = [
  // <<<<<<< HEAD
  [/^(?:<{7}|>{7}) /m, 'a merge conflict is not resolved; keep one of the two versions, and remove the markers'],
  // A tab before `name: Gold`, also after the dash of an item.
  [/^(?: *-)? *\t[ \t]*[^\s#]/m, 'the line is indented with a tab; indent with spaces'],
  // name: "Gold”
  [/^[^#\n]*[:-] +(?:"[^"“”\n]*[“”]|'[^'‘’\n]*[‘’]) *$/m, 'a value ends with a curly quote; write straight quotes'],
]

/** Whether the parser gives an error because of an earlier one, such as `Unexpected scalar token in YAML stream`. */
function isConsequence({ code, message }: YAMLError): boolean {
  return code === 'UNEXPECTED_TOKEN' && CONSEQUENCES.some(words => message.includes(words))
}

const CONSEQUENCES = ['at node end', 'token in YAML stream']

const ANY = /(?:)/
const SECOND_KEY = 'a second key or list begins on this line; put a value that contains ": " in quotes'
const UNOPENED = 'a closing bracket has no opening bracket; remove it, or add the opening one'
const NOT_ALIGNED = 'the line is not indented like the lines above; align it with them'

/** Describes the first error of a line, which begins at `start`. */
function toMistake({ message, pos: [offset] }: YAMLError, start: number, text: string): Mistake {
  const line = lineFrom(text, start)
  const above = lineFrom(text.slice(0, start), lineStart(text, Math.max(0, start - 1)))
  const row = MISTAKES.find(({ error, lines }) => message.startsWith(error) && lines.test(`${above}\n${line}`))
  if (!row) return { offset, message: unknownMistake(message) }
  const next = start + line.length + 1
  const offsets = { error: offset, line: start, next: next < text.length ? next : start }
  return { offset: offsets[row.at], message: row.words.replace('%', message.slice(row.error.length)) }
}

/** A plain message for errors that begin with these words, and lines like these with the one above; `%` is the rest of the error. */
type MistakeRow = { error: string; lines: RegExp; words: string; at: 'error' | 'line' | 'next' }

/** The rows are in order: what the parser says for sure, then what the line shows, then what is usually meant. */
const MISTAKES: readonly MistakeRow[] = [
  said('Missing closing', 'a quoted value has no closing quote; add the quote that it begins with'),
  // For the line before which it should have been closed.
  said('Flow sequence', 'a [ is not closed; write ] where the list ends'),
  said('Flow map', 'a { is not closed; write } where the list ends'),
  shown(/\n.*\u00a0/, 'the line has a non-breaking space; replace it with a normal space'),
  // -Gold
  shown(/\n[^\S\n]*-[^\s-]/, 'a dash has no space after it; add one'),
  // name:Gold, but not https://example.com
  { ...shown(/\n[^\S\n]*(?:- +)?[\w-]+:[^\s/]/, 'a colon has no space after it; add one'), error: 'Implicit' },
  // - name: “Gold”
  shown(
    /\n[^\S\n]*(?:- +)?(?:[\w-]+: +)?[“”„«»‘’‚]/,
    'a value is in curly quotes, which YAML reads as part of it; write straight quotes',
  ),
  // A line without a colon, below an item of a list.
  { ...shown(/^\s*- .*\n(?!.*:(?!\S))/, 'the item has no dash; write a dash and a space before it'), at: 'line' },
  // Only one colon: the parser reports the line above the nested mapping. `name: a: b` has two.
  {
    error: 'Nested mappings',
    lines: /\n(?!.*: .*:(?![^ ]))/,
    words: 'the line is indented further than the one above; start both in the same column',
    at: 'next',
  },
  said('Plain value ', 'a value %; correct it, or put the value in quotes'),
  said('Nested mappings', SECOND_KEY),
  said('A block sequence may not', SECOND_KEY),
  said('Implicit', 'a line is neither "key: value" nor indented as part of the value before it'),
  said('Tabs are not allowed', 'the line is indented with a tab; indent with spaces'),
  said('Sequence item without', NOT_ALIGNED),
  said('All mapping items must', NOT_ALIGNED),
  said('Block scalar header', 'text follows | or > on the same line; start it on the next line, indented'),
  said('Invalid escape sequence', 'a \\ in double quotes starts an escape sequence; use single quotes, or write \\\\'),
  said('Unexpected flow-seq-end', UNOPENED),
  said('Unexpected flow-map-end', UNOPENED),
  said('Unexpected , in flow', 'there are two commas in a row; remove one'),
  said(
    'Unexpected scalar at node end',
    'the line does not belong to the lines before it; indent it like the lines around it, or put the whole value in quotes',
  ),
]

/** A row for an error on any line. */
function said(error: string, words: string): MistakeRow {
  return { error, lines: ANY, words, at: 'error' }
}

/** A row for a line with any error. */
function shown(lines: RegExp, words: string): MistakeRow {
  return { error: '', lines, words, at: 'error' }
}

function unknownMistake(message: string): string {
  const start = message.slice(0, 120).toWellFormed()
  const line = start.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  return `the YAML cannot be read: ${line}; correct it, or put values with special characters in quotes`
}

/** The line that begins at an offset, at most its first 1000 characters. */
function lineFrom(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : Math.min(end, start + 1000))
}
