import { parser, Strikethrough } from '@lezer/markdown'
import { unescapeText } from './character-reference.ts'
import type { Inline } from './inline.ts'
import type { Span } from './link-syntax.ts'

/**
 * Converts part of a block to plain text: removes markers, addresses and tags, unescapes, and collapses white space.
 */
export function plainText(text: string, part: Span, inlines: readonly Inline[]): string {
  const inside = inlines.filter(inline => isWithin(inline, part))
  const hidden = inside.flatMap(inline => [
    { start: inline.start, end: inline.text.start },
    { start: inline.text.end, end: inline.end },
  ])
  const code = new Set<Span>(inside.filter(({ kind }) => kind === 'code').map(inline => inline.text))
  const end = { start: part.end, end: part.end }
  let plain = ''
  let at = part.start
  for (const span of [...hidden, ...code, ...marksIn(text, part, inside), end].sort((a, b) => a.start - b.start)) {
    plain += unescapeText(text.slice(at, Math.max(at, span.start)), 'markdown')
    if (code.has(span)) plain += text.slice(span.start, span.end)
    at = Math.max(at, span.end)
  }
  return plain.replace(/[ \t\r\n]+/g, ' ').trim()
}

/**
 * Longer strings keep their markers, because lezer needs quadratic time to match many. No name or description is as
 * long.
 */
const MAX_MARKED_LENGTH = 10_000

/** Parses every line as a paragraph with only emphasis and strikethrough. */
const markParser = parser.configure([
  Strikethrough,
  {
    remove: [
      ...'LinkReference IndentedCode FencedCode Blockquote HorizontalRule BulletList OrderedList ATXHeading HTMLBlock'.split(
        ' ',
      ),
      ...'SetextHeading InlineCode HTMLTag HardBreak Link Image LinkEnd'.split(' '),
    ],
  },
])

/** The markers of emphasis and strikethrough. A pair is either inside the text of a link or outside it. */
function marksIn(text: string, part: Span, inlines: readonly Inline[]): Span[] {
  if (part.end - part.start > MAX_MARKED_LENGTH || !/[*_~]/.test(text.slice(part.start, part.end))) return []
  const texts = inlines.filter(({ kind }) => kind === 'link' || kind === 'picture').map(inline => inline.text)
  return [part, ...texts].flatMap(scope => {
    const marks: Span[] = []
    markParser.parse(mask(text, scope, inlines)).iterate({
      enter: ({ name, from, to }) => {
        if (name.endsWith('Mark')) marks.push({ start: scope.start + from, end: scope.start + to })
      },
    })
    return marks
  })
}

/**
 * Replaces every character of an inline with a full stop (punctuation, like a bracket), and line breaks with spaces.
 */
function mask(text: string, part: Span, inlines: readonly Inline[]): string {
  let line = text.slice(part.start, part.end).replaceAll('\n', ' ')
  for (const inline of inlines) {
    if (!isWithin(inline, part)) continue
    const from = inline.start - part.start
    const to = inline.end - part.start
    line = line.slice(0, from) + '.'.repeat(to - from) + line.slice(to)
  }
  return line
}

function isWithin(inline: Span, part: Span): boolean {
  return inline.start >= part.start && inline.end <= part.end
}
