import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { readCss } from '../css/read-css.ts'
import { CODE_TAGS, type Trait } from '../css/traits.ts'
import type { Declaration } from '../css/type.ts'
import { collectVariables, type Variables } from '../css/variables.ts'
import type { Sheets, SourceText } from '../source.ts'
import type { Use } from '../use.ts'
import { MASKS, readStyles, STYLED, SVG_TEXTS } from './svg.ts'
import { addPieces, INLINE_TAGS, joinPieces, type Piece, wordsOf } from './words.ts'

type Document = DefaultTreeAdapterTypes.Document
type Element = DefaultTreeAdapterTypes.Element

/** Reads styles and words of an HTML document. Linked sheets only give variables: they are read as files themselves. */
export function* readHtml(source: SourceText, sheets: Sheets): Generator<Use> {
  const document = parseDocument(source.text)
  if (document === undefined)
    return yield { kind: 'unreadable', message: 'has too many elements inside each other: close or simplify them' }
  const options = { syntax: 'css', variables: documentVariables(document, source, sheets) } as const
  const seen = new Set<number>()
  let pieces: Piece[] = []
  for (const { node, isEnd, isSilent, isMask } of walk(document)) {
    if ('value' in node && !isSilent) for (const piece of textOf(source, node)) pieces.push(piece)
    if (!('tagName' in node)) continue
    if (!INLINE_TAGS.has(node.tagName)) {
      yield* wordsOf(joinPieces(source, pieces))
      pieces = []
    }
    const offset = node.sourceCodeLocation?.startOffset
    // Elements that the parser adds have no place, and those that it repeats have the place of the first.
    if (isEnd || isMask || offset === undefined || seen.has(offset)) continue
    seen.add(offset)
    yield* readStyles(stylesOf(source, node), { ...options, traits: traitsOf(node) })
    if (node.tagName === 'style') yield* readCss(contentOf(source, node), options)
    if (isSilent) continue
    for (const { name } of node.attrs) if (WORDED.has(name)) yield* wordsOf(attributeOf(source, node, name))
  }
  yield* wordsOf(joinPieces(source, pieces))
}

/** Parses a document; undefined if it is too deep, or if repeated unclosed elements would take quadratic space. */
function parseDocument(html: string): Document | undefined {
  let [count, depth] = [0, 0]
  const tooMany = new Error('too many elements')
  const onItemPush = () => {
    count += 1
    depth += 1
    if (count > html.length / 3 + 1000 || depth > MAX_DEPTH) throw tooMany
  }
  const onItemPop = () => {
    depth -= 1
  }
  try {
    // A byte order mark would begin the body.
    return parse<DefaultTreeAdapterMap>(html.replace(/^\ufeff/, ' '), {
      sourceCodeLocationInfo: true,
      scriptingEnabled: false,
      treeAdapter: { ...defaultTreeAdapter, onItemPush, onItemPop },
    })
  } catch (error) {
    if (error === tooMany) return undefined
    throw error
  }
}

const MAX_DEPTH = 10_000

type Step = { node: DefaultTreeAdapterTypes.Node; isEnd: boolean; isSilent: boolean; isMask: boolean }

/** The nodes of a document in order; those with children also at their end. Words in silent ones are code, or fixed; colours in masks are not seen. */
function* walk(document: Document): Generator<Step> {
  const open: Step[] = [{ node: document, isEnd: false, isSilent: false, isMask: false }]
  for (let step = open.pop(); step; step = open.pop()) {
    const { node, isEnd } = step
    const isSilent = step.isSilent || ('tagName' in node && isSilentElement(node))
    const isMask = step.isMask || ('tagName' in node && MASKS.has(node.tagName))
    yield { node, isEnd, isSilent, isMask }
    if (isEnd || !('childNodes' in node)) continue
    open.push({ node, isEnd: true, isSilent, isMask })
    const { childNodes } = 'content' in node ? node.content : node
    for (const child of childNodes.toReversed()) open.push({ node: child, isEnd: false, isSilent, isMask })
  }
}

function isSilentElement(element: Element): boolean {
  return SILENT.has(element.tagName) || keywordOf(element, 'translate') === 'no'
}

const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'code', 'pre', 'kbd', 'samp', 'var'])

function documentVariables(document: Document, source: SourceText, sheets: Sheets): Variables {
  const variables: Variables = new Map()
  for (const { node, isEnd } of walk(document)) {
    if (isEnd || !('tagName' in node)) continue
    const isSheet = node.tagName === 'link' && keywordOf(node, 'rel').split(/\s+/).includes('stylesheet')
    const sheet = isSheet ? sheets.open(attributeText(node, 'href')) : undefined
    if (sheet) collectVariables(sheet.text, 'css', sheet.sheets, variables)
    if (node.tagName === 'style') collectVariables(contentOf(source, node).text, 'css', sheets, variables)
    const style = attributeText(node, 'style')
    if (style.includes('--')) collectVariables(style, 'css', sheets, variables)
  }
  return variables
}

function stylesOf(source: SourceText, element: Element): Declaration[] {
  return element.attrs.flatMap(({ name }) => {
    const property = propertyOf(element, name)
    if (property === undefined) return []
    const value = attributeOf(source, element, name)
    // Colours in attributes older than CSS need no `#` (HTML §2.3.6).
    const isLegacy = name !== 'style' && !isSvg(element) && /^\s*[\da-f]{6}\s*$/i.test(value.text)
    return [{ property, value: isLegacy ? { text: `#${value.text.trim()}`, at: value.at } : value }]
  })
}

/** The property that an attribute sets: of SVG, or of HTML before CSS (HTML §15.3). */
function propertyOf(element: Element, attribute: string): string | undefined {
  const { tagName } = element
  if (attribute === 'style' || isSvg(element)) return STYLED.has(attribute) ? attribute : undefined
  if (attribute === 'bgcolor') return 'background-color'
  if (attribute === 'color' && /^(?:base)?font$|^hr$/.test(tagName)) return 'color'
  if (attribute === 'text' && tagName === 'body') return 'color'
  return attribute === 'content' && keywordOf(element, 'name') === 'theme-color' ? 'background-color' : undefined
}

function traitsOf(element: Element): Trait[] {
  const { tagName, attrs } = element
  if (SVG_TEXTS.has(tagName)) return ['text']
  if (CODE_TAGS.has(tagName)) return ['code']
  const isDisabled = attrs.some(({ name }) => name === 'disabled') || keywordOf(element, 'aria-disabled') === 'true'
  return isDisabled ? ['disabled'] : []
}

function isSvg({ namespaceURI }: Element): boolean {
  return namespaceURI.endsWith('/svg')
}

const WORDED: ReadonlySet<string> = new Set(['alt', 'title', 'aria-label'])

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
  const [opening = ''] = /^[^=]*=\s*["']?/.exec(source.text.slice(startOffset, endOffset)) ?? []
  const end = endOffset - (/["']$/.test(opening) ? 1 : 0)
  return joinPieces(source, piecesOf(source, attributeText(element, attribute), startOffset + opening.length, end))
}

/** The text directly in an element. */
function contentOf(source: SourceText, { childNodes }: Element): SourceText {
  const pieces = childNodes.flatMap(node => ('value' in node ? textOf(source, node) : []))
  return joinPieces(source, pieces)
}

function textOf(source: SourceText, { value, sourceCodeLocation: place }: DefaultTreeAdapterTypes.TextNode): Piece[] {
  return piecesOf(source, value, place?.startOffset ?? 0, place?.endOffset ?? 0)
}

/** The pieces of a text; one without inner places if the parser changed more than references and line ends. */
function piecesOf({ text }: SourceText, value: string, start: number, end: number): Piece[] {
  const pieces: Piece[] = []
  // The parser joins texts around what it moves, which may be long.
  if (end - start <= 10 * value.length + 1000) addPieces(pieces, text, start, end)
  const written = pieces.map(piece => piece.text).join('')
  return written.replace(/\r\n?/g, '\n') === value ? pieces : [{ text: value, start, isDecoded: true }]
}
