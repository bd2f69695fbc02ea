/** A block or a blank line, and the offset of the next one. Heading markers are replaced with spaces. */
type PlainBlock = { leaf?: { kind: 'paragraph' | 'atx-heading'; start: number; text: string }; next: number }

/**
 * Reads a blank line, paragraph or heading at the start of a line. Undefined if a line might begin another kind of
 * block. Most pages contain mainly such blocks, and lezer is ten times slower. Line endings must be LF, and no block
 * may be open before the line.
 */
export function readPlainBlock(text: string, at: number): PlainBlock | undefined {
  if (isAt(BLANK, text, at)) return { next: pastLine(text, at) }
  if (isAt(HEADING, text, at)) return readHeading(text, at)
  let next = at
  while (next < text.length && isAt(PLAIN, text, next)) next = pastLine(text, next)
  const isWhole = next > at && (next === text.length || isAt(BLANK, text, next) || isAt(HEADING, text, next))
  if (!isWhole) return undefined
  const end = text[next - 1] === '\n' ? next - 1 : next
  return { leaf: { kind: 'paragraph', start: at, text: text.slice(at, end) }, next }
}

/**
 * The offset at which non-plain blocks certainly end: before a plain line after a blank one, which ends lists, quotes,
 * footnotes, tables and HTML. Only fenced code and some HTML blocks continue beyond it.
 */
export function endOfOtherBlocks(text: string, at: number): number {
  NEXT_PLAIN.lastIndex = at
  const end = NEXT_PLAIN.test(text) ? NEXT_PLAIN.lastIndex : text.length
  return SPANS_BLANK_LINES.test(text.slice(at, end)) ? text.length : end
}

const BLANK = /[ \t]*(?:\n|$)/y
/** A heading without closing markers. */
const HEADING = /#{1,6} [^#\n]*(?:\n|$)/y
/** The start of a line that is always text, and never a list, quote, table, code, HTML, footnote or underline. */
const TEXT = /[^\s\d#>+*_=<|:~`[-]|\*{1,2}[^\s*]|_{1,2}[^\s_]|`{1,2}[^\s`]|\[(?!\^)|\d+(?:(?![\d.)])|[.)]\S)/
const PLAIN = new RegExp(TEXT, 'y')
const NEXT_PLAIN = new RegExp(`\\n[ \\t]*\\n(?=${TEXT.source}|#{1,6} )`, 'g')
/** Fenced code, and HTML blocks that a blank line does not end (CommonMark 0.31 §4.6). */
const SPANS_BLANK_LINES = /```|~~~|<(?:[!?]|pre|script|style|textarea)/i

function readHeading(text: string, at: number): PlainBlock {
  const next = pastLine(text, at)
  const line = text.slice(at, text[next - 1] === '\n' ? next - 1 : next)
  return {
    leaf: { kind: 'atx-heading', start: at, text: line.replace(/^#+/, marks => ' '.repeat(marks.length)) },
    next,
  }
}

function pastLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
