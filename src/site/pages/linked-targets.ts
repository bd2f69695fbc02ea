import type { Color } from '../../brand/color.ts'
import type { StyleId } from '../../brand/ids.ts'
import type { Page, StyleTarget, Target } from '../../brand/page.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { sizeRange } from '../../export/style-sheets/css-text.ts'
import { typeAnchor } from '../../serving/addresses.ts'
import type { ColorTarget, LinkTarget, PageTarget, PaletteTarget, TypeSample } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { MAX_ENTRIES } from '../layout/layout.ts'
import { colorList, colorOf, colorPath } from '../library/colors/color-list.ts'
import { guideFonts } from '../library/type/faces/guide-fonts.ts'
import { typePath } from '../library/type/type-list.ts'
import { fontNote } from '../library/type/type-view.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { coverMedia } from './cover.ts'
import { fileTarget, linkedFolders, picturePreview } from './linked-files.ts'
import { linkAddresses, wordsTarget } from './linked-words.ts'

/** The first targets of a page's links, keyed by their address in the text, with the content of their cards. */
export async function linkedTargets(guide: Guide, page: Page): Promise<ReadonlyMap<string, LinkTarget>> {
  const targets = new Map<string, LinkTarget>()
  const folders = await linkedFolders(guide, page)
  const addressOf = await linkAddresses(guide, page)
  for (const { to } of page.links) {
    if (targets.size >= MAX_TARGETS) break
    const address = addressOf(to)
    if (address === undefined || targets.has(address)) continue
    const thing = to.folder === undefined ? await targetAt(guide, to, page) : folders.get(to.folder)
    if (thing) targets.set(address, thing)
  }
  return targets
}

const MAX_TARGETS = 500

async function targetAt(guide: Guide, to: Target, from: Page): Promise<LinkTarget | undefined> {
  const { content } = guide.publication
  if (to.list !== undefined) return styleTarget(guide, to)
  if (to.words) return wordsTarget(guide, from)
  if (to.file !== undefined) {
    const file = (await content.files()).get(to.file)
    return file && fileTarget(guide, file)
  }
  const page = (await content.pages()).get(to.page ?? '')
  return page && pageTarget(guide, page)
}

async function pageTarget(guide: Guide, { description, cover, ground }: Page): Promise<PageTarget> {
  const { picture, video } = await coverMedia(guide, cover)
  const film = video && { film: guide.paths.file(guide.publication.record, video) }
  return {
    kind: 'page',
    description,
    cover: picture ? await picturePreview(guide, picture.file, ground) : film,
    ground: ground ?? cover?.color,
    isCovered: cover !== undefined,
  }
}

/** A list of styles, a group of colours, or a style as its card shows it; undefined if there is none. */
function styleTarget(guide: Guide, { list, id, group }: StyleTarget): Promise<LinkTarget | undefined> {
  if (list === 'types') return typeTarget(guide, id)
  return id === undefined ? paletteTarget(guide, group) : colorTarget(guide, id)
}

async function colorTarget(guide: Guide, id: StyleId): Promise<ColorTarget | undefined> {
  const color = await colorOf(guide, id)
  return color && (await colorTargets(guide))(color)
}

/** Makes the targets of colours. */
async function colorTargets(guide: Guide): Promise<(color: Color) => ColorTarget> {
  const [list, { letterClass, lettersOn }] = [await colorList(guide), await themeOf(guide.publication)]
  return color => ({
    kind: 'color',
    color,
    letters: letterClass(color),
    lettersHex: lettersOn(color),
    href: colorPath(guide, list, color.id),
  })
}

async function paletteTarget(guide: Guide, slug: string | undefined): Promise<PaletteTarget | undefined> {
  const list = await colorList(guide)
  const colors = slug === undefined ? list.inRow : list.inRow.filter(({ row }) => row.group.id === slug)
  if (colors.length === 0) return undefined
  const targetOf = await colorTargets(guide)
  const listed = colors
    .slice(0, MAX_COLORS)
    .map(({ color, row: { base } }) => ({ ...targetOf(color), ...(base && { base: base.name }) }))
  return { kind: 'palette', colors: listed, count: colors.length }
}

/** More would be too many for a card. */
const MAX_COLORS = 48

async function typeTarget(guide: Guide, id: string | undefined): Promise<LinkTarget | undefined> {
  const types = await guide.publication.content.types()
  // The guide's style sheet has classes only for the listed styles.
  const listed = types.slice(0, MAX_ENTRIES).filter(style => id === undefined || style.id === id)
  const { families } = await guideFonts(guide)
  const noteOf = ({ family }: TypeStyle) => fontNote(guide.words, family, families)?.toString()
  const styles = listed.slice(0, MAX_TYPES).map(style => ({ ...sampleOf(guide, style), note: noteOf(style) }))
  return styles.length === 0 ? undefined : { kind: 'type', styles }
}

const MAX_TYPES = 24

function sampleOf(guide: Guide, style: TypeStyle): TypeSample {
  const { id, name, family, size, leading, weight, style: slant, sample } = style
  const { type, list } = guide.words
  const measures = [size === undefined ? '' : `${sizeRange(style)}\u00a0px`, leading === undefined ? '' : `${leading}`]
  const facts = [
    family,
    weight === undefined ? undefined : type.weight({ weight: `${weight}` }),
    slant === undefined || slant === 'normal' ? undefined : type.slants[slant],
    measures.filter(text => text !== '').join('\u00a0/\u00a0'),
  ]
  return {
    name,
    className: typeAnchor(id),
    href: typePath(guide, style),
    facts: `${list(facts)}`,
    ...(sample !== undefined && { sample }),
  }
}
