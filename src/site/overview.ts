import type { Made } from '../serving/prepared.ts'
import { guidePage } from './frame.ts'
import { filledSections, type Guide, pathBelow, SECTIONS, type Section, treeOf } from './guide.ts'
import { type Html, html } from './html.ts'
import { GLANCES, letterFace } from './library/glances.ts'
import type { Branch } from './navigation.ts'

/** The home page of a guide whose authors wrote none. */
export async function overview(guide: Guide): Promise<Made> {
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

/** Every page of a guide. */
export async function pagesView(guide: Guide): Promise<Made> {
  const { publication, paths } = guide
  const list = (tree: readonly Branch[]): Html | undefined =>
    tree.length === 0 ? undefined : html`<ul>\n${tree.map(entry)}</ul>`
  const entry = ({ id, name, page, children }: Branch): Html =>
    html`<li>${page ? html`<a href="${paths.page(publication.record, id)}">${name}</a>` : name}${list(children)}</li>\n`
  const tree = await treeOf(guide)
  const main = html`<article class="prose"><h1>All pages</h1>${list(tree)}</article>`
  return guidePage(guide, { title: 'All pages', below: '/-/pages', main, sheets: [guide.assets.path('page.css')] })
}

/** Links to pages with what they are about. */
export function pageCards({ publication, paths }: Guide, branches: readonly Branch[]): Html | undefined {
  const cards = branches.flatMap(({ id, page }) =>
    page
      ? [
          html`<li><a href="${paths.page(publication.record, id)}">${page.name}</a>${page.description !== undefined && html`<p>${page.description}</p>`}</li>\n`,
        ]
      : [],
  )
  return cards.length > 0 ? html`<ul class="cards" aria-label="Pages">\n${cards}</ul>` : undefined
}

/** What a guide has beside its pages, at a glance. */
export async function library(guide: Guide): Promise<Html | undefined> {
  const sections = await filledSections(guide)
  if (sections.length === 0) return undefined
  const cards = await Promise.all(sections.map(async name => card(guide, name, await GLANCES[name](guide))))
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
