import type { Color } from '#brand/color.ts'
import { type BrandFile, isForPreviews, isHeavyPicture, isPicture, PHOTOGRAPHS, pictureMetadata } from '#brand/file.ts'
import type { StyleId } from '#brand/ids.ts'
import { isLogo } from '#brand/library.ts'
import { HOME_PAGE, type Page, type StyleTarget, type Target } from '#brand/page.ts'
import { perObject, withoutUndefined } from '#platform/base/object.ts'
import { asksForStage, stageAddress, targetAddress, textWithLinks } from '#serving/addresses.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { ColorTarget, LinkTarget, PageTarget, PaletteTarget, WordsTarget } from '../cards/link-target.ts'
import { breakable, heading } from '../cards/long-words.ts'
import { type Guide, pathBelow, treeOf } from '../guide/guide.ts'
import { isAboutColors, isAlone } from '../guide/listed-sections.ts'
import { type Branch, inTreeOrder, trailTo } from '../guide/page-tree.ts'
import { plateOf } from '../guide/picture-look.ts'
import { type Html, html, type Word } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import { editLink, guidePage, headingList, MAX_ENTRIES } from '../layout/layout.ts'
import { colorList, colorOf, colorPath, groupName, groupPath } from '../library/colors/color-list.ts'
import { typeName } from '../library/files/file-kind.ts'
import { typeSamples } from '../library/type/type-samples.ts'
import type { PageSource } from '../markdown/changed-words.ts'
import type { LinkTargets } from '../markdown/forms/link-cards.ts'
import type { Heading } from '../markdown/page-headings.ts'
import type { Picture } from '../markdown/page-pictures.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { hasStill, isShowable, shownAddress, widthsOf } from '../thumbnails/thumbnail.ts'
import { coverHead } from './cover.ts'
import { coverMedia } from './cover-media.ts'
import { logoPreview } from './legible-logo.ts'
import { cardFontSheet, fileTarget, linkedFolders, picturePreview, stageTarget } from './linked-files.ts'
import { stageOf } from './logo-stage.ts'
import { pageCards, welcome } from './overview.ts'
import { pictureShow, previewsFont, showcase } from './showcase.ts'

/** A page of a guide, or `draft` instead, which may be new; undefined if there is no page with this id. */
export async function pageView(
  guide: Guide,
  id: string,
  draft?: { page: Page; text: string },
): Promise<Representation | undefined> {
  const stored = (await guide.publication.content.pages()).get(id) ?? draft?.page
  if (!stored) return undefined
  const page = draft?.page ?? stored
  const { publication, words } = guide
  const lang = await publication.content.lang()
  const linkTargets = await linkedTargets(guide, page, draft?.text)
  const { text, context } = await pageSource(guide, page, linkTargets, draft?.text)
  const rendered = await guide.site.render(text, context, publication.record.workspace)
  const { html: shown, title, headings, excerpt, hasTypeSamples, isComposed, isRendered } = rendered
  const tree = await treeOf(guide)
  const trail = trailTo(tree, id)
  const isHome = id === HOME_PAGE
  const isGrid = (await themeOf(publication)).layout !== 'docs'
  const direction = textDirection(lang)
  const list = page.wide ? undefined : headingList(words, isGrid ? manyOf(headings) : headings)
  const inside = (isGrid || isComposed) && list
  const head = html`${!isHome && breadcrumb(guide, trail, direction)}${title ?? heading(1, page.name)}
${context.lead !== undefined && html`<p class="lead">${context.lead}</p>\n`}`
  const cover = await coverHead(guide, page, head)
  const preview = isHome ? await showcase(guide) : undefined
  const opening = isHome && html`${!cover && html`<div class="prose"${direction}>${head}</div>\n`}${preview}`
  const below = isHome ? tree.filter(branch => branch.id !== id) : (trail.at(-1)?.children ?? [])
  const main = html`${opening}<article class="prose${isGrid && ' grid'}"${direction}>
${!cover && !isHome && head}${inside}${shown}
</article>
${await pageCards(guide, withoutLinks(page, below), preview !== undefined)}${isHome && (await pictureShow(guide))}
${await editLink(guide, { page: page.id })}${!isHome && neighbours(guide, tree, stored)}`
  const hasFonts = hasTypeSamples || (isHome && (await previewsFont(guide)))
  const sheets = [hasFonts ? 'type.css' : undefined, cardFontSheet(linkTargets)]
  const made = await guidePage(guide, {
    title: page.name,
    kind: isHome ? 'home' : 'authored',
    description: page.description ?? excerpt,
    below: belowGuide(guide, id),
    id,
    main,
    cover,
    welcome: isHome ? await welcome(guide) : undefined,
    isWide: page.wide,
    isDraft: page.draft,
    aside: inside ? undefined : list,
    hasMarkdown: true,
    sheets: sheets.map(name => name && pathBelow(guide, name)),
    image: await imageOf(guide, page),
  })
  return isRendered ? made : { ...made, keptMs: RETRY_MS }
}

/** The path of a page below that of its guide; empty for the home page. */
function belowGuide({ site: { paths }, publication: { record } }: Guide, id: string): string {
  return id === HOME_PAGE ? '' : paths.page(record, id).slice(paths.below(record, '').length)
}

/** The headings of a page if they are many; a few that hang next to their text are a list themselves. */
function manyOf(headings: readonly Heading[]): readonly Heading[] {
  return headings.filter(({ level }) => level === 2).length < MIN_LISTED ? [] : headings
}

const MIN_LISTED = 5

/** The pages below a page; none if it links to all of them itself. */
function withoutLinks({ links }: Page, children: readonly Branch[]): readonly Branch[] {
  const linked = new Set<string | undefined>(links.map(({ to }) => to.page))
  return children.every(({ id }) => linked.has(id)) ? [] : children
}

/** A page as the renderer takes it, or with the text of `draft` instead of its own. */
export async function pageSource(
  guide: Guide,
  page: Page,
  linkTargets?: LinkTargets,
  draft?: string,
): Promise<PageSource> {
  const { publication } = guide
  const own = draft ?? (await publication.content.text(page))
  const text = textWithLinks(own, page.links, await linkAddresses(guide, page))
  const [pictures, lang] = [await picturesOn(guide, page), await publication.content.lang()]
  const { layout } = await themeOf(publication)
  const lead = await leadOf(guide, page)
  const context = {
    name: page.name,
    pictures,
    grounds: new Set(page.bands),
    linkTargets: linkTargets ?? (await linkedTargets(guide, page, draft)),
    lang,
    lead,
    palette: await missingPalette(guide, page, own),
    mayLead: lead === undefined,
    isGrid: layout !== 'docs',
  }
  return { text, context, lead }
}

/** The description of a page, unless three pages have the same one, which describes none of them. */
async function leadOf({ publication }: Guide, { description }: Page): Promise<string | undefined> {
  const pages = (await publication.content.pages()).values()
  const others = pages.filter(page => page.description === description).drop(2)
  return others.next().done ? description : undefined
}

/** How long a page that could not be rendered is shown as its source text before the next attempt. */
const RETRY_MS = 5 * 60_000

/** The pictures that a page links to, with size, description and ground, by path. */
async function picturesOn(guide: Guide, page: Page): Promise<ReadonlyMap<string, Picture>> {
  const { site, publication } = guide
  const pictures = new Map<string, Picture>()
  const files = await publication.content.files()
  const { logo, logoDark } = await themeOf(publication)
  const logos = new Set([logo, logoDark].flatMap(picture => picture?.file.path ?? []))
  for (const { to } of page.links) {
    const file = to.file === undefined ? undefined : files.get(to.file)
    if (!file || !isPicture(file)) continue
    const { width, height, description: alt } = pictureMetadata(file)
    const address = site.paths.file(publication.record, file)
    if (!isShowable(file)) pictures.set(address, { facts: factsOf(guide, file), alt })
    if (!isShowable(file) || width === undefined || height === undefined) continue
    const { contentType } = file
    const ground = await plateOf(guide, file)
    const stage = await stageOf(guide, file)
    const isHeavy = isHeavyPicture(file)
    const isMoving = !isHeavy && hasStill(file)
    const srcset = isHeavy || (PHOTOGRAPHS.has(contentType) && !isMoving) ? widthsOf(guide, file) : undefined
    const details = {
      width,
      height,
      ...((isHeavy || isMoving) && { isMoving, src: shownAddress(publication.record, file, site.paths) }),
      ...withoutUndefined({ alt, ground, srcset, stage }),
      ...((logos.has(file.path) || (isLogo(file) && LOGO_NAME.test(file.path))) && { isLogo: true }),
    }
    pictures.set(address, details)
  }
  return pictures
}

/** Other pictures in a folder of logos explain them. */
const LOGO_NAME = /(?:logo|wordmark)[^/]*$/i

/** The type and size of a picture that pages only link to, because it is too heavy. */
function factsOf({ words }: Guide, file: BrandFile): string {
  const { width, height } = pictureMetadata(file)
  const sides = width && height ? [`${width}\u00a0×\u00a0${height}`] : []
  return `${words.list([typeName(file) ?? `${words.files.file}`, ...sides, words.bytes(file.size)])}`
}

/** The picture for previews of links to a page: its cover, that of the guide, the first on the page, or the logo. */
async function imageOf(guide: Guide, page: Page): Promise<string | undefined> {
  const { site, publication } = guide
  const { cover, links } = page
  const { content, record } = publication
  const files = await content.files()
  const { socialImage } = await content.appearance()
  const fileAt = (path: string | undefined) => (path === undefined ? undefined : files.get(path))
  const isPreview = (file: BrandFile | undefined) => isForPreviews(file) && isShowable(file)
  const [own, ofGuide] = [(await coverMedia({ publication }, cover)).picture?.file, fileAt(socialImage)]
  const image = [own, ofGuide].find(isPreview) ?? fileAt(links.find(({ to }) => isPreview(fileAt(to.file)))?.to.file)
  return image ? shownAddress(record, image, site.urls) : logoPreview(guide, page)
}

function breadcrumb(guide: Guide, trail: readonly Branch[], direction: Html | undefined): Html {
  const { site, publication } = guide
  const above = trail.slice(0, -1).map(({ id, name, page }) => {
    return html`<li>${page ? html`<a href="${site.paths.page(publication.record, id)}">${name}</a>` : name}</li>`
  })
  return html`<nav class="trail"${direction && html` dir="ltr"`} aria-label="${guide.words.frame.breadcrumb}"><ol>
<li><a href="${site.paths.project(publication.record)}">${publication.published.name}</a></li>${above}
</ol></nav>
`
}

/** The pages before and after a page; each names its section if that is another one. */
function neighbours(
  { publication, site: { paths }, words }: Guide,
  tree: readonly Branch[],
  page: Page,
): Html | undefined {
  const pages = inTreeOrder(tree)
  const at = pages.indexOf(page)
  const section = sectionOf(tree, page)
  const link = (to: Page | undefined, rel: string, word: Word): Html | undefined => {
    if (!to) return undefined
    const other = sectionOf(tree, to)
    const isElsewhere = other !== undefined && other !== section && other.id !== to.id
    return html`<a rel="${rel}" href="${paths.page(publication.record, to.id)}"><span class="quiet">${word}${isElsewhere && html` · ${other.name}`}</span> ${breakable(to.name)}</a>`
  }
  const previous = link(pages[at - 1], 'prev', words.pages.previous)
  const next = link(pages[at + 1], 'next', words.pages.next)
  return previous || next
    ? html`<nav class="neighbours" aria-label="${words.pages.neighbours}">${previous}${next}</nav>`
    : undefined
}

/** The branch at the top of the tree that a page is below, or is itself. */
function sectionOf(tree: readonly Branch[], { id }: Page): Branch | undefined {
  return trailTo(tree, id)[0]
}

/** The first targets of a page's links, keyed by their address in the text, with the content of their cards. */
async function linkedTargets(guide: Guide, page: Page, draft?: string): Promise<ReadonlyMap<string, LinkTarget>> {
  const text = draft ?? (await guide.publication.content.text(page))
  const targets = new Map<string, LinkTarget>()
  const folders = await linkedFolders(guide, page)
  const addressOf = await linkAddresses(guide, page)
  for (const link of page.links) {
    if (targets.size >= MAX_TARGETS) break
    const { to } = link
    const address = addressOf(to)
    const staged = address !== undefined && asksForStage(text, link) && stageAddress(address)
    const stage = staged && !targets.has(staged) ? await stageTarget(guide, to) : undefined
    if (staged && stage) targets.set(staged, stage)
    if (address === undefined || targets.has(address)) continue
    const thing = to.folder === undefined ? await targetAt(guide, to, page) : folders.get(to.folder)
    if (thing) targets.set(address, thing)
  }
  const palette = await missingPalette(guide, page, text)
  const colors = palette && (await paletteTarget(guide, undefined))
  if (palette && colors) targets.set(palette, colors)
  return targets
}

const MAX_TARGETS = 500

/** The address of the list of colours, if the guide has colours and a page about them shows none. */
async function missingPalette(guide: Guide, page: Page, text: string): Promise<string | undefined> {
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

async function pageTarget(guide: Guide, { description, cover, ground }: Page): Promise<PageTarget> {
  const { picture, video } = await coverMedia(guide, cover)
  const film = video && { film: guide.site.paths.file(guide.publication.record, video) }
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

async function paletteTarget(guide: Guide, slug: string | undefined): Promise<PaletteTarget | undefined> {
  const list = await colorList(guide)
  const colors = slug === undefined ? list.inRow : list.inRow.filter(({ row }) => row.group.id === slug)
  if (colors.length === 0) return undefined
  const targetOf = await colorTargets(guide)
  const listed = colors
    .slice(0, MAX_COLORS)
    .map(({ color, row: { base } }) => ({ ...targetOf(color), ...(base && { base: base.name }) }))
  const groups = new Set(colors.slice(0, MAX_COLORS).map(({ row }) => row.group))
  const stages = Array.from(groups, group => ({
    name: `${groupName(guide.words, list, group)}`,
    href: groupPath(guide, list, group),
  }))
  return { kind: 'palette', colors: listed, count: colors.length, stages }
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
async function linkAddresses(
  { publication, site: { paths } }: Guide,
  on: Page,
): Promise<(to: Target) => string | undefined> {
  const { record, content } = publication
  const files = await content.files()
  const page = (await content.appearance()).words && (await pageWithWords(content, on))
  const words = page === undefined ? undefined : `${paths.page(record, page)}#${ANCHOR}`
  return to => (to.words ? words : targetAddress(record, to, files, paths))
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
