import {
  type BrandFile,
  type ImageMetadata,
  isForPreviews,
  isHeavyPicture,
  isPicture,
  PHOTOGRAPHS,
} from '../../brand/file.ts'
import { HOME_PAGE, type Page } from '../../brand/page.ts'
import { contentWithLinks } from '../../serving/addresses.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import { usePanel } from '../exports/use-panel.ts'
import { type Guide, pathBelow, treeOf } from '../guide/guide.ts'
import { type Branch, inTreeOrder, trailTo } from '../guide/page-tree.ts'
import { type Html, html, type Word } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import { editLink, guidePage, headingList } from '../layout/layout.ts'
import { typeName } from '../library/files/file-kind.ts'
import type { LinkTargets } from '../markdown/forms/link-cards.ts'
import type { Picture } from '../markdown/page-pictures.ts'
import type { ShownPage } from '../markdown/renderer.ts'
import { isShowable, shownAddress, widthsOf } from '../thumbnails/thumbnail.ts'
import { coverHead, coverMedia } from './cover.ts'
import { cardFontSheet } from './linked-files.ts'
import { linkedTargets } from './linked-targets.ts'
import { linkAddresses } from './linked-words.ts'
import { library, pageCards, previewsFont, welcome } from './overview.ts'

/** A page of a guide; undefined if there is no page with this id. */
export async function pageView(guide: Guide, id: string): Promise<Representation | undefined> {
  const page = (await guide.publication.content.pages()).get(id)
  if (!page) return undefined
  const { publication, paths, words } = guide
  const lang = await publication.content.lang()
  const linkTargets = await linkedTargets(guide, page)
  const rendered = await renderPage(guide, page, linkTargets)
  const { html: shown, title, headings, excerpt, hasTypeSamples, isComposed, isRendered } = rendered
  const tree = await treeOf(guide)
  const trail = trailTo(tree, id)
  const isHome = id === HOME_PAGE
  const above = isHome ? undefined : breadcrumb(guide, trail)
  const head = html`${title ?? html`<h1>${page.name}</h1>`}
${page.description !== undefined && html`<p class="lead">${page.description}</p>`}
`
  const list = headingList(words, headings)
  const cover = await coverHead(guide, page, html`${above}${head}`)
  const cards = isHome ? await library(guide) : await pageCards(guide, withoutLinks(page, trail.at(-1)?.children ?? []))
  const main = html`${cover ? undefined : above}<article class="prose"${textDirection(lang)}>
${cover ? undefined : head}${isComposed && !page.wide && list}${shown}
</article>
${cards}
${isHome && (await usePanel(guide, 'guide'))}${await editLink(guide, { page: page.id })}${neighbours(guide, tree, page)}`
  const hasFonts = hasTypeSamples || (isHome && (await previewsFont(guide)))
  const sheets = [hasFonts ? 'type.css' : undefined, cardFontSheet(linkTargets)]
  const made = await guidePage(guide, {
    title: page.name,
    kind: 'authored',
    description: page.description ?? excerpt,
    below: paths.page(publication.record, id).slice(paths.project(publication.record).length),
    id,
    main,
    cover,
    welcome: isHome ? await welcome(guide) : undefined,
    isWide: page.wide,
    aside: isComposed ? undefined : list,
    hasMarkdown: true,
    sheets: sheets.map(name => name && pathBelow(guide, name)),
    image: await imageOf(guide, page),
  })
  return isRendered ? made : { ...made, keptMs: RETRY_MS }
}

/** The pages below a page; none if it links to all of them itself. */
function withoutLinks({ links }: Page, children: readonly Branch[]): readonly Branch[] {
  const linked = new Set<string | undefined>(links.map(({ to }) => to.page))
  return children.every(({ id }) => linked.has(id)) ? [] : children
}

async function renderPage(guide: Guide, page: Page, linkTargets: LinkTargets): Promise<ShownPage> {
  const { publication, render } = guide
  const text = await contentWithLinks(publication, page, await linkAddresses(guide, page))
  const [pictures, lang] = [await picturesOn(guide, page), await publication.content.lang()]
  const { nav } = await publication.content.appearance()
  const context = {
    name: page.name,
    pictures,
    grounds: new Set(page.bands),
    linkTargets,
    lang,
    isAcross: nav === 'sections',
  }
  return render(text, context, publication.record.workspace)
}

/** How long a page that could not be rendered is shown as its source text before the next attempt. */
const RETRY_MS = 5 * 60_000

/** The pictures that a page links to, with size, description and ground, by path. */
async function picturesOn(guide: Guide, page: Page): Promise<ReadonlyMap<string, Picture>> {
  const { publication, paths } = guide
  const pictures = new Map<string, Picture>()
  const files = await publication.content.files()
  for (const { to } of page.links) {
    const file = to.file === undefined ? undefined : files.get(to.file)
    if (!file || !isPicture(file)) continue
    const { width, height, description: alt } = file.metadata ?? {}
    const address = paths.file(publication.record, file)
    if (!isShowable(file)) pictures.set(address, { facts: factsOf(guide, file), alt })
    if (!isShowable(file) || width === undefined || height === undefined) continue
    const { ground, contentType } = file
    const isHeavy = isHeavyPicture(file)
    const srcset = isHeavy || PHOTOGRAPHS.has(contentType) ? widthsOf(guide, file) : undefined
    const details = {
      width,
      height,
      ...(isHeavy && { src: shownAddress(publication.record, file, paths) }),
      ...(alt !== undefined && { alt }),
      ...(ground !== undefined && { ground }),
      ...(srcset !== undefined && { srcset }),
    }
    pictures.set(address, details)
  }
  return pictures
}

/** The type and size of a picture that pages only link to, because it is too heavy. */
function factsOf({ words }: Guide, file: BrandFile & { metadata?: ImageMetadata }): string {
  const { width, height } = file.metadata ?? {}
  const sides = width && height ? [`${width}\u00a0×\u00a0${height}`] : []
  return `${words.list([typeName(file) ?? `${words.files.file}`, ...sides, words.bytes(file.size)])}`
}

/** The picture for previews of links to a page: its cover, that of the guide, or the first on the page. */
async function imageOf({ publication, urls }: Guide, { cover, links }: Page): Promise<string | undefined> {
  const { content, record } = publication
  const files = await content.files()
  const { socialImage } = await content.appearance()
  const fileAt = (path: string | undefined) => (path === undefined ? undefined : files.get(path))
  const isPreview = (file: BrandFile | undefined) => isForPreviews(file) && isShowable(file)
  const [own, ofGuide] = [(await coverMedia({ publication }, cover)).picture?.file, fileAt(socialImage)]
  const image = [own, ofGuide].find(isPreview) ?? fileAt(links.find(({ to }) => isPreview(fileAt(to.file)))?.to.file)
  return image && shownAddress(record, image, urls)
}

function breadcrumb(guide: Guide, trail: readonly Branch[]): Html {
  const { publication, paths } = guide
  const above = trail.slice(0, -1).map(({ id, name, page }) => {
    return html`<li>${page ? html`<a href="${paths.page(publication.record, id)}">${name}</a>` : name}</li>`
  })
  return html`<nav class="trail" aria-label="${guide.words.frame.breadcrumb}"><ol>
<li><a href="${paths.project(publication.record)}">${publication.published.name}</a></li>${above}
</ol></nav>
`
}

/** The pages before and after a page; each names its section if that is another one. */
function neighbours({ publication, paths, words }: Guide, tree: readonly Branch[], page: Page): Html | undefined {
  const pages = inTreeOrder(tree)
  const at = pages.indexOf(page)
  const section = sectionOf(tree, page)
  const link = (to: Page | undefined, rel: string, word: Word): Html | undefined => {
    if (!to) return undefined
    const other = sectionOf(tree, to)
    const isElsewhere = other !== undefined && other !== section && other.id !== to.id
    return html`<a rel="${rel}" href="${paths.page(publication.record, to.id)}"><span class="quiet">${word}${isElsewhere && html` · ${other.name}`}</span> ${to.name}</a>`
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
