import type { Element, ElementContent, Properties } from 'hast'
import { type BrandFile, filename, isExpired, isPicture } from '#brand/file.ts'
import type { PictureLook } from '#brand/pictures/picture-facts.ts'
import { textColorOn } from '#brand/styles/contrast.ts'
import { type JudgedGround, judgedGrounds } from '#brand/styles/ground-verdicts.ts'
import { libraryOf } from '#serving/publications/library.ts'
import { element } from '../cards/element.ts'
import type { StageTarget } from '../cards/link-target.ts'
import { portraitClasses } from '../cards/ratios.ts'
import { colorList, colorOf } from '../guide/color-list.ts'
import { previewOf } from '../guide/file-kind.ts'
import type { Guide } from '../guide/guide.ts'
import { ownGround, paintsOf, pictureLook, toneOf } from '../guide/picture-look.ts'
import type { Word } from '../html.ts'
import { filePath, shownGroup, shownGroups } from '../library/files/file-list.ts'
import { type LibraryItem, libraryItem } from '../library/files/library-item.ts'
import { signOf } from '../markdown/forms/figures.ts'
import { themeOf } from '../theme/guide-theme.ts'
import { PDF, pictureAddresses, shownAddress, widthsOf } from '../thumbnails/thumbnail.ts'

/** A picture of an item as its stage shows it. */
export type Artwork = {
  item: LibraryItem
  file: BrandFile
  /** In pixels. */
  width: number
  height: number
  alt: string
  look: PictureLook
  /** The colour behind it; undefined if that is the ground of light pages, `paper`. */
  ground: string | undefined
  paper: string
  /** Whether its rules are shown, such as its clear space. */
  hasStage: boolean
}

/**
 * The picture of an item, or of another of its files; undefined if browsers cannot show it. It has a stage if it is
 * transparent, or has a ground, a smallest width or a clear space, until it expires.
 */
export async function artworkOf(guide: Guide, item: LibraryItem, file = item.shown): Promise<Artwork | undefined> {
  const preview = previewOf(file)
  if (preview?.kind !== 'picture') return undefined
  const { width, height, description } = preview
  const look = await pictureLook(guide, file)
  const hasRules = [file.minWidth, file.clearSpace, item.ground].some(rule => rule !== undefined)
  const hasStage =
    isPicture(file) && (look === 'transparent' || hasRules) && !isExpired(file, guide.publication.content.today())
  const { light } = await themeOf(guide.publication)
  // Black behind light artwork, and white behind dark artwork.
  const plate = { light: '#000000', dark: '#ffffff', none: undefined }[await toneOf(guide, file)]
  const ground = (await colorOf(guide, file.ground ?? item.ground))?.hex ?? plate ?? (await ownGround(guide, file))
  return { item, file, width, height, alt: description || item.name, look, ground, paper: light.ground, hasStage }
}

/** A picture on its ground, as wide as the page, with a link to `href`; without one it may no longer be used. */
export function hero(guide: Guide, artwork: Artwork, href: string | undefined, label?: string): Element {
  const { file, width, height, alt, look, ground } = artwork
  const pdfPage = file.contentType === PDF ? pictureAddresses(guide, file, 640) : undefined
  const src = pdfPage?.src ?? shownAddress(guide.publication.record, file, guide.site.paths)
  const srcSet = pdfPage?.srcset ?? widthsOf(guide, file)
  const portraitClass = look === 'photograph' ? portraitClasses(artwork) : []
  const size = { sizes: srcSet && '100vw', width, height }
  const image = element('img', { src, srcSet, ...size, className: portraitClass, alt, fetchpriority: 'high' })
  const className = ['stage-plate', 'hero', look, ...(href === undefined ? ['over'] : [])]
  return element(href === undefined ? 'div' : 'a', { className, href, ariaLabel: label }, fill(ground), image)
}

/** The stage of a picture on a page, with a link to its page; undefined if it has none. */
export async function logoStage(guide: Guide, file: BrandFile): Promise<StageTarget | undefined> {
  const library = await libraryOf(guide.publication.content)
  const artwork = await artworkOf(guide, libraryItem(shownGroup(guide, library, file) ?? [file]), file)
  if (!artwork?.hasStage) return undefined
  const href = filePath(guide, library, file)
  const parts = [hero(guide, artwork, href, artwork.item.name), ...(await logoRules(guide, artwork))]
  return { kind: 'stage', href, view: element('div', { className: ['logo-stage'] }, parts) }
}

/** The name of a picture of the library, and the address of its stage; undefined if it has none. */
export async function stageOf(guide: Guide, file: BrandFile): Promise<{ name: string; href: string } | undefined> {
  const library = await libraryOf(guide.publication.content)
  const group = shownGroup(guide, library, file)
  const artwork = group && (await artworkOf(guide, libraryItem(group), file))
  return artwork?.hasStage ? { name: artwork.item.name, href: filePath(guide, library, file) } : undefined
}

/**
 * The rules of a logo, as figures: its clear space and smallest size, its grounds with verdicts, white and black if the
 * brand lacks them, and its versions.
 */
export async function logoRules(guide: Guide, artwork: Artwork): Promise<Element[]> {
  const { stage } = guide.words.files
  const space = clearSpace(guide, artwork)
  const smallest = smallestSize(guide, artwork)
  const judged = await groundsOf(guide, artwork)
  const versionTiles = await versions(guide, artwork)
  const tilesOf = (grounds: readonly JudgedGround[]) => grounds.map(ground => groundTile(guide, artwork, ground))
  const isUsable = ({ verdict }: JudgedGround) => verdict !== 'illegible'
  const ofBrand = judged.filter(({ plain }) => !plain)
  const plain = tilesOf(judged.filter(({ plain }) => plain))
  return [
    row('sizes', [space, smallest]),
    plates(stage.grounds, tilesOf(ofBrand.filter(isUsable)), tilesOf(ofBrand.filter(each => !isUsable(each)))),
    row('trials', [
      plates(stage.otherGrounds, plain),
      plates(versionTiles.length === 1 ? stage.version : stage.versions, versionTiles),
    ]),
  ].filter(each => each !== undefined)
}

/** Figures next to each other; undefined without one. */
function row(className: string, figures: readonly (Element | undefined)[]): Element | undefined {
  return figures.some(Boolean) ? element('div', { className: [className] }, ...figures) : undefined
}

/** Tiles below a label, those of grounds to avoid in a smaller list; undefined without tiles. */
function plates(label: Word, items: readonly Element[], avoided: readonly Element[] = []): Element | undefined {
  const lists = [items, avoided].map((tiles, at) =>
    tiles.length > 0 ? element('ul', { className: at === 0 ? undefined : ['avoided'] }, tiles) : undefined,
  )
  return lists.some(Boolean) ? element('figure', { className: ['plates'] }, caption(label), ...lists) : undefined
}

function caption(label: Word, rule?: Word): Element {
  return element('figcaption', {}, element('b', {}, label), rule && element('span', {}, rule))
}

function fill(hex: string | undefined): Element | undefined {
  const area = { width: '100%', height: '100%' }
  return hex === undefined
    ? undefined
    : element('svg', { ariaHidden: 'true' }, element('rect', { ...area, ...paint(hex) }))
}

/** A fill. White and black need not be colours of the brand: they are in the style sheet, so that `lint` accepts a copy. */
function paint(hex: string): Properties {
  const plain = { '#ffffff': 'white', '#000000': 'black' }[hex]
  return plain === undefined ? { fill: hex } : { className: [`${plain}-lines`], fill: 'currentColor' }
}

/** The clear space of the artwork; `share` is its width on each side as a share of the height. */
function clearSpace(guide: Guide, artwork: Artwork): Element | undefined {
  const { words } = guide
  const { clearSpace: share, clearSpaceOf: part } = artwork.file
  if (share === undefined) return undefined
  const { stage } = words.files
  const value = words.number(share, Number.isInteger(share) ? 0 : Number.isInteger(share * 10) ? 1 : 2)
  const rule = part === undefined ? stage.share({ share: value }) : stage.shareOf({ share: value, part })
  return element('figure', {}, caption(stage.space, rule), zone(guide, artwork, share * artwork.height))
}

/** The artwork in a zone of clear space, in the units of the artwork. */
function zone({ site, publication }: Guide, { file, width, height, ground, paper }: Artwork, space: number): Element {
  const outer = { width: width + 2 * space, height: height + 2 * space }
  const inner = { x: `${space}`, y: `${space}`, width, height }
  // The middles of the four sides of the zone, each with an `x`, as in brand manuals.
  const middles = [
    [outer.width / 2, space / 2],
    [outer.width / 2, outer.height - space / 2],
    [space / 2, outer.height / 2],
    [outer.width - space / 2, outer.height / 2],
  ]
  return element(
    'svg',
    {
      className: ['space', `${textColorOn(ground ?? paper)}-lines`],
      viewBox: `0 0 ${outer.width} ${outer.height}`,
      ariaHidden: 'true',
    },
    ground !== undefined && element('rect', { ...outer, ...paint(ground) }),
    // The outer rectangle without the inner one, which runs in the opposite direction.
    element('path', {
      className: ['zone'],
      d: `M0 0h${outer.width}v${outer.height}H0zM${space} ${space}v${height}h${width}v-${height}z`,
    }),
    element('rect', { ...inner, className: ['edge'] }),
    element('image', { ...inner, href: shownAddress(publication.record, file, site.paths) }),
    middles.map(([x, y]) =>
      element('text', { x: `${x}`, y: `${y}`, 'font-size': Math.min(space * 0.6, outer.height / 12) }, 'x'),
    ),
  )
}

/** The artwork exactly as wide as it may be at least, in CSS pixels; it scrolls where the page is narrower. */
function smallestSize(guide: Guide, { file, width, height, ground }: Artwork): Element | undefined {
  const { minWidth } = file
  if (minWidth === undefined) return undefined
  const { stage } = guide.words.files
  const { src, srcset } = pictureAddresses(guide, file, minWidth > 320 ? 640 : 320)
  const size = { width: minWidth, height: Math.max(1, Math.round((minWidth * height) / width)) }
  const image = element('img', { src, srcSet: srcset, ...size, alt: '' })
  const plate = element('span', { className: ['stage-plate', 'smallest'] }, fill(ground), image)
  const label = { role: 'group', ariaLabel: `${stage.smallest}`, tabIndex: 0 }
  const box = element('div', { className: ['reach'], ...label }, plate)
  return element('figure', {}, caption(stage.smallest, stage.pixels({ pixels: minWidth })), box)
}

/** The colours of the guide, white and black, each with the verdict on the artwork on it: first those to use. */
async function groundsOf(guide: Guide, { item, file }: Artwork): Promise<JudgedGround[]> {
  const colors = (await colorList(guide)).inRow.map(({ color }) => color)
  return judgedGrounds(colors, await paintsOf(guide, file), file.ground ?? item.ground)
}

/** The artwork on a ground, with the name of the ground and the verdict. */
function groundTile(guide: Guide, artwork: Artwork, { hex, name, plain, ratio, verdict }: JudgedGround): Element {
  const { words } = guide
  const { stage } = words.files
  // Rounded down, so that no ratio seems to reach a limit that it misses.
  const text = Number.isFinite(ratio) ? `${words.number(Math.floor(ratio * 10) / 10, 1)}:1` : ''
  const sign = verdict === 'illegible' && signOf('dont')
  const said = element('span', { className: [verdict] }, sign, words.list([stage.verdicts[verdict], text]))
  return element(
    'li',
    {},
    plate(guide, { ...artwork, ground: hex }),
    element('b', {}, plain ? stage.plain[plain] : name),
    said,
  )
}

function plate(guide: Guide, { file, width, height, ground }: Artwork): Element {
  const { src, srcset } = pictureAddresses(guide, file, 320)
  const image: ElementContent = element('img', { src, srcSet: srcset, width, height, alt: '', decoding: 'async' })
  return element('span', { className: ['stage-plate'] }, fill(ground), image)
}

/**
 * Links to the stages of the other versions of a logo: artwork in its folder whose name begins with the same word, or all
 * artwork there if none does.
 */
async function versions(guide: Guide, { item, file }: Artwork): Promise<Element[]> {
  const library = await libraryOf(guide.publication.content)
  const group = shownGroup(guide, library, file)
  if (!group) return []
  const folder = library.folderOf(group)
  const inFolder = shownGroups(guide, library).filter(other => other !== group && library.folderOf(other) === folder)
  const ofSameName = inFolder.filter(([first]) => firstWordOf(first) === firstWordOf(item.first))
  const tiles: Element[] = []
  for (const other of ofSameName.length > 0 ? ofSameName : inFolder) {
    const artwork = tiles.length < MAX_VERSIONS ? await artworkOf(guide, libraryItem(other)) : undefined
    if (!artwork?.hasStage) continue
    const href = filePath(guide, library, artwork.file)
    tiles.push(element('li', {}, element('a', { href }, plate(guide, artwork), element('b', {}, artwork.item.name))))
  }
  return tiles
}

const MAX_VERSIONS = 12

/** The first word of a file's name: `acme` for `Acme-white.svg`. */
function firstWordOf({ path }: BrandFile): string {
  return filename(path)
    .toLowerCase()
    .replace(/[-_ .].*$/s, '')
}
