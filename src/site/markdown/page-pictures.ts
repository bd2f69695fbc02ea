import type { Element, ElementContent, Root } from 'hast'
import { isLargeLandscape } from '#brand/file.ts'
import { groupsOf, withoutQuery } from '#platform/base/text.ts'
import { element } from '../cards/element.ts'
import { captionTrack } from '../cards/player.ts'
import { portraitClasses } from '../cards/ratios.ts'
import type { Word } from '../html.ts'
import type { Words } from '../words/words.ts'
import { frameOf } from './forms/figures.ts'
import type { LinkTargets } from './forms/link-cards.ts'
import {
  attribute,
  attributeText,
  classesOf,
  elementsOf,
  hasClass,
  isElement,
  isSameOrigin,
  replaceElements,
} from './hast.ts'

/** A picture of the project, or a file that is too heavy to be shown, with its type and size as `facts`. */
export type Picture = ShownPicture | HeavyPicture
type HeavyPicture = { facts: string; alt: string | undefined; isMoving?: never; src?: never; stage?: never }
export type ShownPicture = {
  /** In pixels. */
  width: number
  height: number
  /** The description of its file. */
  alt?: string
  /** The class of its background after `ground-`. */
  ground?: string
  /** Its thumbnails. */
  srcset?: string
  /** The thumbnail that replaces a heavy or moving file. */
  src?: string
  isMoving?: boolean
  /** The name of a logo, and the address of its stage. */
  stage?: { name: string; href: string }
  isLogo?: boolean
}

/** A picture of the project with its size, so that nothing moves when it loads; a link for one from another origin. */
export function enhancePicture(
  picture: Element,
  pictures: ReadonlyMap<string, Picture>,
  isInLink: boolean,
  { pages }: Words,
): ElementContent {
  const src = attributeText(picture, 'src')
  const alt = attributeText(picture, 'alt')
  if (src === '' || !isSameOrigin(src)) return replacementLink(src, alt, pages.picture, isInLink)
  const details = pictureAt(src, pictures)
  if (details && 'facts' in details) {
    const label = `${alt || (details.alt ?? pages.picture)} (${details.facts})`
    return replacementLink(src.replace(SCHEME_MARK, ''), label, pages.picture, isInLink)
  }
  return sizedPicture(picture, src, details)
}

/** A picture with what the project knows of its file. */
function sizedPicture(picture: Element, src: string, details: ShownPicture | undefined): Element {
  const scheme = groupsOf(SCHEME_MARK, src)[1] // `light` or `dark`
  const withoutWidth = 'width' in picture.properties ? undefined : details
  const classes = [
    ...(withoutWidth ? freeClasses(picture, src, withoutWidth) : []),
    ...(scheme ? [`only-${scheme}`] : []),
    ...(details?.ground ? [`ground-${details.ground}`] : []),
  ]
  const properties = {
    ...picture.properties,
    src: src.replace(SCHEME_MARK, ''),
    ...(classes.length > 0 && { className: classes }),
    ...(details && missingSize(picture, details)),
    ...(withoutWidth?.srcset !== undefined && { srcSet: withoutWidth.srcset, sizes: SIZES }),
    alt: attributeText(picture, 'alt') || details?.alt || '',
    loading: 'lazy',
    decoding: 'async',
  }
  return { ...picture, properties }
}

/** The classes of a picture whose author gave no width: `drawing` or `large` if it fills its column, and `photo`. */
function freeClasses({ properties }: Element, src: string, picture: ShownPicture): string[] {
  const isLarge = picture.width >= MIN_LARGE && !('height' in properties)
  const size = isOfType('svg', src) ? 'drawing' : 'large'
  const isPhoto = isPhotograph(picture) && !isOfType('png', src)
  return [...(isLarge ? [size] : []), ...(isPhoto ? ['photo'] : []), ...portraitClasses(picture)]
}

/** `sizes` of a picture: browsers measure the place of one that they load late; others are at most as wide as the window. */
const SIZES = 'auto, 100vw'

/**
 * Adds a button after each moving picture: the script shows it, and plays and pauses the picture. In tables, in links and
 * in figures of several, moving pictures stay still. Each links to its file, unless it is in a link.
 *
 * @returns what replaces the element in its parent
 */
export function pausePictures(node: Element, parent: string, page: PausedPage): Element[] {
  const isMoving = (child: ElementContent) =>
    isElement(child, 'img') && pictureAt(attributeText(child, 'src'), page.pictures)?.isMoving === true
  const { pause, picture } = page.words.pages
  const button = () =>
    element('button', { type: 'button', className: ['moving'], hidden: true, ariaPressed: 'true' }, pause)
  if (node.tagName === 'a') {
    const hasButton = hasClass(node, 'enlarge') && node.children.some(isMoving)
    return hasButton ? [node, button()] : [node]
  }
  replaceElements(node, child => pausePictures(child, node.tagName, page))
  if (!isMoving(node) || parent === 'figure') return [node]
  if (parent !== 'td' && parent !== 'th') return [frameOf([node], { isInLink: false, words: page.words }), button()]
  const ariaLabel = attribute(node, 'alt') === '' ? `${picture}` : undefined
  return [element('a', { href: attribute(node, 'src'), ariaLabel }, node)]
}

type PausedPage = { pictures: ReadonlyMap<string, Picture>; words: Words }

/**
 * Replaces heavy and moving files by their thumbnails, in place. The links around them still point to the files; those
 * of logos open their stages, except those of examples to avoid.
 */
export function reducePictures(elements: readonly Element[], pictures: ReadonlyMap<string, Picture>): void {
  const avoided = new Set(elements.filter(each => hasClass(each, 'dont')).flatMap(({ children }) => children))
  for (const element of elements) {
    if (hasClass(element, 'enlarge') && !avoided.has(element)) openStage(element, pictures)
    const details = element.tagName === 'img' ? pictureAt(attributeText(element, 'src'), pictures) : undefined
    if (details?.src === undefined) continue
    if (details.isMoving) element.properties.dataMoving = element.properties.src
    element.properties.src = details.src
  }
}

function openStage(link: Element, pictures: ReadonlyMap<string, Picture>): void {
  const [image] = elementsOf({ type: 'root', children: link.children })
  const stage = image && pictureAt(attributeText(image, 'src'), pictures)?.stage
  if (!stage) return
  const { href, name } = stage
  const className = classesOf(link).filter(each => each !== 'enlarge')
  const alt = attributeText(image, 'alt')
  const ariaLabel = alt.includes(name) ? undefined : [name, alt].filter(text => text !== '').join(': ')
  link.properties = { ...link.properties, href, className, dataClose: undefined, ariaLabel }
}

/** The picture at an address, whose query and fragment do not count. */
export function pictureAt(src: string, pictures: ReadonlyMap<string, Picture>): Picture | undefined {
  return pictures.get(withoutQuery(src))
}

/** In pixels: a picture as wide as this has its own line, and as an SVG it is a drawing, which fills its column. */
const MIN_LARGE = 400

/** Whether a picture with thumbnails is a photograph that can be as wide as the page. */
export function isPhotograph(picture: ShownPicture): boolean {
  return picture.srcset !== undefined && isLargeLandscape(picture)
}

function isOfType(extension: string, src: string): boolean {
  return withoutQuery(src).toLowerCase().endsWith(`.${extension}`)
}

/** The address suffix that GitHub uses for pictures on only light or dark pages. */
const SCHEME_MARK = /#gh-(light|dark)-mode-only$/

/** The pictures of a `<picture>` for light and dark pages, marked as on GitHub; otherwise its only picture. */
export function inBothSchemes({ children }: Element): Element[] {
  const elements = children.filter(child => child.type === 'element')
  const image = elements.find(({ tagName }) => tagName === 'img')
  if (!image) return []
  const sources = { light: sourceFor('light', elements), dark: sourceFor('dark', elements) }
  if (sources.light === undefined && sources.dark === undefined) return [image]
  return (['light', 'dark'] as const).map(scheme => {
    const address = (sources[scheme] ?? attributeText(image, 'src')).replace(/#.*$/s, '')
    return element('img', { ...image.properties, src: `${address}#gh-${scheme}-mode-only` })
  })
}

function sourceFor(scheme: string, elements: readonly Element[]): string | undefined {
  const media = `(prefers-color-scheme:${scheme})`
  const source = elements.find(
    element => element.tagName === 'source' && attribute(element, 'media')?.replace(/\s+/g, '').toLowerCase() === media,
  )
  const address = source && attribute(source, 'srcSet')?.trim()
  return address !== undefined && isSameOrigin(address) && !/[\s,]/.test(address) ? address : undefined
}

/** The size of the picture if the author gave none; if the author gave one side, the other one in proportion. */
function missingSize(picture: Element, { width, height }: ShownPicture): Element['properties'] {
  const authorsWidth = attributeText(picture, 'width')
  const authorsHeight = attributeText(picture, 'height')
  if (authorsWidth + authorsHeight === '') return { width, height }
  if (authorsHeight === '') return scaleSide('height', authorsWidth, height / width)
  return authorsWidth === '' ? scaleSide('width', authorsHeight, width / height) : {}
}

/** A side for the length of the other one, if that is a number of pixels. */
function scaleSide(side: string, other: string, ratio: number): Element['properties'] {
  return /^\d{1,6}$/.test(other) && Number.isFinite(ratio) ? { [side]: Math.round(Number(other) * ratio) } : {}
}

/** A link that replaces a picture, audio or video from another origin, which a page does not load. */
function replacementLink(src: string, label: string, kind: Word, isInLink: boolean): ElementContent {
  const text = label.trim()
  if (isInLink || src === '') return element('span', {}, text || kind)
  return element('a', { href: src, rel: ['noopener', 'noreferrer'] }, text || src)
}

export function isMedia({ tagName }: Element): boolean {
  return tagName === 'video' || tagName === 'audio'
}

/** Makes a link of each picture whose file is a video or audio file, in place: `![The film](ident.webm)`. */
export function linkMedia(tree: Root, linkTargets: LinkTargets): void {
  for (const picture of elementsOf(tree)) {
    const address = picture.tagName === 'img' ? attribute(picture, 'src') : undefined
    const to = address === undefined ? undefined : linkTargets.get(address)
    if (to?.kind !== 'file' || !to.media) continue
    const { alt, title } = picture.properties
    const link = element(
      'a',
      { href: address, ...(title !== undefined && { title }) },
      String(alt || (to.title ?? to.type)),
    )
    Object.assign(picture, link)
  }
}

/**
 * A video or audio file of the project, with controls, and with the poster and captions of the same name. Only its
 * metadata is loaded before it is played. A file from another origin becomes a link.
 */
export function enhanceMedia(
  media: Element,
  linkTargets: LinkTargets,
  isInLink: boolean,
  words: Words,
): ElementContent[] {
  const children = media.children.filter(child => child.type === 'element')
  const localChildren = children.filter(child => MEDIA_CHILDREN.has(child.tagName) && isLocal(child))
  if (!isLocal(media) && !localChildren.some(({ tagName }) => tagName === 'source')) {
    const addresses = [media, ...children].map(element => attribute(element, 'src'))
    const firstAddress = addresses.find(address => address !== undefined)
    const kind = media.tagName === 'video' ? words.files.uses.media.video : words.pages.sound
    return [replacementLink(firstAddress ?? '', attributeText(media, 'title'), kind, isInLink)]
  }
  const [target] = [media, ...localChildren].flatMap(element => linkTargets.get(attributeText(element, 'src')) ?? [])
  const { size: filmSize, poster, captions } = (target?.kind === 'file' && target.media) || {}
  const { src, ...properties } = media.properties
  const size = properties.width === undefined && properties.height === undefined && (filmSize ?? poster)
  const enhanced = {
    ...properties,
    ...(isLocal(media) && { src }),
    ...(poster && { poster: poster.src }),
    ...(size && { width: size.width, height: size.height }),
    controls: true,
    preload: 'metadata',
  }
  const needsNoTrack = captions === undefined || localChildren.some(({ tagName }) => tagName === 'track')
  const tracks = needsNoTrack ? [] : [captionTrack(captions, words)]
  const sources = localChildren.map(child => ({ ...child, children: [] }))
  return [{ ...media, properties: enhanced, children: [...sources, ...tracks] }]
}

/** The only children of a film or sound that stay. */
const MEDIA_CHILDREN = new Set(['source', 'track'])

function isLocal(element: Element): boolean {
  const src = attribute(element, 'src')
  return src !== undefined && isSameOrigin(src)
}
