import type { Element, ElementContent, Root, RootContent } from 'hast'
import type { StyleId } from '#brand/ids.ts'
import { type LayoutComment, layoutComment } from '#brand/markdown/layout-comment.ts'
import { element } from '../cards/element.ts'
import { fitClasses } from '../cards/long-words.ts'
import { isPicture } from './forms/figures.ts'
import { attributeText, elementsOf, isBlank, isElement, textOf } from './hast.ts'
import { headingLevel } from './page-headings.ts'
import { isPhotograph, type Picture, pictureAt, type ShownPicture } from './page-pictures.ts'

type Parts = {
  /** The colours that bands may have. */
  grounds?: ReadonlySet<StyleId>
  /** The pictures of the project. */
  pictures: ReadonlyMap<string, Picture>
  /** Whether the first sentence of the page may be its lead. */
  mayLead?: boolean | undefined
  /** Whether the layout has a grid. */
  isGrid?: boolean | undefined
}

/**
 * Composes the top-level blocks of a sanitised page, in place: as its layout comments say, which it removes; without
 * one, a lead, statements and portraits. A comment without a fitting block has no effect.
 *
 * @param title stays at the top, outside of bands
 * @returns whether comments extend the page beyond the reading width
 */
export function composePage(tree: Root, title: Element | undefined, parts: Parts): boolean {
  const isTitle = (node: RootContent) => node === title
  const others = tree.children.filter(node => !isTitle(node) && !isOtherComment(node))
  const blocks = others.filter(node => !isBlank(node))
  if (isElement(blocks[0], 'p')) markLead(blocks[0], parts)
  markStatements(blocks)
  const page: Composition = { ...parts, grounds: parts.grounds ?? new Set(), isComposed: false }
  tree.children = [...tree.children.filter(isTitle), ...composeBlocks(others, page)]
  return page.isComposed
}

type Composition = Parts & { grounds: ReadonlySet<StyleId>; isComposed: boolean }

/** The blocks of a sanitised page, also those in boxes of HTML that are only for another website's columns. */
export function pageBlocks(tree: Root, isGrid: boolean | undefined): RootContent[] {
  for (const element of elementsOf(tree)) element.children = element.children.filter(({ type }) => type !== 'comment')
  return isGrid ? tree.children.flatMap(unwrapped).filter(node => !isElement(node, 'br')) : tree.children
}

/** The blocks in a box without attributes, or in a link to its own page; the node itself if it is neither. */
function unwrapped(node: RootContent): RootContent[] {
  if (!isElement(node, 'div', 'section', 'a')) return [node]
  const { tagName, properties, children } = node
  const isBox = Object.values(properties).every(value => `${value}` === '') && children.every(isBlock)
  return (tagName === 'a' ? isSelfLink(node) : isBox)
    ? children.filter(child => !isElement(child, 'hr')).flatMap(unwrapped)
    : [node]
}

function isBlock(node: RootContent): boolean {
  return isBlank(node) || isElement(node, ...BLOCKS) || (isElement(node, 'a') && isSelfLink(node))
}

const BLOCKS =
  'div section p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre details figure img picture video hr br'.split(' ')

/** Whether a link to its own page has only headings, or nothing, and no link points to it. */
function isSelfLink({ properties: { href = '#', ...others }, children }: Element): boolean {
  const isOnlyLink = `${href}`.startsWith('#') && Object.keys(others).length === 0
  return isOnlyLink && children.every(child => isBlank(child) || isHeading(child))
}

/** A single sentence without links at the start of a page is its lead; a fragment of one does not open the page. */
function markLead(first: Element, { mayLead, isGrid }: Parts): void {
  if (elementsOf(first).some(({ tagName }) => /^(?:a|img)$/.test(tagName))) return
  const text = textOf(first, MAX_LEAD + 1)
  const hasSentenceEnd = text.replace(SENTENCE_END, '') === ''
  const isShortSentence = text.length <= MAX_LEAD && isOneSentence(text) && hasSentenceEnd
  if (mayLead && isShortSentence) first.properties.className = ['lead']
  else if (isGrid && !SENTENCE_END.test(text)) first.properties.className = ['fragment']
}

/** In characters. */
const MAX_LEAD = 200
/** All text up to the end of its last sentence, with closing signs: `It is red.”`; `颜色。` needs no space after it. */
const SENTENCE_END = /^.*(?:\p{Sentence_Terminal}[\p{Pe}\p{Pf}"']*(?=\s|$)|[。！？])/su
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })

function isOneSentence(text: string): boolean {
  return [...SENTENCES.segment(text)].length === 1
}

/** A composed block and the index of the node after it. Without a fitting block, it is undefined. */
type Taken = { block: Element | undefined; next: number }

/**
 * A quotation of one short sentence becomes a statement in the heading style, unless it is part of a series, or an
 * example: after a colon, with code, a link, an address, or a word and a colon.
 */
function markStatements(blocks: readonly RootContent[]): void {
  for (const [at, block] of blocks.entries()) {
    const isInSeries = [blocks[at - 1], blocks[at + 1]].some(isQuotation)
    if (!isQuotation(block) || isInSeries) continue
    const [paragraph, ...others] = block.children.filter(child => !isBlank(child))
    const text = textOf(block, MAX_STATEMENT + 1)
    const isShort = text !== '' && text.length + (text.match(WIDE)?.length ?? 0) <= MAX_STATEMENT
    if (!isElement(paragraph, 'p') || others.length > 0 || !isShort || !isOneSentence(text)) continue
    const before = blocks[at - 1]
    const isIntroduced = before !== undefined && /[:：]$/.test(textOf(before))
    const isPlain = elementsOf(paragraph).every(each => isElement(each, 'p', 'em', 'strong', 'b', 'i', 'br'))
    if (isIntroduced || !isPlain || EXAMPLE.test(text)) continue
    block.properties.className = ['statement', ...fitClasses([text])]
  }
}

/** In letters; those of Chinese, Japanese and Korean count twice. */
const MAX_STATEMENT = 80
const WIDE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/gu
/** Signs of an example: `anna@example.com`, `Headline: Bold`, `“Acme”`. */
const EXAMPLE = /[@:："„“”«»「『]/

/** Whether a block is a quotation, and not a note such as `> [!NOTE]`. */
function isQuotation(block: RootContent | undefined): block is Element {
  return isElement(block, 'blockquote') && !textOf(block, MAX_STATEMENT).includes('[!')
}

function isOtherComment(node: RootContent): boolean {
  return node.type === 'comment' && layoutComment(node.value) === undefined
}

/** Composes nodes in order. A block that takes several of them replaces them; any other node stays, except comments. */
function composeBlocks(nodes: readonly RootContent[], page: Composition): ElementContent[] {
  const composed: ElementContent[] = []
  let at = 0
  while (at < nodes.length) {
    const node = nodes[at]
    const byComment = takeComposed(nodes, at, page)
    if (byComment.block) page.isComposed = true
    const { block, next } = byComment.block ? byComment : takePictures(nodes, at, page)
    if (block) composed.push(block)
    else if (node && node.type !== 'comment' && node.type !== 'doctype') composed.push(node)
    at = block ? next : at + 1
  }
  return composed
}

/** The block that the layout comment at an index makes of the nodes after it. */
function takeComposed(nodes: readonly RootContent[], at: number, page: Composition): Taken {
  const comment = commentAt(nodes, at)
  if (comment?.name === 'full' || comment?.name === 'wide') return takeWide(nodes, at + 1, comment.name, page)
  if (comment?.name === 'split') return takeSplit(nodes, at + 1)
  if (comment?.name === 'columns') return takeColumns(nodes, at + 1, comment.value)
  if (comment?.name === 'ground') return takeBand(nodes, at + 1, comment.value, page)
  return { block: undefined, next: at + 1 }
}

function commentAt(nodes: readonly RootContent[], at: number): LayoutComment | undefined {
  const node = nodes[at]
  return node?.type === 'comment' ? layoutComment(node.value) : undefined
}

/** A block that is wider than the text column: an object, or the block of the next comment, but not a text block. */
function takeWide(nodes: readonly RootContent[], start: number, name: 'full' | 'wide', page: Composition): Taken {
  const at = afterBlanks(nodes, start)
  const inner = commentAt(nodes, at)?.name
  const { block, next } =
    inner === 'columns' || inner === 'split'
      ? takeComposed(nodes, at, page)
      : { block: elementAt(nodes, at), next: at + 1 }
  if (!block || block.tagName === 'hr' || isTextBlock(block)) return { block: undefined, next }
  return { block: element('div', { className: [name] }, block), next }
}

/** A picture or video, and the block after it. A heading takes the block below it along. */
function takeSplit(nodes: readonly RootContent[], start: number): Taken {
  const pictureIndex = afterBlanks(nodes, start)
  const picture = elementAt(nodes, pictureIndex)
  const afterPicture = afterBlanks(nodes, pictureIndex + 1)
  const hasHeading = isHeading(nodes[afterPicture])
  const textIndex = hasHeading ? afterBlanks(nodes, afterPicture + 1) : afterPicture
  const text = elementAt(nodes, textIndex)
  const isUnfit = !picture || isTextBlock(picture) || !text || isHeading(text) || text.tagName === 'hr'
  if (isUnfit || !/^(?:p|video)$/.test(picture.tagName)) return { block: undefined, next: pictureIndex }
  const texts = hasHeading ? [elementAt(nodes, afterPicture) ?? text, text] : [text]
  const block = element('div', { className: ['split'] }, element('div', {}, picture), element('div', {}, texts))
  return { block, next: textIndex + 1 }
}

/** A list, pictures or a paragraph in columns; a heading begins sections, each with its own column. */
function takeColumns(nodes: readonly RootContent[], start: number, columns: number): Taken {
  const at = afterBlanks(nodes, start)
  const first = elementAt(nodes, at)
  const properties = { className: ['columns', `columns-${columns}`] }
  if (first && isHeading(first)) {
    const sections = sectionsFrom(nodes, at)
    const cells = sections.cells.map(cell => element('div', {}, cell))
    return { block: element('div', properties, element('div', {}, cells)), next: sections.next }
  }
  const content = first?.tagName === 'video' ? element('div', {}, first) : first
  const isFit = content && /^(?:ul|ol|p|div)$/.test(content.tagName) && (content !== first || first.tagName !== 'div')
  const block = isFit ? element('div', properties, content) : undefined
  return { block, next: at + 1 }
}

/** The sections from a heading on, up to a higher heading, a rule or a layout comment. */
function sectionsFrom(nodes: readonly RootContent[], start: number): { cells: ElementContent[][]; next: number } {
  const cells: ElementContent[][] = []
  const level = levelOf(nodes[start])
  for (let at = start; ; at++) {
    const node = nodes[at]
    const isEnd = !node || node.type === 'comment' || node.type === 'doctype' || levelOf(node) < level
    if (isEnd || isElement(node, 'hr')) return { cells, next: at }
    if (levelOf(node) === level) cells.push([])
    cells.at(-1)?.push(node)
  }
}

/** The nodes up to the comment `/ground`, on a colour. A band that another one interrupts is not a band. */
function takeBand(nodes: readonly RootContent[], start: number, color: string, page: Composition): Taken {
  let end = start
  // `ground` or `/ground`.
  while (end < nodes.length && !/ground$/.test(commentAt(nodes, end)?.name ?? '')) end++
  const id = [...page.grounds].find(id => id === color)
  const isClosed = commentAt(nodes, end)?.name === '/ground'
  const inner = id === undefined || !isClosed ? [] : composeBlocks(nodes.slice(start, end), page)
  if (inner.every(isBlank)) return { block: undefined, next: start }
  return { block: element('div', { className: ['band', `ground-${id}`] }, inner), next: end + 1 }
}

/**
 * A picture that is a paragraph gets a class for its place. Portraits, small pictures and photographs that follow others
 * of their kind are next to each other, and a single portrait is next to the paragraphs after it.
 */
function takePictures(nodes: readonly RootContent[], start: number, { pictures, isGrid = false }: Composition): Taken {
  const kindOf = (block: Element | undefined) => block && kindOfPicture(pictureOf(block, pictures), isGrid)
  const kind = kindOf(elementAt(nodes, start))
  const { blocks, next } = blocksFrom(nodes, start, block => kind !== undefined && kindOf(block) === kind)
  const [firstPicture, ...others] = blocks
  if (others.length > 0) return { block: element('p', {}, ...blocks.map(({ children }) => children)), next }
  if (firstPicture && kind === 'portrait') return takeBeside(nodes, firstPicture, next)
  const block = isGrid ? elementAt(nodes, start) : undefined
  const place = block && picturePlace(pictureOf(block, pictures))
  return { block: place && { ...block, properties: { className: [place] } }, next: start + 1 }
}

/** A portrait and the paragraphs after it. */
function takeBeside(nodes: readonly RootContent[], portrait: Element, start: number): Taken {
  let charactersLeft = MAX_BESIDE
  const { blocks, next } = blocksFrom(nodes, start, block => {
    const isBeside = charactersLeft > 0 && block.tagName === 'p' && isTextBlock(block)
    charactersLeft -= textOf(block, MAX_BESIDE).length
    return isBeside
  })
  if (blocks.length === 0) return { block: portrait, next: start }
  const cells = [portrait, blocks].map(cell => element('div', {}, cell))
  return { block: element('div', { className: ['split', 'portrait'] }, cells), next }
}

/** The class of a picture that has the width of the page in a layout with a grid. */
function picturePlace(picture: ShownPicture | undefined): 'emblem' | 'vast' | undefined {
  if (picture?.isLogo || isSmall(picture)) return 'emblem'
  return picture && isPhotograph(picture) && picture.width >= MIN_VAST ? 'vast' : undefined
}

/** In pixels: smaller pictures are small, and larger photographs in landscape are as wide as the page. */
const MIN_BESIDE = 240
const MIN_VAST = 1200

/** In characters: about as high as a portrait. */
const MAX_BESIDE = 800

/** The consecutive blocks from an index on that are wanted, and the index after them. Blanks between them are left out. */
function blocksFrom(nodes: readonly RootContent[], start: number, isWanted: (block: Element) => boolean) {
  const blocks: Element[] = []
  let at = start
  for (let block = elementAt(nodes, at); block && isWanted(block); block = elementAt(nodes, at)) {
    blocks.push(block)
    at = afterBlanks(nodes, at + 1)
  }
  return { blocks, next: at }
}

/** A picture that is the only content of a block, and has no size from its author. */
function pictureOf(block: Element, pictures: Composition['pictures']): ShownPicture | undefined {
  const [image, ...others] = elementsOf(block).filter(({ tagName }) => tagName === 'img')
  if (!isElement(block, 'p') || !image || others.length > 0 || textOf(block, 1) !== '') return undefined
  const details = pictureAt(attributeText(image, 'src'), pictures)
  const isSized = 'width' in image.properties || 'height' in image.properties
  return details && 'width' in details && !isSized ? details : undefined
}

/** The kind of a picture that may be next to others of its kind; undefined for others. Small ones are never portraits. */
function kindOfPicture(picture: ShownPicture | undefined, isGrid: boolean) {
  if (!picture || picture.isLogo) return undefined
  const isHigh = picture.height > picture.width
  if (isSmall(picture)) return isGrid || isHigh ? 'small' : undefined
  if (isHigh) return 'portrait'
  return isGrid && isPhotograph(picture) ? 'photograph' : undefined
}

function isSmall(picture: ShownPicture | undefined): boolean {
  return picture !== undefined && picture.width < MIN_BESIDE && !picture.isLogo
}

/** The index of the first node from `start` on that is not only white space. */
function afterBlanks(nodes: readonly RootContent[], start: number): number {
  let at = start
  for (let node = nodes[at]; node && isBlank(node); node = nodes[at]) at++
  return at
}

/** The element at an index; a picture in HTML gets a paragraph, as in Markdown. */
function elementAt(nodes: readonly RootContent[], at: number): Element | undefined {
  const node = nodes[at]
  if (node?.type !== 'element') return undefined
  return /^(?:img|picture)$/.test(node.tagName) ? element('p', {}, node) : node
}

/** The level of a heading, 1 to 6; infinite for other nodes. */
function levelOf(node: RootContent | undefined): number {
  return (node?.type === 'element' && headingLevel(node)) || Number.POSITIVE_INFINITY
}

function isHeading(node: RootContent | undefined): boolean {
  return levelOf(node) < Number.POSITIVE_INFINITY
}

/** Whether an element is a heading, or a paragraph with text outside of links. */
function isTextBlock(element: Element): boolean {
  if (element.tagName !== 'p') return isHeading(element)
  const isOther = (node: ElementContent) => isElement(node, 'br', 'a', 'picture', 'video', 'audio') || isPicture(node)
  return !element.children.every(node => isBlank(node) || isOther(node))
}
