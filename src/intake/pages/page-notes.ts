import type { Color } from '#brand/color.ts'
import { type BrandFile, isPagePhotograph, isPicture, isVideo } from '#brand/file.ts'
import type { Problem, RuleId } from '#brand/finding.ts'
import type { PageId, StyleId } from '#brand/ids.ts'
import type { Page, Target } from '#brand/page.ts'
import { contrastOf, MIN_LARGE_CONTRAST } from '#brand/styles/contrast.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { quote } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import type { WideBlock, WideItem } from '../markdown/layout-comments.ts'
import { pictureFormatProblem } from '../media/picture-format.ts'
import type { ProjectReading } from '../reading.ts'
import { advice, nearest } from '../yaml/nearest.ts'
import { type Reference, suggester } from '../yaml/references.ts'
import type { CoverSettings } from './front-matter.ts'
import { baseOf, pathFinder, relativePath, resolvePath } from './link-target.ts'
import type { LinkedPage } from './page-links.ts'
import type { PageSource } from './pages.ts'

/** Website-only details of pages, keyed by page id. Broken references are reported and omitted. */
export function resolvePageNotes(
  reading: ProjectReading,
  sources: readonly PageSource[],
  files: readonly BrandFile[],
  colors: readonly Color[],
): ReadonlyMap<PageId, Pick<Page, 'cover' | 'ground' | 'bands' | 'wide' | 'nav' | 'aliases' | 'draft'>> {
  const { groundOf, bandsOf } = groundFinder(reading, colors)
  const coverOf = coverFinder(reading, files, colors)
  return new Map(
    sources.map(source => {
      const { wide, nav } = source.notes
      const draft = source.leftOut && true
      const aliases = source.notes.aliases?.map(({ id }) => id)
      const ground = groundOf(source)
      const bands = bandsOf(source)
      return [source.id, withoutUndefined({ cover: coverOf(source, ground), ground, bands, wide, nav, aliases, draft })]
    }),
  )
}

/** Makes the functions that find the colour of a page, and those of its bands. Both report and omit unknown colours. */
function groundFinder({ report }: ProjectReading, colors: readonly Color[]) {
  const ids = new Map<string, StyleId>(colors.map(({ id }) => [id, id]))
  const find = (source: string, { text, line }: Reference, rule: RuleId, explain: (text: string) => string) => {
    const id = ids.get(text)
    const missing = { path: 'styles/colors.yaml', id: text }
    if (id === undefined) report(source, { ...problem(rule, explain(text), line), missing })
    return id
  }
  const unknownBand = (text: string) => {
    const help = advice(nearest(text, [...ids.keys()]), 'write an id from styles/colors.yaml')
    return `<!-- ground: ${text} --> has no effect, because ${quote(text)} is not the id of a colour: ${help}`
  }
  return {
    groundOf: ({ source, notes: { ground } }: PageSource): StyleId | undefined =>
      ground && find(source, ground, 'front-matter-value-unknown', unknownGround),
    bandsOf: ({ source, bands }: PageSource): StyleId[] | undefined => {
      const found = bands.flatMap(band => find(source, band, 'layout-comment', unknownBand) ?? [])
      return unlessEmpty([...new Set(found)])
    },
  }
}

function unknownGround(text: string): string {
  return `"ground" is ${quote(text)}, which is not the id of a colour, so it is ignored: write an id from styles/colors.yaml`
}

/**
 * Makes a function that finds the cover of a page, whose `ground` its letters may be on. Reports and omits a cover that
 * does not exist, and reports one that browsers do not show or whose letters are illegible.
 */
function coverFinder(
  reading: ProjectReading,
  files: readonly BrandFile[],
  colors: readonly Color[],
): (page: PageSource, ground: StyleId | undefined) => Page['cover'] {
  const colorAt = new Map<string, Color>(colors.map(color => [color.id, color]))
  const pictures = new Map(files.filter(file => isPicture(file) || isVideo(file)).map(file => [file.path, file]))
  const findPath = pathFinder([...pictures.keys()])
  const suggest = suggester([...pictures.keys(), ...colorAt.keys()])
  return ({ source, notes: { cover: reference } }, ground) => {
    if (!reference) return undefined
    const report = (cause: Problem | undefined) => cause && reading.report(source, cause)
    const { text, line, settings = {} } = reference
    const color = colorAt.get(text)
    const folder = baseOf(text, source)
    const resolved = resolvePath(folder, text) ?? ''
    const file = pictures.get(findPath(resolved) ?? '')
    const found = color
      ? { cover: { color: color.id }, ground: color.id }
      : file && { cover: { file: file.path }, ground: file.ground, contentType: file.contentType }
    if (!found) {
      const meant = suggest(resolved) ?? suggest(text)
      report(unknownCover(text, line, meant?.includes('/') ? relativePath(`${folder}/`, meant) : meant))
      return undefined
    }
    report(pictureFormatProblem(`cover: ${quote(text)}`, found.contentType, line))
    // The colour behind the letters: the page's own, else that of the cover.
    const behindText = colorAt.get(ground ?? found.ground ?? '')
    if (behindText) report(illegibleText(settings, behindText, line))
    return { ...found.cover, ...settings }
  }
}

function unknownCover(text: string, line: number, meant: string | undefined): Problem {
  const help = advice(meant, 'write the path of a picture, relative to this page, or a colour id')
  const message = `"cover" is ${quote(text)}, which is neither a picture or video in the project nor the id of a colour, so it is ignored: ${help}`
  return { ...problem('cover-unknown', message, line), missing: { path: 'styles/colors.yaml', id: text } }
}

/** The problem with light or dark letters that are illegible on this colour, even if they are white or black. */
function illegibleText({ text }: CoverSettings, { name, hex }: Color, line: number): Problem | undefined {
  const letters = LETTERS.find(letters => letters.text === text)
  const contrast = letters && contrastOf(letters.hex, hex)
  if (!contrast || contrast.ratio >= MIN_LARGE_CONTRAST) return undefined
  const message = `"text" is ${text}, but the best contrast of ${text} letters on ${quote(name)} is ${contrast.text}, and large letters need ${MIN_LARGE_CONTRAST}: did you mean "${letters.other}"? Until then the website uses readable letters`
  return problem('cover-contrast', message, line)
}

const LETTERS = [
  { text: 'light', hex: '#ffffff', other: 'dark' },
  { text: 'dark', hex: '#000000', other: 'light' },
] as const

/**
 * Reports each `wide` comment before a block that reaches the wide edge without it. But a comment with an effect also moves
 * the list of headings above the page. If only needless comments do that, the first of them is not reported.
 *
 * @param pages the linked pages, in the order of their sources
 */
export function reportNeedlessWide(
  { report }: ProjectReading,
  sources: readonly PageSource[],
  pages: readonly LinkedPage[],
  { files, notes }: { files: readonly BrandFile[]; notes: ReadonlyMap<PageId, Pick<Page, 'cover'>> },
): void {
  const lookOfTarget = targetLooks(files, notes)
  for (const [index, { id, source, wideBlocks, notes: ownNotes }] of sources.entries()) {
    if (!wideBlocks) continue
    const links = pages[index]?.id === id ? pages[index].links() : []
    const lookOf = (item: WideItem): Look => {
      const to = links.find(({ start }) => start >= item.start && start < item.end)?.to
      const look = lookOfTarget(to)
      const { looks, otherwise = look } = ITEM_LOOKS[item.kind]
      return looks[look] ?? otherwise
    }
    const needless = wideBlocks.blocks.filter(block => isWideByItself(block, block.items.map(lookOf)))
    const isWideAnyway = wideBlocks.isComposed || ownNotes.wide || needless.length < wideBlocks.blocks.length
    const reported = isWideAnyway ? needless : needless.slice(1)
    report(source, ...reported.map(({ line }) => problem('layout-comment', NEEDLESS, line)))
  }
}

const NEEDLESS = '<!-- wide --> has no effect here: the block after it is as wide without it, so remove it'

/**
 * How the website shows a part of a block that is alone: `share` is a colour with its share, `page` the card of a page with
 * a cover, and `external` a link to another site.
 */
type Look = 'picture' | 'photograph' | 'film' | 'colour' | 'share' | 'palette' | 'type' | Card | 'other'
type Card = 'download' | 'page' | 'external'

/** Makes a function that gives the look of a link by its target. */
function targetLooks(files: readonly BrandFile[], notes: ReadonlyMap<PageId, Pick<Page, 'cover'>>) {
  const fileLooks = new Map<string, Look>([
    ...files.filter(isVideo).map(({ path }) => [path, 'film'] as const),
    ...files.filter(isPagePhotograph).map(({ path }) => [path, 'photograph'] as const),
  ])
  return (to: Target | undefined): Look => {
    if (!to) return 'other'
    if (to.page !== undefined) return notes.get(to.page)?.cover ? 'page' : 'other'
    if (to.list === 'types') return 'type'
    if (to.list === 'colors') return to.id === undefined ? 'palette' : 'colour'
    return fileLooks.get(to.file ?? '') ?? 'download'
  }
}

/** How the website shows a kind of part by the look of its target; absent: as its target. */
const ITEM_LOOKS: Readonly<Record<WideItem['kind'], { looks: Partial<Record<Look, Look>>; otherwise?: Look }>> = {
  picture: { looks: { film: 'film', photograph: 'photograph', other: 'other' }, otherwise: 'picture' },
  link: { looks: { photograph: 'download' } },
  share: { looks: { film: 'film', colour: 'share' }, otherwise: 'other' },
  external: { looks: {}, otherwise: 'external' },
  other: { looks: {}, otherwise: 'other' },
}

/**
 * Whether `wide` changes nothing, because the block reaches the wide edge by itself (`form`), or because it is a paragraph
 * of several parts or one wide one, a list of pictures, or a list of one kind of parts, but no single card.
 */
function isWideByItself({ form }: WideBlock, looks: readonly Look[]): boolean {
  if (form === 'wide') return true
  const [first, ...others] = looks
  if (first === undefined || looks.includes('other')) return false
  if (form === 'paragraph') return others.length > 0 || WIDE.has(first)
  if (looks.every(look => PICTURES.has(look))) return true
  if (looks.some(look => cardOf(look) !== cardOf(first))) return false
  return others.length > 0 || !CARDS.has(cardOf(first))
}

const PICTURES: ReadonlySet<Look> = new Set(['picture', 'photograph'])
const WIDE: ReadonlySet<Look> = new Set(['photograph', 'film', 'colour', 'palette', 'type'])

/** How a list shows a part: a film as the card of a download. */
function cardOf(look: Look): Look {
  return look === 'film' ? 'download' : look
}

const CARDS: ReadonlySet<Look> = new Set(['download', 'page', 'external'])
