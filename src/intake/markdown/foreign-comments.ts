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
export function foreignComments(text: string): ForeignComment[] {
  const rows = COMMENTS.filter(({ needle, open }) => text.includes(needle) && text.search(open) >= 0)
  if (rows.length === 0) return []
  const masked = withoutCode(text)
  const labels = usedLabels(masked)
  const all = rows.flatMap(row => commentsIn(masked, row, labels)).sort((a, b) => a.start - b.start || b.end - a.end)
  const outer: ForeignComment[] = []
  let outerEnd = 0
  for (const comment of all) {
    if (comment.start < outerEnd) continue // Inside the comment before it.
    outer.push(comment)
    outerEnd = comment.end
  }
  return outer
}

type ForeignComment = Span & { program: string }

/** The limit of findings about one file. */
const MAX_REPORTED = 100

/**
 * Patterns for the beginning and the end of a program's comments, both with the flag `g`. `needle` is a string in each
 * page with such a comment, which is found faster.
 */
type Row = { program: string; needle: string; open: RegExp; close: RegExp }

const COMMENTS: readonly Row[] = [
  // `%%Ask Ada%%`. No comments are a placeholder such as `%%FIRST_NAME%%` or `%%first_name%%`, and `100 %%`.
  row(
    'Obsidian',
    '%%',
    /(?<![\w%\\])(?<!\d\s)%%(?!%)(?![A-Z\d_.]{1,60}%%|[a-z]{1,60}_\w{1,60}%%)/g,
    /(?<!\\)%%(?![\w%])/g,
  ),
  // `{/* Ask Ada */}`, but not the id of a heading at the end of its line: `{/* #logo */}`.
  row('MDX', '/*', /\{\s*\/\*(?!\s*#[^\s*]+\s*\*\/\}[ \t]*$)/gm, /\*\/\s*\}/g),
  // `{::comment}` to `{:/comment}` or `{:/}`.
  row('kramdown', '{::comment}', mark('{::comment}'), /\{:\/(?:comment)?\}/g),
  row('Jekyll and Liquid', 'comment', /\{%-?\s*comment\b[^%]*%\}/g, /\{%-?\s*endcomment\s*-?%\}/g),
  // `{{< comment >}}` to `{{< /comment >}}`, and `{{/* Ask Ada */}}`.
  row('Hugo', 'comment', /\{\{[<%]\s*comment\s*[>%]\}\}/g, /\{\{[<%]\s*\/\s*comment\s*[>%]\}\}/g),
  row('Hugo', '{{', /\{\{-?\s*\/\*/g, /\*\/\s*-?\}\}/g),
  row('Liquid', '{%', /\{%-?\s*#/g, mark('%}')),
  // `{# Ask Ada #}`; not `{#logo}`, which is the id of a heading.
  row('Jinja and MkDocs', '#}', /\{#(?=[-\s]|[^{}]*#\})/g, mark('#}')),
  row('Handlebars', '{{!--', mark('{{!--'), mark('--}}')),
  row('Handlebars', '{{!', /\{\{!(?!--)/g, mark('}}')),
  row('CriticMarkup', '{>>', mark('{>>'), mark('<<}')),
  row('ERB', '<%', /<%(?:#|--)/g, mark('%>')),
  // Definitions of links that nothing uses: `[//]: # (Ask Ada)`, `[note]: <> (Ask Ada)`, `[note]: # "Ask Ada"`.
  row('Markdown without comments', '[//]:', /^ {0,3}\[\/\/\]:.*$/gm),
  row(
    'Markdown without comments',
    ']:',
    /^ {0,3}\[[^[\]\n]+\]:[ \t]*(?:<#?>|[#-])[ \t]+(?:\([^()]*\)|"[^"]*")[ \t]*$/gm,
  ),
  // Lines of `% Ask Ada`, unless the line before them ends with a digit.
  row('MyST', '%', /(?<=^|[^\d\s][ \t]*\n|\n[ \t]*\n)(?:[ \t]*%(?:[ \t].*)?(?:\n|$))+/g),
]

/** Without the pattern `close`, a comment ends where the match of `open` does: an empty string is found at once. */
function row(program: string, needle: string, open: RegExp, close = mark('')): Row {
  return { program, needle, open, close }
}

function mark(text: string): RegExp {
  return new RegExp(RegExp.escape(text), 'g')
}

/**
 * The comments of one program in a page whose code is masked. Ends at the first comment without an end, because later
 * ones have none either: this searches only once for a missing end.
 */
function commentsIn(masked: string, { program, open, close }: Row, labels: ReadonlySet<string>): ForeignComment[] {
  const comments: ForeignComment[] = []
  open.lastIndex = 0
  for (let match = open.exec(masked); match !== null; match = open.exec(masked)) {
    const { 0: begin, index: start } = match
    close.lastIndex = open.lastIndex
    if (!close.test(masked)) break
    open.lastIndex = Math.max(close.lastIndex, start + 1)
    // The label of `[note]: …`; empty for `[//]: …` and comments in other forms.
    const [, label = ''] = groupsOf(/^ {0,3}\[(?!\/\/\])([^\]]*)\]:/, begin)
    // At the beginning of a Pandoc document, lines with `%` are its title and authors.
    const isTitle = start === 0 && masked.startsWith('% ') && !/^#[ \t]/m.test(masked)
    if (!isTitle && !labels.has(label)) comments.push({ start, end: close.lastIndex, program })
  }
  return comments
}

/** The labels in brackets without `:` after them, such as in `[note]` and `[text][note]`: their definitions are not comments. */
function usedLabels(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\[([^[\]\n]+)\](?!:)/g), ([, label = '']) => label))
}
