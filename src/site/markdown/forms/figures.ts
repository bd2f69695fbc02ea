import type { Element, ElementContent, Properties } from 'hast'
import { element } from '../../cards/element.ts'
import type { Words } from '../../words/words.ts'
import { attribute, attributeText, classesOf, isBlank, isElement } from '../hast.ts'

/** A picture as authored: by itself or in a link, or a pair for light and dark pages. */
export type WrittenPicture = readonly [Element, ...Element[]]

/** Whether a picture is in a link, which cannot contain another link, and the words for added content. */
export type FigureOptions = { isInLink: boolean; words: Words }

/** A paragraph with only one picture, as a figure; its title becomes the caption. */
export function asFigure(paragraph: Element, context: FigureOptions): Element | undefined {
  const [picture, ...others] = picturesIn(paragraph.children) ?? []
  return picture && others.length === 0 ? figureOf(picture, context, paragraph.properties) : undefined
}

/** The pictures in these nodes; undefined if the nodes contain anything else. */
export function picturesIn(nodes: readonly ElementContent[]): WrittenPicture[] | undefined {
  const pictures: WrittenPicture[] = []
  for (const node of nodes) {
    if (isBlank(node) || isElement(node, 'br')) continue
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
  return children.length > 0 && children.every(child => isElement(child, 'img'))
}

/** Whether a node is a picture with a verdict in its title, such as `Don't: stretched`. */
export function hasVerdict(node: ElementContent): boolean {
  return isPicture(node) && imagesOf([node]).some(image => titleVerdict(attributeText(image, 'title')) !== undefined)
}

/** A picture in its frame, with its title as the caption. */
export function figureOf(picture: WrittenPicture, context: FigureOptions, properties: Properties = {}): Element {
  const { verdict, caption } = captionOf(takeTitle(picture), context.words)
  const withVerdict = verdict ? { ...properties, className: [verdict] } : properties
  return element('figure', withVerdict, frameOf(picture, context), caption)
}

/** A figure of HTML whose caption begins with a verdict in plain text, such as `Don't: low contrast`. */
export function asJudgedFigure(figure: Element, { words }: FigureOptions): Element | undefined {
  const { verdict, caption } = captionOf(captionText(figure), words)
  if (verdict === undefined) return undefined
  const content = figure.children.filter(child => !isElement(child, 'figcaption'))
  return element('figure', { ...figure.properties, className: [verdict] }, content, caption)
}

/** The caption of a figure if it is only text, else nothing. */
function captionText({ children }: Element): string {
  const nodes = children.flatMap(child => (isElement(child, 'figcaption') ? child.children : []))
  const texts = nodes.flatMap(node => (node.type === 'text' ? node.value : []))
  return texts.length === nodes.length ? texts.join('').trim() : ''
}

/** Whether two pictures are a pair for light and dark pages: one has the class `only-light`, the other `only-dark`. */
function isOtherScheme([first, ...others]: WrittenPicture, node: Element): boolean {
  const schemes = [first, node].map(image => classesOf(image).find(name => name.startsWith('only-')))
  return others.length === 0 && schemes[0] !== undefined && schemes[1] !== undefined && schemes[0] !== schemes[1]
}

/** The frame of a picture: the author's link, or a link to the picture itself; none within another link. */
export function frameOf(picture: WrittenPicture, { isInLink, words }: FigureOptions): Element {
  const [first] = picture
  if (first.tagName === 'a') {
    first.properties.className = ['picture']
    return first
  }
  if (isInLink) return element('span', { className: ['picture'] }, picture)
  const href = attributeText(first, 'src')
  const properties: Properties = {
    className: ['picture', 'enlarge', ...takeGround(picture)],
    href,
    dataClose: `${words.pages.closePicture}`,
  }
  if (attribute(first, 'alt') === '') properties.ariaLabel = `${words.pages.picture}`
  return element('a', properties, picture)
}

/** Removes the titles of a picture's images, and returns the first one; empty without any. */
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
  const groundClasses = classesOf(first).filter(isGround)
  const otherClasses = classesOf(first).filter(name => !isGround(name))
  if (groundClasses.length === 0 || others.length > 0) return []
  if (otherClasses.length > 0) first.properties.className = otherClasses
  else delete first.properties.className
  return groundClasses
}

function isGround(name: string): boolean {
  return name.startsWith('ground-')
}

/** The verdict on an example: to follow or to avoid. */
export type Verdict = 'do' | 'dont'

/** The verdict in a picture title or a heading: `Don't: stretched` marks an example to avoid, in guides in any language. */
export function titleVerdict(title: string): Verdict | undefined {
  const [word = ''] = title.split(':', 1)
  return VERDICTS.get(word.trim().toLowerCase().replace('’', "'"))
}

const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ['do', 'do'],
  ["don't", 'dont'],
])

/** The caption of a title, and its verdict: `Do: as high as the logo`, `Don't: stretched`. */
function captionOf(title: string, { forms }: Words): { verdict?: Verdict; caption: ElementContent[] } {
  const verdict = titleVerdict(title)
  if (verdict === undefined) return { caption: title === '' ? [] : [element('figcaption', {}, title)] }
  const colon = title.indexOf(':')
  const rest = colon < 0 ? '' : title.slice(colon + 1).trim()
  const word = element('strong', {}, forms[verdict], rest && ':')
  return { verdict, caption: [element('figcaption', {}, signOf(verdict), word, rest && ` ${rest}`)] }
}

/** The outlines of signs in a 16 × 16 square. */
const OUTLINES = {
  do: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0zM6.9 11.7 3.4 8.2l1.3-1.3 2.2 2.2 4.4-4.4L12.6 6z',
  dont: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0zM5.3 4 8 6.7 10.7 4 12 5.3 9.3 8l2.7 2.7-1.3 1.3L8 9.3 5.3 12 4 10.7 6.7 8 4 5.3z',
  note: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0zM7 3.5h2v2H7zM7 7h2v5.5H7z',
  tip: 'M8 0a5.5 5.5 0 0 0-3.2 10c.8.6 1.2 1.2 1.2 2h4c0-.8.4-1.4 1.2-2A5.5 5.5 0 0 0 8 0zM6 13h4v1.5L8.5 16h-1L6 14.5z',
  important: 'M1 0h14v12H9l-4 4v-4H1zM7 2.5h2v4.5H7zM7 8h2v2H7z',
  warning: 'M8 0l8 15H0zM7 5.5h2v4.5H7zM7 11h2v2H7z',
  caution: 'M4.7 0h6.6L16 4.7v6.6L11.3 16H4.7L0 11.3V4.7zM7 3.5h2v5.5H7zM7 10.5h2v2H7z',
} as const

/** A sign, hidden from screen readers since a word next to it has the same meaning. */
export function signOf(name: keyof typeof OUTLINES): Element {
  const path = element('path', { d: OUTLINES[name], fillRule: 'evenodd' })
  return element('svg', { className: ['sign'], viewBox: '0 0 16 16', ariaHidden: 'true' }, path)
}
