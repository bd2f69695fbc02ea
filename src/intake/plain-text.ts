import { parser, Strikethrough } from '@lezer/markdown'
import { unescaped } from './character-reference.ts'
import type { Span } from './link-syntax.ts'
import type { Inline } from './markdown-inline.ts'

/** A part of a block's text as a reader sees it: no marks, addresses and tags; escapes undone; white space collapsed. */
export function plainText(text: string, part: Span, inlines: readonly Inline[]): string {
  const hidden = inlines
    .filter(({ kind, start, end }) => kind !== 'code' && start >= part.start && end <= part.end)
    .flatMap(inline => [
      { start: inline.start, end: inline.text.start },
      { start: inline.text.end, end: inline.end },
    ])
    .sort((a, b) => a.start - b.start)
  const shown = without(text, part, hidden)
    .replace(/[ \t\r\n]+/g, ' ')
    .trim()
  return withoutMarks(shown).replace(/ +/g, ' ').trim()
}

/** A longer text keeps its marks, because resolving many takes lezer quadratic time; no name or description is as long. */
const LONGEST = 10_000

/** Reads any text as one paragraph, and in it only what links and HTML are not. */
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
      'HTMLTag',
      'HardBreak',
      'Link',
      'Image',
      'LinkEnd',
    ],
  },
])

function withoutMarks(text: string): string {
  if (text.length > LONGEST) return text
  const marks: Span[] = []
  const code: Span[] = []
  markParser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (name.endsWith('Mark')) marks.push({ start: from, end: to })
      if (name === 'InlineCode') code.push({ start: from, end: to })
    },
  })
  let plain = ''
  let at = 0
  for (const span of code) {
    plain += unescaped(without(text, { start: at, end: span.start }, marks), 'markdown') + without(text, span, marks)
    at = span.end
  }
  return plain + unescaped(without(text, { start: at, end: text.length }, marks), 'markdown')
}

/** A part of a text without the spans in it, which are in order. */
function without(text: string, part: Span, spans: readonly Span[]): string {
  let rest = ''
  let at = part.start
  for (const { start, end } of spans) {
    if (start < part.start || end > part.end) continue
    rest += text.slice(at, Math.max(at, start))
    at = Math.max(at, end)
  }
  return rest + text.slice(at, part.end)
}
