import type { Element, ElementContent, Properties } from 'hast'
import type { Words } from '../../words/words.ts'
import { attribute, classesOf, isBlank, makeElement } from '../hast.ts'
import { captionOf, titleVerdict } from './captions.ts'

/** A picture as authored: by itself or in a link, or a pair for light and dark pages. */
export type WrittenPicture = readonly [Element, ...Element[]]

/** Whether a picture is in a link, which cannot contain another link, and the words for added content. */
export type PictureContext = { isInLink: boolean; words: Words }

/** A paragraph with only one picture, as a figure; its title becomes the caption. */
export function asFigure(paragraph: Element, context: PictureContext): Element | undefined {
  const [picture, ...others] = picturesIn(paragraph.children) ?? []
  return picture && others.length === 0 ? figureOf(picture, context, paragraph.properties) : undefined
}

/** The pictures in these nodes; undefined if the nodes contain anything else. */
export function picturesIn(nodes: readonly ElementContent[]): WrittenPicture[] | undefined {
  const pictures: WrittenPicture[] = []
  for (const node of nodes) {
    if (isBlank(node) || isBreak(node)) continue
    if (!isPicture(node)) return undefined
    const last = pictures.at(-1)
    if (last && isOtherScheme(last, node)) pictures[pictures.length - 1] = [...last, node]
    else pictures.push([node])
  }
  return pictures
}

/** Whether a node is a picture, or a link that contains only pictures. */
export function isPicture(node: ElementContent): node is Element {
  if (node.type !== 'element') return false
  if (node.tagName === 'img') return true
  const children = node.tagName === 'a' ? node.children.filter(child => !isBlank(child)) : []
  return children.length > 0 && children.every(child => child.type === 'element' && child.tagName === 'img')
}

export function isBreak(node: ElementContent): boolean {
  return node.type === 'element' && node.tagName === 'br'
}

/** Whether a node is a picture with a verdict in its title, such as `Don't: stretched`. */
export function hasVerdict(node: ElementContent): boolean {
  return isPicture(node) && imagesOf([node]).some(image => titleVerdict(attribute(image, 'title') ?? '') !== undefined)
}

/** A picture in its frame, with its title as the caption. */
export function figureOf(picture: WrittenPicture, context: PictureContext, properties: Properties = {}): Element {
  const { verdict, caption } = captionOf(takeTitle(picture), context.words)
  const withVerdict = verdict ? { ...properties, className: [verdict] } : properties
  return makeElement('figure', withVerdict, frame(picture, context), ...caption)
}

/** Whether two pictures are a pair for light and dark pages. */
function isOtherScheme([first, ...others]: WrittenPicture, node: Element): boolean {
  const schemes = [first, node].map(image => classesOf(image).find(name => name.startsWith('only-')))
  return others.length === 0 && schemes[0] !== undefined && schemes[1] !== undefined && schemes[0] !== schemes[1]
}

/** The frame of a picture: the author's link, or a link to the picture itself; none within another link. */
function frame(picture: WrittenPicture, { isInLink, words }: PictureContext): Element {
  const [first] = picture
  if (first.tagName === 'a') {
    first.properties.className = ['picture']
    return first
  }
  if (isInLink) return makeElement('span', { className: ['picture'] }, ...picture)
  const href = attribute(first, 'src') ?? ''
  const properties: Properties = {
    className: ['picture', 'enlarge', ...takeGround(picture)],
    href,
    dataClose: `${words.pages.closePicture}`,
  }
  if (attribute(first, 'alt') === '') properties.ariaLabel = `${words.pages.picture}`
  return makeElement('a', properties, ...picture)
}

function takeTitle(picture: WrittenPicture): string {
  const titles = imagesOf(picture).map(image => {
    const title = attribute(image, 'title')?.trim() ?? ''
    delete image.properties.title
    return title
  })
  return titles.find(title => title !== '') ?? ''
}

function imagesOf(picture: WrittenPicture): Element[] {
  const images = picture.flatMap(element => (element.tagName === 'a' ? element.children : element))
  return images.filter(image => image.type === 'element')
}

/** Removes the background class of a single picture, for its frame. */
function takeGround([first, ...others]: WrittenPicture): string[] {
  const [ground, rest] = [classesOf(first).filter(isGround), classesOf(first).filter(name => !isGround(name))]
  if (ground.length === 0 || others.length > 0) return []
  if (rest.length > 0) first.properties.className = rest
  else delete first.properties.className
  return ground
}

function isGround(name: string): boolean {
  return name.startsWith('ground-')
}
