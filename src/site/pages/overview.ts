import { HOME_PAGE } from '#brand/page.ts'
import { pick } from '#platform/base/object.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { breakable, heading } from '../cards/long-words.ts'
import { type Guide, menuOf, pathBelow, treeOf } from '../guide/guide.ts'
import { listedSections } from '../guide/listed-sections.ts'
import { type Branch, firstPage } from '../guide/page-tree.ts'
import { type Html, html } from '../html.ts'
import { libraryHead } from '../layout/head.ts'
import { contactLink, guidePage } from '../layout/layout.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { coveredTitle } from './cover-card.ts'
import { homeParts } from './showcase.ts'

/** The home page of a guide if its authors wrote none. */
export async function overview(guide: Guide): Promise<Representation> {
  const { publication, words } = guide
  const { published } = publication
  const tree = await menuOf(guide)
  const { brand, files, sheets } = await homeParts(guide)
  const cards = await pageCards(guide, tree)
  const isEmpty = !brand && !cards && !files
  const head = html`${heading(1, published.name)}
${isEmpty && html`<p class="lead">${words.pages.empty}</p>\n`}`
  return guidePage(guide, {
    title: published.name,
    kind: 'home',
    below: '',
    head,
    headed: { id: HOME_PAGE },
    main: html`${brand}${cards}\n${files}`,
    sheets: sheets.map(name => pathBelow(guide, name)),
    welcome: await welcome(guide),
  })
}

/** The list of all pages of a guide as a tree. */
export async function pagesView(guide: Guide): Promise<Representation> {
  const { words } = guide
  const list = branchList(guide, await treeOf(guide))
  const main = html`<article class="prose"><div class="index">${list}</div></article>\n`
  const head = libraryHead(guide, words.pages.all)
  return guidePage(guide, { title: `${words.pages.all}`, kind: 'plain', below: '/-/pages', head, main })
}

function branchList(guide: Guide, tree: readonly Branch[]): Html | undefined {
  if (tree.length === 0) return undefined
  const { site, publication } = guide
  const items = tree.map(({ id, name, page, children }) => {
    const title = page ? html`<a href="${site.paths.page(publication.record, id)}">${name}</a>` : name
    return html`<li>${title}${branchList(guide, children)}</li>\n`
  })
  return html`<ul>\n${items}</ul>`
}

/** The first pages at the top of the tree, for readers who look for something that does not exist. */
export async function firstPages(guide: Guide): Promise<readonly Branch[]> {
  const tree = await menuOf(guide)
  return tree.filter(({ id, page }) => page && id !== HOME_PAGE).slice(0, MAX_FIRST)
}

const MAX_FIRST = 8

/** The first pages with their descriptions as a numbered list, or on cards with their covers, and a link to all of many. */
export async function pageCards(guide: Guide, tree: readonly Branch[], isList = false): Promise<Html | undefined> {
  const { site, publication, words } = guide
  // A folder is a card with its own name, and the first page in it as its target.
  const pages = tree.flatMap(branch => {
    if (branch.page) return [branch.page]
    const page = firstPage(branch)
    return page ? [{ ...pick(page, ['id', 'cover', 'ground', 'content', 'links']), name: branch.name }] : []
  })
  const { layout } = await themeOf(publication)
  const isPlain = pages.every(({ cover, ground }) => cover === undefined && ground === undefined)
  const isNumbered = layout === 'index' || (layout === 'editorial' && isPlain)
  if (pages.length === 0 || (isList && !isNumbered)) return undefined
  const items = pages.slice(0, MAX_CARDS).map(async page => {
    const { id, name, description } = page
    const link = html`<a href="${site.paths.page(publication.record, id)}">${breakable(name)}</a>`
    const title = isNumbered ? link : await coveredTitle(guide, page, link)
    return html`<li>${title}${description !== undefined && html`<p>${description}</p>`}</li>\n`
  })
  const rest =
    pages.length > MAX_CARDS &&
    html`\n<p>${words.pages.firstOfAll({ first: MAX_CARDS, link: pathBelow(guide, 'pages') })}</p>`
  const kind = isNumbered ? 'chapters' : 'cards'
  return html`<ul class="${kind}" aria-label="${words.usage.kinds.page}">\n${await Promise.all(items)}</ul>${rest}`
}

const MAX_CARDS = 100

/** The greeting above the home page for readers with a share link; undefined for others. */
export async function welcome(guide: Guide): Promise<Html | undefined> {
  const { site, link, publication, words } = guide
  if (!link) return undefined
  const { name, createdAt, expiresAt } = link
  const isThisYear = createdAt.getUTCFullYear() === expiresAt.getUTCFullYear()
  const day = isThisYear ? words.dayOfYear(expiresAt) : words.day(expiresAt)
  const { contact } = await publication.content.appearance()
  const pages = (await menuOf(guide)).flatMap(({ page }) => (page && page.id !== HOME_PAGE ? [page] : []))
  const links = [
    ...pages.slice(0, MAX_LISTED).map(({ id, name }) => ({ href: site.paths.page(publication.record, id), name })),
    ...(pages.length > MAX_LISTED ? [{ href: pathBelow(guide, 'pages'), name: words.pages.all }] : []),
    ...(await listedSections(guide)).map(id => ({ href: pathBelow(guide, id), name: words.sections[id] })),
  ]
  return html`<section class="welcome" aria-labelledby="Welcome">
<div dir="auto"><h2 id="Welcome">${name === undefined ? words.welcome.until({ day }) : words.welcome.for({ name, day })}</h2>
${contact !== undefined && html`<p>${words.frame.contact({ contact: contactLink(contact) })}</p>\n`}</div>
${links.length > 0 && html`<nav aria-label="${words.frame.contents}"><ul>\n${links.map(each => html`<li><a href="${each.href}">${each.name}</a></li>\n`)}</ul></nav>\n`}</section>
`
}

const MAX_LISTED = 24
