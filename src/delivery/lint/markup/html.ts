import type { DefaultTreeAdapterTypes } from 'parse5'
import type { Variables } from '#formats/css/variables.ts'
import { HtmlTooLarge, parseHtml } from '#formats/html/parse-html.ts'
import { groupsOf, wordSet, wordTable } from '#platform/base/text.ts'
import { readColors } from '../css/colors.ts'
import { type CssOptions, readCss } from '../css/read-css.ts'
import { CODE_TAGS, isHidden, type Trait, traitsOf } from '../css/traits.ts'
import type { Declaration } from '../css/type.ts'
import { readUtilities } from '../css/utilities.ts'
import { addElementVariables, collectVariables, type PageSheet, type ScopedValues } from '../css/variables.ts'
import { partOf, type Sheets, type SourceText } from '../source.ts'
import { isSign, type Place, type Use } from '../use.ts'
import { placedPicture } from './placed-picture.ts'
import { createUnseen, readStyles, STYLED, SVG_TEXTS } from './svg.ts'
import { INLINE_TAGS, isWorded, joinPieces, type Piece, splitPieces, wordsOf } from './words.ts'

type Document = DefaultTreeAdapterTypes.Document
type Element = DefaultTreeAdapterTypes.Element
type CommentNode = DefaultTreeAdapterTypes.CommentNode

/**
 * Reads styles and words of an HTML document, in one walk. Texts collect in `pieces` until an element or another language
 * ends them, so that `log <b>in</b>` is one text. Linked sheets only give variables: they are read as files themselves.
 */
export function* readHtml(source: SourceText, sheets: Sheets): Generator<Use> {
  const document = parseDocument(source.text)
  if (document === undefined)
    return yield { kind: 'unreadable', message: 'has too many elements inside each other: close or simplify them' }
  const options = { syntax: 'css', variables: documentVariables(document, source, sheets) } as const
  const readOffsets = new Set<number>()
  let textLang = ''
  const pieces: Piece[] = []
  /** The words of the text so far; the next text begins empty. */
  const endText = () => wordsOf(joinPieces(source, pieces.splice(0)), textLang)
  for (const { node, isEnd, lang, isSilent, isHidden, isDisabled } of walk(document)) {
    // Only text nodes have a `value`, comments `data`, and elements a `tagName`.
    if ('value' in node && !isSilent) {
      if (lang !== textLang) yield* endText()
      textLang = lang
      for (const piece of textPieces(source, node)) pieces.push(piece)
    }
    if ('data' in node) yield* readHtmlOfOutlook(source, node, sheets)
    if (!('tagName' in node)) continue
    if (!INLINE_TAGS.has(node.tagName)) yield* endText()
    const offset = node.sourceCodeLocation?.startOffset
    // Elements that the parser adds have no place, and those that it repeats have the place of the first.
    if (isEnd || isHidden || offset === undefined || readOffsets.has(offset)) continue
    readOffsets.add(offset)
    yield* styleUses(source, node, { ...options, traits: traitsOfElement(node, isDisabled) })
    if (!isSilent) yield* contentUses(source, node, lang, source.at(offset))
  }
  yield* endText()
}

/** The picture that an element is, and the words in its attributes. */
function* contentUses(source: SourceText, node: Element, lang: string, place: Place): Generator<Use> {
  const attributeValue = (name: string) => attributeText(node, name)
  const picture = node.tagName === 'img' ? placedPicture(attributeValue) : undefined
  if (picture) yield { ...place, ...picture }
  for (const { name } of node.attrs)
    if (isWorded(node.tagName, name, attributeValue)) yield* wordsOf(attributeOf(source, node, name), lang)
}

/** The styles of an element, the sheet or the colour that it contains, and the colours in its classes. */
function* styleUses(source: SourceText, node: Element, options: CssOptions): Generator<Use> {
  const { variables } = options
  // A family does not count for an element that only has a sign, such as a check box.
  for (const use of readStyles(node.tagName, stylesOf(source, node), options))
    if (use.kind !== 'font' || !isSign(contentOf(source, node).text)) yield use
  if (node.tagName === 'style')
    yield* readCss(contentOf(source, node), { ...options, traits: traitsOf('media', attributeText(node, 'media')) })
  if (node.tagName === 'tilecolor') yield* readColors(contentOf(source, node), 'ground', variables)
  if (attributeText(node, 'class').includes('[')) yield* readUtilities(attributeOf(source, node, 'class'), variables)
}

/** Reads a comment whose content Outlook shows. */
function* readHtmlOfOutlook(source: SourceText, comment: CommentNode, sheets: Sheets): Generator<Use> {
  const [, condition = '', html] = groupsOf(OUTLOOK, comment.data)
  const start = nodePlace(comment).startOffset + '<!--'.length + condition.length
  // The parser changes line ends.
  const end = source.text.indexOf('<![endif]', start)
  if (html !== undefined && end > start) yield* readHtml(partOf(source, start, end), sheets)
}

/** `[if mso]>…<![endif]`, also with other conditions, but not `[if !mso]`: the condition, and the content. */
const OUTLOOK = /^(\[if\b(?![^\]]*!\s*(?:\(\s*)?mso)(?=[^\]]*\bmso\b)[^\]]*\]>)(.*)<!\[endif\]$/is

/** Parses a document; undefined if it is too deep, or if repeated unclosed elements would take quadratic space. */
function parseDocument(html: string): Document | undefined {
  const limits = { elements: html.length / 3 + 1000, attributes: Infinity, depth: MAX_DEPTH }
  try {
    // A byte order mark would begin the body.
    return parseHtml(html.replace(/^\ufeff/, ' '), { limits })
  } catch (error) {
    if (error instanceof HtmlTooLarge) return undefined
    throw error
  }
}

const MAX_DEPTH = 10_000

/** The facts about the place of a node, which the nodes below it have, too. */
type State = {
  lang: string
  /** Whether its words are code, fixed, or not seen. */
  isSilent: boolean
  /** Whether readers do not see its colours. */
  isHidden: boolean
  isDisabled: boolean
}
type Step = State & { node: DefaultTreeAdapterTypes.Node; isEnd: boolean }

/** The nodes in the order of the document; those with children also at their end. `open` is a stack, so the next is last. */
function* walk(document: Document): Generator<Step> {
  const open: Step[] = [{ node: document, isEnd: false, lang: '', isSilent: false, isHidden: false, isDisabled: false }]
  const isUnseen = createUnseen()
  for (let step = open.pop(); step; step = open.pop()) {
    const { node, isEnd } = step
    const state = 'tagName' in node && !isEnd ? stateIn(node, step, isUnseen) : step
    yield { ...state, node, isEnd }
    if (isEnd || !('childNodes' in node)) continue
    open.push({ ...state, node, isEnd: true })
    // A `<template>` has its children in `content`.
    const { childNodes } = 'content' in node ? node.content : node
    for (const child of childNodes.toReversed()) open.push({ ...state, node: child, isEnd: false })
  }
}

/** The facts inside an element: those of the place where it is, changed by its own attributes. */
function stateIn(element: Element, state: State, isUnseen: ReturnType<typeof createUnseen>): State {
  const { tagName, attrs, parentNode } = element
  const attributeValue = (name: string) => attributeText(element, name)
  const isOff = attrs.some(({ name }) => OFF.has(name)) || isHidden(attributeValue('style'))
  const isUnpainted = isSvg(element) && isUnseen(tagName, attributeValue, parentNode ?? element)
  return {
    lang: attrs.find(({ name }) => LANGUAGES.has(name))?.value ?? state.lang,
    isSilent: state.isSilent || isUnpainted || SILENT.has(tagName) || keywordOf(element, 'translate') === 'no',
    isHidden: state.isHidden || isUnpainted,
    isDisabled: state.isDisabled || isOff || keywordOf(element, 'aria-disabled') === 'true',
  }
}

const OFF = wordSet('disabled hidden')
const LANGUAGES = wordSet('lang xml:lang')
const SILENT = wordSet('script style code pre kbd samp var')

/** The variables of CSS that a document can use: those of linked sheets, `<style>` elements and `style` attributes. */
function documentVariables(document: Document, source: SourceText, sheets: Sheets): Variables {
  const variables: ScopedValues = new Map()
  const pageSheets: PageSheet[] = []
  for (const { node, isEnd } of walk(document)) {
    if (isEnd || !('tagName' in node)) continue
    const isSheet = node.tagName === 'link' && hasRelation(node, 'stylesheet')
    const sheet = isSheet && sheets.open(attributeText(node, 'href'))
    if (sheet) pageSheets.push({ ...sheet, syntax: 'css' })
    if (node.tagName === 'style') pageSheets.push({ text: contentOf(source, node).text, syntax: 'css', sheets })
    addElementVariables(attributeText(node, 'style'), variables)
  }
  return collectVariables(pageSheets, variables)
}

/** The declarations that the attributes of an element make: `style` itself, those of SVG, and those of HTML before CSS. */
function stylesOf(source: SourceText, element: Element): Declaration[] {
  return element.attrs.flatMap(({ name }) => {
    const isCss = name === 'style' || isSvg(element)
    const property = isCss ? name : propertyOf(element, name)
    if (property === undefined || (isCss && !STYLED.has(property))) return []
    const value = attributeOf(source, element, name)
    return [{ property, value: isCss ? value : withHash(value) }]
  })
}

/** Colours in attributes older than CSS need no `#`; then, each of three digits is a channel (HTML §2.3.6). */
function withHash(value: SourceText): SourceText {
  const [, digits] = groupsOf(/^\s*((?:[\da-f]{3}){1,2})\s*$/i, value.text)
  if (digits === undefined) return value
  return { text: `#${digits.length === 3 ? digits.replace(/./g, '0$&') : digits}`, at: value.at }
}

/** The property that an attribute sets: of HTML before CSS (HTML §15.3), of VML, or in metadata of a page. */
function propertyOf(element: Element, attribute: string): string | undefined {
  const isMetadata = attribute === 'content' && METADATA.has(keywordOf(element, 'name'))
  const isPinnedTab = attribute === 'color' && hasRelation(element, 'mask-icon')
  if (isMetadata || isPinnedTab) return 'background-color'
  return PROPERTIES.get(`${element.tagName}/${attribute}`) ?? PROPERTIES.get(`*/${attribute}`)
}

const METADATA = wordSet('theme-color msapplication-tilecolor msapplication-navbutton-color')

/**
 * Properties that attributes of elements set, as `element/attribute`. The colours of links are read as those of a variable,
 * `--link`, since they are not compared with a ground.
 */
const PROPERTIES = wordTable([
  ['background-color', '*/bgcolor */fillcolor v:fill/color v:fill/color2'],
  ['border-color', '*/bordercolor */strokecolor v:stroke/color v:stroke/color2 v:shadow/color v:shadow/color2'],
  ['color', 'font/color basefont/color hr/color body/text'],
  ['--link', 'body/link body/vlink body/alink'],
])

function hasRelation(element: Element, relation: string): boolean {
  return keywordOf(element, 'rel').split(/\s+/).includes(relation)
}

function traitsOfElement({ tagName }: Element, isDisabled: boolean): Trait[] {
  if (SVG_TEXTS.has(tagName)) return ['text']
  return CODE_TAGS.has(tagName) ? ['code'] : isDisabled ? ['disabled'] : []
}

function isSvg({ namespaceURI }: Element): boolean {
  return namespaceURI.endsWith('/svg')
}

function keywordOf(element: Element, attribute: string): string {
  return attributeText(element, attribute).toLowerCase()
}

/** The value of an attribute; empty if it is absent. */
function attributeText({ attrs }: Element, attribute: string): string {
  return attrs.find(({ name }) => name === attribute)?.value ?? ''
}

/** The value of an attribute with its places; empty if it is absent. */
function attributeOf(source: SourceText, element: Element, attribute: string): SourceText {
  const { startOffset = 0, endOffset = 0 } = element.sourceCodeLocation?.attrs?.[attribute] ?? {}
  // `style="` of `style="color: tan"`: the value ends before the closing quote, if there is one.
  const [opening = ''] = groupsOf(/^[^=]*=\s*["']?/, source.text.slice(startOffset, endOffset))
  const end = endOffset - Number(/["']$/.test(opening))
  return joinPieces(source, piecesOf(source, attributeText(element, attribute), startOffset + opening.length, end))
}

/** The text directly in an element. */
function contentOf(source: SourceText, { childNodes }: Element): SourceText {
  const pieces = childNodes.flatMap(node => ('value' in node ? textPieces(source, node) : []))
  return joinPieces(source, pieces)
}

function textPieces(source: SourceText, node: DefaultTreeAdapterTypes.TextNode): Piece[] {
  const { startOffset, endOffset } = nodePlace(node)
  return piecesOf(source, node.value, startOffset, endOffset)
}

/** The offsets of a node; zero for one that the parser adds. */
function nodePlace({ sourceCodeLocation }: DefaultTreeAdapterTypes.Node): { startOffset: number; endOffset: number } {
  const { startOffset = 0, endOffset = 0 } = sourceCodeLocation ?? {}
  return { startOffset, endOffset }
}

/**
 * The pieces of a text from `start` to `end` in the file, of which the parser made `value`. If it changed more than
 * references and line ends, the value is one piece, and everything in it has the place of its start.
 */
function piecesOf({ text }: SourceText, value: string, start: number, end: number): Piece[] {
  // The parser joins texts around what it moves, such as a long table: that is no text of this node, and is not split.
  const pieces = end - start <= 10 * value.length + 1000 ? splitPieces(text, start, end) : []
  const written = pieces.map(piece => piece.text).join('')
  return written.replace(/\r\n?/g, '\n') === value ? pieces : [{ text: value, start, isDecoded: true }]
}
