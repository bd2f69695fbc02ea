import { type BrandFile, folderOf, isLight, isPicture } from '../../brand/file.ts'
import { HOME_PAGE } from '../../brand/page.ts'
import { countFiles, libraryOf, usableFiles } from '../../serving/publications/library.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import { heading } from '../cards/long-words.ts'
import { usePanel } from '../exports/use-panel.ts'
import { plateOf } from '../guide/artwork-tone.ts'
import { type Guide, pathBelow, type Section, treeOf } from '../guide/guide.ts'
import { listedSections } from '../guide/listed-sections.ts'
import type { Branch } from '../guide/page-tree.ts'
import { type Html, html } from '../html.ts'
import { textDirection } from '../layout/document.ts'
import { contactLink, guidePage } from '../layout/layout.ts'
import { previewOf } from '../library/files/file-kind.ts'
import { guideFonts, sampleFace } from '../library/type/faces/guide-fonts.ts'
import { fontSample, fontSamples } from '../library/type/font-sample.ts'
import { faceClass } from '../library/type/specimen/shown-families.ts'
import { hasThumbnail, pictureSource } from '../thumbnails/thumbnail.ts'
import { coveredTitle, coverHead } from './cover.ts'

/** The home page of a guide if its authors wrote none. */
export async function overview(guide: Guide): Promise<Representation> {
  const { publication, words } = guide
  const { published } = publication
  const tree = await treeOf(guide)
  const [cards, parts] = [await pageCards(guide, tree), await library(guide)]
  const isEmpty = cards === undefined && parts === undefined
  const title = html`${heading(1, published.name)}
`
  const cover = await coverHead(guide, { id: HOME_PAGE, name: published.name }, title)
  const main = html`<article class="prose"${textDirection(await publication.content.lang())}>${!cover && title}
${isEmpty && html`<p class="lead">${words.pages.empty}</p>`}</article>
${cards}
${parts}
${await usePanel(guide, 'guide')}`
  const sheet = (await previewsFont(guide)) ? pathBelow(guide, 'type.css') : undefined
  return guidePage(guide, {
    title: published.name,
    kind: 'authored',
    below: '',
    main,
    cover,
    sheets: [sheet],
    welcome: await welcome(guide),
  })
}

export async function pagesView(guide: Guide): Promise<Representation> {
  const { words } = guide
  const list = branchList(guide, await treeOf(guide))
  const main = html`<article class="prose"><h1>${words.pages.all}</h1><div class="index">${list}</div></article>\n`
  return guidePage(guide, { title: `${words.pages.all}`, kind: 'plain', below: '/-/pages', main })
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
  const tree = await treeOf(guide)
  return tree.filter(({ id, page }) => page && id !== HOME_PAGE).slice(0, MAX_FIRST)
}

const MAX_FIRST = 8

/** Links to pages with their descriptions; if there are many, to the first of them and to the list of all. */
export async function pageCards(guide: Guide, branches: readonly Branch[]): Promise<Html | undefined> {
  const { site, publication, words } = guide
  const pages = branches.flatMap(({ page }) => page ?? [])
  if (pages.length === 0) return undefined
  const onCards = pages.slice(0, MAX_CARDS)
  const cards = onCards.map(async page => {
    const { id, name, description } = page
    const title = html`<a href="${site.paths.page(publication.record, id)}">${name}</a>`
    return html`<li>${await coveredTitle(guide, page, title)}${description !== undefined && html`<p>${description}</p>`}</li>\n`
  })
  const rest =
    pages.length > MAX_CARDS &&
    html`\n<p>${words.pages.firstOfAll({ first: MAX_CARDS, link: pathBelow(guide, 'pages') })}</p>`
  return html`<ul class="cards" aria-label="${words.pages.pages}">\n${await Promise.all(cards)}</ul>${rest}`
}

const MAX_CARDS = 100

/** Links to the sections of a guide, each with a preview. */
export async function library(guide: Guide): Promise<Html | undefined> {
  const sections = await listedSections(guide)
  if (sections.length === 0) return undefined
  const cards = sections.map(async name => {
    const link = html`<a href="${pathBelow(guide, name)}">${guide.words.sections[name]}</a>`
    return html`<li>${link}${await HOME_PREVIEWS[name](guide)}</li>\n`
  })
  return html`<ul class="cards previews" aria-label="${guide.words.frame.library}">\n${await Promise.all(cards)}</ul>`
}

/** Whether the previews of `library` show letters in a font of the guide. */
export async function previewsFont(guide: Guide): Promise<boolean> {
  return (await sampleFace(guide)) !== undefined
}

const HOME_PREVIEWS: Readonly<Record<Section, (guide: Guide) => Promise<Html>>> = {
  colors: colorsPreview,
  type: typePreview,
  files: filesPreview,
}

async function colorsPreview({ publication, words }: Guide): Promise<Html> {
  const colors = await publication.content.colors()
  const drawn = colors.slice(0, MAX_BARS)
  const bars = drawn.map(({ hex }, at) => html`<rect x="${at}" width="1" height="1" fill="${hex}"/>`)
  const box = html`viewBox="0 0 ${drawn.length} 1" preserveAspectRatio="none"`
  return html`<p>${words.colors.count({ count: colors.length })}</p><svg class="bars" ${box} aria-hidden="true">${bars}</svg>`
}

const MAX_BARS = 12

async function typePreview(guide: Guide): Promise<Html> {
  const { publication, words } = guide
  const [types, fonts] = await Promise.all([publication.content.types(), guideFonts(guide)])
  const given = types.flatMap(({ family }) => (family === undefined ? [] : [family]))
  const families = [...new Set([...given, ...fonts.faces.map(({ family }) => family)])]
  const face = await sampleFace(guide)
  // If the fonts are missing, the letters are in the website font.
  const font = face && html` ${faceClass(face)}`
  const sample = face ? (await fontSamples(guide, [face.file])).sampleOf(face.file) : fontSample([])
  const letters = html`<svg class="letter${font}" fill="currentColor" aria-hidden="true"><text y="40">${sample.short}</text></svg>`
  const counts = [
    ...(types.length > 0 ? [words.type.count({ count: types.length })] : []),
    ...families.slice(0, MAX_FAMILIES),
  ]
  const note = !face && families.length > 0 && html`<p class="quiet">${words.specimen.noFonts}</p>`
  return html`<p>${counts.map((count, at) => html`${at > 0 && words.comma}<bdi>${count}</bdi>`)}</p>${note}${letters}`
}

const MAX_FAMILIES = 3

async function filesPreview(guide: Guide): Promise<Html> {
  const { content } = guide.publication
  const files = await usableFiles(content, 'library')
  const count = countFiles((await libraryOf(content)).groups, content.today())
  const chosen = differentPictures(files.values())
  const grounds = await Promise.all(chosen.map(file => plateOf(guide, file)))
  const pictures = chosen.map(
    (file, at) =>
      html`<img${grounds[at] !== undefined && html` class="ground-${grounds[at]}"`} ${pictureSource(guide, file)} width="72" height="48" alt="" loading="lazy">`,
  )
  return html`<p>${guide.words.files.count({ count })}</p>${pictures.length > 0 && html`<div class="thumbs">${pictures}</div>`}`
}

/** Small pictures from as many folders as possible, the first of each. */
function differentPictures(files: Iterable<BrandFile>): BrandFile[] {
  const firsts = new Map<string, BrandFile>()
  const others: BrandFile[] = []
  for (const file of files) {
    if (firsts.size === MAX_PICTURES) break
    if ((file.size > MAX_BYTES && !hasThumbnail(file)) || previewOf(file)?.kind !== 'picture') continue
    // The details of an illustration are too small here, and a white logo needs another background.
    if (!isPicture(file) || file.path.startsWith('pages/') || isLight(file)) continue
    const folder = folderOf(file.path)
    if (!firsts.has(folder)) firsts.set(folder, file)
    else if (others.length < MAX_PICTURES) others.push(file)
  }
  return [...firsts.values(), ...others].slice(0, MAX_PICTURES)
}

const MAX_PICTURES = 4
const MAX_BYTES = 100_000

/** The greeting above the home page for readers with a share link; undefined for others. */
export async function welcome(guide: Guide): Promise<Html | undefined> {
  const { site, link, publication, words } = guide
  if (!link) return undefined
  const { name, createdAt, expiresAt } = link
  const isThisYear = createdAt.getUTCFullYear() === expiresAt.getUTCFullYear()
  const day = isThisYear ? words.dayOfYear(expiresAt) : words.day(expiresAt)
  const { contact } = await publication.content.appearance()
  const pages = (await treeOf(guide)).flatMap(({ page }) => (page && page.id !== HOME_PAGE ? [page] : []))
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
