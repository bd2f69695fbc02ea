import { type BrandFile, filename, isExpired, isFont, MEDIA, pictureMetadata } from '#brand/file.ts'
import type { PictureLook } from '#brand/pictures/picture-facts.ts'
import { textColorOn } from '#brand/styles/contrast.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { fontName } from '#formats/font/font-weight.ts'
import { forEachOf } from '#platform/base/promise.ts'
import type { Library } from '#serving/publications/library.ts'
import { breakable } from '../../cards/long-words.ts'
import { previewOf, typeWord } from '../../guide/file-kind.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { pictureLook, plateOf } from '../../guide/picture-look.ts'
import { type Html, html, joinWords, type Word } from '../../html.ts'
import { isDrawable } from '../../thumbnails/drawable-svg.ts'
import { hasPng, PNG_SIZES } from '../../thumbnails/pngs.ts'
import { fileText } from '../../thumbnails/stored-files.ts'
import { pictureSource } from '../../thumbnails/thumbnail.ts'
import type { Words } from '../../words/words.ts'
import { type FontSample, fontSamples, variableText } from '../type/font-sample.ts'
import { fileAnchor, filePath } from './file-list.ts'
import { formatName, isIcon, isShownAsFont, isShownAsPicture, type LibraryItem } from './library-item.ts'

/** A list item: its preview, its facts, and for each format a download link and a button that copies its address. */
export function fileCard(guide: Guide, item: LibraryItem, context: CardList): Html {
  const { name = item.name, ground, pictures, hasRights } = context
  const { kind, first, shown, preview, description, formats } = item
  const isOver = isExpired(first, guide.publication.content.today())
  const hasTools = !guide.site.copy && !isOver
  const checkbox =
    hasTools &&
    html`<input type="checkbox" name="path" value="${first.path}" aria-label="${guide.words.files.choose({ name })}">`
  const uses = usesOf(guide.words, item, ground)
  // A picture has its description in its `alt`.
  const descriptionOfOther = preview === undefined ? description : ''
  const note = isFont(shown) ? fontFacts(guide.words, shown, context.sampleOf(shown)) : descriptionOfOther
  const rows = formats.map(file => [
    format(guide, item, file),
    hasTools && hasPng(file) && svgTools(guide, file, pictures.drawn.has(file)),
  ])
  return html`<li id="${fileAnchor(first.path)}" data-kind="${kind}"${isOver && html` class="over"`}>
${namedTile(guide, item, context, isOver)}${checkbox}
${note !== '' && html`<p class="quiet">${note}</p>\n`}${uses !== '' && html`<p class="quiet">${uses}</p>\n`}${hasRights && rights(guide, first)}<ul class="formats">
${rows}</ul>
</li>
`
}

/** The look of an item and its name, which link to its page unless it has expired. A sound has its player in front. */
function namedTile(guide: Guide, item: LibraryItem, context: CardList, isOver: boolean): Html {
  const { shown, preview } = item
  const { name = item.name } = context
  const label = html`<span class="file-name">${breakable(name)}</span>`
  if (isOver) return html`${itemTile(guide, item, context)}${label}`
  const page = filePath(guide, context.library, shown)
  if (preview?.kind !== 'audio') return html`<a href="${page}">${itemTile(guide, item, context)}${label}</a>`
  const address = guide.site.paths.file(guide.publication.record, shown)
  return html`<span class="tile"><audio controls preload="none" src="${address}" aria-label="${name}"></audio></span><a href="${page}">${label}</a>`
}

/** The details of a card in addition to its item. */
type CardList = TileFacts & {
  /** The name of the item where its own repeats on the page. */
  name?: string | undefined
  /** The colour that the item is for, such as `#14212b`. */
  ground: string | undefined
  /** Whether the card shows the rights of its item. */
  hasRights: boolean
  library: Library
}

/** For all items of a list: facts about their pictures, and the letters of their fonts. */
type TileFacts = {
  pictures: ItemPictures
  sampleOf: (file: BrandFile) => FontSample
  /** The width of the pictures in pixels. */
  width?: 320 | 640
}

function format(guide: Guide, item: LibraryItem, file: BrandFile): Html {
  const anchor = file !== item.first && html` id="${fileAnchor(file.path)}"`
  return html`<li${anchor}>${formatLink(guide, item, file, pixelsOf(file))}</li>\n`
}

/** A format with its size in pixels and bytes, and a button that copies its address; without both if it has expired. */
export function formatLink(guide: Guide, item: LibraryItem, file: BrandFile, pixels: string | undefined): Html {
  const { site, publication, words } = guide
  const name = filename(file.path)
  const format = formatName(words, file, item)
  const facts = words.list([pixels, words.bytes(file.size)])
  const label = html`${format} <span>${facts}</span>`
  if (isExpired(file, publication.content.today())) return label
  const about = words.files.downloadFormat({ name, format: `${format} ${facts}` })
  return html`<a href="${site.paths.file(publication.record, file)}" download="${name}" aria-label="${about}">${label}</a>${!site.copy && copyAddress(guide, file)}`
}

function copyAddress({ site, publication, words }: Guide, file: BrandFile): Html {
  const label = words.files.copyAddressOf({ name: filename(file.path) })
  return copyButton(site.urls.file(publication.record, file), label)
}

export function copyButton(address: string, label: Word): Html {
  return html`<button type="button" class="copy" data-copy="${address}" aria-label="${label}"></button>`
}

/** Links to PNGs of an SVG, buttons that replace them while the list has a colour, and its code, for a script to copy. */
function svgTools({ publication, site: { paths }, words: { files } }: Guide, file: BrandFile, isDrawn: boolean): Html {
  const address = paths.png(publication.record, file)
  const name = filename(file.path)
  const sizes = PNG_SIZES.map(size => {
    const label = files.pngOf({ name, size: `${size}` })
    return html`<a aria-label="${label}" href="${address}?width=${size}" download>${size}</a><button form="Png" formaction="${address}" name="width" value="${size}" aria-label="${label}">${size}</button> `
  })
  const codeButton = html`<button type="button" class="code" data-copy data-code="${paths.file(publication.record, file)}" aria-label="${files.copyCodeOf({ name })}">&lt;/&gt;</button>`
  return html`<li class="made">${isDrawn && html`PNG ${sizes}`}${codeButton}</li>
`
}

/** The uses of an item: `Screen, print, from 24 px, on dark`. */
function usesOf({ list, files: { uses } }: Words, { formats, first }: LibraryItem, ground: string | undefined): Word {
  const media = MEDIA.filter(each => formats.some(({ medium }) => medium?.includes(each)))
  const names = media.map((each, at) => (at === 0 ? uses.media[each] : `${uses.media[each]}`.toLowerCase()))
  const width = first.minWidth === undefined ? '' : uses.fromWidth({ pixels: first.minWidth })
  const on = ground === undefined ? '' : textColorOn(ground) === 'white' ? uses.onDark : uses.onLight
  return list([...names, width, on])
}

/** The licence of a file, and where and until when it may be used. */
function rights(guide: Guide, file: BrandFile): Html | undefined {
  const { licence, territory } = file
  const badges = [licence, territory, lastDay(guide, file)].filter(badge => badge !== undefined)
  const isOver = isExpired(file, guide.publication.content.today())
  return badges.length === 0
    ? undefined
    : html`<p class="rights${isOver && ' expired'}">${badges.map(badge => html`<span>${badge}</span> `)}</p>\n`
}

/** The rights that all usable items of a folder share; undefined if they differ, or if it has only one. */
export function sharedRights(guide: Guide, [item, ...others]: readonly LibraryItem[]): Html | undefined {
  const common = item && others.length > 0 ? rights(guide, item.first) : undefined
  return others.every(({ first }) => rights(guide, first)?.text === common?.text) ? common : undefined
}

/** `Until 29 November 2026`, or `Expired on …`. */
export function lastDay({ publication, words }: Guide, file: BrandFile): Word | undefined {
  if (file.until === undefined) return undefined
  const day = words.day(new Date(file.until))
  const { uses } = words.files
  return isExpired(file, publication.content.today()) ? uses.expired({ day }) : uses.until({ day })
}

/** The looks of items outside a list of cards, whether they need the style sheet of fonts, and how long to cache them. */
export async function itemTiles(guide: Guide, items: readonly LibraryItem[]) {
  const pictures = await itemPictures(guide, items)
  const fonts = items.filter(isShownAsFont).map(({ shown }) => shown)
  const { sampleOf, keptMs } = await fontSamples(guide, fonts)
  const tileOf = (item: LibraryItem) => itemTile(guide, item, { pictures, sampleOf })
  return { tileOf, hasFonts: fonts.length > 0, keptMs }
}

/** The look of an item: letters of a font, a picture, a film, or the names of its formats. */
function itemTile(guide: Guide, item: LibraryItem, context: TileFacts): Html {
  const { shown, preview } = item
  return preview?.kind === 'font' ? specimen(preview.face, context.sampleOf(shown)) : pictureTile(guide, item, context)
}

/** The picture of an item, the first frame of a film, or the names of its formats. */
function pictureTile(guide: Guide, item: LibraryItem, { pictures, width: widest }: TileFacts): Html {
  const { name, shown, preview, formats } = item
  if (preview?.kind === 'picture') {
    const { width, height, description } = preview
    const alt = description.toLowerCase() === name.toLowerCase() ? '' : description // Avoids reading it twice.
    const ground = item.ground ?? pictures.plates.get(shown)
    const isFilling = ground === undefined && pictures.looks.get(shown) === 'photograph'
    // The class `ground-ink` for a ground, and `ground` for one that shows which parts are transparent.
    const plate = isOnGround(item, pictures) && html` ground${ground !== undefined && `-${ground}`}`
    const grows = shown.contentType === SVG && ' grows'
    const icon = isIcon(item) && ' icon'
    return html`<span class="tile${plate}${grows}${icon}"><img${isFilling && html` class="fill"`} ${pictureSource(guide, shown, widest)} width="${width}" height="${height}" alt="${alt}" loading="lazy" decoding="async"></span>`
  }
  if (preview?.kind === 'video') return filmTile(guide, item)
  const types = new Set(formats.map(file => typeWord(guide.words, file)))
  return html`<span class="tile" aria-hidden="true">${breakable(joinWords([...types].slice(0, 3), ' '))}</span>`
}

/** The picture among the formats of a film, else its name until its first frame arrives, and a sign that it is one. */
function filmTile(guide: Guide, { name, formats, shown }: LibraryItem): Html {
  const poster = formats.find(file => previewOf(file)?.kind === 'picture')
  const picture = poster
    ? html`<img ${pictureSource(guide, poster)}${poster.contentType !== SVG && html` class="fill"`} alt="" loading="lazy" decoding="async">`
    : html`<video src="${guide.site.paths.file(guide.publication.record, shown)}" class="fill" muted playsinline preload="none" tabindex="-1" aria-hidden="true"></video><span class="still" aria-hidden="true">${breakable(name)}</span>`
  return html`<span class="tile">${picture}<span class="plays"></span></span>`
}

/** An SVG, so that nothing on the page moves when the font loads. */
function specimen(face: string, { short, lines }: FontSample): Html {
  const halves = lines.flatMap(line => [line.slice(0, line.length / 2), line.slice(line.length / 2)])
  const alphabet = halves
    .slice(0, MAX_LINES)
    .map((line, at) => html`<text x="16" y="${92 + at * 19}" font-size="16">${line}</text>`)
  return html`<svg class="tile ${face}" viewBox="0 0 240 180" preserveAspectRatio="xMinYMid" fill="currentColor" aria-hidden="true"><text x="16" y="64" font-size="60">${short}</text>${alphabet}</svg>`
}

const MAX_LINES = 5

/** `Variable, 100–900`, or the name of a font and its weight. */
function fontFacts(words: Words, { metadata = {} }: { metadata?: FontMetadata }, { weights }: FontSample): Word {
  if (weights) return variableText(words, weights)
  const { list, type } = words
  const { weight } = metadata
  return list([fontName(metadata, false), weight === undefined ? '' : type.weight({ weight: `${weight}` })])
}

/** The size of a picture in pixels; an SVG has none, since it scales to any size. */
export function pixelsOf(file: BrandFile): string | undefined {
  const { width, height } = file.contentType === SVG ? {} : pictureMetadata(file)
  return width === undefined || height === undefined ? undefined : `${width}\u00a0×\u00a0${height}`
}

const SVG = 'image/svg+xml'

/**
 * A form that requests an archive of the selected items, which only a service can make. A script keeps the selection in
 * the browser tab, so that it also has items of other pages. A whole list drops items that a later revision removed.
 */
export function selection(guide: Guide, content: Html | readonly Html[], { isLong, isWhole }: ListSize = {}): Html {
  const { files } = guide.words
  if (guide.site.copy)
    return html`<div class="choice${isLong && ' many'}">
${content}</div>`
  return html`<form class="choice${isLong && ' many'}" action="${pathBelow(guide, 'files.zip')}"${isWhole && html` data-whole`}>
<input type="hidden" name="formats" value="all">
${content}<p class="chosen"><button data-many="${files.tooMany}">${files.downloadChosen} <span></span></button> <button type="reset">${files.clear}</button></p>
</form>`
}

/** Whether browsers draw a long list in parts, and whether it has all items of a guide. */
type ListSize = { isLong?: boolean; isWhole?: boolean }

/** Facts about the pictures of a list: their looks and grounds, and the SVGs that can be drawn as PNGs. */
type ItemPictures = {
  looks: ReadonlyMap<BrandFile, PictureLook>
  /** The classes of their grounds (`plateOf`). */
  plates: ReadonlyMap<BrandFile, string | undefined>
  drawn: ReadonlySet<BrandFile>
}

/** Reads the pictures of items, a few at once. */
export async function itemPictures(guide: Guide, items: readonly LibraryItem[]): Promise<ItemPictures> {
  const looks = new Map<BrandFile, PictureLook>()
  const plates = new Map<BrandFile, string | undefined>()
  const drawn = new Set<BrandFile>()
  const previewed = items.filter(isShownAsPicture).map(({ shown }) => shown)
  const svgs = guide.site.copy ? [] : items.flatMap(({ formats }) => formats.filter(hasPng))
  const tasks = [
    ...previewed.map(file => async () => {
      looks.set(file, await pictureLook(guide, file))
      plates.set(file, await plateOf(guide, file))
    }),
    ...svgs.map(file => async () => {
      // A list is complete even if a file is damaged.
      const text = await fileText(guide, file).catch(() => undefined)
      if (text !== undefined && isDrawable(text)) drawn.add(file)
    }),
  ]
  await forEachOf(tasks, MAX_OPEN, task => task())
  return { looks, plates, drawn }
}

/** The number of files that are read at once. */
const MAX_OPEN = 8

/** Whether an item is shown on a ground: its own colour, or one that shows which of its parts are transparent. */
export function isOnGround({ shown, ground }: LibraryItem, { looks }: Pick<ItemPictures, 'looks'>): boolean {
  const look = looks.get(shown)
  return look !== undefined && (ground !== undefined || look === 'transparent')
}
