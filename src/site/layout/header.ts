import type { StyleId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { guideName } from '#serving/publications/publications.ts'
import { lettersOf } from '../cards/long-words.ts'
import { type Guide, isInSection, menuOf, pathBelow, type Section, type SignedIn } from '../guide/guide.ts'
import { navigationSections } from '../guide/listed-sections.ts'
import { menuName } from '../guide/menu-name.ts'
import { type Branch, firstPage, trailTo } from '../guide/page-tree.ts'
import { attribute, type Html, html, type Word } from '../html.ts'
import type { GuideTheme, Picture } from '../theme/guide-theme.ts'
import type { Words } from '../words/words.ts'
import { type LanguagePlace, languageLinks } from './languages.ts'
import { guideLogo, themeLogo } from './theme-logo.ts'

/** The ground that a cover shares with the header, and the logo there. */
export type HeadGround = { ground?: StyleId; logo?: Picture | undefined }

/**
 * The header of every page of a guide. `current` is its path, and `open` the id of the authored page that it is, or belongs
 * to.
 */
export async function pageHeader(
  guide: Guide,
  theme: GuideTheme,
  current: string,
  page: LanguagePlace & { open: string | undefined; cover?: HeadGround | undefined },
): Promise<Html> {
  const { site, publication, words, signedIn } = guide
  const { frame, search } = words
  const { id, open, cover } = page
  const ground = cover?.ground === undefined ? '' : ` ground-${cover.ground}`
  const { links, below } = theme.isAcross ? await sectionsOf(guide, current, open, { ground, theme }) : {}
  // The logo on a cover is chosen for its ground, so it is the same in both schemes.
  const logo = cover?.logo ? await guideLogo(guide, cover.logo) : await themeLogo(guide, theme)
  return html`<header class="top${links && ' sectioned'}${ground}">
<a class="menu" href="#Menu">${frame.menu}</a>
<a class="close" href="#Content">${frame.closeMenu}</a>
<a class="name" href="${site.paths.project(publication.record)}">${logo ?? guideName(guide)}</a>
${links}${await logoDownload(guide, theme)}<form class="find" role="search" action="${pathBelow(guide, 'search')}" data-results="${search.results}" data-none="${search.none}">
<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m13 13 4 4M3 8.5a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0"/></svg>
<input type="search" name="q" aria-label="${search.searchGuide}" placeholder="${search.search}" maxlength="200" autocomplete="off">
</form>
${await languageLinks(guide, page)}${theme.scheme === 'both' && themeSwitch(words)}
${signedIn && signedInPart(guide, signedIn, current, id)}</header>
${id !== undefined && below}`
}

function themeSwitch({ frame }: Words): Html {
  return html`<button class="theme" type="button" data-label="${frame.theme}" data-auto="${frame.auto}" data-light="${frame.light}" data-dark="${frame.dark}">${frame.theme}</button>`
}

/** The name of the person with their links; `id` is the page that they may edit. */
function signedInPart(guide: Guide, signedIn: SignedIn, current: string, id: string | undefined): Html {
  const links = html`${editLink(guide, signedIn, current, id)}${manageLinks(guide, signedIn, current)}`
  return personPart(guide.words, signedIn, current, links)
}

/** The header of a page outside guides for a person who is signed in to a workspace with this name. */
export function workspaceHeader(words: Words, signedIn: SignedIn, name: Html | string, current: string): Html {
  const { home, manage, waiting } = signedIn
  const link = manage === undefined ? undefined : manageLink(words, manage, waiting.count, current)
  return html`<header class="top">
<a class="name" href="${home}">${name}</a>
${personPart(words, signedIn, current, link)}</header>
`
}

function personPart(
  words: Words,
  { name, signOut, sessions }: SignedIn,
  current: string,
  manage: Html | undefined,
): Html {
  const label = name === undefined ? words.sessions.title : html`<bdi>${name}</bdi>`
  const who =
    sessions === undefined
      ? name !== undefined && html`${label} `
      : html`<a href="${sessions}" title="${words.sessions.title}">${label}</a> `
  const address = `${signOut}${current && `&${new URLSearchParams({ return: current })}`}`
  return html`<p class="person">${who}${manage}<a href="${address}">${words.frame.signOut}</a></p>\n`
}

/** The link to the editor of a page, or of the first one. */
function editLink({ words }: Guide, { edit }: SignedIn, current: string, id = HOME_PAGE): Html | undefined {
  const isOpen = edit === undefined || current.startsWith(edit)
  return isOpen ? undefined : personLink(`${edit}/${id}`, html`${words.edit.edit}`, current)
}

/** The links to manage a guide and to what waits elsewhere, or for a review. */
function manageLinks({ site, words }: Guide, { home, manage, waiting }: SignedIn, current: string): Html {
  const { count, own } = waiting
  // A draft of this guide that waits to be published is behind its own *Manage*.
  const isHere = own?.isReview === false
  const other = html`${own && html`${words.review.title} · `}${words.manage.drafts({ count })}`
  return html`${manage && manageLink(words, manage, isHere ? count : 0, current)}${count > 0 && !isHere && personLink(own ? site.at(own.path) : home, other, current)}`
}

/** “Manage · 1 draft”, or only “Manage”. */
function manageLink(words: Words, path: string, count: number, current: string): Html {
  const drafts = count > 0 && html` · ${words.manage.drafts({ count })}`
  return personLink(path, html`${words.manage.title}${drafts}`, current)
}

function personLink(path: string, name: Html, current: string): Html {
  return html`<a href="${path}"${path === current && html` aria-current="page"`}>${name}</a> `
}

/** The link to the logo that the theme offers: a file, or the archive of a folder. */
async function logoDownload(
  { publication, site: { paths }, words }: Guide,
  { download }: GuideTheme,
): Promise<Html | undefined> {
  if (download === undefined) return undefined
  const { record, content } = publication
  const file = (await content.files()).get(download)
  const path = file ? paths.file(record, file) : paths.folder(record, download)
  return html`<a class="get" href="${path}" download>${words.frame.getLogo}</a>\n`
}

/** The sections of a guide as links for its header, and the pages of the current one, which stay below it. */
type Sections = { links: Html; below: Html | undefined }

/** The pages at the top of the tree, and the parts of the library: the first six and Files, and the others below *More*. */
async function sectionsOf(
  guide: Guide,
  current: string,
  open: string | undefined,
  { ground, theme }: { ground: string; theme: GuideTheme },
): Promise<Sections> {
  const { words } = guide
  const tree = (await menuOf(guide)).filter(branch => branch.id !== HOME_PAGE)
  const trail = open === undefined ? [] : trailTo(tree, open)
  const library = await libraryPlaces(guide, current)
  const allPages = { name: words.pages.allOf({ count: tree.length }), path: pathBelow(guide, 'pages') }
  const placesBeforeFiles: readonly Place[] = [
    ...placesOf(guide, tree, trail[0]),
    ...(tree.length > MAX_LISTED ? [allPages] : []),
    ...library.filter(({ id }) => id !== 'files'),
  ]
  const files = library.filter(({ id }) => id === 'files')
  const isSignedIn = guide.signedIn !== undefined
  const taken = (theme.download ? DOWNLOAD : 0) + (isSignedIn ? PERSON : 0)
  const space = { max: MAX_SHOWN, wide: isSignedIn ? MAX_SIGNED_IN : MAX_LETTERS, narrow: MAX_NARROW - taken }
  return {
    links: html`<nav class="sections" aria-label="${words.frame.sections}">${barOf(guide, current, space, placesBeforeFiles, files)}</nav>
`,
    below: pagesBelow(guide, trail, current, ground),
  }
}

/** The links of a bar in one row; those that do not fit are below *More*. The last places are always in the bar. */
function barOf(
  { words }: Guide,
  current: string,
  space: Space,
  places: readonly Place[],
  last: readonly Place[] = [],
): Html {
  const { always, onlyWide, never } = arrangeBar(places, last, space)
  const isOpen = never.some(place => place.path === current || place.isOpen)
  const more = html`<li${never.length === 0 && html` class="moved"`}><details><summary${isOpen && html` aria-current="true"`}>${words.frame.more}</summary><ul>
${linksTo(onlyWide, current, 'moved')}${linksTo(never, current)}</ul></details></li>
`
  return html`<ul>
${linksTo(always, current)}${linksTo(onlyWide, current, 'late')}${linksTo(last, current)}${onlyWide.length + never.length > 0 && more}</ul>`
}

type Bar = {
  /** In the bar in windows of every width. */
  always: readonly Place[]
  /** In the bar in wide windows, and below *More* in narrow ones. */
  onlyWide: readonly Place[]
  /** Always below *More*. */
  never: readonly Place[]
}

/** The most places of a bar, and the letters of names with the gaps between them that fit into wide and narrow windows. */
type Space = { max: number; wide: number; narrow: number }

/** Divides places, in order, by the space that the last ones leave. */
function arrangeBar(places: readonly Place[], last: readonly Place[], { max, wide, narrow }: Space): Bar {
  const inWideBar = fitting(places, max - last.length, wide)
  const never = places.slice(inWideBar.length)
  const all = [...inWideBar, ...last]
  // A bar that needs no *More* has its space as well.
  const needsNoMore = never.length === 0 && fitting(all, max, narrow + MORE).length === all.length
  const always = needsNoMore ? inWideBar : fitting(inWideBar, max, narrow)
  return { always, onlyWide: inWideBar.slice(always.length), never }
}

/** The number of places in the bar, with the files. */
const MAX_SHOWN = 7
/** The letters of names with the gaps between them that fit between logo and search, also with the links of a person. */
const MAX_LETTERS = 105
const MAX_SIGNED_IN = 60
/** The same letters and gaps in the narrowest window with columns. */
const MAX_NARROW = 48
/** The space of other parts of the header, in letters: the logo download, the links of a person, and *More*. */
const DOWNLOAD = 12
const PERSON = 33
const MORE = 14
/** The pages of a section in windows with columns, and on a phone. */
const BELOW = { max: 12, wide: 108, narrow: 36 }
/** The space between two names, in letters. */
const GAP = 3
/** The maximum number of sections of pages, and of pages below one. Others are in the list of all pages. */
const MAX_LISTED = 40

/** The first places whose names fit into the header. */
function fitting(places: readonly Place[], max: number, maxLetters: number): readonly Place[] {
  let letters = 0
  for (const [at, { name }] of places.entries()) {
    letters += lettersOf(`${name}`) + GAP
    if (at === max || letters > maxLetters) return places.slice(0, at)
  }
  return places
}

/** A target of the navigation. `title`: its whole name, if it may be shortened. `isOpen`: whether the current page is below it. */
type Place = { name: Word; title?: string; path: string; isOpen?: boolean }

/** Items of the navigation, one for each place. `current` is the path of the page. */
export function linksTo(places: readonly Place[], current: string, className?: string): Html[] {
  return places.map(place => navigationItem(place, current, { className }))
}

/** The parts of the library in the navigation. */
export async function libraryPlaces(guide: Guide, current: string): Promise<(Place & { id: Section })[]> {
  return (await navigationSections(guide)).map(id => {
    const isOpen = isInSection(guide, id, current)
    return { id, name: guide.words.sections[id], path: pathBelow(guide, id), isOpen }
  })
}

/** The first branches with the addresses of their pages, or of the first page below them. */
function placesOf(
  { site: { paths }, publication }: Guide,
  branches: readonly Branch[],
  open: Branch | undefined,
): Place[] {
  return branches.slice(0, MAX_LISTED).flatMap(branch => {
    const page = firstPage(branch)
    const names = { name: menuName(branch), title: branch.name }
    return page ? [{ ...names, path: paths.page(publication.record, page.id), isOpen: branch === open }] : []
  })
}

/** The pages of a section as a bar; undefined if it has only one page. */
function pagesBelow(
  guide: Guide,
  [section, open]: readonly Branch[],
  current: string,
  ground: string,
): Html | undefined {
  if (!section || section.children.length === 0) return undefined
  const sectionPage = section.page ? placesOf(guide, [section], undefined) : []
  return html`<nav class="subnav${ground}" aria-label="${guide.words.frame.pagesBelow({ page: section.name })}">${barOf(guide, current, BELOW, [...sectionPage, ...placesOf(guide, section.children, open)])}</nav>
`
}

type ItemParts = { className?: string | undefined; below?: Html | undefined }

/** A link of the navigation. `below`: the links below its target. */
export function navigationItem(
  { path, name, title = `${name}`, isOpen }: Place,
  current: string,
  parts: ItemParts = {},
): Html {
  const { className, below } = parts
  const mark = path === current ? html` aria-current="page"` : isOpen && html` aria-current="true"`
  const whole = title !== `${name}` && html` title="${title}" aria-label="${title}"`
  return html`<li${attribute('class', className)}><a href="${path}"${mark}${whole}>${name}</a>${below}</li>\n`
}
