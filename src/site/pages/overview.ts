import type { Representation } from '../../serving/replies/response-cache.ts'
import { usePanel } from '../exports/use-panel.ts'
import { filledSections, type Guide, pathBelow, type Section, treeOf } from '../guide/guide.ts'
import type { Branch } from '../guide/page-tree.ts'
import { type Html, html } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import { guidePage } from '../layout/layout.ts'
import { HOME_PREVIEWS } from '../library/home-previews.ts'
import { sampleFace } from '../library/type/faces/guide-fonts.ts'
import { coverThumb } from './cover.ts'
import { welcome } from './welcome.ts'

/** The home page of a guide if its authors wrote none. */
export async function overview(guide: Guide): Promise<Representation> {
  const { publication, words } = guide
  const { published } = publication
  const tree = await treeOf(guide)
  const [cards, parts] = [await pageCards(guide, tree), await library(guide)]
  const isEmpty = cards === undefined && parts === undefined
  const main = html`<article class="prose"${textDirection(await publication.content.lang())}><h1>${published.name}</h1>
${isEmpty && html`<p class="lead">${words.pages.empty}</p>`}</article>
${cards}
${parts}
${await usePanel(guide, 'guide')}`
  const sheet = (await previewsFont(guide)) ? pathBelow(guide, 'type.css') : undefined
  return guidePage(guide, { title: published.name, below: '', main, sheets: [sheet], welcome: await welcome(guide) })
}

/** The list of all pages of a guide. */
export async function pagesView(guide: Guide): Promise<Representation> {
  const { words } = guide
  const list = branchList(guide, await treeOf(guide))
  const main = html`<article class="prose"><h1>${words.pages.all}</h1>${list}</article>\n`
  return guidePage(guide, { title: `${words.pages.all}`, below: '/-/pages', main })
}

function branchList(guide: Guide, tree: readonly Branch[]): Html | undefined {
  if (tree.length === 0) return undefined
  const { publication, paths } = guide
  const items = tree.map(({ id, name, page, children }) => {
    const title = page ? html`<a href="${paths.page(publication.record, id)}">${name}</a>` : name
    return html`<li>${title}${branchList(guide, children)}</li>\n`
  })
  return html`<ul>\n${items}</ul>`
}

/** Links to pages with their descriptions; if there are many, to the first of them and to the list of all. */
export async function pageCards(guide: Guide, branches: readonly Branch[]): Promise<Html | undefined> {
  const { publication, paths, words } = guide
  const pages = branches.flatMap(({ page }) => page ?? [])
  if (pages.length === 0) return undefined
  const onCards = pages.slice(0, MAX_CARDS)
  const covers = await Promise.all(onCards.map(page => coverThumb(guide, page)))
  const cards = onCards.map(
    ({ id, name, description }, at) =>
      html`<li>${covers[at]}<a href="${paths.page(publication.record, id)}">${name}</a>${description !== undefined && html`<p>${description}</p>`}</li>\n`,
  )
  const rest =
    pages.length > MAX_CARDS &&
    html`\n<p>${words.pages.firstOfAll({ first: MAX_CARDS, link: pathBelow(guide, 'pages') })}</p>`
  return html`<ul class="cards" aria-label="${words.pages.pages}">\n${cards}</ul>${rest}`
}

const MAX_CARDS = 100

/** Links to the sections of a guide, each with a preview. */
export async function library(guide: Guide): Promise<Html | undefined> {
  const sections = await filledSections(guide)
  if (sections.length === 0) return undefined
  const cards = await Promise.all(sections.map(async name => card(guide, name, await HOME_PREVIEWS[name](guide))))
  return html`<ul class="cards previews" aria-label="${guide.words.frame.library}">\n${cards}</ul>`
}

/** Whether the previews of `library` show letters in a font of the guide. */
export async function previewsFont(guide: Guide): Promise<boolean> {
  return (await sampleFace(guide)) !== undefined
}

function card(guide: Guide, name: Section, preview: Html): Html {
  return html`<li><a href="${pathBelow(guide, name)}">${guide.words.sections[name]}</a>${preview}</li>\n`
}
