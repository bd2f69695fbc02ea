/** A block, or a blank line, and where what follows begins. The text has spaces in place of the marks of a heading. */
type PlainBlock = { leaf?: { kind: 'paragraph' | 'atx-heading'; start: number; text: string }; next: number }

/**
 * Reads a blank line, a paragraph or a heading at the start of a line, if its lines begin with nothing that may mean
 * another block; else gives undefined. Most of what pages hold is as plain, and lezer takes ten times longer for it. The
 * text has LF as line end, and no block is open before the line.
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
 * Where the blocks that begin at an offset, which are not plain, surely end: before a plain line that follows a blank
 * one, as that ends lists, quotes, footnotes, tables and HTML. Only code in fences and some HTML goes on beyond it.
 */
export function endOfOtherBlocks(text: string, at: number): number {
  NEXT_PLAIN.lastIndex = at
  const end = NEXT_PLAIN.test(text) ? NEXT_PLAIN.lastIndex : text.length
  return GOES_ON.test(text.slice(at, end)) ? text.length : end
}

const BLANK = /[ \t]*(?:\n|$)/y
/** One that does not end with marks. */
const HEADING = /#{1,6} [^#\n]*(?:\n|$)/y
/** The start of a line that is text wherever it stands: of no list, quote, table, code, HTML, footnote or underline. */
const TEXT = /[^\s\d#>+*_=<|:~`[-]|\*{1,2}[^\s*]|_{1,2}[^\s_]|`{1,2}[^\s`]|\[(?!\^)|\d+(?:(?![\d.)])|[.)]\S)/
const PLAIN = new RegExp(TEXT, 'y')
const NEXT_PLAIN = new RegExp(`\\n[ \\t]*\\n(?=${TEXT.source}|#{1,6} )`, 'g')
/** Code in fences, and HTML blocks that a blank line does not end (CommonMark 0.31 §4.6). */
const GOES_ON = /```|~~~|<(?:[!?]|pre|script|style|textarea)/i

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
