import type { Problem } from '#brand/finding.ts'
import { type LayoutComment, layoutComment } from '#brand/markdown/layout-comment.ts'
import { mostSimilar } from '#brand/similar.ts'
import { blockParser } from '#formats/markdown/block-parser.ts'
import type { Inline } from '#formats/markdown/inline.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import { type Block, blank } from '#formats/markdown/page-blocks.ts'
import { groupsOf, lineCounter, wordTable } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import type { Reference } from '../yaml/references.ts'
import { htmlAmong, readHtmlTags } from './html-links.ts'

/** The colours of a page's bands, its blocks after `wide`, and its layout comments that have no effect. */
type ReadComments = { bands: Reference[]; wide?: WideBlocks; problems: Problem[] }

/**
 * Checks layout comments such as `<!-- full -->` or `<!-- ground: ink -->`. A comment of one word, perhaps with a value,
 * may be a misspelt one; all others are not for us.
 */
export function readLayoutComments(text: string, blocks: readonly Block[]): ReadComments {
  const layoutComments = blocks
    .flatMap(commentsIn)
    .filter(({ content }) => layoutComment(content) || mistakeIn(content))
  if (layoutComments.length === 0) return { bands: [], problems: [] }
  const page: Page = {
    text,
    blocks,
    units: topLevelUnits(text, blocks),
    wide: [],
    bands: [],
    found: [],
    openBand: undefined,
  }
  const unitAt = new Map(page.units.map((unit, index) => [unit.start, { index, comment: unit.comment }]))
  const lineAt = lineCounter(text)
  for (const { start, content } of layoutComments) {
    const place = commentPlace(page, lineAt(start), content)
    const { index = 0, comment } = unitAt.get(start) ?? {}
    const mistake = mistakeIn(content)
    if (mistake !== undefined) place.report(mistake)
    else if (comment) checkComment(page, index, comment, place)
    else place.report(MISPLACED)
  }
  page.openBand?.report(UNCLOSED)
  const found = page.found.sort((a, b) => a.line - b.line)
  const problems = found.map(({ message, line }) => problem('layout-comment', message, line))
  // A comment with an effect moves the list of headings above the page. Whether a `wide` has one is not known yet.
  const effectiveCount = layoutComments.length - problems.length
  const isComposed = effectiveCount > page.wide.length || !hasContents(blocks)
  return { bands: page.bands, problems, ...(page.wide.length > 0 && { wide: { isComposed, blocks: page.wide } }) }
}

const MISPLACED = 'has no effect inside other content: write it on its own line, outside of lists, quotes and HTML'
const UNCLOSED = 'is not closed, so it has no effect: write <!-- /ground --> after the last block of the band'

/** Whether a page has a list of its headings: at least two below its title. */
function hasContents(blocks: readonly Block[]): boolean {
  const levels = blocks.map(({ level }) => level).filter(level => LISTED_LEVELS.has(level))
  return levels.length - Number(levels.includes(1)) >= 2
}

/** The levels of the headings in the list of headings, of which the first title is left out. */
const LISTED_LEVELS: ReadonlySet<number> = new Set([1, 2, 3])

type Comment = { start: number; content: string }

/** The line of a comment, and a function that reports a problem with it: the end of a sentence. */
type Place = { line: number; report: (what: string) => void }

/** A page while its comments are checked in order, with the results so far. */
type Page = Pick<ReadComments, 'bands'> & {
  text: string
  blocks: readonly Block[]
  units: readonly Unit[]
  wide: WideBlock[]
  found: { message: string; line: number }[]
  /** The band that began last and has not ended, with the id of its colour and the index of its comment in `units`. */
  openBand: (Place & { value: string; index: number }) | undefined
}

function commentPlace({ found }: Pick<Page, 'found'>, line: number, content: string): Place {
  return { line, report: what => void found.push({ message: `<!-- ${content} --> ${what}`, line }) }
}

/** The comments in HTML, as written between their marks. */
function commentsIn(block: Block): Comment[] {
  return htmlAmong(block).flatMap(({ start, html }) =>
    Array.from(html.matchAll(COMMENT), ({ index, 1: content = '' }) => ({
      start: start + index,
      content: content.trim(),
    })),
  )
}

/** A short comment; longer ones are prose. */
const COMMENT = /<!--(.{0,300}?)-->/gs

/** Checks the layout comment at an index of `units` by the blocks after it. */
function checkComment(page: Page, index: number, comment: LayoutComment, place: Place): void {
  if (comment.name === '/ground') closeBand(page, index, place)
  else if (comment.name === 'ground') {
    page.openBand?.report(UNCLOSED)
    page.openBand = { ...place, value: comment.value, index }
  } else {
    const wanted = missingBlock(page.units, index, comment.name)
    const [unit] = page.units.slice(index + 1)
    if (wanted !== undefined) place.report(`has no effect here: it needs ${wanted} after it`)
    else if (unit && comment.name === 'wide') page.wide.push(...readWideBlock(unit, page, place.line))
  }
}

function closeBand(page: Page, index: number, { report }: Place): void {
  const { openBand } = page
  page.openBand = undefined
  if (!openBand) {
    report('closes nothing: write <!-- ground: … --> with the id of a colour before the band')
    return
  }
  const inside = page.units.slice(openBand.index + 1, index)
  if (inside.every(({ kind }) => kind === 'comment')) openBand.report('has no effect: its band is empty')
  else page.bands.push({ text: openBand.value, line: openBand.line })
}

/** The kinds of the blocks that must follow a comment, one after the other, and their names in messages. */
type Need = { kinds: readonly (readonly Unit['kind'][])[]; wanted: string }

const WIDER: Need = {
  kinds: [['media', 'list', 'quote', 'table', 'other']],
  wanted: 'a picture, a video, a list, a table or a quotation',
}

const NEEDS: Readonly<Record<Exclude<LayoutComment['name'], 'ground' | '/ground'>, Need>> = {
  full: WIDER,
  wide: WIDER,
  split: {
    kinds: [['media'], ['media', 'text', 'list', 'quote', 'table', 'other']],
    wanted: 'a picture in its own paragraph, and then text',
  },
  columns: {
    kinds: [['media', 'text', 'heading', 'list']],
    wanted: 'a list, pictures, a paragraph or a heading',
  },
}

/**
 * The block that the comment at an index needs after it and does not have, for a message; undefined if it is present. The
 * blocks of another comment may follow `full` or `wide`: `<!-- wide -->`, `<!-- columns: 3 -->`.
 */
function missingBlock(units: readonly Unit[], index: number, name: keyof typeof NEEDS): string | undefined {
  const inner = units[index + 1]?.comment?.name
  if (NEEDS[name] === WIDER && (inner === 'columns' || inner === 'split')) return missingBlock(units, index + 1, inner)
  // The text next to a picture may begin with a heading.
  const following = units.slice(index + 1, index + 4).filter(({ kind }, at) => at !== 1 || kind !== 'heading')
  const isPresent = NEEDS[name].kinds.every((kinds, at) =>
    following.slice(at, at + 1).some(({ kind }) => kinds.includes(kind)),
  )
  return isPresent ? undefined : NEEDS[name].wanted
}

/**
 * The mistake in a comment that is almost a layout comment, as the end of a sentence; undefined for a correct one and for
 * any other.
 */
function mistakeIn(content: string): string | undefined {
  if (layoutComment(content)) return undefined
  const [, name = '', value = ''] = groupsOf(FORM, content)
  const keyword = name.toLowerCase()
  if (MISTAKES.has(keyword)) return MISTAKES.get(keyword)
  const words = [...FORMS.keys()]
  const swapped = words.find(word => sortedLetters(word) === sortedLetters(keyword))
  const meant = SYNONYMS.get(keyword) ?? swapped ?? mostSimilar(keyword, words, MAX_DIFFERENCE)
  if (meant === undefined || keyword.length < MIN_LENGTH || /\s/.test(value)) return undefined
  const withValue = `${meant}: ${value}`
  const suggestion = layoutComment(withValue) ? `<!-- ${withValue} -->` : FORMS.get(meant)
  return `is unknown, so it has no effect: did you mean ${suggestion}?`
}

/** Words that other programs use for a layout, by the word for it. */
const SYNONYMS = wordTable([
  ['full', 'full-bleed fullbleed bleed full-width fullwidth'],
  ['columns', 'cols grid'],
  ['ground', 'band background bg'],
  ['/ground', '/band /background /bg end-ground endground ground-end'],
])

/** The same for words with swapped letters: `wdie` and `wide`. */
function sortedLetters(word: string): string {
  return [...word].sort().join('')
}

/** A word, optionally with a value: `full`, `/ground`, `full-width`, `columns: 3`, `columns=3`, or without a sign `columns 3`. */
const FORM = /^(\/?[a-z]+(?:-[a-z]+)?)(?:\s*[:=]\s*(.*)|(?<=ground|columns?)\s+\S{1,200})?$/is
/** The share of letters that may differ. */
const MAX_DIFFERENCE = 1 / 4
/** Shorter words are like too many others. */
const MIN_LENGTH = 3

const FORMS: ReadonlyMap<string, string> = new Map([
  ['full', '<!-- full -->'],
  ['wide', '<!-- wide -->'],
  ['split', '<!-- split -->'],
  ['columns', '<!-- columns: 3 -->, with 2 to 6 columns'],
  ['ground', '<!-- ground: … --> with the id of a colour'],
  ['/ground', '<!-- /ground -->'],
])

/** The mistakes in comments of one word; undefined for words of other programs, and for those that only look like ours. */
const MISTAKES: ReadonlyMap<string, string | undefined> = new Map([
  ...['', 'hide', 'around', 'round', 'null', 'pull', 'side', 'wild', 'slide'].map(word => [word, undefined] as const),
  // Only bands have an end.
  ...['full', 'wide', 'split', 'columns'].map(
    word => [`/${word}`, `closes nothing, since "${word}" takes only what follows it: remove it`] as const,
  ),
  ...Array.from(
    FORMS,
    ([word, form]) => [word, `is not written correctly, so it has no effect: write ${form}`] as const,
  ),
])

/** A top-level block or layout comment; `kind` is what a layout comment may take. */
type Unit = {
  kind: 'media' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'rule' | 'comment' | 'other'
  start: number
  end: number
  /** A layout comment: `columns: 3`. */
  comment: LayoutComment | undefined
}

/** The top-level blocks of a page and its layout comments, in order; without definitions and other comments. */
function topLevelUnits(text: string, blocks: readonly Block[]): Unit[] {
  const media = new Set(blocks.filter(hasOnlyMedia).map(({ start }) => start))
  const units: Unit[] = []
  for (let node = blockParser.parse(text).topNode.firstChild; node; node = node.nextSibling) {
    const { name, from, to } = node
    const source = text.slice(from, to).trim()
    const kind = media.has(from) ? 'media' : kindOf(name, source)
    const comment = kind === 'comment' ? layoutComment(source.slice('<!--'.length, -'-->'.length)) : undefined
    units.push({ kind, start: from, end: to, comment })
  }
  return units.filter(({ kind, comment }) => kind !== 'comment' || comment)
}

function kindOf(name: string, source: string): Unit['kind'] {
  // A block may continue after its comment.
  if (name === 'CommentBlock') return source.indexOf('-->') === source.length - '-->'.length ? 'comment' : 'other'
  return name === 'Html' ? kindOfHtml(source) : (KINDS.get(name) ?? 'other')
}

/** The kind of a block in HTML, by its first tag. A paragraph of pictures or films has the kind of those. */
function kindOfHtml(html: string): Unit['kind'] {
  const tags = readHtmlTags(html)
  const kinds = tags.map(({ name }) => HTML_KINDS.get(name) ?? 'other')
  const [first = 'other'] = kinds.slice(0, tags.findIndex(({ start }) => start === 0) + 1)
  return first === 'text' && kinds.includes('media') ? 'media' : first
}

const HTML_KINDS = wordTable<Unit['kind']>([
  ['media', 'img picture video'],
  ['text', 'p'],
  ['list', 'ul ol'],
  ['quote', 'blockquote'],
  ['rule', 'hr'],
  ['heading', 'h1 h2 h3 h4 h5 h6'],
])

/** By the names of lezer. A definition shows nothing, as other comments. */
const KINDS = wordTable<Unit['kind']>([
  ['text', 'Paragraph'],
  ['list', 'BulletList OrderedList'],
  ['quote', 'Blockquote'],
  ['table', 'Table'],
  ['rule', 'HorizontalRule'],
  ['heading', 'ATXHeading1 ATXHeading2 ATXHeading3 ATXHeading4 ATXHeading5 ATXHeading6 SetextHeading1 SetextHeading2'],
  ['comment', 'LinkReference'],
])

/** Whether a paragraph has only pictures, links and HTML such as a video. */
function hasOnlyMedia({ kind, text, inlines }: Block): boolean {
  const media = inlines.filter(inline => MEDIA.has(inline.kind)).sort((a, b) => a.start - b.start)
  return kind === 'paragraph' && media.length > 0 && blank(text, media).replaceAll('\\\n', '').trim() === ''
}

const MEDIA: ReadonlySet<Inline['kind']> = new Set(['picture', 'link', 'html'])

/**
 * The blocks of a page that may reach the wide edge even without their `wide` comment: whether they do depends on the
 * targets of their links, which are resolved later. `isComposed`: even without these comments, the page has no list of
 * headings next to it.
 */
export type WideBlocks = { isComposed: boolean; blocks: WideBlock[] }

/** A block after `wide`, with the line of that comment. The form `wide` always reaches the wide edge. */
export type WideBlock = { line: number; form: 'paragraph' | 'list' | 'wide'; items: WideItem[] }

/**
 * A part of a paragraph, or an item of a list, which is only a picture, a link to the project, a link with a share such as
 * `[Ink](../styles/colors.yaml#ink): 60 %`, or an external link; `other` is anything else.
 */
export type WideItem = Span & { kind: 'picture' | 'link' | 'share' | 'external' | 'other' }

/** The block after a `wide` comment; none if the comment always makes it wider. */
function readWideBlock({ kind, start, end }: Unit, { text, blocks }: Page, line: number): WideBlock[] {
  const leaves = blocks.filter(block => block.start >= start && block.start < end)
  const head = leaves.filter(leaf => leaf.start < text.indexOf('\n', start))
  // A comment is another layout comment: columns, or two blocks side by side.
  if (kind === 'comment' || (kind === 'table' && isWideTable(head, leaves))) return [{ line, form: 'wide', items: [] }]
  if (kind === 'list') return [{ line, form: 'list', items: leaves.map(itemOf) }]
  const isParagraph = kind === 'media' && leaves.length === 1
  return isParagraph ? [{ line, form: 'paragraph', items: leaves.flatMap(partsOf) }] : []
}

/** Whether a table shows pictures or verdicts, or has many columns. */
function isWideTable(head: readonly Block[], leaves: readonly Block[]): boolean {
  const isPictured = leaves.some(({ inlines }) => inlines.some(({ kind }) => kind === 'picture'))
  const words = new Set(head.map(({ text }) => text.trim().toLowerCase().replace('’', "'").split(':', 1).join('')))
  return isPictured || VERDICTS.isSubsetOf(words) || head.length >= MIN_COLUMNS
}

const VERDICTS: ReadonlySet<string> = new Set(['do', "don't"])
const MIN_COLUMNS = 5

/** An item that is only a picture, with or without lines below, or only a link. */
function itemOf(leaf: Block): WideItem {
  const { start, text } = leaf
  const other: WideItem = { kind: 'other', start, end: start + text.length }
  const [part = other] = leaf.kind === 'paragraph' ? partsOf(leaf) : []
  const isFirst = text.slice(0, part.start - start).trim() === ''
  const rest = text.slice(part.end - start)
  const form = ITEM_FORMS.find(form => form.part === part.kind && form.rest.test(rest))
  return form && isFirst ? { ...part, kind: form.kind } : other
}

const ALONE = /^\s*$/

/** The kinds of items by their first part and the text after it. */
const ITEM_FORMS: readonly { kind: WideItem['kind']; part: WideItem['kind']; rest: RegExp }[] = [
  { kind: 'picture', part: 'picture', rest: /^\s*$|^[ \\]*\n/ },
  { kind: 'link', part: 'link', rest: ALONE },
  { kind: 'external', part: 'external', rest: ALONE },
  // `: 60 %`, `– 12.5 %` or `(30%)`
  { kind: 'share', part: 'link', rest: /^\s*(?!\s)[:–—(]?\s*\d{1,3}(?:[.,]\d{1,3})?\s*%\)?\s*$/ },
]

/** The pictures and links of a block that are not within others. */
function partsOf({ kind, start: from, text, inlines }: Block): WideItem[] {
  if (kind === 'html') {
    const pictures = readHtmlTags(text).filter(({ name }) => name === 'img')
    return pictures.map(({ attributes, start, end }) => {
      return { kind: attributes.has('width') ? 'other' : 'picture', start: from + start, end: from + end }
    })
  }
  const outerInlines = inlines.filter(one => !inlines.some(other => other.start < one.start && other.end > one.end))
  return outerInlines.map(({ kind, start, end }) => {
    const source = text.slice(start, end)
    return { kind: itemKind(kind, source), start: from + start, end: from + end }
  })
}

function itemKind(kind: Inline['kind'], source: string): WideItem['kind'] {
  // GitHub shows such a picture only in one of its modes.
  if (/#gh-(?:dark|light)-mode-only/.test(source)) return 'other'
  if (kind !== 'link') return ITEM_KINDS.get(kind) ?? 'other'
  // A link that contains only a picture: `[![Logo](logo.svg)](logo.md)`.
  if (/^\[!\[[^\]]*\]\([^)]*\)\s*\]/.test(source)) return 'picture'
  return /\]\(<?https?:/i.test(source) ? 'external' : 'link'
}

const ITEM_KINDS: ReadonlyMap<Inline['kind'], WideItem['kind']> = new Map([
  ['picture', 'picture'],
  ['autolink', 'external'],
])
