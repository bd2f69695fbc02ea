import type { Span } from '#formats/markdown/link-syntax.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import { anyOf, applyEdits, singleSpaced, wordsIn } from '#platform/base/text.ts'
import type { DocumentContent } from '../document.ts'
import { type Emptied, type EmptiedPage, emptiedColumns } from './emptied-columns.ts'
import { emptiedHeadings } from './emptied-headings.ts'
import { sourceLine } from './html-tree.ts'
import { PALETTE_PATH } from './markup.ts'

type Page = Pick<DocumentContent, 'text' | 'lines' | 'notes'>

/**
 * A page without the parts whose content did not arrive, each of which becomes a row of the report: links and emphasis
 * without words, palettes that the page has already, columns of tables, boxes, and then headings. Parts that
 * authors left empty stay.
 */
export function withoutEmptied<Source extends Page>(page: Source, path: string): Source {
  const finders = [wordless, repeatedPalettes, emptiedColumns, emptiedBoxes, emptiedHeadings]
  return { ...page, ...finders.reduce<Page>((rest, find) => withoutFound(rest, find, path), page) }
}

function withoutFound(page: Page, find: (page: EmptiedPage) => Emptied[], path: string): Page {
  const { text, lines, notes } = page
  const lineAt = lineFinder(text)
  const lineOf = (at: number) => sourceLine(lines, lineAt(at))
  const noted = [...notes.lost.filter(row => row.isOffPage !== true), ...notes.converted]
  const changed = noted.map(({ line }) => line).sort((a, b) => a - b)
  const changedLines = new Set(changed)
  const isChanged = ({ start, end }: Span) => {
    const first = lineOf(start)
    return Array.from({ length: lineOf(end) - first + 1 }, (_, at) => first + at).some(line => changedLines.has(line))
  }
  const emptied = find({ text, lines, changed, isChanged })
  const rows = emptied.flatMap(({ spans: [first], what, said }) =>
    first ? [{ path, line: lineOf(first.start), what, text: said || text.slice(first.start, first.end) }] : [],
  )
  const spans = emptied.flatMap(part => part.spans).toSorted((a, b) => a.start - b.start)
  // The lines stay, so that all others keep their places in the source.
  const edits = spans.map(({ start, end }) => ({ start, end, text: text.slice(start, end).replace(/[^\n]/g, '') }))
  return { lines, text: applyEdits(text, edits), notes: { ...notes, lost: [...notes.lost, ...rows] } }
}

/** Makes a function that gives the line of an offset, in any order. */
function lineFinder(text: string): (offset: number) => number {
  const numbers = new Uint32Array(text.length + 1)
  let start = 0
  for (const [at, line] of text.split('\n').entries()) {
    numbers.fill(at + 1, start, start + line.length + 1)
    start += line.length + 1
  }
  return offset => Number(numbers[offset])
}

/** Links and emphasis without words, which pages would show as their source or not at all. */
function wordless({ text }: EmptiedPage): Emptied[] {
  return Array.from(withoutCode(text).matchAll(WORDLESS), ({ index: start, 0: { length } }) => {
    const span = { start, end: start + length }
    return { spans: [span], what: 'link or emphasis without words', said: text.slice(start, span.end) }
  })
}

/** `[](address)`, and `****` beside other text: alone on its line, it is a rule. */
const WORDLESS =
  /(?<!!)\[[ \t]{0,9}\]\([^()\n]{0,1000}\)|(?<=[^\s*][ \t]{1,9})\*{4}(?=[\s|])|^\*{4}(?=[ \t]{1,9}[^\s*])/gm

/** Palettes that the page shows already: what distinguished them, such as a table of combinations, did not arrive. */
function repeatedPalettes({ text, isChanged }: EmptiedPage): Emptied[] {
  const links = Array.from(text.matchAll(PALETTES), ({ index: start, 0: link }) => ({
    start,
    end: start + link.length,
    link,
  }))
  const groups = [...Map.groupBy(links, ({ link }) => link).values()]
  const repeated = groups.flatMap(([, ...others]) => others).filter(isChanged)
  return repeated.map(span => ({ spans: [span], what: 'the palette that is above, in another form', said: span.link }))
}

/** A line with only a link to colours. */
const PALETTES = new RegExp(String.raw`^\[[^\]\n]{1,200}\]\(/@site/${PALETTE_PATH}[^()\s]{0,200}\)$`, 'gm')

/** Boxes and other elements without content. */
function emptiedBoxes({ text, isChanged }: EmptiedPage): Emptied[] {
  const shown = withoutCode(text)
  // Below empty lines, indented tags of a table would be code.
  const tables = text.matchAll(EMPTY_TABLE).filter(({ index }) => shown[index] === '<')
  const all = [...BOXES.flatMap(box => [...shown.matchAll(box)]), ...tables]
  const boxes = all.map(({ index, 0: source }) => {
    const spans = [{ start: index, end: index + source.length }]
    const said = singleSpaced(source.replace(/<[^<>]*>|^[>\s]*(?:\[!\w+\])?/gm, ' '))
    return { spans, what: 'box whose content is lost', said }
  })
  return boxes.filter(({ spans }) => spans.some(isChanged))
}

const ELEMENT = anyOf(wordsIn('details, blockquote, aside, figure, ul, ol'))
const BOXES = [
  // A quotation or an alert of which only the marks are left.
  /^(?<!^[ \t]{0,9}>.{0,999}\n)(?:[ \t]{0,9}>)+[ \t]{0,9}(?:\[!\w{3,9}\][ \t]{0,9})?(?:\n(?:[ \t]{0,9}>)+[ \t]{0,9})*$(?!\n[ \t]{0,9}>)/gm,
  new RegExp(
    String.raw`^<(${ELEMENT})\b(?![^<>]*\sid=)[^<>]*>\s{0,99}(?:<summary>[^<>]*</summary>\s{0,99})?</\1>$`,
    'gm',
  ),
]
const TABLE_PART = anyOf(wordsIn('thead, tbody, tr, td, th'))
const EMPTY_TABLE = new RegExp(
  String.raw`^<table\b[^<>]*>(?:\s{0,99}</?${TABLE_PART}\b[^<>]*>){0,9999}\s{0,99}</table>$`,
  'gm',
)
