import { type BrandFile, isForPreviews, isHeavyPicture, isPicture, PHOTOGRAPHS, pictureMetadata } from '#brand/file.ts'
import { isLogo } from '#brand/library.ts'
import { HOME_PAGE, type Page } from '#brand/page.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { textWithLinks } from '#serving/addresses.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { breakable, heading } from '../cards/long-words.ts'
import { typeWord } from '../guide/file-kind.ts'
import { type Guide, menuOf, partInGuide, pathBelow, treeOf } from '../guide/guide.ts'
import { type Branch, inTreeOrder, trailTo } from '../guide/page-tree.ts'
import { plateOf } from '../guide/picture-look.ts'
import { type Html, html, type Word } from '../html.ts'
import { coverMedia } from '../layout/cover-media.ts'
import { textDirection } from '../layout/document.ts'
import { homeLink, trailOf } from '../layout/head.ts'
import { editLink, guidePage, headingList } from '../layout/layout.ts'
import { logoPreview } from '../layout/legible-logo.ts'
import { pixelsOf } from '../library/files/file-card.ts'
import type { PageSource } from '../markdown/changed-words.ts'
import type { LinkTargets } from '../markdown/forms/link-cards.ts'
import type { Heading } from '../markdown/page-headings.ts'
import type { Picture } from '../markdown/page-pictures.ts'
import type { ShownPage } from '../markdown/renderer.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { hasStill, isShowable, shownAddress, widthsOf } from '../thumbnails/thumbnail.ts'
import type { Words } from '../words/words.ts'
import { cardFontSheet } from './linked-files.ts'
import { linkAddresses, linkedTargets, missingPalette } from './linked-targets.ts'
import { stageOf } from './logo-stage.ts'
import { pageCards, welcome } from './overview.ts'
import { type HomeParts, homeParts } from './showcase.ts'

/** A page of a guide, or `draft` instead, which may be new; undefined if there is no page with this id. */
export async function pageView(
  guide: Guide,
  id: string,
  draft?: { page: Page; text: string },
): Promise<Representation | undefined> {
  const stored = (await guide.publication.content.pages()).get(id) ?? draft?.page
  if (!stored) return undefined
  const page = draft?.page ?? stored
  const isHome = id === HOME_PAGE
  const text = await renderedText(guide, page, draft?.text)
  const { rendered } = text
  const headings = headingLists(guide.words, page, text)
  const place = { menu: await menuOf(guide), trail: trailTo(await treeOf(guide), id), stored, isHome }
  const parts = isHome ? await homeParts(guide) : NO_PARTS
  const head = headOf(guide, page, text, place)
  const view = await guidePage(guide, {
    title: page.name,
    kind: isHome ? 'home' : 'authored',
    description: page.description ?? rendered.excerpt,
    below: belowGuide(guide, id),
    id,
    head,
    headed: page,
    main: await mainOf(guide, page, text, place, { ...parts, list: headings.above }),
    welcome: isHome ? await welcome(guide) : undefined,
    isWide: page.wide,
    isDraft: page.draft,
    aside: headings.beside,
    hasMarkdown: true,
    sheets: sheetsOf(guide, text, parts),
    image: await imageOf(guide, page),
  })
  return rendered.isRendered ? view : { ...view, keptMs: RETRY_MS }
}

/** A page that is not the home page shows none. */
const NO_PARTS: HomeParts = { brand: undefined, files: undefined, sheets: [] }

/** The style sheets with the fonts that a page shows. */
function sheetsOf(guide: Guide, { rendered, linkTargets }: PageText, { sheets }: HomeParts) {
  const names = new Set([...sheets, rendered.hasTypeSamples ? 'type.css' : undefined, cardFontSheet(linkTargets)])
  return Array.from(names, name => name && pathBelow(guide, name))
}

/** The text of a page as HTML, and how it is laid out. */
type PageText = {
  rendered: ShownPage
  /** The description of the page, if it is shown above the text. */
  lead: string | undefined
  linkTargets: LinkTargets
  /** The attribute with the direction of the text, if it needs one. */
  direction: Html | undefined
  /** Whether each heading is next to its text. */
  isGrid: boolean
}

async function renderedText(guide: Guide, page: Page, draft: string | undefined): Promise<PageText> {
  const { site, publication } = guide
  const linkTargets = await linkedTargets(guide, page, draft)
  const { text, context } = await pageSource(guide, page, linkTargets, draft)
  return {
    rendered: await site.render(text, context, publication.record.workspace),
    lead: context.lead,
    linkTargets,
    direction: textDirection(await publication.content.lang()),
    isGrid: (await themeOf(publication)).layout !== 'docs',
  }
}

/**
 * The place of a page in its guide, also of one that is not in the menu. `stored` is the page in the tree, which differs
 * from the shown one for a draft.
 */
type PlaceInGuide = { menu: readonly Branch[]; trail: readonly Branch[]; stored: Page; isHome: boolean }

/** The way to a page, its title and its lead. */
function headOf(
  guide: Guide,
  page: Page,
  { rendered, lead, direction }: PageText,
  { trail, isHome }: PlaceInGuide,
): Html {
  const way = isHome ? undefined : trailOf(guide, placesAbove(guide, trail), direction && html` dir="ltr"`)
  return html`${way}${rendered.title ?? heading(1, page.name)}
${lead !== undefined && html`<p class="lead">${lead}</p>\n`}`
}

/**
 * The content of a page, and links to other pages. `list` is the list of headings above the text. A home page begins with
 * examples of the guide's styles.
 */
async function mainOf(
  guide: Guide,
  page: Page,
  { rendered, direction, isGrid }: PageText,
  { menu, stored, isHome }: PlaceInGuide,
  { brand, files, list }: HomeParts & { list: Html | undefined },
): Promise<Html> {
  const own = trailTo(menu, stored.id).find(({ id }) => id === stored.id)
  const pagesBelow = isHome ? menu.filter(branch => branch.id !== HOME_PAGE) : (own?.children ?? [])
  return html`${brand}<article class="prose${isGrid && ' grid'}"${direction}>
${list}${rendered.html}
</article>
${await pageCards(guide, unlinkedPages(page, pagesBelow), brand !== undefined)}${files}
${await editLink(guide, { page: page.id })}${!isHome && neighbours(guide, menu, stored)}`
}

/** The path of a page below that of its guide; empty for the home page. */
function belowGuide(guide: Guide, id: string): string {
  const { site, publication } = guide
  return id === HOME_PAGE ? '' : partInGuide(guide, site.paths.page(publication.record, id))
}

/** The list of headings next to the text, or above it if the text needs that space; neither on a wide page. */
function headingLists(
  words: Words,
  { wide }: Page,
  { rendered, isGrid }: PageText,
): { above?: Html | undefined; beside?: Html | undefined } {
  const { headings, isComposed } = rendered
  const list = wide ? undefined : headingList(words, isGrid ? unlessFew(headings) : headings)
  return isGrid || isComposed ? { above: list } : { beside: list }
}

/** The headings of a page in a grid, or none if they are few: they are next to their text and so are a list themselves. */
function unlessFew(headings: readonly Heading[]): readonly Heading[] {
  return headings.filter(({ level }) => level === 2).length < MIN_LISTED ? [] : headings
}

/** The number of headings of level 2. */
const MIN_LISTED = 5

/** The pages below a page; if it links to most of them itself, only the others. */
function unlinkedPages({ links }: Page, children: readonly Branch[]): readonly Branch[] {
  const linked = new Set<string | undefined>(links.map(({ to }) => to.page))
  const others = children.filter(({ id }) => !linked.has(id))
  return 2 * others.length < children.length ? others : children
}

/** A page as the renderer takes it, or with the text of `draft` instead of its own. */
export async function pageSource(
  guide: Guide,
  page: Page,
  linkTargets?: LinkTargets,
  draft?: string,
): Promise<PageSource> {
  const { publication } = guide
  const markdown = draft ?? (await publication.content.text(page))
  const text = textWithLinks(markdown, page.links, await linkAddresses(guide, page))
  const { layout } = await themeOf(publication)
  const lead = await leadOf(guide, page)
  const context = {
    name: page.name,
    pictures: await picturesOn(guide, page),
    grounds: new Set(page.bands),
    linkTargets: linkTargets ?? (await linkedTargets(guide, page, draft)),
    lang: await publication.content.lang(),
    lead,
    palette: await missingPalette(guide, page, markdown),
    mayLead: lead === undefined,
    isGrid: layout !== 'docs',
  }
  return { text, context, lead }
}

/** The description of a page, unless three pages have the same one, which describes none of them. */
async function leadOf({ publication }: Guide, { description }: Page): Promise<string | undefined> {
  const pages = (await publication.content.pages()).values()
  const thirdAndMore = pages.filter(page => page.description === description).drop(2)
  return thirdAndMore.next().done ? description : undefined
}

/** How long a page that could not be rendered is shown as its source text before the next attempt. */
const RETRY_MS = 5 * 60_000

/** The pictures that a page links to, with size, description and ground, keyed by their address. */
async function picturesOn(guide: Guide, page: Page): Promise<ReadonlyMap<string, Picture>> {
  const { site, publication } = guide
  const files = await publication.content.files()
  const pictures = new Map<string, Picture>()
  const linkedFiles = page.links.flatMap(({ to }) => files.get(to.file ?? '') ?? [])
  for (const file of linkedFiles.filter(isPicture)) {
    const picture = await pictureOf(guide, file)
    if (picture) pictures.set(site.paths.file(publication.record, file), picture)
  }
  return pictures
}

/** A picture of a page: only its facts if it is too heavy; undefined if its size is unknown. */
async function pictureOf(guide: Guide, file: BrandFile): Promise<Picture | undefined> {
  const { site, publication } = guide
  const { width, height, description: alt } = pictureMetadata(file)
  if (!isShowable(file)) return { facts: factsOf(guide, file), alt }
  if (width === undefined || height === undefined) return undefined
  const isHeavy = isHeavyPicture(file)
  const isMoving = !isHeavy && hasStill(file)
  const srcset = isHeavy || (PHOTOGRAPHS.has(file.contentType) && !isMoving) ? widthsOf(guide, file) : undefined
  const ground = await plateOf(guide, file)
  const stage = await stageOf(guide, file)
  return {
    width,
    height,
    ...((isHeavy || isMoving) && { isMoving, src: shownAddress(publication.record, file, site.paths) }),
    ...withoutUndefined({ alt, ground, srcset, stage }),
    ...((await showsLogo(guide, file)) && { isLogo: true }),
  }
}

/** Whether a picture is a logo of the theme, or has the name of one in a folder of logos. */
async function showsLogo({ publication }: Guide, file: BrandFile): Promise<boolean> {
  const { logo, logoDark } = await themeOf(publication)
  const isOfTheme = [logo, logoDark].some(picture => picture?.file.path === file.path)
  return isOfTheme || (isLogo(file) && LOGO_NAME.test(file.path))
}

/** Other pictures in a folder of logos explain them. */
const LOGO_NAME = /(?:logo|wordmark)[^/]*$/i

/** The type and size of a picture that pages only link to, because it is too heavy. */
function factsOf({ words }: Guide, file: BrandFile): string {
  return `${words.list([typeWord(words, file), pixelsOf(file), words.bytes(file.size)])}`
}

/** The picture for previews of links to a page: its cover, that of the guide, the first on the page, or the logo. */
async function imageOf(guide: Guide, page: Page): Promise<string | undefined> {
  const { site, publication } = guide
  const { cover, links } = page
  const { content, record } = publication
  const files = await content.files()
  const { socialImage } = await content.appearance()
  const fileAt = (path = '') => files.get(path)
  const isPreview = (file: BrandFile | undefined) => isForPreviews(file) && isShowable(file)
  const coverFile = (await coverMedia({ publication }, cover)).picture?.file
  const image =
    [coverFile, fileAt(socialImage)].find(isPreview) ??
    fileAt(links.find(({ to }) => isPreview(fileAt(to.file)))?.to.file)
  return image ? shownAddress(record, image, site.urls) : logoPreview(guide, page)
}

function placesAbove(guide: Guide, trail: readonly Branch[]): (Html | Word)[] {
  const { site, publication } = guide
  const above = trail.slice(0, -1).map(({ id, name, page }) => {
    return page ? html`<a href="${site.paths.page(publication.record, id)}">${name}</a>` : name
  })
  return [homeLink(guide), ...above]
}

/** The pages before and after a page of the menu; each names its section if that is another one. */
function neighbours(
  { publication, site: { paths }, words }: Guide,
  menu: readonly Branch[],
  page: Page,
): Html | undefined {
  const pages = inTreeOrder(menu)
  const at = pages.indexOf(page)
  if (at === -1) return undefined
  const section = sectionOf(menu, page)
  const link = (to: Page | undefined, rel: string, word: Word): Html | undefined => {
    if (!to) return undefined
    const other = sectionOf(menu, to)
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
function sectionOf(menu: readonly Branch[], { id }: Page): Branch | undefined {
  return trailTo(menu, id)[0]
}
