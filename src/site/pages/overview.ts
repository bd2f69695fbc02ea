import type { Representation } from '../../serving/response-cache.ts'
import { filledSections, type Guide, pathBelow, SECTIONS, type Section, treeOf } from '../guide/guide.ts'
import { type Branch, type BranchRange, partOf, sizeOf } from '../guide/page-tree.ts'
import { type Html, html } from '../html.ts'
import { guidePage } from '../layout/layout.ts'
import { pageLinks, pageQuery, pageTitle } from '../layout/pagination.ts'
import { HOME_PREVIEWS, letterFace } from '../library/home-previews.ts'

/** The home page of a guide whose authors wrote none. */
export async function overview(guide: Guide): Promise<Representation> {
  const { published } = guide.publication
  const tree = await treeOf(guide)
  const [cards, parts] = [pageCards(guide, tree), await library(guide)]
  const isEmpty = cards === undefined && parts === undefined
  const main = html`<article class="prose" dir="auto"><h1>${published.name}</h1>
${isEmpty && html`<p class="lead">Nothing stands in this guide yet.</p>`}</article>
${cards}
${parts}`
  return guidePage(guide, { title: published.name, below: '', main, sheets: await homeSheets(guide) })
}

/** Every page of a guide, so many on a page of the list; undefined beyond its last one. */
export async function pagesView(guide: Guide, number: number): Promise<Representation | undefined> {
  const { publication, paths } = guide
  const entry = ({ id, name, page, children }: Branch): Html =>
    html`<li>${page ? html`<a href="${paths.page(publication.record, id)}">${name}</a>` : name}${list(children)}</li>\n`
  const list = (tree: readonly Branch[]): Html | undefined =>
    tree.length === 0 ? undefined : html`<ul>\n${tree.map(entry)}</ul>`
  const tree = await treeOf(guide)
  const count = Math.max(1, Math.ceil(sizeOf(tree) / PLACES_ON_PAGE))
  if (number > count) return undefined
  const range: BranchRange = { start: (number - 1) * PLACES_ON_PAGE, end: number * PLACES_ON_PAGE }
  const page = { number, count }
  const main = html`<article class="prose"><h1>All pages</h1>${list(partOf(tree, range))}</article>
${pageLinks(pathBelow(guide, 'pages'), page)}`
  return guidePage(guide, {
    ...{ title: `All pages${pageTitle(page)}`, below: '/-/pages', query: pageQuery(number), main },
    sheets: [guide.assets.path('page.css')],
  })
}

const PLACES_ON_PAGE = 500

/** Links to pages with what they are about; of many to the first, and to the list of all. */
export function pageCards(guide: Guide, branches: readonly Branch[]): Html | undefined {
  const { publication, paths } = guide
  const pages = branches.flatMap(({ page }) => page ?? [])
  if (pages.length === 0) return undefined
  const cards = pages
    .slice(0, MAX_CARDS)
    .map(
      ({ id, name, description }) =>
        html`<li><a href="${paths.page(publication.record, id)}">${name}</a>${description !== undefined && html`<p>${description}</p>`}</li>\n`,
    )
  const rest =
    pages.length > MAX_CARDS &&
    html`\n<p><a href="${pathBelow(guide, 'pages')}">All pages</a>, of which these are the first ${MAX_CARDS}.</p>`
  return html`<ul class="cards" aria-label="Pages">\n${cards}</ul>${rest}`
}

const MAX_CARDS = 100

/** What a guide has beside its pages, at a glance. */
export async function library(guide: Guide): Promise<Html | undefined> {
  const sections = await filledSections(guide)
  if (sections.length === 0) return undefined
  const cards = await Promise.all(sections.map(async name => card(guide, name, await HOME_PREVIEWS[name](guide))))
  return html`<ul class="cards glances" aria-label="Library">\n${cards}</ul>`
}

/** The addresses of the style sheets of a home page: ours, and that of the fonts where one of them is shown. */
export async function homeSheets(guide: Guide): Promise<readonly string[]> {
  const face = await letterFace(guide)
  return [guide.assets.path('page.css'), ...(face ? [pathBelow(guide, 'type.css')] : [])]
}

function card(guide: Guide, name: Section, glance: Html): Html {
  return html`<li><a href="${pathBelow(guide, name)}">${SECTIONS[name]}</a>${glance}</li>\n`
}
