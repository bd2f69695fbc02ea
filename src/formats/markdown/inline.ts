import { TAG } from './block-parser.ts'
import { readLabel, readResource, type Span } from './link-syntax.ts'

/** An inline; `text` is its visible part. A link has a destination, or the normalized label of its definition. */
export type Inline = Span & { text: Span } & (
    | { kind: 'link' | 'picture'; destination: Span | undefined; label: string | undefined }
    | { kind: 'code' | 'html' | 'autolink' | 'footnote' }
  )

/** The normalized labels that a page defines. */
type Labels = { links: ReadonlySet<string>; footnotes: ReadonlySet<string> }

/**
 * Reads links, pictures, code, raw HTML, autolinks and footnote references in the text of a block (CommonMark 0.31 §6),
 * starting at an offset and ordered by end position. Always takes linear time (decisions/0014).
 */
export function readInlines(text: string, start: number, labels: Labels): Inline[] {
  const inlines: Inline[] = []
  const brackets = bracketReader(text, labels)
  /** By the first character of a mark; those after a backslash are only text. */
  const readers = new Map<string | undefined, (at: number, size: number) => Inline | undefined>([
    ['[', brackets.open],
    ['!', brackets.open],
    [']', brackets.close],
    ['`', codeReader(text)],
    ['<', angleReader(text)],
  ])
  const special = /\\[!-/:-@[-`{-~]|`+|!?\[|[<\]]/g
  special.lastIndex = start
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const { 0: mark, index } = match
    const inline = readers.get(mark[0])?.(index, mark.length)
    if (inline === undefined) continue
    inlines.push(inline)
    special.lastIndex = inline.end
  }
  return inlines
}

/**
 * The bracket stack of CommonMark's appendix: openers are `[`, of size 1, and `![`, of size 2. The openers of links among
 * the first `closedBelow` in the stack are inactive, because they are around a link.
 */
function bracketReader(text: string, labels: Labels) {
  const stack: { index: number; size: number }[] = []
  let closedBelow = 0
  return {
    open: (index: number, size: number): undefined => {
      stack.push({ index, size })
    },
    close: (index: number): Inline | undefined => {
      const opener = stack.pop()
      if (opener === undefined) return undefined
      const start = opener.index + opener.size
      const footnote = readFootnote(text, start - 1, index + 1, labels)
      if (footnote) return footnote
      const kind = opener.size === 1 ? 'link' : 'picture'
      const isClosed = stack.length < closedBelow
      closedBelow = Math.min(closedBelow, stack.length)
      if (kind === 'link' && isClosed) return undefined
      const resource = readResource(text, index + 1)
      const reference = resource ? undefined : readReference(text, start - 1, index + 1, labels)
      const end = resource?.end ?? reference?.end
      if (end === undefined) return undefined
      // A link must not contain a link, but a picture may, so openers around a link become inactive.
      if (kind === 'link') closedBelow = stack.length
      return {
        kind,
        start: opener.index,
        end,
        text: { start, end: index },
        destination: resource?.destination,
        label: reference?.label,
      }
    },
  }
}

/** Reads a reference to a footnote, `[^1]`, between these offsets; undefined for other brackets. */
function readFootnote(text: string, start: number, end: number, { footnotes }: Labels): Inline | undefined {
  const note = text[start + 1] === '^' ? readLabel(text, start) : undefined
  if (note?.end !== end || !footnotes.has(note.label)) return undefined
  return { kind: 'footnote', start, end, text: { start: end, end } }
}

/** Reads `[text][label]`, `[label][]` or `[label]`, from the start and end of the first pair of brackets. */
function readReference(
  text: string,
  start: number,
  end: number,
  labels: Labels,
): { label: string; end: number } | undefined {
  const isCollapsed = text.startsWith('[]', end)
  const second = isCollapsed ? undefined : readLabel(text, end)
  const first = second === undefined ? readLabel(text, start) : undefined
  const label = second ?? (first?.end === end ? first : undefined)
  if (label === undefined || !labels.links.has(label.label)) return undefined
  return { label: label.label, end: isCollapsed ? end + 2 : label.end }
}

/** A code span ends with as many backticks as it starts with. A space at both ends is removed. */
function codeReader(text: string) {
  const backticks = () => Array.from(text.matchAll(/`+/g), ({ 0: { length }, index }) => ({ length, index }))
  /**
   * The runs of backticks by length, the last one first, so that those before the current place are taken from the end.
   */
  let runs: Map<number, { index: number }[]> | undefined
  return (start: number, size: number): Inline | undefined => {
    runs ??= Map.groupBy(backticks().reverse(), ({ length }) => length)
    const laterRuns = runs.get(size) ?? []
    while ((laterRuns.at(-1)?.index ?? start + size) < start + size) laterRuns.pop()
    const close = laterRuns.at(-1)?.index
    if (close === undefined) return undefined
    const code = text.slice(start + size, close)
    const padding = /^[ \n]/.test(code) && /[ \n]$/.test(code) && code.trim() !== '' ? 1 : 0
    return { kind: 'code', start, end: close + size, text: { start: start + size + padding, end: close - padding } }
  }
}

/** The ends of comments, instructions, CDATA and declarations in HTML, by their lower-case beginnings. */
export const HTML_ENDINGS: ReadonlyMap<string, RegExp> = new Map([
  ['<!--', /-->/g],
  ['<?', /\?>/g],
  ['<![cdata[', /\]\]>/g],
  ['<!', />/g],
])

/** Gives the end of a later match. Does not search again for one that is missing, which would take quadratic time. */
export function endFinder(text: string): (pattern: RegExp, from: number) => number | undefined {
  const missing = new Set<string>()
  return (pattern, from) => {
    pattern.lastIndex = from
    if (!missing.has(pattern.source) && pattern.test(text)) return pattern.lastIndex
    missing.add(pattern.source)
    return undefined
  }
}

/** Reads autolinks and raw HTML. */
function angleReader(text: string) {
  const endOf = endFinder(text)
  return (start: number): Inline | undefined => {
    AUTOLINK.lastIndex = start
    if (AUTOLINK.test(text)) {
      const end = AUTOLINK.lastIndex
      return { kind: 'autolink', start, end, text: { start: start + 1, end: end - 1 } }
    }
    TAG.lastIndex = start
    HTML_OPENING.lastIndex = start
    const opening = HTML_OPENING.exec(text)?.[0].toLowerCase()
    // A declaration begins with a letter: `<!d`.
    const ending = opening && (HTML_ENDINGS.get(opening) ?? HTML_ENDINGS.get('<!'))
    // `<!-->` and `<!--->` are whole comments.
    const end = TAG.test(text) ? TAG.lastIndex : ending && endOf(ending, start + 2)
    return !end ? undefined : { kind: 'html', start, end, text: { start: end, end } }
  }
}

const DOMAIN_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const ADDRESS = `[\\w.!#$%&'*+/=?^\`{|}~-]+@${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*`
/** `<https://example.com>` or `<name@example.com>` (CommonMark §6.5). */
const AUTOLINK = new RegExp(`<(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\\s<>]*|${ADDRESS})>`, 'y')
const HTML_OPENING = /<(?:!--|\?|!\[CDATA\[|![a-zA-Z])/y
