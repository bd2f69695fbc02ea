import type { Color } from '#brand/color.ts'
import type { StyleId } from '#brand/ids.ts'
import type { Page, StyleTarget, Target } from '#brand/page.ts'
import { perObject, withoutUndefined } from '#platform/base/object.ts'
import { asksForStage, stageAddress, targetAddress } from '#serving/addresses.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { ColorTarget, LinkTarget, PageTarget, PaletteTarget, WordsTarget } from '../cards/link-target.ts'
import { colorList, colorOf, colorPath, groupName, groupPath } from '../guide/color-list.ts'
import { type Guide, pathBelow } from '../guide/guide.ts'
import { isAboutColors, isAlone } from '../guide/listed-sections.ts'
import { coverMedia } from '../layout/cover-media.ts'
import { MAX_ENTRIES } from '../layout/layout.ts'
import { typeSamples } from '../library/type/type-samples.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { fileTarget, linkedFolders, picturePreview, stageTarget } from './linked-files.ts'
import { pageSubject } from './page-subject.ts'

/**
 * The first targets of a page's links, keyed by their address in the text, with the content of their cards. A link that
 * asks for the stage of its target (`?stage`) also has one at that address.
 */
export async function linkedTargets(
  guide: Guide,
  page: Page,
  draft?: string,
): Promise<ReadonlyMap<string, LinkTarget>> {
  const text = draft ?? (await guide.publication.content.text(page))
  const targets = new Map<string, LinkTarget>()
  const folders = await linkedFolders(guide, page)
  const addressOf = await linkAddresses(guide, page)
  for (const link of page.links) {
    if (targets.size >= MAX_TARGETS) break
    const { to } = link
    const address = addressOf(to)
    // `/acme/web/-/files/…/logo.svg?stage`, or false.
    const addressOfStage = address !== undefined && asksForStage(text, link) && stageAddress(address)
    const stage = addressOfStage && !targets.has(addressOfStage) ? await stageTarget(guide, to) : undefined
    if (addressOfStage && stage) targets.set(addressOfStage, stage)
    if (address === undefined || targets.has(address)) continue
    const target = to.folder === undefined ? await targetAt(guide, to, page) : folders.get(to.folder)
    if (target) targets.set(address, target)
  }
  const palette = await missingPalette(guide, page, text)
  const colors = palette && (await paletteCard(guide, undefined))
  if (palette && colors) targets.set(palette, colors)
  return targets
}

const MAX_TARGETS = 500

/** The address of the list of colours, if the guide has colours and a page about them shows none. */
export async function missingPalette(guide: Guide, page: Page, text: string): Promise<string | undefined> {
  const showsColors = page.links.some(({ to }) => to.list === 'colors') || /#[\da-f]{6}\b/i.test(text)
  if (showsColors || !isAboutColors(page)) return undefined
  return (await guide.publication.content.colors()).length === 0 ? undefined : pathBelow(guide, 'colors')
}

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

async function pageTarget(guide: Guide, page: Page): Promise<PageTarget> {
  const { description, cover, ground } = page
  const { picture, video } = await coverMedia(guide, cover)
  const film = video && { film: guide.site.paths.file(guide.publication.record, video) }
  const cardGround = ground ?? cover?.color
  const subject = cardGround && !film ? await pageSubject(guide, page) : film
  return {
    kind: 'page',
    description,
    cover: picture ? await picturePreview(guide, picture.file, ground) : subject,
    ground: cardGround,
    isCovered: cover !== undefined,
  }
}

/** A list of styles, a group of colours, or a style as its card shows it; undefined if there is none. */
function styleTarget(guide: Guide, { list, id, group }: StyleTarget): Promise<LinkTarget | undefined> {
  if (list === 'types') return typeTarget(guide, id)
  return id === undefined ? paletteCard(guide, group) : colorTarget(guide, id)
}

async function colorTarget(guide: Guide, id: StyleId): Promise<ColorTarget | undefined> {
  const color = await colorOf(guide, id)
  return color && (await colorTargets(guide))(color)
}

async function colorTargets(guide: Guide): Promise<(color: Color) => ColorTarget> {
  const { letterClass, lettersOn } = await themeOf(guide.publication)
  return color => ({
    kind: 'color',
    color,
    letters: letterClass(color),
    lettersHex: lettersOn(color),
    href: colorPath(guide, color.id),
  })
}

/** All colours, or those of a group, as their card shows them; undefined without any. */
async function paletteCard(guide: Guide, slug: string | undefined): Promise<PaletteTarget | undefined> {
  const list = await colorList(guide)
  const colors = slug === undefined ? list.inRow : list.inRow.filter(({ row }) => row.group.id === slug)
  if (colors.length === 0) return undefined
  const targetOf = await colorTargets(guide)
  const firstColors = colors.slice(0, MAX_COLORS)
  const targets = firstColors.map(({ color, row: { base } }) => ({
    ...targetOf(color),
    ...(base && { base: base.name }),
  }))
  const groups = new Set(firstColors.map(({ row }) => row.group))
  const stages = Array.from(groups, group => ({
    name: `${groupName(guide.words, list, group)}`,
    href: groupPath(guide, list, group),
  }))
  return { kind: 'palette', colors: targets, count: colors.length, stages }
}

/** More would be too many for a card. */
const MAX_COLORS = 48

async function typeTarget(guide: Guide, id: string | undefined): Promise<LinkTarget | undefined> {
  const types = await guide.publication.content.types()
  // The guide's style sheet has classes only for the listed styles.
  const listed = types.slice(0, MAX_ENTRIES).filter(style => id === undefined || style.id === id)
  const samples = await typeSamples(guide, listed.slice(0, MAX_TYPES))
  // The process that renders pages gets only strings.
  const styles = samples.map(({ facts, note, sample, ...style }) => {
    return { ...style, facts: `${facts}`, note: note?.toString(), sample: `${sample}` }
  })
  return styles.length === 0 ? undefined : { kind: 'type', styles }
}

const MAX_TYPES = 24

/** Makes the addresses of links on a page of the website. Those to the words go to the list on this page, or another. */
export async function linkAddresses(
  { publication, site: { paths } }: Guide,
  on: Page,
): Promise<(to: Target) => string | undefined> {
  const { record, content } = publication
  const files = await content.files()
  const page = (await content.appearance()).words && (await pageWithWords(content, on))
  const addressOfWords = page === undefined ? undefined : `${paths.page(record, page)}#${ANCHOR}`
  return to => (to.words ? addressOfWords : targetAddress(record, to, files, paths))
}

/** The list of words as its table shows it. */
async function wordsTarget(
  { publication: { record, content }, site: { paths } }: Guide,
  on: Page,
): Promise<WordsTarget> {
  const pages = await content.pages()
  const { words = [] } = await content.appearance()
  const rows = words.map(({ page: id = '', ...word }) => {
    const page = pages.get(id)
    return withoutUndefined({ ...word, page: page && { name: page.name, href: paths.page(record, id) } })
  })
  return { kind: 'words', id: ANCHOR, isHere: (await pageWithWords(content, on)) === on.id, rows }
}

const ANCHOR = 'words:list' // Headings have no id with a colon.

/** The page with the list of words for links on a page: itself, the first that shows them, or the first that links to them. */
async function pageWithWords(content: Publication['content'], on: Page): Promise<string | undefined> {
  const { showing, first } = await pagesToWords(content)
  return showing.has(on.id) ? on.id : (showing.values().next().value ?? first)
}

/** The pages with a paragraph that is only a link to the words, and the first page with any link to them. */
const pagesToWords = perObject(async (content: Publication['content']) => {
  const showing = new Set<string>()
  let first: string | undefined
  for (const page of (await content.pages()).values())
    for (const { start, to } of page.links) {
      if (!to.words) continue
      if (await isAlone(content, page, start)) showing.add(page.id)
      first ??= page.id
    }
  return { showing, first }
})
