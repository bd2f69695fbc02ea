import type { Problem } from '#brand/finding.ts'
import { type LayoutComment, layoutComment } from '#brand/markdown/layout-comment.ts'
import { mostSimilar } from '#brand/similar.ts'
import { blockParser } from '#formats/markdown/block-parser.ts'
import type { Span } from '#formats/markdown/link-syntax.ts'
import { type Block, blank } from '#formats/markdown/page-blocks.ts'
import { groupsOf, lineCounter } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import type { Reference } from '../yaml/references.ts'

/** The colours of a page's bands, its blocks after `wide`, and its layout comments that have no effect. */
type ReadComments = { bands: Reference[]; wide?: WideBlocks; problems: Problem[] }

/** Checks layout comments such as `<!-- full -->`; only one word, or a word with a value, can be a misspelt one. */
export function readLayoutComments(text: string, blocks: readonly Block[]): ReadComments {
  const comments = text.includes('<!--') ? blocks.flatMap(commentsIn) : []
  const ours = comments.filter(({ content }) => layoutComment(content) || mistakeIn(content))
  if (ours.length === 0) return { bands: [], problems: [] }
  const units = topLevelUnits(text, blocks)
  const page: Page = { text, blocks, units, wide: [], bands: [], problems: [], open: undefined }
  const places = new Map(page.units.map((unit, at) => [unit.start, at]))
  const lineAt = lineCounter(text)
  for (const { start, content } of ours) {
    const place = commentPlace(page, lineAt(start), content)
    const at = places.get(start)
    const mistake = mistakeIn(content)
    if (mistake !== undefined) place.report(mistake)
    else if (at === undefined || page.units[at]?.kind !== 'comment') place.report(MISPLACED)
    else checkComment(page, at, place)
  }
  page.open?.report(UNCLOSED)
  const problems = page.problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  const isComposed = ours.length - problems.length > page.wide.length || !hasContents(blocks)
  return { bands: page.bands, problems, ...(page.wide.length > 0 && { wide: { isComposed, blocks: page.wide } }) }
}

const MISPLACED = 'has no effect inside other content: write it on its own line, outside of lists, quotes and HTML'
const UNCLOSED = 'is not closed, so it has no effect: write <!-- /ground --> after the last block of the band'

/** Whether a page has a list of its headings: at least two below its title. */
function hasContents(blocks: readonly Block[]): boolean {
  const ofLevel = (least: number, most: number) => blocks.filter(({ level }) => level >= least && level <= most).length
  return Math.max(0, ofLevel(1, 1) - 1) + ofLevel(2, 3) >= 2
}

type Comment = { start: number; content: string }

type Place = { line: number; report: (what: string) => void }

type Page = Pick<ReadComments, 'bands' | 'problems'> & {
  text: string
  blocks: readonly Block[]
  units: readonly Unit[]
  wide: WideBlock[]
  open: (Place & { value: string; at: number }) | undefined
}

function commentPlace({ problems }: Pick<Page, 'problems'>, line: number, content: string): Place {
  const report = (what: string) => void problems.push(problem('layout-comment', `<!-- ${content} --> ${what}`, line))
  return { line, report }
}

/** The comments in HTML, as written between their marks. */
function commentsIn({ kind, start, text, inlines }: Block): Comment[] {
  const html = kind === 'html' ? [{ start: 0, end: text.length }] : inlines.filter(inline => inline.kind === 'html')
  return html.flatMap(span => {
    const comments: Comment[] = []
    for (let at = text.indexOf('<!--', span.start); at >= 0 && at < span.end; ) {
      const end = text.indexOf('-->', at + 4)
      if (end < 0 || end > span.end) break
      if (end - at <= MAX_COMMENT) comments.push({ start: start + at, content: text.slice(at + 4, end).trim() })
      at = text.indexOf('<!--', end)
    }
    return comments
  })
}

/** In characters; longer ones are prose. */
const MAX_COMMENT = 300

function checkComment(page: Page, at: number, place: Place): void {
  const comment = layoutComment(page.units[at]?.content ?? '')
  if (comment?.name === '/ground') closeBand(page, at, place)
  else if (comment?.name === 'ground') {
    page.open?.report(UNCLOSED)
    page.open = { ...place, value: comment.value, at }
  } else if (comment) {
    const wanted = missingBlock(page.units, at, comment)
    if (wanted !== undefined) place.report(`has no effect here: it needs ${wanted} after it`)
    const unit = comment.name === 'wide' && wanted === undefined ? page.units[at + 1] : undefined
    const wide = unit && readWideBlock(unit, page, place.line)
    if (wide) page.wide.push(wide)
  }
}

function closeBand(page: Page, at: number, { report }: Place): void {
  const { open } = page
  page.open = undefined
  if (!open) {
    report('closes nothing: write <!-- ground: … --> with the id of a colour before the band')
    return
  }
  const inside = page.units.slice(open.at + 1, at)
  if (inside.every(({ kind }) => kind === 'comment')) open.report('has no effect: its band is empty')
  else page.bands.push({ text: open.value, line: open.line })
}

/** Comments that may follow one of a width, and then have it. */
const INNER: ReadonlySet<string> = new Set(['columns', 'split'])

/** The block that a comment lacks after it; undefined if it is present. */
function missingBlock(units: readonly Unit[], at: number, comment: LayoutComment): string | undefined {
  const [unit, second, third] = units.slice(at + 1, at + 4)
  switch (comment.name) {
    case 'full':
    case 'wide': {
      const inner = unit?.kind === 'comment' ? layoutComment(unit.content) : undefined
      if (inner && INNER.has(inner.name)) return missingBlock(units, at + 1, inner)
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

/** The mistake in a comment that is almost a layout comment; undefined for a correct one and for any other. */
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
  const isSame = value !== undefined && layoutComment(`${meant}: ${value}`) !== undefined
  return `is unknown, so it has no effect: did you mean ${isSame ? `<!-- ${meant}: ${value} -->` : FORMS.get(meant)}?`
}

function sortedLetters(word: string): string {
  return [...word].sort().join('')
}

/** A word, optionally with a value. */
const FORM = /^(\/?[a-z]+(?:-[a-z]+)?)(?:\s*[:=]\s*(.*)|(?<=ground|columns?)\s+\S{1,200})?$/is
const MAX_DIFFERENCE = 1 / 4
const MIN_LENGTH = 3

/** Words that other programs use, or that are near ones by chance. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['hide', 'around', 'round', 'null', 'pull', 'side', 'wild', 'slide'])

/** Only bands have an end. */
const SINGLE: ReadonlySet<string> = new Set(['/full', '/wide', '/split', '/columns'])

const FORMS: ReadonlyMap<string, string> = new Map([
  ['full', '<!-- full -->'],
  ['wide', '<!-- wide -->'],
  ['split', '<!-- split -->'],
  ['columns', '<!-- columns: 3 -->, with 2 to 6 columns'],
  ['ground', '<!-- ground: … --> with the id of a colour'],
  ['/ground', '<!-- /ground -->'],
])

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ...['full-bleed', 'fullbleed', 'bleed', 'full-width', 'fullwidth'].map(word => [word, 'full'] as const),
  ...['cols', 'grid'].map(word => [word, 'columns'] as const),
  ...['band', 'background', 'bg'].map(word => [word, 'ground'] as const),
  ...['/band', '/background', '/bg', 'end-ground', 'endground', 'ground-end'].map(word => [word, '/ground'] as const),
])

/** A top-level block or layout comment; `kind` is what a layout comment may take. */
type Unit = {
  kind: 'media' | 'text' | 'heading' | 'list' | 'quote' | 'table' | 'rule' | 'comment' | 'other'
  start: number
  end: number
  content: string
}

/** The top-level blocks of a page and its layout comments, in order; without definitions and other comments. */
function topLevelUnits(text: string, blocks: readonly Block[]): Unit[] {
  const paragraphs = new Map(blocks.map(block => [block.start, block]))
  const units: Unit[] = []
  for (let node = blockParser.parse(text).topNode.firstChild; node; node = node.nextSibling) {
    const { name, from, to } = node
    const content = name === 'CommentBlock' ? text.slice(from, to).trim() : ''
    const isComment = content !== '' && content.indexOf('-->') === content.length - 3
    const block = paragraphs.get(from)
    const isMedia = name === 'Paragraph' && block !== undefined && hasOnlyMedia(block)
    const kind = isComment ? 'comment' : isMedia ? 'media' : kindOf(name, text.slice(from, to))
    const comment = content.slice(4, -3).trim()
    const isLeftOut = name === 'LinkReference' || (kind === 'comment' && !layoutComment(comment))
    if (!isLeftOut) units.push({ kind, start: from, end: to, content: comment })
  }
  return units
}

function kindOf(name: string, text: string): Unit['kind'] {
  if (/Heading/.test(name)) return 'heading'
  if (name === 'Html') return kindOfHtml(text)
  return KINDS.get(name) ?? 'other'
}

/** The kind of a block in HTML, by its first tag. A paragraph of pictures or films has the kind of those. */
function kindOfHtml(html: string): Unit['kind'] {
  const tag = /^\s*<([a-z]+[1-6]?)\b/i.exec(html)?.[1]?.toLowerCase() ?? ''
  if (tag === 'p' && /<(?:img|picture|video)\b/i.test(html)) return 'media'
  return HTML_KINDS.get(tag) ?? 'other'
}

const HTML_KINDS = new Map<string, Unit['kind']>([
  ...['img', 'picture', 'video'].map(name => [name, 'media'] as const),
  ['p', 'text'],
  ['ul', 'list'],
  ['ol', 'list'],
  ['blockquote', 'quote'],
  ['hr', 'rule'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, 'heading'] as const),
])

const KINDS = new Map<string, Unit['kind']>([
  ['Paragraph', 'text'],
  ['BulletList', 'list'],
  ['OrderedList', 'list'],
  ['Blockquote', 'quote'],
  ['Table', 'table'],
  ['HorizontalRule', 'rule'],
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
 * The blocks of a page that may reach the wide edge without their `wide` comment, which depends on the targets of their
 * links; and whether the page has no list of headings next to it even without these comments.
 */
export type WideBlocks = { isComposed: boolean; blocks: WideBlock[] }

/** A block after `wide` with its line and its contents; `wide` for one that always reaches the wide edge. */
export type WideBlock = { line: number; form: 'paragraph' | 'list' | 'wide'; items: WideItem[] }

/** A part of a paragraph, or an item of a list: only a picture, a link, a link with a share, or anything else. */
export type WideItem = Span & { kind: 'picture' | 'link' | 'share' | 'external' | 'other' }

/** The block after a `wide` comment; undefined for one that always becomes wider. */
function readWideBlock({ kind, start, end }: Unit, { text, blocks }: Page, line: number): WideBlock | undefined {
  // Another layout comment: columns, or two blocks side by side.
  if (kind === 'comment') return { line, form: 'wide', items: [] }
  const leaves = blocks.filter(block => block.start >= start && block.start < end)
  if (kind === 'table') {
    const head = leaves.filter(leaf => leaf.start < text.indexOf('\n', start))
    return isWideTable(head, leaves) ? { line, form: 'wide', items: [] } : undefined
  }
  if (kind === 'list') return { line, form: 'list', items: leaves.map(itemOf) }
  const [leaf, ...others] = leaves
  if (kind !== 'media' || !leaf || others.length > 0) return undefined
  return { line, form: 'paragraph', items: partsOf(leaf) }
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
  const outer = inlines.filter(one => !inlines.some(other => other.start < one.start && other.end > one.end))
  return outer.map(({ kind, start, end }) => {
    const source = text.slice(start, end)
    const isPicture = kind === 'picture' || /^\[!\[[^\]]*\]\([^)]*\)\s*\]/.test(source)
    const isExternal = kind === 'autolink' || /\]\(<?https?:/i.test(source)
    const isLink = kind === 'link' || kind === 'autolink'
    const form = /#gh-(?:dark|light)-mode-only/.test(source) ? 'other' : isPicture ? 'picture' : isLink && 'link'
    return { kind: form === 'link' && isExternal ? 'external' : form || 'other', start: from + start, end: from + end }
  })
}
