import { EDITED_FILES, editAddress, pagePath } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import type { PageId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { cachingHeaders, guideName } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { PageAssets } from '../assets.ts'
import { type Guide, hasChanges, isDraft, menuOf, pathBelow } from '../guide/guide.ts'
import { sectionPage } from '../guide/listed-sections.ts'
import { menuName } from '../guide/menu-name.ts'
import { type Branch, trailTo } from '../guide/page-tree.ts'
import { type Html, html, type Word } from '../html.ts'
import { listedHeadings } from '../markdown/page-headings.ts'
import { type GuideTheme, themeOf } from '../theme/guide-theme.ts'
import { shownAddress } from '../thumbnails/thumbnail.ts'
import type { Words } from '../words/words.ts'
import { fixedScheme, htmlDocument, iconLink, pageRepresentation, themeLinks, titleIn } from './document.ts'
import { type Opening, openingOf, type PageHead } from './head.ts'
import { libraryPlaces, linksTo, navigationItem, pageHeader } from './header.ts'
import { alternates, untranslated } from './languages.ts'

type LayoutPage = PageHead & {
  kind: PageAssets
  description?: string | undefined
  /** Its path below the project's: `/logo`, `/-/colors`, or empty for the home page; undefined for a 404. */
  below: string | undefined
  /** Its path, if it is not the address of a reader's page. */
  path?: string
  /** The query of an address whose content depends on it. */
  query?: string
  /** The id of a page that authors wrote. */
  id?: string
  main: Html
  welcome?: Html | undefined
  /** Links to pages like this one, which replace the navigation of the guide except in narrow windows. */
  tabs?: Html
  /** Whether its content extends over the space of the list of headings. */
  isWide?: boolean | undefined
  /** Whether only a preview has the page. */
  isDraft?: boolean | undefined
  aside?: Html | undefined
  /** Whether its Markdown is at the same address with `.md`. */
  hasMarkdown?: boolean
  image?: string | undefined
  /** The referrer policy; none by default. Pages with forms that must state their origin have `same-origin`. */
  referrer?: 'same-origin'
  /** The nonce of styles that a script adds. */
  nonce?: string
  /** The paths of further style sheets, for example with the fonts that the page shows. */
  sheets?: readonly (string | undefined)[]
}

/** Puts a page into the layout of all pages of a guide: header, navigation, footer, and the head of the document. */
export async function guidePage(guide: Guide, page: LayoutPage): Promise<Representation> {
  const { site, publication } = guide
  const { record } = publication
  const { below } = page
  const theme = await themeOf(publication)
  const body = await pageBody(guide, page, theme)
  const title = below === '' ? guideName(guide) : titleIn(guideName(guide), page.title)
  const { description } = page
  // In `dev`, a page is replaced when the guide is published again.
  const { publishedAt } = record.draftOf?.published ?? publication.published
  const lang = await publication.content.lang()
  const themed = {
    scheme: fixedScheme(theme),
    layout: theme.layout,
    icon: iconLink(guide, theme),
    more: head(guide, page, theme, await alternates(guide, page)),
  }
  const about = { title, kind: page.kind, lang, description, publishedAt }
  const document = htmlDocument(site.assets, { ...about, ...themed }, body)
  return pageRepresentation(site.assets, document, cachingHeaders(publication), page)
}

/** Everything in the body: header, navigation, content and footer. */
async function pageBody(guide: Guide, page: LayoutPage, theme: GuideTheme): Promise<Html> {
  const { site, publication, words } = guide
  const { record } = publication
  const { below } = page
  const current = page.path ?? (below === undefined ? '' : site.paths.below(record, below) || '/')
  const open = page.id ?? (await sectionPage(guide, current))
  const opening = await openingOf(guide, page)
  const placed = { ...page, open, cover: opening?.cover }
  const banner = draftBanner(guide, current, page)
  const header = await pageHeader(guide, theme, current, placed)
  const frameClasses = html`frame${opening?.cover && ' covered'}${!page.isWide && page.aside && ' listed'}`
  const markdownPath = page.hasMarkdown ? site.paths.markdown(record, page.id ?? HOME_PAGE) : undefined
  return html`<a class="skip" href="#Content">${words.frame.skip}</a>
${banner}${header}${page.welcome}${page.tabs}<div class="${frameClasses}">
${await sidebar(guide, theme, current, placed)}
${content(opening, html`${page.main}\n${await untranslated(guide, page, MAX_ENTRIES)}`)}
${page.isWide ? undefined : page.aside}
</div>
${await footer(guide, page.id, markdownPath)}
<div class="copied" aria-live="polite" data-copied="${words.copy.copied}" data-selected="${words.copy.selected}"></div>`
}

/** The content of a page. A link to `#Content` skips the navigation; if there is a cover, that has this id. */
function content(opening: Opening | undefined, main: Html): Html {
  return opening?.cover
    ? html`<main>\n${opening.cover.html}<div class="content">\n${main}</div>\n</main>`
    : html`<main id="Content" tabindex="-1">\n${opening?.head}${main}</main>`
}

function head(
  guide: Guide,
  { id, title, description, below, query = '', hasMarkdown, image, sheets = [] }: LayoutPage,
  theme: GuideTheme,
  languages: ReadonlyMap<string, string>,
): Html {
  const { site, publication } = guide
  const isPublic = publication.published.visibility === 'public'
  const robots = isPublic ? html`` : html`<meta name="robots" content="noindex">\n`
  const links = themeLinks(guide, theme)
  if (below === undefined) return html`${robots}${links}`
  const address = site.urls.below(publication.record, below) + query
  const canonical = !site.copy && html`<link rel="canonical" href="${address}">\n`
  const languageLink = ([lang, href]: readonly string[]) =>
    html`<link rel="alternate" hreflang="${lang}" href="${href}">\n`
  const markdown = site.paths.markdown(publication.record, id ?? HOME_PAGE)
  const markdownLink = hasMarkdown && html`<link rel="alternate" type="text/markdown" href="${markdown}">\n`
  const sheetLinks = sheets.map(sheet => sheet !== undefined && html`<link rel="stylesheet" href="${sheet}">\n`)
  return html`${robots}${canonical}${Array.from(languages, languageLink)}${markdownLink}${feedLink(guide)}${sheetLinks}${links}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${guideName(guide)}">
${!site.copy && html`<meta property="og:url" content="${address}">\n`}${description && html`<meta property="og:description" content="${description}">\n`}${previewPicture(guide, image, theme)}`
}

/** The feed of publications, which drafts and copies do not have. */
function feedLink(guide: Guide): Html | false {
  const address = pathBelow(guide, 'changes.atom')
  return (
    !guide.site.copy &&
    !isDraft(guide) &&
    html`<link rel="alternate" type="application/atom+xml" title="${guide.words.changes.title}" href="${address}">\n`
  )
}

function previewPicture({ site, publication }: Guide, image: string | undefined, { socialImage }: GuideTheme): Html {
  // Previews need an absolute address, which a copy does not have.
  const picture = site.copy
    ? undefined
    : (image ?? (socialImage && shownAddress(publication.record, socialImage, site.urls)))
  return html`${picture !== undefined && html`<meta property="og:image" content="${picture}">\n`}<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}">
`
}

/**
 * The banner above every page of a served draft: its date, and a link to the changes since publication and its review,
 * or that there are none. Undefined for a published guide. `current` is the path of the page.
 */
function draftBanner(guide: Guide, current: string, { isDraft }: LayoutPage): Html | undefined {
  const { publication, words } = guide
  const { draftOf, managedRevision } = publication.record
  const banner = (text: Html) => html`<aside class="draft" aria-label="${words.frame.draft}">${text}</aside>\n`
  if (managedRevision !== undefined) {
    const { revision, publishedAt } = publication.published
    const name = words.frame.revision({ revision, day: words.day(publishedAt) })
    const link = html`<a href="${pathBelow(guide, 'changes')}">${words.changes.title}</a>`
    return html`<aside class="draft" aria-label="${words.manage.revision}"><p>${name}</p>\n${link}</aside>\n`
  }
  if (!draftOf) return isDraft ? banner(html`<p>${words.frame.draft}</p>`) : undefined
  const { published } = draftOf
  const day = (date: Date) => html`<time datetime="${date.toISOString()}">${words.day(date)}</time>`
  const isUnchanged = isUnchangedDraft(guide)
  const text =
    published && isUnchanged
      ? words.draft.same({ revision: published.revision, day: day(published.publishedAt) })
      : words.draft.since({ day: day(publication.published.publishedAt) })
  const changesPath = pathBelow(guide, 'changes')
  const mark = current === changesPath && html` aria-current="page"`
  const name = hasChanges(guide) ? words.draft.changes : words.review.title
  const link = !isUnchanged && html`\n<a href="${changesPath}"${mark}>${name}</a>`
  return banner(html`<p>${text}</p>${link}`)
}

function isUnchangedDraft({ publication: { record, published } }: Guide): boolean {
  return record.draftOf?.published?.snapshot === published.snapshot
}

/** A heading in the list of a page; `id` is its anchor. */
export type ListedHeading = { level: number; id: string; text: Word }

/** Links to the headings of a page, if it has several. */
export function headingList(words: Words, headings: readonly ListedHeading[]): Html | undefined {
  const listed = listedHeadings(headings)
  if (listed.length === 0) return undefined
  const links = listed.map(
    ({ id, level, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>\n`,
  )
  return html`<nav class="toc" aria-labelledby="OnThisPage">
<p class="quiet" id="OnThisPage">${words.frame.onThisPage}</p>
<ul>
${links}</ul>
</nav>`
}

/** A page, or the file that a list of styles is written in; `file` is a file of the library, which an entry there describes. */
type Edited = { page: PageId; path?: never; file?: never } | { path: string; page?: never; file?: string }

/** The link that edits a page or a list: in our editor if the workspace has it, else at the host of its files. */
export async function editLink(guide: Guide, edited: Edited): Promise<Html | undefined> {
  const { site, publication } = guide
  const { record, content } = publication
  // A list that a translation leaves out is edited in its original.
  if ((await content.translation())?.inherits.some(list => edited.path === `styles/${list}.yaml`)) return undefined
  const hasEditor = !site.copy && (await site.edits?.(record.workspace)) === true
  return hasEditor ? editorLink(guide, edited) : hostLink(guide, edited)
}

function editorLink({ site, publication, signedIn, words }: Guide, { page, path, file }: Edited): Html | undefined {
  const { record, published } = publication
  const isPublic = record.draftOf === undefined && published.visibility === 'public'
  // Pages of a public guide are the same bytes for all; others show the link to those who may edit.
  if (!isPublic && !site.live && signedIn?.edit === undefined) return undefined
  const list = keysOf(EDITED_FILES).find(key => EDITED_FILES[key] === path)
  const place = file !== undefined ? `-/file/${file}` : list === undefined ? page : `-/${list}`
  const address = site.paths.below(record.draftOf ?? record, `/-/edit/${place}`)
  return html`<p class="edit quiet"><a href="${address}" rel="nofollow">${words.pages.edit}</a></p>\n`
}

async function hostLink(guide: Guide, { page, path }: Edited): Promise<Html | undefined> {
  const { record } = guide.publication
  // The list of files at a host describes files, and has none.
  if (path === EDITED_FILES.files) return undefined
  const links = record.edit === undefined ? undefined : await guide.site.editLinks(record)
  if (!links) return undefined
  const address = editAddress(links.template, links.folder, path ?? pagePath(links, page))
  return html`<p class="edit quiet"><a href="${address}" rel="nofollow noopener noreferrer">${guide.words.pages.edit}</a></p>\n`
}

/** The number of entries that a page shows of a list. */
export const MAX_ENTRIES = 1000

/** The end of a list with more entries than its page shows: their number, and the link to a file with all of them. */
export function listEnd({ pages }: Words, count: number, link: string): Html | undefined {
  return count > MAX_ENTRIES
    ? html`<p class="quiet">${pages.firstOf({ first: MAX_ENTRIES, count, link })}</p>\n`
    : undefined
}

/**
 * The footer of every page of a guide: contact, the guide's own links, the revision, and the content in other formats. Only
 * the home page has the anchor `use`, because other pages may have a heading *Use*.
 */
async function footer(guide: Guide, id = HOME_PAGE, markdownPath?: string): Promise<Html> {
  const { site, publication, words } = guide
  const { publishedAt, revision } = publication.published
  const { contact, footer: links = [] } = await publication.content.appearance()
  const contactLine = contact !== undefined && html`<p>${words.frame.contact({ contact: contactLink(contact) })}</p>\n`
  const ownLinks = links.map(({ name, url }) => html`<li><a href="${url}" rel="noopener noreferrer">${name}</a></li>\n`)
  const day = html`<time datetime="${publishedAt.toISOString()}">${words.day(publishedAt)}</time>`
  const state = isDraft(guide) ? words.frame.draft : words.frame.revision({ revision, day })
  const changes =
    hasChanges(guide) &&
    !isUnchangedDraft(guide) &&
    html` · <a href="${pathBelow(guide, 'changes')}">${words.changes.title}</a>`
  const markdown = markdownPath !== undefined && html`<a href="${markdownPath}">${words.frame.markdown}</a>`
  const book =
    site.book?.(publication) && html` <a href="${pathBelow(guide, 'book.pdf')}" download>${words.frame.book}</a>`
  return html`<footer>
${contactLine}${ownLinks.length > 0 && html`<ul>\n${ownLinks}</ul>\n`}<p>${state}${changes}</p>
<p>${markdown}${book} <a${id === HOME_PAGE && html` id="use"`} href="${pathBelow(guide, 'use')}">${words.use.developers}</a></p>
</footer>`
}

/** The contact as a link if it is a web or mail address, else as text. */
export function contactLink(contact: string): Html {
  const address = contact.replace(/^mailto:/i, '')
  if (/^https?:\/\//i.test(contact)) {
    return html`<a href="${contact}" rel="noopener noreferrer">${contact.replace(/^https?:\/\/|\/$/gi, '')}</a>`
  }
  return MAIL.test(address)
    ? html`<a href="mailto:${address}">${address.replace(/\?.*$/s, '')}</a>`
    : html`<bdi>${contact}</bdi>`
}

/** `brand@example.com`, or with a query, `brand@example.com?subject=Logo`. */
const MAIL = /^[^\s@/<>"]+@[^\s@/<>"]+\.[^\s@/<>"]+$/

/**
 * The navigation next to a page of a guide; if it has tabs or the sections are in the header, only the menu of narrow
 * windows. `current` is the path of the shown page, and `open` the id of the authored page that it is, or belongs to.
 */
async function sidebar(
  guide: Guide,
  { isAcross }: GuideTheme,
  current: string,
  { open: openId, tabs }: LayoutPage & { open: string | undefined },
): Promise<Html> {
  const { site, publication, words } = guide
  const pages = await publication.content.pages()
  const tree = await menuOf(guide)
  const idsOnTrail = new Set(openId === undefined ? [] : trailTo(tree, openId).map(branch => branch.id))
  const navigation: Navigation = {
    current,
    address: id => site.paths.page(publication.record, id),
    hasPagesBelow: id => pages.size <= MAX_WHOLE || idsOnTrail.has(id),
    isOpen: id => pages.size <= MAX_OPEN || idsOnTrail.has(id),
    isCurrent: id => id === openId,
    all: pathBelow(guide, 'pages'),
    words,
  }
  const sections = await libraryPlaces(guide, current)
  const overview = { name: words.frame.overview, path: site.paths.project(publication.record) }
  return html`<nav class="${isAcross || tabs ? 'sheet' : 'side'}" id="Menu" aria-label="${words.frame.guide}">
${pages.has(HOME_PAGE) ? undefined : html`<ul>${navigationItem(overview, current)}</ul>`}
${branches(tree, navigation)}
${sections.length > 0 ? html`<p class="quiet" id="Library">${words.frame.library}</p><ul aria-labelledby="Library">${linksTo(sections, current)}</ul>` : undefined}
</nav>`
}

/** If a guide has at most this many pages, its whole tree is open. */
const MAX_OPEN = 24
/** If it has at most this many, other branches unfold. In larger guides, only the branches above the page are included. */
const MAX_WHOLE = 100
/** The number of branches next to each other that are listed. */
const MAX_BESIDE = 200

/** How the navigation of a page shows branches. */
type Navigation = {
  /** The path of the page. */
  current: string
  address: (id: string) => string
  /** Whether a branch includes the pages below it, and whether it is unfolded. */
  hasPagesBelow: (id: string) => boolean
  isOpen: (id: string) => boolean
  isCurrent: (id: string) => boolean
  /** The path of the list of all pages. */
  all: string
  words: Words
}

function branches(tree: readonly Branch[], navigation: Navigation): Html | undefined {
  if (tree.length === 0) return undefined
  // If there are very many branches, only the ones around the current one are listed. In a large guide, this is the only
  // one with pages below it.
  const current = tree.findIndex(({ id }) => navigation.hasPagesBelow(id))
  const start = Math.max(0, Math.min(current - MAX_BESIDE / 2, tree.length - MAX_BESIDE))
  const all = { name: navigation.words.pages.allOf({ count: tree.length }), path: navigation.all }
  const rest = tree.length > MAX_BESIDE && navigationItem(all, navigation.current)
  const places = tree.slice(start, start + MAX_BESIDE).map(branch => place(branch, navigation))
  return html`<ul>
${places}${rest}</ul>`
}

/**
 * An entry of the navigation: a page with the pages below it, or a folder, which unfolds. A folder whose pages are left out
 * links to its first page.
 */
function place(branch: Branch, navigation: Navigation): Html {
  const { id, name: title, page, children } = branch
  const name = menuName(branch)
  const { address, current, words } = navigation
  const list = navigation.hasPagesBelow(id) ? branches(children, navigation) : undefined
  const open = navigation.isOpen(id) && html` open`
  if (page) {
    // The marker that folds the list is next to the link to the page.
    const marker = html`<summary aria-label="${words.frame.pagesBelow({ page: title })}"></summary>`
    const below = list && html`<details${open}>${marker}${list}</details>`
    return navigationItem({ name, title, path: address(id), isOpen: navigation.isCurrent(id) }, current, { below })
  }
  if (list) return html`<li><details${open}><summary>${name}</summary>${list}</details></li>\n`
  const first = children.find(child => child.page)
  return first
    ? navigationItem({ name, title, path: address(first.id) }, current)
    : html`<li><span>${name}</span></li>\n`
}
