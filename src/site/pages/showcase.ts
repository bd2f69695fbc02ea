import { type BrandFile, isLight, isPicture, PHOTOGRAPHS } from '#brand/file.ts'
import { isLogo } from '#brand/library.ts'
import { countFiles, libraryOf, usableFiles } from '#serving/publications/library.ts'
import { treeHtml } from '../cards/element.ts'
import { colorArea } from '../cards/proportions.ts'
import { colorList, groupName, groupPath } from '../guide/color-list.ts'
import { previewOf } from '../guide/file-kind.ts'
import { filledSections, type Guide, type Section } from '../guide/guide.ts'
import { sectionPath } from '../guide/listed-sections.ts'
import { isPhotograph, plateOf } from '../guide/picture-look.ts'
import { attribute, type Html, html, type Word } from '../html.ts'
import { filePath } from '../library/files/file-list.ts'
import { libraryItem } from '../library/files/library-item.ts'
import { sampleFace } from '../library/type/faces/guide-fonts.ts'
import { fontSample, fontSamples } from '../library/type/font-sample.ts'
import { familyPaths } from '../library/type/type-list.ts'
import { type Picture, shownPicture, themeOf } from '../theme/guide-theme.ts'
import { hasThumbnail, pictureSource, shownAddress } from '../thumbnails/thumbnail.ts'
import type { Words } from '../words/words.ts'

/** The main logo on its ground, the colours by area, and the letters of the brand, each large and with a link. */
export async function showcase(guide: Guide): Promise<Html | undefined> {
  const filled = await filledSections(guide)
  const parts = [
    await logoPart(guide),
    filled.includes('colors') ? await colorsPart(guide) : undefined,
    filled.includes('type') ? await typePart(guide) : undefined,
  ]
  return list(guide, parts)
}

/** The pictures of the guide, with the link to its files; undefined without files. */
export async function pictureShow(guide: Guide): Promise<Html | undefined> {
  return (await filledSections(guide)).includes('files') ? list(guide, [await filesPart(guide)]) : undefined
}

/** Whether the showcase has letters in a font of the guide. */
export async function previewsFont(guide: Guide): Promise<boolean> {
  return (await sampleFace(guide)) !== undefined
}

function list({ words }: Guide, parts: readonly (Html | undefined)[]): Html | undefined {
  const items = parts.flatMap(part => (part ? html`<li>${part}</li>\n` : []))
  return items.length === 0
    ? undefined
    : html`<ul class="cards showcase" aria-label="${words.frame.library}">\n${items}</ul>\n`
}

async function sectionLink(guide: Guide, name: Section): Promise<Html> {
  return html`<a href="${await sectionPath(guide, name)}">${guide.words.sections[name]}</a>`
}

/**
 * The main logo, that of the theme or else the first one of the library, and the first version for each other ground. Dark
 * versions come before light ones, which are for dark grounds.
 */
async function logoPart(guide: Guide): Promise<Html | undefined> {
  const { publication, site, words } = guide
  const library = await libraryOf(publication.content)
  const { logo, logoDark } = await themeOf(publication)
  const libraryLogos = library.groups
    .filter(group => group.some(isLogo))
    .flatMap(group => libraryItem(group).formats.filter(isLogo).map(shownPicture).find(Boolean) ?? [])
    .slice(0, MAX_LOGOS)
  const darkLogos = libraryLogos.filter(({ file }) => !isLight(file))
  const byLook = await logosByLook(guide, [logo, logoDark, ...darkLogos, ...libraryLogos], logoDark)
  const [mainLogo] = byLook.values()
  if (!mainLogo) return undefined
  const pictures = Array.from(byLook, ([look, { file, width, height }]) => {
    const src = shownAddress(publication.record, file, site.paths)
    return html`<span class="${look}"><img src="${src}" width="${width}" height="${height}" alt="" decoding="async"></span>`
  })
  const { file } = mainLogo
  const { name, formats } = libraryItem(library.groups[library.groupAt.get(file.path) ?? -1] ?? [file])
  const title = name.toLowerCase() === `${words.frame.logo}`.toLowerCase() ? '' : html` <span>${name}</span>`
  const types = [...new Set(formats.map(each => each.path.replace(/^.*\./, '').toUpperCase()))]
  return html`<div class="main-logo">${pictures}</div><a href="${filePath(guide, library, file)}">${words.frame.logo}${title}</a><p>${types.join(', ')}</p>`
}

/** The first logo for each ground, keyed by the class of the ground: `ground-ink`, or `plain` on the page itself. */
async function logosByLook(
  guide: Guide,
  versions: readonly (Picture | undefined)[],
  logoDark: Picture | undefined,
): Promise<ReadonlyMap<string, Picture>> {
  const byLook = new Map<string, Picture>()
  for (const version of versions) {
    if (!version) continue
    const ground = (await plateOf(guide, version.file)) ?? (version === logoDark ? 'Dark' : undefined)
    const look = ground === undefined ? 'plain' : `ground-${ground}`
    if (!byLook.has(look) && byLook.size < MAX_GROUNDS) byLook.set(look, version)
  }
  return byLook
}

const MAX_LOGOS = 12
const MAX_GROUNDS = 4

async function colorsPart(guide: Guide): Promise<Html> {
  const { words, publication } = guide
  const colors = await publication.content.colors()
  const list = await colorList(guide)
  const groups = list.groups.length > 1 ? list.groups.slice(0, MAX_NAMES) : []
  const links = groups.map(
    group => html`<a href="${groupPath(guide, list, group)}">${groupName(words, list, group)}</a>`,
  )
  const { lettersOn } = await themeOf(publication)
  const shares = colors.slice(0, MAX_IN_AREA).map(color => ({ ...color, letters: lettersOn(color) }))
  return html`${treeHtml(colorArea(words, shares))}${await sectionLink(guide, 'colors')}${facts(words, [words.colors.count({ count: colors.length }), ...links])}`
}

const MAX_IN_AREA = 24

async function typePart(guide: Guide): Promise<Html> {
  const { publication, words } = guide
  const types = await publication.content.types()
  const families = [...(await familyPaths(guide))].slice(0, MAX_NAMES)
  const face = await sampleFace(guide)
  // If the fonts are missing, the letters are in the website font.
  const sample = face ? (await fontSamples(guide, [face.file])).sampleOf(face.file) : fontSample([])
  const letters = html`<div class="letter" aria-hidden="true"><svg fill="currentColor"><text y="0.85em">${sample.short}</text></svg> <div>${sample.lines.map(line => html`<span>${line}</span>`)}</div></div>`
  const links = families.map(([name, path]) => html`<a href="${path}">${name}</a>`)
  const counts = types.length > 0 ? [words.type.count({ count: types.length })] : []
  const note = !face && families.length > 0 && html`<p>${words.specimen.noFonts}</p>`
  return html`${letters}${await sectionLink(guide, 'type')}${facts(words, [...counts, ...links])}${note}`
}

/** A number of things and the first of their names. */
function facts(words: Words, texts: readonly (Html | Word)[]): Html {
  return html`<p>${texts.map((text, at) => html`${at > 0 && words.comma}<bdi>${text}</bdi>`)}</p>`
}

const MAX_NAMES = 4

/** The first pictures and a link to all files; undefined if the guide has only the logos that are above. */
async function filesPart(guide: Guide): Promise<Html | undefined> {
  const { content } = guide.publication
  const { groups } = await libraryOf(content)
  const usable = await usableFiles(content)
  const { logo, logoDark } = await themeOf(guide.publication)
  const themeLogos = new Set([logo?.file, logoDark?.file])
  // In the order of lists, then files outside the library.
  const filesInOrder = [...new Set([...groups.flat(), ...usable.values()])]
  const withoutLogos = filesInOrder.filter(file => usable.has(file.path) && !themeLogos.has(file) && !isLogo(file))
  if (usable.size > 0 && withoutLogos.length === 0) return undefined
  const pictures = firstPictures(withoutLogos).map(async file => {
    const ground = await plateOf(guide, file)
    const look = ground === undefined ? ((await isPhotograph(guide, file)) ? 'fill' : '') : `ground-${ground}`
    return html`<img${attribute('class', look)} ${pictureSource(guide, file)} width="480" height="320" alt="" loading="lazy">`
  })
  const count = countFiles(groups, content.today())
  return html`${pictures.length > 0 && html`<div class="thumbs">${await Promise.all(pictures)}</div>`}${await sectionLink(guide, 'files')}<p>${guide.words.files.count({ count })}</p>`
}

/** Photographs before drawings, and illustrations of pages last. */
function firstPictures(files: readonly BrandFile[]): BrandFile[] {
  return files
    .filter(file => isPicture(file) && previewOf(file)?.kind === 'picture')
    .filter(file => file.size <= MAX_BYTES || hasThumbnail(file))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MAX_PICTURES)
}

/** Lower ranks come first: 0 for a photograph of the library, 3 for a drawing of a page. */
function rankOf({ path, contentType }: BrandFile): number {
  return (PHOTOGRAPHS.has(contentType) ? 0 : 1) + (path.startsWith('pages/') ? 2 : 0)
}

const MAX_PICTURES = 4
/** A larger picture without a thumbnail is left out. */
const MAX_BYTES = 100_000
