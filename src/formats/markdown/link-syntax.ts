import { groupsOf, singleSpaced } from '#platform/base/text.ts'
/** A range of a string: UTF-16 offsets, `end` exclusive. */
export type Span = { start: number; end: number }

/** A link definition at the start of a paragraph: `[label]: destination "title"`. */
export type Definition = { label: string; destination: Span }

/** Reads `(destination "title")` of an inline link. The destination has no angle brackets and may be empty. */
export function readResource(text: string, at: number): { destination: Span; end: number } | undefined {
  if (text[at] !== '(') return undefined
  const start = pastSpace(text, at + 1)
  const target = readDestination(text, start)
  if (target === undefined) return undefined
  const titleStart = pastSpace(text, target.next)
  // A title needs a space before it, and a destination, which may be `<>`.
  const titleEnd = titleStart > target.next && titleStart > start ? past(TITLE, text, titleStart) : undefined
  const end = pastSpace(text, titleEnd ?? titleStart)
  return text[end] === ')' ? { destination: target.destination, end: end + 1 } : undefined
}

/** Reads the label in brackets at an offset (CommonMark §6.3). Empty brackets are not a label. */
export function readLabel(text: string, at: number): { label: string; end: number } | undefined {
  LABEL.lastIndex = at
  const bracketed = groupsOf(LABEL, text)[0]
  const label = bracketed === undefined ? '' : normalizeLabel(bracketed.slice(1, -1))
  return bracketed === undefined || label === '' || bracketed.length > MAX_BRACKETED
    ? undefined
    : { label, end: at + bracketed.length }
}

/** A label of 999 characters (CommonMark §6.3), and its brackets. */
const MAX_BRACKETED = 1001

/** Reads the definitions at the start of a paragraph (CommonMark §4.7). The rest of the paragraph begins at `end`. */
export function readDefinitions(text: string): { definitions: Definition[]; end: number } {
  const definitions: Definition[] = []
  let end = 0
  for (;;) {
    const next = readDefinition(text, pastSpace(text, end))
    if (next === undefined) return { definitions, end }
    definitions.push(next.definition)
    end = next.end
  }
}

/** Normalizes a label for comparison: collapses white space and folds case. */
export function normalizeLabel(text: string): string {
  return singleSpaced(text).toLowerCase().toUpperCase()
}

function readDefinition(text: string, at: number): { definition: Definition; end: number } | undefined {
  const label = readLabel(text, at)
  if (label === undefined || text[label.end] !== ':') return undefined
  const start = pastSpace(text, label.end + 1)
  const target = readDestination(text, start)
  if (target === undefined || target.next === start) return undefined
  const titleStart = pastSpace(text, target.next)
  const titleEnd = titleStart > target.next ? past(TITLE, text, titleStart) : undefined
  // With other text after it, a title on the next line belongs to the paragraph.
  const end = (titleEnd === undefined ? undefined : past(LINE_END, text, titleEnd)) ?? past(LINE_END, text, target.next)
  if (end === undefined) return undefined
  return { definition: { label: label.label, destination: target.destination }, end }
}

/** In each of these, `\\.` is a character with a backslash before it. */
const LABEL = /\[[^[\]\\]*(?:\\.[^[\]\\]*)*\]/sy
const SPACE = /[ \t\r\n]*/y
const LINE_END = /[ \t]*(?:\r?\n|$)/y
const ANGLE_BRACKETED = /<[^<>\\\n]*(?:\\.[^<>\\\n]*)*>/y
const TITLE = /"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|\([^()\\]*(?:\\.[^()\\]*)*\)/sy

function pastSpace(text: string, at: number): number {
  return past(SPACE, text, at) ?? at
}

/** The offset after a match at an offset; undefined if there is none. */
function past(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Reads `<address>`, of which the destination is what is inside the brackets, or an address without spaces. */
function readDestination(text: string, at: number): { destination: Span; next: number } | undefined {
  if (text[at] !== '<') {
    const next = pastBareDestination(text, at)
    return next === undefined ? undefined : { destination: { start: at, end: next }, next }
  }
  const next = past(ANGLE_BRACKETED, text, at)
  return next === undefined ? undefined : { destination: { start: at + 1, end: next - 1 }, next }
}

/**
 * The offset after a destination: at a space, the end, or the parenthesis that closes the link. Parentheses in it must be
 * balanced, and at most 32 deep, as in cmark, so that unclosed ones cost no extra time; otherwise undefined.
 */
function pastBareDestination(text: string, at: number): number | undefined {
  let depth = 0
  for (let next = at; ; next++) {
    const character = text[next]
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth > MAX_PARENTHESES) return undefined
    if (depth < 0) return next
    if (character === undefined || character <= ' ' || character === '\x7f') return depth === 0 ? next : undefined
    // The character after a backslash is only text.
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(text[next + 1] ?? '')) next++
  }
}

const MAX_PARENTHESES = 32
