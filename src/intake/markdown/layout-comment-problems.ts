import type { Problem } from '../../brand/finding.ts'
import { type LayoutComment, layoutComment } from '../../brand/markdown/layout-comment.ts'
import type { ReadBlock } from '../../brand/markdown/visible-text.ts'
import { mostSimilar } from '../../brand/similar.ts'
import { problem } from '../folder/findings.ts'
import type { Reference } from '../yaml/references.ts'
import { topLevelUnits, type Unit } from './top-level-units.ts'
import { readWideBlock, type WideBlock, type WideBlocks } from './wide-blocks.ts'

/** The colours of a page's bands, its blocks after `wide`, and its layout comments that have no effect. */
export type ReadComments = { bands: Reference[]; wide?: WideBlocks; problems: Problem[] }

/**
 * Checks the layout comments of a page, such as `<!-- full -->`. Ignores comments of editors and other programs: only
 * one word, or a word with a value, can be a misspelt layout comment.
 */
export function readLayoutComments(text: string, blocks: readonly ReadBlock[]): ReadComments {
  const comments = text.includes('<!--') ? blocks.flatMap(commentsIn) : []
  const ours = comments.filter(({ content }) => layoutComment(content) || mistakeIn(content))
  if (ours.length === 0) return { bands: [], problems: [] }
  const page: Page = {
    text,
    blocks,
    units: topLevelUnits(text, blocks),
    wide: [],
    bands: [],
    problems: [],
    open: undefined,
  }
  const places = new Map(page.units.map((unit, at) => [unit.start, at]))
  let line = 1
  let from = 0
  for (const { start, content } of ours) {
    for (; from < start; from++) if (text[from] === '\n') line++
    const place = placeOf(page, line, content)
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
function hasContents(blocks: readonly ReadBlock[]): boolean {
  const ofLevel = (least: number, most: number) => blocks.filter(({ level }) => level >= least && level <= most).length
  return Math.max(0, ofLevel(1, 1) - 1) + ofLevel(2, 3) >= 2
}

type Comment = { start: number; content: string }

type Place = { line: number; report: (what: string) => void }

type Page = Pick<ReadComments, 'bands' | 'problems'> & {
  text: string
  blocks: readonly ReadBlock[]
  units: readonly Unit[]
  wide: WideBlock[]
  open: (Place & { value: string; at: number }) | undefined
}

function placeOf({ problems }: Pick<Page, 'problems'>, line: number, content: string): Place {
  const report = (what: string) => void problems.push(problem('layout-comment', `<!-- ${content} --> ${what}`, line))
  return { line, report }
}

/** The comments in HTML, as written between their marks. */
function commentsIn({ kind, start, text, inlines }: ReadBlock): Comment[] {
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
    const wide = unit && readWideBlock(unit, { ...page, line: place.line })
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

/** The block that a comment lacks after it; undefined if it is present. */
function missingBlock(units: readonly Unit[], at: number, comment: LayoutComment): string | undefined {
  const [unit, second, third] = units.slice(at + 1, at + 4)
  switch (comment.name) {
    case 'full':
    case 'wide': {
      const inner = unit?.kind === 'comment' ? layoutComment(unit.content) : undefined
      if (inner?.name === 'columns' || inner?.name === 'split') return missingBlock(units, at + 1, inner)
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
  const [, name = '', value] = FORM.exec(content) ?? []
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
