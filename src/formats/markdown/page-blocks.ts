import { groupsOf, wordSet, wordTable } from '#platform/base/text.ts'
import { blockParser } from './block-parser.ts'
import { splitHeading } from './heading-ids.ts'
import { endFinder, type Inline, readInlines } from './inline.ts'
import { type Definition, normalizeLabel, readDefinitions, type Span } from './link-syntax.ts'
import { plainText } from './plain-text.ts'
import { isTagsAndPictures, mayHaveTags, templateTags } from './template-tags.ts'
import { EAST_ASIAN_MARK } from './unspaced-scripts.ts'

/** A leaf block with its link definitions, and the inlines in its text, which starts at `textStart`. */
export type Block = Leaf & { textStart: number; definitions: Definition[]; inlines: Inline[] }

/** A block without blocks in it. Its text has the same length as in the source, with spaces instead of markers. */
type Leaf = {
  kind:
    | 'atx-heading'
    | 'setext-heading'
    | 'paragraph'
    | 'task'
    | 'cell'
    | 'html'
    | 'footnote-label'
    | 'indented-code'
    | 'fenced-code'
    | 'open-fence'
  start: number
  /** The level of a heading; 0 for other blocks. */
  level: number
  text: string
  /** The column of a cell. */
  column?: number
  /** Whether a cell is beyond the columns of its table, so that pages do not show it. */
  isBeyond?: boolean
  /** Whether it begins an item of a list, or is the first block after a list. */
  isApart?: boolean
}

/** Reads the blocks of a page and their inlines. Import and search read pages with it. */
export function readBlocks(text: string): Block[] {
  const labels = { links: new Set<string>(), footnotes: new Set<string>() }
  const blocks = readLeaves(text).map(leaf => {
    const mayDefine = leaf.kind === 'paragraph' || leaf.kind === 'setext-heading'
    const { definitions, end } = mayDefine ? readDefinitions(leaf.text) : { definitions: [], end: 0 }
    for (const { label } of definitions) labels.links.add(label)
    if (leaf.kind === 'footnote-label') labels.footnotes.add(normalizeLabel(leaf.text.slice(1, -1)))
    // A paragraph of only definitions is not a heading, although lezer reads one.
    const isHeading = leaf.level > 0 && (definitions.length === 0 || leaf.text.slice(end).trim() !== '')
    return { ...leaf, level: isHeading ? leaf.level : 0, textStart: end, definitions }
  })
  return blocks.map(block => {
    const inlines = hasInlines(block) ? readInlines(block.text, block.textStart, labels) : []
    return { ...block, inlines }
  })
}

/** The headings, paragraphs, cells, HTML and code of a page, in order. An unclosed fence comes before its code. */
function readLeaves(text: string): Leaf[] {
  const leaves: MarkedLeaf[] = []
  const tables = openTables(text)
  /** Whether a list item began, or a list ended, since the last leaf. */
  let isApart = false
  blockParser.parse(text).iterate({
    leave: ({ name }) => {
      isApart ||= name.endsWith('List')
    },
    enter: ({ name, from, to, node }) => {
      isApart ||= name === 'ListItem'
      tables.enter(name, from, to)
      const leaf = leafAt(text, node)
      if (leaf === undefined) {
        addMark(leaves.at(-1), name, { start: from, end: to })
        return
      }
      const notes = { ...(leaf.kind === 'cell' && tables.cellNotes(node.parent?.name)), ...(isApart && { isApart }) }
      leaves.push({ ...leaf, marks: [], ...notes })
      isApart = false
    },
  })
  return leaves.map(({ start, end, marks, ...leaf }) => {
    const inside = marks.map(mark => ({ start: mark.start - start, end: mark.end - start }))
    return { ...leaf, start, text: blank(text.slice(start, end), inside) }
  })
}

/** A leaf whose text is not cut out yet, with the places of the markers in it. */
type MarkedLeaf = Span & Omit<Leaf, 'text'> & { marks: Span[] }

/** Counts the cells of rows, and the columns of tables. */
function openTables(text: string) {
  /** The columns of the current table, and the column of the current cell. */
  let columns = 0
  let column = 0
  return {
    enter: (name: string, from: number, to: number): void => {
      // Each `|` of a row is a delimiter, as is the whole line `|---|---|` below the header.
      if (name === 'TableRow' || name === 'TableHeader') column = text[from] === '|' ? -1 : 0
      else if (name === 'TableDelimiter' && to - from > 1) columns = text.slice(from, to).split(/-+/).length - 1
      else if (name === 'TableDelimiter') column++
    },
    cellNotes: (row: string | undefined): Pick<Leaf, 'column' | 'isBeyond'> => {
      const isBeyond = row === 'TableRow' && column >= columns
      return { column, ...(isBeyond && { isBeyond }) }
    },
  }
}

/** The leaf that a node of lezer is; undefined for other nodes. */
function leafAt(text: string, node: SyntaxNode): (Span & Pick<Leaf, 'kind' | 'level'>) | undefined {
  const { name, from, to } = node
  const openFence = name === 'FencedCode' ? openFenceOf(text, node) : undefined
  if (openFence !== undefined) return { kind: 'open-fence', level: 0, start: from, end: from + openFence.length }
  const leaf = LEAVES.get(name === 'CodeText' ? `${name} in ${node.parent?.name}` : name)
  return leaf && { ...leaf, start: from, end: ENDS.get(leaf.kind)?.(text, from, to) ?? to }
}

/** Adds a marker inside of a leaf to it. */
function addMark(leaf: MarkedLeaf | undefined, name: string, mark: Span): void {
  const isInside = leaf !== undefined && MARKS.has(name) && mark.start < leaf.end
  if (isInside) leaf.marks.push(mark)
}

type SyntaxNode = FencedCode & { name: string; parent: { name: string } | null }

/**
 * The marks of an unclosed fence, such as three backticks; undefined if it is closed. A fence with a language inside shows
 * that the first one should have ended.
 */
function openFenceOf(text: string, { from, to, firstChild, lastChild }: FencedCode): string | undefined {
  const marks = groupsOf(/^(?:`+|~+)/, text.slice(from, to))[0] ?? ''
  const isClosed = lastChild?.name === 'CodeMark' && lastChild.from !== firstChild?.from
  const column = from - (text.lastIndexOf('\n', from - 1) + 1)
  // A fence that is indented as code is text.
  const innerFence = new RegExp(`\\n(?! {${column + 4}})[ \\t>]*${marks}${marks[0]}*[ \\t]*\\w`)
  return isClosed && !innerFence.test(text.slice(from, to)) ? undefined : marks
}

type FencedCode = { from: number; to: number; firstChild: Child; lastChild: Child }
type Child = { name: string; from: number } | null

/** By the names of lezer. */
const LEAVES = new Map(
  Array.from(
    wordTable<Leaf['kind']>([
      ['paragraph', 'Paragraph'],
      ['setext-heading', 'SetextHeading1 SetextHeading2'],
      ['atx-heading', 'ATXHeading1 ATXHeading2 ATXHeading3 ATXHeading4 ATXHeading5 ATXHeading6'],
      ['task', 'Task'],
      ['cell', 'TableCell'],
      ['footnote-label', 'Footnote'],
      ['indented-code', 'CodeBlock'],
      ['html', 'Html HTMLBlock CommentBlock ProcessingInstructionBlock'],
    ]),
    ([name, kind]) => [name, { kind, level: Number(name.at(-1)) || 0 }] as const,
  ),
).set('CodeText in FencedCode', { kind: 'fenced-code', level: 0 })

/** The ends of leaves that lezer does not have. */
const ENDS = new Map<Leaf['kind'], (text: string, from: number, to: number) => number>([
  // The last line of a setext heading is its underline. lezer does not report the quote markers on that line.
  ['setext-heading', (text, _from, to) => text.lastIndexOf('\n', to - 1)],
  ['footnote-label', (text, from) => text.indexOf(']:', from) + 1],
])

/** Marks inside of leaves, which become spaces. */
const MARKS = new Set(['QuoteMark', 'HeaderMark', 'TaskMarker'])

/** Code has no inlines, except indented blocks that contain only pictures and tags of other systems. */
function hasInlines({ kind, text }: Leaf): boolean {
  return kind === 'indented-code' ? isTagsAndPictures(text) : !WITHOUT_INLINES.has(kind)
}

const WITHOUT_INLINES: ReadonlySet<Leaf['kind']> = new Set(['html', 'footnote-label', 'fenced-code', 'open-fence'])

/**
 * The text of a block as a page shows it, without markup and tags of other systems.
 *
 * @param replace gives the text that replaces an inline, such as a picture in a heading; undefined: its own text
 */
export function shownText(block: Block, replace?: (inline: Inline) => string | undefined): string {
  const { text, textStart, inlines } = block
  const hidden = mayHaveTags(text) ? templateTags(visibleText(block)) : []
  return plainText(text, { start: textStart, end: text.length }, inlines, { hidden, replace })
}

/** The text of Markdown without blocks, such as a cell, as a page shows it, without pictures. */
export function inlineText(text: string): string {
  const inlines = readInlines(text, 0, { links: new Set(), footnotes: new Set() })
  return plainText(text, { start: 0, end: text.length }, inlines, { replace: withoutPicture })
}

/** Replaces a picture with nothing: names and ids of headings have no alt texts. */
export function withoutPicture({ kind }: Inline): string | undefined {
  return kind === 'picture' ? '' : undefined
}

/**
 * The text of a page at the offsets of its source, without what readers do not see: markers of blocks are spaces, and
 * U+FFFC replaces code, tags, addresses and the ids of headings.
 */
export function shownPage(text: string, blocks: readonly Block[]): string {
  let shown = ''
  for (const block of blocks) {
    const isInside = block.start < shown.length
    if (isInside) continue
    shown += filled(text.slice(shown.length, block.start), ' ')
    shown += blank(visibleText(block) || '\0'.repeat(block.text.length), hiddenSpans(block), HIDDEN)
  }
  return shown.replace(HIDDEN_OR_ADDRESS, hidden => HIDDEN.repeat(hidden.length))
}

/** A block without visible text (`\0`), or an address in running text. */
const HIDDEN_OR_ADDRESS = new RegExp(`\\0+|\\bhttps?://(?:(?!${EAST_ASIAN_MARK.source})[^\\s<>()])+`, 'g')
const HIDDEN = '\uFFFC'

/**
 * The parts of a block that readers do not see: HTML tags, the id of a heading, addresses, inlines without text, and
 * tags of other systems.
 */
function hiddenSpans({ kind, text, level, inlines, definitions }: Block): Span[] {
  const tags = kind === 'html' ? Array.from(text.matchAll(/<(?!!--)[^<>]*>/g), spanOf) : []
  const { mark = '' } = level > 0 ? splitHeading(text.trimEnd()) : {}
  const markAt = text.lastIndexOf(mark)
  const hidden = inlines.flatMap((inline): Span[] => {
    if (inline.kind === 'link' || inline.kind === 'picture') return inline.destination ? [inline.destination] : []
    return [inline]
  })
  const all = [
    ...tags,
    { start: markAt, end: markAt + mark.length },
    ...hidden,
    ...(mayHaveTags(text) ? templateTags(text) : []),
    ...definitions.map(({ destination }) => destination),
  ]
  return all.sort((a, b) => a.start - b.start)
}

function spanOf({ 0: { length }, index }: RegExpExecArray): Span {
  return { start: index, end: index + length }
}

/** The text of a block, with code and hidden HTML replaced by spaces; empty for a block of code or a label. */
export function visibleText({ kind, text, inlines }: Block): string {
  if (WITHOUT_TEXT.has(kind) || (kind === 'indented-code' && !isTagsAndPictures(text))) return ''
  const code = inlines.filter(inline => inline.kind === 'code')
  const rest = blank(text, code)
  return blank(rest, hiddenHtml(rest))
}

const WITHOUT_TEXT: ReadonlySet<Leaf['kind']> = new Set(['footnote-label', 'fenced-code', 'open-fence'])

/** Masks code in a page, at the same offsets. */
export function withoutCode(text: string): string {
  const code = readBlocks(text).flatMap(({ kind, start, text: { length }, inlines }) => {
    const spans = kind.endsWith('code') ? [{ start: 0, end: length }] : inlines.filter(each => each.kind === 'code')
    return spans.map(span => ({ start: start + span.start, end: start + span.end }))
  })
  return blank(text, code, '\0')
}

/** Replaces spans, which may overlap or be nested, and are ordered by start or by end. Line breaks stay. */
export function blank(text: string, spans: readonly Span[], fill = ' '): string {
  let visible = ''
  let at = 0
  for (const { start, end } of spans) {
    if (start < at) continue
    visible += text.slice(at, start) + filled(text.slice(start, end), fill)
    at = end
  }
  return visible + text.slice(at)
}

function filled(text: string, fill: string): string {
  return text.replace(/[^\n]+/g, ({ length }) => fill.repeat(length))
}

/** Comments and code elements, up to the first end tag with the same name. */
function hiddenHtml(text: string): Span[] {
  const spans: Span[] = []
  const endOf = endFinder(text)
  let start = 0
  for (const { 1: name = '', index } of text.matchAll(/<(!--|[a-z]+(?=[\s>]))/gi)) {
    const ending = HIDDEN_ENDINGS.get(name.toLowerCase())
    const end = ending && index >= start ? endOf(ending, index) : undefined
    if (end !== undefined) spans.push({ start: index, end })
    start = end ?? start
  }
  return spans
}

const HIDDEN_ENDINGS = new Map([
  ['!--', /-->/g],
  ...Array.from(
    wordSet('code kbd pre samp script style textarea'),
    name => [name, new RegExp(`</${name}\\s*>`, 'gi')] as const,
  ),
])
