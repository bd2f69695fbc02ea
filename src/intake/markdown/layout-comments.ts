import type { Problem } from '#brand/finding.ts'
import { type LayoutComment, layoutComment } from '#brand/markdown/layout-comment.ts'
import { mostSimilar } from '#brand/similar.ts'
import { blockParser } from '#formats/markdown/block-parser.ts'
import type { Inline } from '#formats/markdown/inline.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import { type Block, blank } from '#formats/markdown/page-blocks.ts'
import { anyOf, groupsOf, lineCounter, wordTable } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import type { Reference } from '../yaml/references.ts'

/** The colours of a page's bands, its blocks after `wide`, and its layout comments that have no effect. */
type ReadComments = { bands: Reference[]; wide?: WideBlocks; problems: Problem[] }

/**
 * Checks layout comments such as `<!-- full -->` or `<!-- ground: ink -->`. A comment of one word, perhaps with a value,
 * may be a misspelt one; all others are not for us.
 */
export function readLayoutComments(text: string, blocks: readonly Block[]): ReadComments {
  const comments = text.includes('<!--') ? blocks.flatMap(commentsIn) : []
  const layoutComments = comments.filter(({ content }) => layoutComment(content) || mistakeIn(content))
  if (layoutComments.length === 0) return { bands: [], problems: [] }
  const units = topLevelUnits(text, blocks)
  const page: Page = { text, blocks, units, wide: [], bands: [], problems: [], openBand: undefined }
  const indexByStart = new Map(page.units.map((unit, index) => [unit.start, index]))
  const lineAt = lineCounter(text)
  for (const { start, content } of layoutComments) {
    const place = commentPlace(page, lineAt(start), content)
    const index = indexByStart.get(start) ?? -1
    const comment = page.units[index]?.comment
    const mistake = mistakeIn(content)
    if (mistake !== undefined) place.report(mistake)
    else if (comment) checkComment(page, index, comment, place)
    else place.report(MISPLACED)
  }
  page.openBand?.report(UNCLOSED)
  const problems = page.problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  // A comment with an effect moves the list of headings above the page. Whether a `wide` has one is not known yet.
  const effectiveCount = layoutComments.length - problems.length
  const isComposed = effectiveCount > page.wide.length || !hasContents(blocks)
  return { bands: page.bands, problems, ...(page.wide.length > 0 && { wide: { isComposed, blocks: page.wide } }) }
}

const MISPLACED = 'has no effect inside other content: write it on its own line, outside of lists, quotes and HTML'
const UNCLOSED = 'is not closed, so it has no effect: write <!-- /ground --> after the last block of the band'

/** Whether a page has a list of its headings: at least two below its title. */
function hasContents(blocks: readonly Block[]): boolean {
  const countLevels = (from: number, to: number) => blocks.filter(({ level }) => level >= from && level <= to).length
  const firstLevelBelowTitle = Math.max(0, countLevels(1, 1) - 1)
  return firstLevelBelowTitle + countLevels(2, 3) >= 2
}

type Comment = { start: number; content: string }

/** The line of a comment, and a function that reports a problem with it: the end of a sentence. */
type Place = { line: number; report: (what: string) => void }

/** A page while its comments are checked in order, with the results so far. */
type Page = Pick<ReadComments, 'bands' | 'problems'> & {
  text: string
  blocks: readonly Block[]
  units: readonly Unit[]
  wide: WideBlock[]
  /** The band that began last and has not ended, with the id of its colour and the index of its comment in `units`. */
  openBand: (Place & { value: string; index: number }) | undefined
}

function commentPlace({ problems }: Pick<Page, 'problems'>, line: number, content: string): Place {
  const report = (what: string) => void problems.push(problem('layout-comment', `<!-- ${content} --> ${what}`, line))
  return { line, report }
}

/** The comments in HTML, as written between their marks. */
function commentsIn({ kind, start, text, inlines }: Block): Comment[] {
  const html = kind === 'html' ? [{ start: 0, end: text.length }] : inlines.filter(inline => inline.kind === 'html')
  return html.flatMap(span =>
    Array.from(text.slice(span.start, span.end).matchAll(COMMENT), ({ index, 1: content = '' }) => {
      return { start: start + span.start + index, content: content.trim() }
    }),
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
    const wanted = missingBlock(page.units, index, comment)
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

/** Comments that may follow `full` or `wide`, which then are about their blocks: `<!-- wide -->`, `<!-- columns: 3 -->`. */
const INNER: ReadonlySet<string> = new Set(['columns', 'split'])

/** The block that the comment at an index needs after it and does not have, for a message; undefined if it is present. */
function missingBlock(units: readonly Unit[], index: number, comment: LayoutComment): string | undefined {
  const [unit, second, third] = units.slice(index + 1, index + 4)
  switch (comment.name) {
    case 'full':
    case 'wide': {
      const inner = unit?.comment
      if (inner && INNER.has(inner.name)) return missingBlock(units, index + 1, inner)
      return fits(unit, ['media', 'list', 'quote', 'table', 'other'])
        ? undefined
        : 'a picture, a video, a list, a table or a quotation'
    }
    case 'split': {
      const below = second?.kind === 'heading' ? third : second
      const isFit = fits(unit, ['media']) && fits(below, ['media', 'text', 'list', 'quote', 'table', 'other'])
      return isFit ? undefined : 'a picture in its own paragraph, and then text'
    }
    default:
      return fits(unit, ['media', 'text', 'heading', 'list']) ? undefined : 'a list, pictures, a paragraph or a heading'
  }
}

function fits(unit: Unit | undefined, kinds: readonly Unit['kind'][]): boolean {
  return unit !== undefined && kinds.includes(unit.kind)
}

/**
 * The mistake in a comment that is almost a layout comment, as the end of a sentence; undefined for a correct one and for
 * any other.
 */
function mistakeIn(content: string): string | undefined {
  if (layoutComment(content)) return undefined
  const [, name = '', value] = groupsOf(FORM, content)
  const keyword = name.toLowerCase()
  if (name === '' || OTHER_WORDS.has(keyword)) return undefined
  if (SINGLE.has(keyword)) return `closes nothing, since "${keyword.slice(1)}" takes only what follows it: remove it`
  const form = FORMS.get(keyword)
  if (form !== undefined) return `is not written correctly, so it has no effect: write ${form}`
  const words = [...FORMS.keys()]
  const swapped = words.find(word => sortedLetters(word) === sortedLetters(keyword))
  const meant = SYNONYMS.get(keyword) ?? swapped ?? mostSimilar(keyword, words, MAX_DIFFERENCE)
  if (meant === undefined || keyword.length < MIN_LENGTH || /\s/.test(value ?? '')) return undefined
  const isValueRight = value !== undefined && layoutComment(`${meant}: ${value}`) !== undefined
  const suggestion = isValueRight ? `<!-- ${meant}: ${value} -->` : FORMS.get(meant)
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

/** Words of comments for other programs, or that only look like ours: `round` is no `ground`. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['hide', 'around', 'round', 'null', 'pull', 'side', 'wild', 'slide'])

/** The ends of what has no end: only bands have one. */
const SINGLE: ReadonlySet<string> = new Set(['/full', '/wide', '/split', '/columns'])

const FORMS: ReadonlyMap<string, string> = new Map([
  ['full', '<!-- full -->'],
  ['wide', '<!-- wide -->'],
  ['split', '<!-- split -->'],
  ['columns', '<!-- columns: 3 -->, with 2 to 6 columns'],
  ['ground', '<!-- ground: … --> with the id of a colour'],
  ['/ground', '<!-- /ground -->'],
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
  const paragraphs = new Map(blocks.map(block => [block.start, block]))
  const units: Unit[] = []
  for (let node = blockParser.parse(text).topNode.firstChild; node; node = node.nextSibling) {
    const { name, from, to } = node
    const html = name === 'CommentBlock' ? text.slice(from, to).trim() : ''
    // A block may continue after its comment.
    const isComment = html !== '' && html.indexOf('-->') === html.length - '-->'.length
    const block = paragraphs.get(from)
    const isMedia = name === 'Paragraph' && block !== undefined && hasOnlyMedia(block)
    const kind = isComment ? 'comment' : isMedia ? 'media' : kindOf(name, text.slice(from, to))
    const comment = layoutComment(html.slice('<!--'.length, -'-->'.length))
    const isLeftOut = name === 'LinkReference' || (isComment && !comment)
    if (!isLeftOut) units.push({ kind, start: from, end: to, comment })
  }
  return units
}

function kindOf(name: string, text: string): Unit['kind'] {
  return name === 'Html' ? kindOfHtml(text) : (KINDS.get(name.replace(/\d$/, '')) ?? 'other')
}

/** The kind of a block in HTML, by its first tag. A paragraph of pictures or films has the kind of those. */
function kindOfHtml(html: string): Unit['kind'] {
  const [, tag = ''] = groupsOf(/^\s*<([a-z]+[1-6]?)\b/, html.toLowerCase())
  return tag === 'p' && MEDIA.test(html) ? 'media' : (HTML_KINDS.get(tag) ?? 'other')
}

const MEDIA = new RegExp(`<${anyOf(['img', 'picture', 'video'])}\\b`, 'i')

const HTML_KINDS = wordTable<Unit['kind']>([
  ['media', 'img picture video'],
  ['text', 'p'],
  ['list', 'ul ol'],
  ['quote', 'blockquote'],
  ['rule', 'hr'],
  ['heading', 'h1 h2 h3 h4 h5 h6'],
])

/** By the names of lezer, without the levels of headings. */
const KINDS = wordTable<Unit['kind']>([
  ['text', 'Paragraph'],
  ['list', 'BulletList OrderedList'],
  ['quote', 'Blockquote'],
  ['table', 'Table'],
  ['rule', 'HorizontalRule'],
  ['heading', 'ATXHeading SetextHeading'],
])

/** Whether a paragraph has only pictures, links and HTML such as a video. */
function hasOnlyMedia({ text, inlines }: Block): boolean {
  const media = inlines.filter(({ kind }) => kind === 'picture' || kind === 'link' || kind === 'html')
  const rest = blank(
    text,
    media.sort((a, b) => a.start - b.start),
  )
  return media.length > 0 && rest.replace(/\\(?=\n)/g, '').trim() === ''
}

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
  const hasHeading = (word: RegExp) => head.some(({ text }) => word.test(text.trim()))
  const isPictured = leaves.some(({ inlines }) => inlines.some(({ kind }) => kind === 'picture'))
  return isPictured || (hasHeading(/^do(?::|$)/i) && hasHeading(/^don['’]t(?::|$)/i)) || head.length >= MIN_COLUMNS
}

const MIN_COLUMNS = 5

/** An item that is only a picture, with or without lines below, or only a link. */
function itemOf(leaf: Block): WideItem {
  const [part, ...others] = partsOf(leaf)
  const { start, text } = leaf
  if (!part || leaf.kind !== 'paragraph' || text.slice(0, part.start - start).trim() !== '') return otherItem(leaf)
  const rest = text.slice(part.end - start)
  if (part.kind === 'picture') return rest.trim() === '' || /^[ \\]*\n/.test(rest) ? part : otherItem(leaf)
  if (others.length > 0) return otherItem(leaf)
  if (rest.trim() === '') return part
  return part.kind === 'link' && SHARE.test(rest.trim()) ? { ...part, kind: 'share' } : otherItem(leaf)
}

/** The text after the link of a share: `: 60 %`, `– 12.5 %` or `(30%)`. */
const SHARE = /^[:–—(]?\s*\d{1,3}(?:[.,]\d{1,3})?\s*%\)?$/

function otherItem({ start, text }: Block): WideItem {
  return { kind: 'other', start, end: start + text.length }
}

/** The pictures and links of a block that are not within others. */
function partsOf({ kind, start: from, text, inlines }: Block): WideItem[] {
  if (kind === 'html')
    return Array.from(text.matchAll(/<img\b(?<!<img\b[^>]*?<img)[^>]*>/gi), ({ 0: tag, index }) => ({
      kind: /\swidth\s*=/i.test(tag) ? 'other' : 'picture',
      start: from + index,
      end: from + index + tag.length,
    }))
  const outerInlines = inlines.filter(one => !inlines.some(other => other.start < one.start && other.end > one.end))
  return outerInlines.map(({ kind, start, end }) => {
    const source = text.slice(start, end)
    return { kind: itemKind(kind, source), start: from + start, end: from + end }
  })
}

function itemKind(kind: Inline['kind'], source: string): WideItem['kind'] {
  // GitHub shows such a picture only in one of its modes.
  if (/#gh-(?:dark|light)-mode-only/.test(source)) return 'other'
  // A picture, or a link that contains only one: `[![Logo](logo.svg)](logo.md)`.
  if (kind === 'picture' || /^\[!\[[^\]]*\]\([^)]*\)\s*\]/.test(source)) return 'picture'
  if (kind === 'autolink') return 'external'
  if (kind === 'link') return /\]\(<?https?:/i.test(source) ? 'external' : 'link'
  return 'other'
}
