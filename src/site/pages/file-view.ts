import { EDITED_FILES } from '#brand/edit-link.ts'
import {
  type BrandFile,
  filename,
  folderOf,
  fontMetadata,
  isExpired,
  isFont,
  isForPreviews,
  isVideo,
  MEDIA,
} from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import type { Page } from '#brand/page.ts'
import { variableWeights } from '#delivery/export/fonts/font-faces.ts'
import { perObject } from '#platform/base/object.ts'
import { encodePath } from '#serving/addresses.ts'
import { fileAt, type Library, libraryOf } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { treeHtml } from '../cards/element.ts'
import type { Media } from '../cards/link-target.ts'
import { heading } from '../cards/long-words.ts'
import { mediaPlayer } from '../cards/player.ts'
import { colorIn, colorList, colorOf, colorPath, previewColors } from '../guide/color-list.ts'
import { previewOf, typeWord } from '../guide/file-kind.ts'
import { type Guide, partInGuide, pathBelow } from '../guide/guide.ts'
import { toneOf } from '../guide/picture-look.ts'
import { type Html, html, joinWords, type Word } from '../html.ts'
import { sectionTrail } from '../layout/head.ts'
import { editLink, guidePage } from '../layout/layout.ts'
import {
  copyButton,
  formatLink,
  isOnGround,
  itemPictures,
  lastDay,
  pixelsOf,
  selection,
} from '../library/files/file-card.ts'
import { filePath, placeInList, shownGroup } from '../library/files/file-list.ts'
import { openFolderNotes } from '../library/files/folder-names.ts'
import { formatName, type LibraryItem, libraryItem, namedItems } from '../library/files/library-item.ts'
import { knownFacts } from '../library/type/faces/guide-fonts.ts'
import { fontSamples, variableText } from '../library/type/font-sample.ts'
import { fontRights } from '../library/type/specimen/specimen.ts'
import { familyPaths, typePath } from '../library/type/type-list.ts'
import { filmSize } from '../thumbnails/film-size.ts'
import { hasPng, jpgSizes, PNG_SIZES } from '../thumbnails/pngs.ts'
import { isShowable, shownAddress } from '../thumbnails/thumbnail.ts'
import { mediaOf } from './linked-media.ts'
import { type Artwork, artworkOf, hero, logoRules } from './logo-stage.ts'

/** The page of the file with this path in files.yaml; undefined if the library does not list it. */
export async function fileView(guide: Guide, path: string): Promise<Representation | undefined> {
  const { site, publication } = guide
  const { record, content } = publication
  const library = await libraryOf(content)
  const file = fileAt(library, path)
  const group = file && shownGroup(guide, library, file)
  if (!file || !group) return undefined
  const [item = libraryItem(group)] = (await namedItems(guide, [group])).items
  const isOver = isExpired(file, content.today())
  const { preview, keptMs, artwork } = await largePreview(guide, item, { file, isOver })
  const rules = artwork?.hasStage && (await logoRules(guide, artwork)).map(treeHtml)
  const head = html`${await trail(guide, library, group)}${heading(1, item.name)}
${item.description !== '' && html`<p class="lead">${item.description}</p>\n`}${dayLine(guide, file, isOver)}`
  const main = html`${preview}
<div class="about">
${await fileDownloads(guide, item, file)}${!isOver && chooser(guide, item)}${await fileFacts(guide, { item, file, group })}</div>
${rules && html`<div class="logo-stage">${rules}</div>`}${await editLink(guide, { path: EDITED_FILES.files, file: file.path })}`
  const view = await guidePage(guide, {
    title: item.name,
    kind: 'found',
    description: item.description || undefined,
    below: partInGuide(guide, filePath(guide, library, file)),
    head,
    main,
    image: isForPreviews(file) && isShowable(file) ? shownAddress(record, file, site.urls) : undefined,
    sheets: item.preview?.kind === 'font' ? [pathBelow(guide, 'files/fonts.css')] : [],
  })
  return { ...view, keptMs }
}

/** The last day on which a file may be used, if it has one, and whether that is over. */
function dayLine(guide: Guide, file: BrandFile, isOver: boolean): Html | false {
  const day = lastDay(guide, file)
  return (
    day !== undefined &&
    html`<p class="rights${isOver && ' expired'}"><span>${day}</span> ${isOver && guide.words.files.over}</p>\n`
  )
}

/** The box that puts an item into the selection; a copy of a guide has none. */
function chooser(guide: Guide, { first, name }: LibraryItem): Html | false {
  const checkbox = html`<input type="checkbox" name="path" value="${first.path}">`
  const label = html`<p><label>${checkbox} ${guide.words.files.choose({ name })}</label></p>\n`
  return !guide.site.copy && selection(guide, label)
}

/** The list of files, and the folder of the item. The one that lists the item is linked, at the place of the item. */
async function trail(guide: Guide, library: Library, group: FormatGroup): Promise<Html> {
  const { path, isInFolder } = placeInList(guide, library, group)
  const title = (await openFolderNotes(guide)).titleOf(library.folderOf(group))
  const folder = isInFolder ? html`<a href="${path}">${title}</a>` : title
  return sectionTrail(guide, 'files', [folder], isInFolder ? undefined : path)
}

/** A button that downloads a file, and a list of all formats of its item; undefined without one that may be used. */
async function fileDownloads(guide: Guide, item: LibraryItem, file: BrandFile): Promise<Html | undefined> {
  const today = guide.publication.content.today()
  const usable = item.formats.filter(format => !isExpired(format, today))
  if (usable.length === 0) return undefined
  const { site, publication, words } = guide
  const main = usable.includes(file) ? file : usable[0]
  const button =
    main &&
    html`<p class="archive"><a href="${site.paths.file(publication.record, main)}" download="${filename(main.path)}">${words.files.download({ format: formatName(words, main, item) })}</a></p>\n`
  const formats = await Promise.all(usable.map(format => formatRow(guide, item, format)))
  return html`${button}<ul class="formats">
${formats}${guide.site.copy ? undefined : await conversions(guide, item, usable)}</ul>
`
}

/** Links to PNGs and JPEGs of a picture in formats that it does not have. */
async function conversions(guide: Guide, item: LibraryItem, usable: readonly BrandFile[]): Promise<readonly Html[]> {
  const { site, publication, words } = guide
  const { record } = publication
  const pictures = await itemPictures(guide, [item])
  const svg = usable.find(format => pictures.drawn.has(format))
  const bitmap = usable.find(format => !hasPng(format) && jpgSizes(format).length > 0)
  const needsNoJpg = item.kind !== 'pictures' || usable.some(({ contentType }) => contentType === 'image/jpeg')
  const jpgSource = needsNoJpg ? undefined : (svg ?? bitmap)
  // A JPEG is not transparent: it gets the ground of the item, or black or white.
  const plainHex = (await toneOf(guide, item.shown)) === 'light' ? '#000000' : '#ffffff'
  const groundHex = (await colorOf(guide, item.ground))?.hex ?? plainHex
  const ground = (await previewColors(guide)).find(({ hex }) => hex === groundHex)
  const groundQuery = ground ? `&ground=${ground.hex.slice(1)}` : ''
  const linkTo =
    (file: BrandFile, type: string, path: string, more = '') =>
    (size: number) => {
      const label = words.files.downloadFormat({ name: filename(file.path), format: `${type}, ${size} px` })
      return html`<a href="${path}?width=${size}${more}" download aria-label="${label}">${size}</a> `
    }
  const pngLinks = svg && PNG_SIZES.map(linkTo(svg, 'PNG', site.paths.png(record, svg)))
  const jpgLinks =
    jpgSource && jpgSizes(jpgSource).map(linkTo(jpgSource, 'JPG', site.paths.jpg(record, jpgSource), groundQuery))
  const groundName = isOnGround(item, pictures) && html`<bdi>${ground?.name}</bdi>`
  return [
    pngLinks && html`<li class="made">PNG ${pngLinks}</li>\n`,
    jpgLinks && html`<li class="made">JPG ${jpgLinks}${groundName}</li>\n`,
  ].flatMap(row => row || [])
}

/** A format with its size; that of a film is in its file. */
async function formatRow(guide: Guide, item: LibraryItem, file: BrandFile): Promise<Html> {
  const film = isVideo(file) ? await filmSize(guide, file) : undefined
  const pixels = film ? `${film.width}\u00a0×\u00a0${film.height}` : pixelsOf(file)
  return html`<li>${formatLink(guide, item, file, pixels)}</li>\n`
}

/** A preview, how long to cache it if a part of it could not be read, and the picture in it. */
type LargePreview = { preview: Html; keptMs?: number | undefined; artwork?: Artwork | undefined }

/**
 * A file as wide as the page: a picture on its ground, a player, letters of a font, or else its type. Nothing plays or
 * opens a file that may no longer be used.
 */
async function largePreview(
  guide: Guide,
  item: LibraryItem,
  { file, isOver }: { file: BrandFile; isOver: boolean },
): Promise<LargePreview> {
  const media = isOver ? undefined : await mediaOf(guide, file)
  if (media) return { preview: player(guide, item, media) }
  // The style sheet of fonts has only the format that browsers show best.
  const shownFile = isFont(file) || !previewOf(file) ? item.shown : file
  const look = previewOf(shownFile)
  if (look?.kind === 'font') return letters(guide, shownFile, look.face)
  const artwork = await artworkOf(guide, item, shownFile)
  const href = isOver ? undefined : guide.site.paths.file(guide.publication.record, shownFile)
  if (artwork) return { preview: treeHtml(hero(guide, artwork, href)), artwork }
  const types = new Set(item.formats.map(format => typeWord(guide.words, format)))
  return { preview: html`<p class="hero letter-pair" aria-hidden="true">${joinWords([...types].slice(0, 3), ' ')}</p>` }
}

function player({ words }: Guide, { name }: LibraryItem, media: Media): Html {
  // Without a known size, a film is as wide as the page.
  const { width, height } = media.size ?? media.poster ?? { width: 1, height: 0 }
  const form = media.kind === 'audio' ? ' sound' : height > width ? ' tall' : ''
  return html`<figure class="film${form}">${treeHtml(mediaPlayer(media, name, words))}</figure>`
}

/** The letters of a font; the stage of its family has more of them. */
async function letters(guide: Guide, file: BrandFile, face: string): Promise<LargePreview> {
  const { sampleOf, keptMs } = await fontSamples(guide, [file])
  const { short, lines } = sampleOf(file)
  const alphabet = lines.map(line => html`<span>${line}</span> `)
  return { preview: html`<p class="hero letter-pair ${face}" aria-hidden="true">${short} ${alphabet}</p>`, keptMs }
}

/** A row of the facts. One without a value is left out. */
type Row = readonly [label: Word, value: Html | Word | undefined, note?: Word]

/** The facts of a file: its name, uses and rights, the pages and styles that use it, and its address. */
async function fileFacts(
  guide: Guide,
  { item, file, group }: { item: LibraryItem; file: BrandFile; group: FormatGroup },
): Promise<Html> {
  const { words } = guide
  // Facts of the whole item are often written only at its first format.
  const { licence, territory } = { ...item.first, ...file }
  const rows: Row[] = [
    [words.files.file, html`<bdi>${filename(file.path)}</bdi>`],
    ...(await useRows(guide, item)),
    [words.specimen.license, licence],
    [words.files.territory, territory],
    ...(await fontRows(guide, item.shown, licence !== undefined)),
    [words.files.usedIn, await mentions(guide, group)],
    ...addressRows(guide, file),
  ]
  return html`<dl class="facts">
${rows.map(([label, value, note]) => value !== undefined && value !== '' && html`<dt>${label}</dt><dd>${value}</dd>${note && html`<dd class="quiet">${note}</dd>`}\n`)}</dl>
`
}

async function fontRows(guide: Guide, file: BrandFile, hasLicence: boolean): Promise<readonly Row[]> {
  if (!isFont(file)) return []
  const { type, specimen } = guide.words
  const face = { file }
  const { facts } = await knownFacts(guide, [face])
  const fontFacts = facts.get(face)
  const rights = fontFacts ? fontRights(guide.words, fontFacts) : []
  const { family, subFamily, weight } = fontMetadata(file)
  const weights = variableWeights(fontFacts)
  const path = (await familyPaths(guide)).get(family ?? '')
  return [
    [type.family, family !== undefined && path !== undefined ? html`<a href="${path}">${family}</a>` : family],
    [type.slant, weights ? undefined : subFamily],
    [type.weightLabel, weights ? variableText(guide.words, weights) : weight?.toString()],
    // The guide's own words about a licence replace those in the font.
    ...rights.filter(([label]) => !hasLicence || label !== specimen.license),
  ]
}

async function useRows(guide: Guide, { formats, first, ground }: LibraryItem): Promise<readonly Row[]> {
  const { list, files } = guide.words
  const { uses } = files
  const media = MEDIA.filter(each => formats.some(({ medium }) => medium?.includes(each)))
  const colors = ground === undefined ? undefined : await colorList(guide)
  const color = colors && colorIn(colors, ground)
  return [
    [uses.medium, list(media.map(each => uses.media[each]))],
    [uses.ground, colors && color && html`<a href="${colorPath(guide, color.id)}">${color.name}</a>`],
    [uses.width, first.minWidth === undefined ? undefined : `≥ ${first.minWidth}`],
  ]
}

/**
 * Links to the pages that show an item or link to it or to its folder, in reading order, and to the type styles in its
 * family.
 */
export async function mentions(guide: Guide, group: FormatGroup): Promise<Html | undefined> {
  const { site, publication } = guide
  const { content, record } = publication
  const pages = await content.pages()
  const byTarget = pagesByTarget(pages, content)
  const usingPages = new Set(group.flatMap(({ path }) => targetsOf(path).flatMap(target => byTarget.get(target) ?? [])))
  const pageLinks = [...pages.values()]
    .filter(page => usingPages.has(page))
    .map(({ id, name }) => ({ href: site.paths.page(record, id), name }))
  const families = new Set(group.flatMap(file => fontMetadata(file).family || []))
  const styles = families.size === 0 ? [] : await content.types()
  const styleLinks = styles
    .filter(({ family = '' }) => families.has(family))
    .map(style => ({ href: typePath(guide, style), name: style.name }))
  const links = [...pageLinks, ...styleLinks].slice(0, MAX_MENTIONS)
  if (links.length === 0) return undefined
  return html`<ul>${links.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>\n`)}</ul>`
}

const MAX_MENTIONS = 48

/**
 * The address of this version of a file that may be used, and the lasting one of the published file, each with a button
 * that copies it; a copy of a guide has neither.
 */
function addressRows(guide: Guide, file: BrandFile): readonly Row[] {
  const { site, publication, words } = guide
  const { files } = words
  const { record, content } = publication
  if (site.copy || isExpired(file, content.today())) return []
  const row = (address: string, label: Word) =>
    html`<code class="address">${address}</code>${copyButton(address, label)}`
  const name = filename(file.path)
  const addressOfVersion: Row = [files.address, row(site.urls.file(record, file), files.copyAddressOf({ name }))]
  if (record.draftOf || record.managedRevision !== undefined) return [addressOfVersion]
  const lasting = site.urls.below(record, `/-/current/${encodePath(file.path)}`)
  return [addressOfVersion, [files.lasting, row(lasting, files.copyLastingOf({ name })), files.whichAddress]]
}

/** A path and the folders above it, except the folder of all files: `files/logo/a.svg` and `files/logo`. */
function targetsOf(path: string): string[] {
  const targets = [path]
  for (let folder = folderOf(path); folder.includes('/'); folder = folderOf(folder)) targets.push(folder)
  return targets
}

/** The pages of a publication by the paths of files and folders that they show or link to, collected once. */
const pagesByTarget = perObject((pages: ReadonlyMap<string, Page>, { grow }: Publication['content']) => {
  const byTarget = new Map<string, Page[]>()
  for (const page of pages.values()) {
    const targets = new Set([page.cover?.file, ...page.links.map(({ to }) => to.file ?? to.folder)])
    for (const target of targets) {
      if (target === undefined) continue
      const before = byTarget.get(target)
      if (before) before.push(page)
      else byTarget.set(target, [page])
      grow(MENTION_BYTES)
    }
  }
  return byTarget
})

/** Memory per mention; its strings and pages belong to the content. */
const MENTION_BYTES = 60
