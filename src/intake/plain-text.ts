import { parser, Strikethrough } from '@lezer/markdown'
import { unescaped } from './character-reference.ts'
import type { Span } from './link-syntax.ts'
import type { Inline } from './markdown-inline.ts'

/** A part of a block's text as a reader sees it: no marks, addresses and tags; escapes undone; white space collapsed. */
export function plainText(text: string, part: Span, inlines: readonly Inline[]): string {
  const inside = inlines.filter(({ start, end }) => start >= part.start && end <= part.end)
  const hidden = inside.flatMap(inline => [
    { start: inline.start, end: inline.text.start },
    { start: inline.text.end, end: inline.end },
  ])
  const code = inside.filter(({ kind }) => kind === 'code').map(inline => inline.text)
  const marks = marksIn(masked(text, part, [...hidden, ...code]), part.start)
  const verbatim = new Set<Span>(code)
  let plain = ''
  let at = part.start
  for (const span of [...hidden, ...marks, ...code, { start: part.end, end: part.end }].sort(byStart)) {
    plain += unescaped(text.slice(at, Math.max(at, span.start)), 'markdown')
    if (verbatim.has(span)) plain += text.slice(span.start, span.end)
    at = Math.max(at, span.end)
  }
  return plain.replace(/[ \t\r\n]+/g, ' ').trim()
}

/** Longer text keeps its marks, because resolving many takes lezer quadratic time; no name or description is as long. */
const LONGEST = 10_000

/** Reads any line as a paragraph, and in it emphasis and strikethrough alone. */
const markParser = parser.configure([
  Strikethrough,
  {
    remove: [
      'LinkReference',
      'IndentedCode',
      'FencedCode',
      'Blockquote',
      'HorizontalRule',
      'BulletList',
      'OrderedList',
      'ATXHeading',
      'HTMLBlock',
      'SetextHeading',
      'InlineCode',
      'HTMLTag',
      'HardBreak',
      'Link',
      'Image',
      'LinkEnd',
    ],
  },
])

function marksIn(line: string, offset: number): Span[] {
  const marks: Span[] = []
  if (line.length > LONGEST) return marks
  markParser.parse(line).iterate({
    enter: ({ name, from, to }) => {
      if (name.endsWith('Mark')) marks.push({ start: offset + from, end: offset + to })
    },
  })
  return marks
}

/** A part of a text as one line, with a full stop for each character that is no text: punctuation, as brackets are. */
function masked(text: string, part: Span, spans: readonly Span[]): string {
  let line = ''
  let at = part.start
  for (const { start, end } of spans.toSorted(byStart)) {
    line += text.slice(at, Math.max(at, start)) + '.'.repeat(Math.max(0, end - Math.max(at, start)))
    at = Math.max(at, end)
  }
  return (line + text.slice(at, part.end)).replaceAll('\n', ' ')
}

function byStart(a: Span, b: Span): number {
  return a.start - b.start
}
