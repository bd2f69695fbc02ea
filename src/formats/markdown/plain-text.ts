import { unescapeText } from './character-reference.ts'
import { emphasisMarks } from './emphasis.ts'
import type { Inline } from './inline.ts'
import type { Span } from './link-syntax.ts'
import { joinLines } from './unspaced-scripts.ts'

/** Spans that are not shown, and the replacements of inlines; undefined for an inline that shows its own text. */
type Options = { hidden?: readonly Span[]; replace?: ((inline: Inline) => string | undefined) | undefined }

/** Converts part of a block to plain text: without markers, addresses, tags, escapes and repeated white space. */
export function plainText(
  text: string,
  part: Span,
  inlines: readonly Inline[],
  { hidden = [], replace = () => undefined }: Options = {},
): string {
  const inside = inlines.filter(inline => isWithin(inline, part))
  const replaced = [...hidden, ...inside.flatMap(inline => replacements(text, inline, replace(inline)))]
  const end = { start: part.end, end: part.end }
  const spans = [...replaced, ...marksIn(text, part, inside), end]
  let plain = ''
  let at = part.start
  // Outer spans come before those in them, which are passed over.
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    plain += unescapeText(text.slice(at, Math.max(at, span.start)), 'markdown')
    if (span.end > at && 'text' in span) plain += span.text
    at = Math.max(at, span.end)
  }
  return joinLines(plain)
    .replace(/[ \t\r\n]+/g, ' ')
    .trim()
}

/** Spans of an inline, and the text shown instead of each. */
function replacements(text: string, inline: Inline, replacement: string | undefined): (Span & { text?: string })[] {
  const { kind, start, end, text: inner } = inline
  if (replacement !== undefined) return [{ start, end, text: replacement }]
  if (kind === 'code') return [{ start, end, text: text.slice(inner.start, inner.end) }]
  if (kind === 'html' && BREAK.test(text.slice(start, end))) return [{ start, end, text: ' ' }]
  return [
    { start, end: inner.start },
    { start: inner.end, end },
  ]
}

const BREAK = /^<br\b/i

/** Longer strings keep their markers, since masking many inlines takes quadratic time. No name is as long. */
const MAX_MARKED_LENGTH = 10_000

/** The markers of emphasis and strikethrough. A pair is either inside the text of a link or outside it. */
function marksIn(text: string, part: Span, inlines: readonly Inline[]): Span[] {
  if (part.end - part.start > MAX_MARKED_LENGTH || !/[*_~]/.test(text.slice(part.start, part.end))) return []
  const texts = inlines.filter(({ kind }) => kind === 'link' || kind === 'picture').map(inline => inline.text)
  return [part, ...texts].flatMap(scope => {
    const marks = emphasisMarks(mask(text, scope, inlines))
    return marks.map(({ start, end }) => ({ start: scope.start + start, end: scope.start + end }))
  })
}

/** Replaces an inline with full stops, which are punctuation like a bracket, and line breaks with spaces. */
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
