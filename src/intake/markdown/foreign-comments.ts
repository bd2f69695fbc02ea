import type { Problem } from '#brand/finding.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import { applyEdits, quote } from '#platform/base/text.ts'
import { problemsAt } from './problems-at.ts'

/**
 * Removes the comments of other programs from a page, except in code, and reports each. Programs that read the API
 * would show them, so that notes of authors would be published. Keeps the number of lines.
 */
export function withoutForeignComments(text: string): { text: string; problems: Problem[] } {
  const comments = foreignComments(text)
  const edits = comments.map(({ start, end }) => {
    return { start, end, text: '\n'.repeat(text.slice(start, end).split('\n').length - 1) }
  })
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
  row('MDX', '/*', /\{\s*\/\*(?!\s*#[^\s*]+\s*\*\/\}[ \t]*$)/gm, marks('*/ }')),
  row('kramdown', '{::comment}', marks('{::comment}'), marks('{:/}', '{:/comment}')),
  row('Jekyll and Liquid', 'comment', /\{%-?\s*comment\b[^%]*%\}/g, marks('{% endcomment %}')),
  row('Hugo', 'comment', marks('{{< comment >}}', '{{% comment %}}'), marks('{{< / comment >}}', '{{% / comment %}}')),
  row('Hugo', '{{', marks('{{ /*'), marks('*/ }}')),
  row('Liquid', '{%', marks('{% #'), marks('%}')),
  // `{# Ask Ada #}`; not `{#logo}`, which is the id of a heading.
  row('Jinja and MkDocs', '#}', /\{#(?=[-\s]|[^{}]*#\})/g, marks('#}')),
  row('Handlebars', '{{!--', marks('{{!--'), marks('--}}')),
  row('Handlebars', '{{!', /\{\{!(?!--)/g, marks('}}')),
  row('CriticMarkup', '{>>', marks('{>>'), marks('<<}')),
  row('ERB', '<%', marks('<%#', '<%--'), marks('%>')),
  // Definitions of links that nothing uses: `[//]: # (Ask Ada)`, `[note]: <> (Ask Ada)`, `[note]: # "Ask Ada"`.
  row('Markdown without comments', '[//]:', /^ {0,3}\[\/\/\]:.*$/gm),
  row(
    'Markdown without comments',
    ']:',
    /^ {0,3}\[([^[\]\n]+)\]:[ \t]*(?:<#?>|[#-])[ \t]+(?:\([^()]*\)|"[^"]*")[ \t]*$/gm,
  ),
  // Lines of `% Ask Ada`, unless the line before them ends with a digit.
  row('MyST', '%', /(?<=^|[^\d\s][ \t]*\n|\n[ \t]*\n)(?:[ \t]*%(?:[ \t].*)?(?:\n|$))+/g),
]

/** Without the pattern `close`, a comment ends where the match of `open` does: an empty string is found at once. */
function row(program: string, needle: string, open: RegExp, close = marks('')): Row {
  return { program, needle, open, close }
}

/** Makes a pattern of texts in which a space stands for any number of blanks and hyphens: `{%- comment -%}`. */
function marks(...texts: string[]): RegExp {
  const forms = texts.map(text => text.split(' ').map(RegExp.escape).join('[\\s-]*'))
  return new RegExp(forms.join('|'), 'g')
}

/**
 * The comments of one program in a page whose code is masked. Ends at the first comment without an end, because later
 * ones have none either: this searches only once for a missing end.
 */
function commentsIn(masked: string, { program, open, close }: Row, labels: ReadonlySet<string>): ForeignComment[] {
  const comments: ForeignComment[] = []
  open.lastIndex = 0
  for (let match = open.exec(masked); match !== null; match = open.exec(masked)) {
    // The label of `[note]: …`; empty for comments in other forms.
    const { 1: label = '', index: start } = match
    close.lastIndex = open.lastIndex
    if (!close.test(masked)) break
    open.lastIndex = Math.max(close.lastIndex, start + 1)
    // At the beginning of a Pandoc document, lines with `%` are its title and authors.
    const isTitle = start === 0 && masked.startsWith('% ') && !masked.includes('\n# ')
    if (!isTitle && !labels.has(label)) comments.push({ start, end: close.lastIndex, program })
  }
  return comments
}

/** The labels in brackets without `:` after them, such as in `[note]` and `[text][note]`: their definitions are not comments. */
function usedLabels(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\[([^[\]\n]+)\](?!:)/g), ([, label = '']) => label))
}
