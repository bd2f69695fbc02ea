import { type BrandFile, fontMetadata, isLight, PHOTOGRAPHS } from '#brand/file.ts'
import { type FormatGroup, isLogo, pathWithoutFormat } from '#brand/library.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { countFiles, libraryOf, shownOnPages, usableFiles } from '#serving/publications/library.ts'
import { treeHtml } from '../cards/element.ts'
import { colorArea } from '../cards/proportions.ts'
import { colorList, groupName, groupPath } from '../guide/color-list.ts'
import { filledSections, type Guide, type Section } from '../guide/guide.ts'
import { sectionPath } from '../guide/listed-sections.ts'
import { plateOf } from '../guide/picture-look.ts'
import { type Html, html, type Word } from '../html.ts'
import { filePath } from '../library/files/file-list.ts'
import { isPictured, isShownAsFont, type LibraryItem, libraryItem } from '../library/files/library-item.ts'
import { sampleFace } from '../library/type/faces/guide-fonts.ts'
import { fontSample, fontSamples } from '../library/type/font-sample.ts'
import { familyPaths } from '../library/type/type-list.ts'
import { type Picture, shownPicture, themeOf } from '../theme/guide-theme.ts'
import { hasThumbnail, shownAddress } from '../thumbnails/thumbnail.ts'
import type { Words } from '../words/words.ts'

/** The parts of a guide that its home page shows before and after its text, and the style sheets with their fonts. */
export type HomeParts = { brand: Html | undefined; files: Html | undefined; sheets: readonly string[] }

/** The main logo on its ground, the colours by area, the letters of the brand, and files, each large and with a link. */
export async function homeParts(guide: Guide): Promise<HomeParts> {
  const filled = await filledSections(guide)
  const ifFilled = async <Part>(name: Section, part: (guide: Guide) => Promise<Part>): Promise<Part | undefined> =>
    filled.includes(name) ? part(guide) : undefined
  const colors = await ifFilled('colors', colorsPart)
  const letters = await ifFilled('type', typePart)
  const files = await ifFilled('files', filesPart)
  return {
    brand: list(guide, [await logoPart(guide), colors, letters?.part]),
    files: list(guide, [files?.part]),
    sheets: [...(letters?.hasFont ? ['type.css'] : []), ...(files?.hasFonts ? ['files/fonts.css'] : [])],
  }
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
  const { name, formats } = libraryItem(library.groupWith.get(file.path) ?? [file])
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

async function typePart(guide: Guide): Promise<{ part: Html; hasFont: boolean }> {
  const { publication, words } = guide
  const types = await publication.content.types()
  const families = [...(await familyPaths(guide))].slice(0, MAX_NAMES)
  const face = await sampleFace(guide)
  // The letters of families without files would be those of the website.
  const isMissing = !face && families.length > 0
  const sample = face ? (await fontSamples(guide, [face.file])).sampleOf(face.file) : fontSample([])
  const letters =
    !isMissing &&
    html`<div class="letter" aria-hidden="true"><svg fill="currentColor"><text y="0.85em">${sample.short}</text></svg> <div>${sample.lines.map(line => html`<span>${line}</span>`)}</div></div>`
  const links = families.map(([name, path]) => html`<a href="${path}">${name}</a>`)
  const counts = types.length > 0 ? [words.type.count({ count: types.length })] : []
  const note = isMissing && html`<p>${words.specimen.noFonts}</p>`
  const part = html`${letters}${await sectionLink(guide, 'type')}${facts(words, [...counts, ...links])}${note}`
  return { part, hasFont: face !== undefined }
}

/** A number of things and the first of their names. */
function facts(words: Words, texts: readonly (Html | Word)[]): Html {
  return html`<p>${texts.map((text, at) => html`${at > 0 && words.comma}<bdi>${text}</bdi>`)}</p>`
}

const MAX_NAMES = 4

/** The first items and a link to all files; undefined if the guide has only the logos that are above. */
async function filesPart(guide: Guide): Promise<{ part: Html; hasFonts: boolean } | undefined> {
  const { content } = guide.publication
  const { groups, files } = await libraryOf(content)
  const usable = await usableFiles(content)
  const { logo, logoDark } = await themeOf(guide.publication)
  const isLogoAbove = (file: BrandFile) => file === logo?.file || file === logoDark?.file || isLogo(file)
  // In the order of lists, then files outside the library.
  const outside = usable.values().filter(({ path }) => !files.has(path))
  const groupsInOrder = [...groups, ...outside.map((file): FormatGroup => [file])]
  const others = groupsInOrder.filter(group => usable.has(group[0].path) && !group.some(isLogoAbove))
  if (usable.size > 0 && others.length === 0) return undefined
  // The text of the home page shows its own files.
  const pages = (await content.pages()).values().filter(({ id }) => id !== HOME_PAGE)
  const items = firstItems(others, shownOnPages(pages))
  // Search, which a service loads as it starts, needs no tiles.
  const { itemTiles } = await import('../library/files/file-card.ts')
  const { tileOf, hasFonts } = await itemTiles(guide, items)
  const tiles = items.length > 0 && html`<div class="thumbs">${items.map(tileOf)}</div>`
  const count = guide.words.files.count({ count: countFiles(groups, content.today()) })
  return { part: html`${tiles}${await sectionLink(guide, 'files')}<p>${count}</p>`, hasFonts }
}

/** The items that show most: pictures, then fonts, of which at least one has a place; other files only without both. */
function firstItems(groups: readonly FormatGroup[], onPages: ReadonlySet<string>): LibraryItem[] {
  const items = groups.slice(0, MAX_READ).map(group => libraryItem(group))
  const pictures = items
    .filter(item => isPictured(item) && (item.shown.size <= MAX_BYTES || hasThumbnail(item.shown)))
    .sort((a, b) => rankOf(a.shown, onPages) - rankOf(b.shown, onPages))
  const fonts = items.filter(isShownAsFont).sort((a, b) => Number(isItalic(a)) - Number(isItalic(b)))
  const last = pictures.splice(MAX_ITEMS - 1)
  const shown = [...pictures, ...fonts, ...last]
  return (shown.length > 0 ? shown : items).slice(0, MAX_ITEMS)
}

function isItalic({ shown }: LibraryItem): boolean {
  return fontMetadata(shown).style === 'italic'
}

/** Lower ranks come first: 0 for a photograph of the library that another page shows, 7 for a drawing that none does. */
function rankOf({ path, contentType }: BrandFile, onPages: ReadonlySet<string>): number {
  const isUnused = !onPages.has(pathWithoutFormat(path))
  const isDrawing = !PHOTOGRAPHS.has(contentType)
  return Number(isUnused) * 4 + Number(path.startsWith('pages/')) * 2 + Number(isDrawing)
}

const MAX_ITEMS = 4
/** The number of items among which the first are sought. */
const MAX_READ = 1000
/** In bytes. A larger picture without a thumbnail is left out. */
const MAX_BYTES = 100_000
