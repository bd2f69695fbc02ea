import type { Problem } from '#brand/finding.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import { applyEdits, groupsOf, quote } from '#platform/base/text.ts'
import { problemsAt } from './problems-at.ts'

/**
 * Removes the comments of other programs from a page, except in code, and reports each. Programs that read the API
 * would show them, so that notes of authors would be published. Keeps the number of lines.
 */
export function withoutForeignComments(text: string): { text: string; problems: Problem[] } {
  const comments = foreignComments(text)
  const edits = comments.map(({ start, end }) => ({ start, end, text: text.slice(start, end).replace(/[^\n]/g, '') }))
  const found = comments.slice(0, MAX_REPORTED).map(({ start, end, program }) => {
    const comment = quote(text.slice(start, end).trim())
    const message = `${comment} is a comment of ${program}, which is left out everywhere, also of the API: remove it, or write <!-- … -->, which the API keeps`
    return { at: start, message }
  })
  return { text: applyEdits(text, edits), problems: problemsAt(text, 'template-tag', found) }
}

/** Finds the comments of other programs outside code, in order and not nested. */
export function foreignComments(text: string): (Span & { program: string })[] {
  const rows = COMMENTS.filter(([needle, open]) => text.includes(needle) && text.search(open) >= 0)
  if (rows.length === 0) return []
  const masked = withoutCode(text)
  const found = rows.flatMap(row => commentsIn(masked, row)).sort((a, b) => a.start - b.start || b.end - a.end)
  let at = 0
  return found.filter(({ start, end }) => {
    const isOutside = start >= at
    if (isOutside) at = end
    return isOutside
  })
}

/** The limit of findings about one file. */
const MAX_REPORTED = 100

type Row = readonly [needle: string, open: RegExp, close: RegExp, program: string]

const NONE = /(?:)/g
/** The comments of each program. A placeholder such as `%%FIRST_NAME%%` is not one. */
const COMMENTS: readonly Row[] = [
  ['%%', /(?<![\w%\\]|\d\s)%%(?!%|[A-Z\d_.]{1,60}%%|[a-z]{1,60}_\w{1,60}%%)/g, /(?<!\\)%%(?![\w%])/g, 'Obsidian'],
  ['/*', /\{\s*\/\*(?!\s*#[^\s*]+\s*\*\/\}[ \t]*$)/gm, /\*\/\s*\}/g, 'MDX'],
  ['{::comment}', /\{::comment\}/g, /\{:\/(?:comment)?\}/g, 'kramdown'],
  ['comment', /\{%-?\s*comment\b[^%]*%\}/g, /\{%-?\s*endcomment\s*-?%\}/g, 'Jekyll and Liquid'],
  ['comment', /\{\{[<%]\s*comment\s*[>%]\}\}/g, /\{\{[<%]\s*\/\s*comment\s*[>%]\}\}/g, 'Hugo'],
  ['{{', /\{\{-?\s*\/\*/g, /\*\/\s*-?\}\}/g, 'Hugo'],
  ['{%', /\{%-?\s*#/g, /%\}/g, 'Liquid'],
  ['#}', /\{#(?=[-\s]|[^{}]*#\})/g, /#\}/g, 'Jinja and MkDocs'],
  ['{{!--', /\{\{!--/g, /--\}\}/g, 'Handlebars'],
  ['{{!', /\{\{!(?!--)/g, /\}\}/g, 'Handlebars'],
  ['{>>', /\{>>/g, /<<\}/g, 'CriticMarkup'],
  ['<%', /<%(?:#|--)/g, /%>/g, 'ERB'],
  ['[//]:', /^ {0,3}\[\/\/\]:.*$/gm, NONE, 'Markdown without comments'],
  [
    ']:',
    /^ {0,3}\[[^[\]\n]+\]:[ \t]*(?:<#?>|#|-)[ \t]+(?:\([^()]*\)|"[^"]*")[ \t]*$/gm,
    NONE,
    'Markdown without comments',
  ],
  ['%', /(?<=^|[^\d\s][ \t]*\n|\n[ \t]*\n)(?:[ \t]*%(?:[ \t].*)?(?:\n|$))+/g, NONE, 'MyST'],
]

/** Searches only once for a missing end. */
function commentsIn(masked: string, [, open, close, program]: Row) {
  const found: (Span & { program: string })[] = []
  const labels = open.source.includes('[^[') ? usedLabels(masked) : NO_LABELS
  open.lastIndex = 0
  for (let match = open.exec(masked); match !== null; match = open.exec(masked)) {
    const { 0: mark, index: start } = match
    close.lastIndex = open.lastIndex
    if (!close.test(masked)) break
    open.lastIndex = Math.max(close.lastIndex, start + 1)
    const label = groupsOf(/\[([^\]]*)/, mark)[1] ?? ''
    const isTitle = start === 0 && masked.startsWith('% ') && !/^#[ \t]/m.test(masked) // Of a Pandoc document.
    if (!isTitle && !labels.has(label)) found.push({ start, end: close.lastIndex, program })
  }
  return found
}

const NO_LABELS: ReadonlySet<string> = new Set()

/** The labels of links, whose definitions are not comments. */
function usedLabels(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\[([^[\]\n]+)\](?!:)/g), ([, label = '']) => label))
}
