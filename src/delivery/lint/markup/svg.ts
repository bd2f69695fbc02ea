import { readXml, type XmlPart, type XmlText } from '#formats/xml/xml.ts'
import { anyOf, groupsOf, wordSet, wordTable } from '#platform/base/text.ts'
import { type CssOptions, readCss, readDeclarations } from '../css/read-css.ts'
import { isHidden, type Trait } from '../css/traits.ts'
import type { Declaration } from '../css/type.ts'
import { addElementVariables, collectVariables, type PageSheet, type ScopedValues } from '../css/variables.ts'
import { decodedPart, partOf, type Sheets, type SourceText } from '../source.ts'
import type { Use } from '../use.ts'
import { type AttributeReader, joinPieces, type Piece, splitPieces, wordsOf } from './words.ts'

/**
 * Reads the styles of an SVG, and its texts, titles and descriptions. One walk collects the variables, the classes of texts
 * and what to read; only then are styles read, because they may use variables of a sheet further down.
 */
export function* readSvg(source: SourceText, sheets: Sheets): Generator<Use> {
  const collection = openCollection(source, sheets)
  for (const step of walk(source.text)) {
    const { part } = step
    if (part.kind === 'problem') return yield { ...source.at(part.start), kind: 'unreadable', message: part.message }
    if (step.isRoot && step.nodeName !== 'svg')
      return yield { kind: 'unreadable', message: 'does not begin with <svg>: export it again' }
    if (part.kind === 'text') collection.addText(step, part)
    else collection.addTag(step, part.kind === 'end')
  }
  yield* collection.uses()
}

/** Collects the texts and styles of an SVG, to be read at its end. */
function openCollection(source: SourceText, sheets: Sheets) {
  const variables: ScopedValues = new Map()
  const styleSheets: PageSheet[] = []
  const textClasses = new Set<string>()
  const isTextRule = (selector: string) =>
    selector.matchAll(/\.([\w-]+)/g).some(([, name = '']) => textClasses.has(name))
  const options = { syntax: 'css', variables, isTextRule } as const
  const reads: (() => Iterable<Use>)[] = []
  let pieces: Piece[] = []
  let textLang = ''
  /** Ends the text of the pieces so far, which is a style sheet or a text that people read. */
  const endText = (isStyle: boolean) => {
    const text = joinPieces(source, pieces)
    const lang = textLang
    pieces = []
    reads.push(() => (isStyle ? readCss(text, options) : wordsOf(text, lang)))
    if (isStyle) styleSheets.push({ text: text.text, syntax: 'css', sheets })
  }
  return {
    addText: ({ nodeName, isUnseen, lang }: Step, text: XmlText): void => {
      if (nodeName !== 'style' && (isUnseen || !WORDED.has(nodeName))) return
      if (textLang !== lang) endText(false)
      textLang = lang
      for (const piece of piecesOf(source, text)) pieces.push(piece)
    },
    /** Adds the start or the end of an element, which ends the text before it, unless it is inside of that. */
    addTag: ({ nodeName, isUnseen, attributes }: Step, isEnd: boolean): void => {
      if (splitsText(nodeName, attributes)) endText(nodeName === 'style' && isEnd)
      const attributeText = readerOf(attributes)
      for (const className of textClassesOf(nodeName, attributeText)) textClasses.add(className)
      const declarations = isUnseen ? [] : declarationsOf(source, attributes)
      if (declarations.length === 0) return
      const traits = elementTraits(nodeName, attributeText)
      reads.push(() => readStyles(nodeName, declarations, { ...options, traits }))
      addElementVariables(attributeText('style'), variables)
    },
    uses: () => {
      collectVariables(styleSheets, variables)
      return reads.values().flatMap(read => read())
    },
  }
}

function piecesOf({ text }: SourceText, { start, end, isCdata = false }: XmlText): Piece[] {
  return isCdata ? [{ text: text.slice(start, end), start }] : splitPieces(text, start, end)
}

/** Whether an element divides a text. Editors write a <tspan> with a position for every line. */
function splitsText(name: string, attributes: Attributes): boolean {
  return !INLINE.has(name) || attributes.has('y') || attributes.has('dy')
}

function textClassesOf(name: string, attributeText: AttributeReader): string[] {
  return SVG_TEXTS.has(name) ? classesOf(attributeText) : []
}

/** The declarations that the attributes of an element make. */
function declarationsOf(source: SourceText, attributes: Attributes): Declaration[] {
  const styles = [...attributes].filter(([attribute]) => STYLED.has(attribute))
  return styles.map(([property, value]) => ({ property, value: attributeOf(source, value) }))
}

function elementTraits(name: string, attributeText: AttributeReader): Trait[] {
  return [...(SVG_TEXTS.has(name) ? TEXT_TRAITS : []), ...(attributeText('filter') ? FILTER_TRAITS : [])]
}

const TEXT_TRAITS: readonly Trait[] = ['text']
const FILTER_TRAITS: readonly Trait[] = ['filtered']

type OpenElement = { nodeName: string; isRoot: boolean; isUnseen: boolean; lang: string; outer?: OpenElement }
type Attributes = ReadonlyMap<string, XmlText>
type Step = OpenElement & { part: XmlPart; attributes: Attributes }

/** The parts of an SVG, each with the element that it is in or begins, its attributes, and whether nobody sees it. */
function* walk(svg: string): Generator<Step> {
  const isUnpainted = unpaintedIn(svg)
  const prefixes = drawnPrefixes(svg)
  let element = OUTSIDE
  for (const part of readXml(svg)) {
    const attributes = part.kind === 'start' ? part.attributes : NO_ATTRIBUTES
    if (part.kind === 'start') {
      const name = part.name.replace(/^[^:]+:/, prefix => (prefixes.has(prefix) ? '' : prefix))
      const attributeValue = readerOf(attributes)
      const isUnseen = isUnpainted(name, attributeValue, element) || element.isUnseen
      const tags = [
        attributeValue('xml:lang'),
        attributeValue('lang'),
        attributeValue('systemLanguage').replace(/,.*$/s, ''),
        element.lang,
      ]
      const [lang = ''] = tags.filter(tag => tag !== '')
      element = { nodeName: name, isRoot: element === OUTSIDE, isUnseen, lang, outer: element }
    }
    yield { ...element, part, attributes }
    if (part.kind === 'end') element = element.outer ?? OUTSIDE
  }
}

const OUTSIDE: OpenElement = { nodeName: '', isRoot: false, isUnseen: false, lang: '' }
const NO_ATTRIBUTES: Attributes = new Map()

function readerOf(attributes: Attributes): AttributeReader {
  return attribute => attributes.get(attribute)?.value ?? ''
}

function classesOf(attributeText: AttributeReader): string[] {
  return attributeText('class').split(/\s+/)
}

/** The prefixes, with their colon, of elements that are drawn: those of SVG, and of HTML in it. */
function drawnPrefixes(svg: string): Set<string> {
  const names = svg.matchAll(/\sxmlns(:[\w.-]+)\s*=\s*["']http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/xhtml)["']/g)
  return new Set(['svg:', ...names.map(([, name = '']) => `${name.slice(1)}:`)])
}

const INLINE = wordSet('tspan textPath a')
const WORDED = new Set([...INLINE, 'text', 'title', 'desc'])
const GRADIENTS = ['linearGradient', 'radialGradient', 'pattern']
const PAINTS = new Set([...GRADIENTS, 'filter', 'marker'])

/**
 * Makes a test whether no one sees the colours of an element: as `createUnseen` decides, or because nothing in the drawing
 * uses the gradient that it is, or because its class hides it. Call it for the elements in their order.
 */
function unpaintedIn(svg: string): IsUnseen {
  const painted = paintedIds(svg)
  const hidden = hiddenClasses(svg)
  const isUnseen = createUnseen()
  return (name, attributeText, parent) => {
    const isUnused = PAINTS.has(name) && !painted.has(attributeText('id'))
    const isHiddenLayer = classesOf(attributeText).some(className => hidden.has(className))
    return isUnseen(name, attributeText, parent) || isUnused || isHiddenLayer
  }
}

type IsUnseen = (name: string, attributeText: AttributeReader, parent: { nodeName: string }) => boolean

/**
 * Makes a test whether no one sees the colours in an element: masks and clip paths only limit what is visible; a style hides
 * the element; data of an editor are in its own namespace or extension (SVG 2 §3.4); and a `<switch>` shows only its first
 * choice without conditions (§5.10). `requiredFeatures` is no condition, because programs have all features. The test
 * remembers such choices, so call it for the elements in their order.
 */
export function createUnseen(): IsUnseen {
  const decided = new WeakSet()
  return (name, attributeText, parent) => {
    const styles = [...PAINTING].map(property => `${property}:${attributeText(property)};`).join('')
    const isForeign = isExtension(attributeText('requiredExtensions'))
    const isForeignName = name.includes(':')
    const isChoice = parent.nodeName === 'switch' && !isForeignName && !NO_CHOICES.has(name)
    const isOther = isChoice && decided.has(parent)
    if (isChoice && !isForeign && attributeText('systemLanguage') === '') decided.add(parent)
    return (
      isOther ||
      isForeign ||
      isForeignName ||
      UNSEEN.has(name) ||
      isExtension(attributeText('xmlns')) ||
      isHidden(styles + attributeText('style'), PAINTING)
    )
  }
}

const PAINTING = wordSet('display visibility opacity')
const NO_CHOICES = wordSet('title desc metadata style defs script')
const UNSEEN = wordSet('mask clipPath metadata')

/** Whether a namespace or extension is not one of those that browsers draw. */
function isExtension(address: string): boolean {
  return address.trim() !== '' && !DRAWN.has(address.trim())
}

const DRAWN = wordSet(`
  http://www.w3.org/2000/svg http://www.w3.org/1999/xhtml http://www.w3.org/1998/Math/MathML`)

/** The classes that Illustrator gives to hidden layers: `.st3` of a rule such as `.st3{display:none;}`. */
function hiddenClasses(svg: string): ReadonlySet<string | undefined> {
  const rules = svg.matchAll(/(?<=[}>[])([^{}<>[]{1,1000})\{[^{}]{0,300}?\bdisplay\s*:\s*none\b/g)
  const selectors = [...rules.flatMap(([, list = '']) => list.split(','))]
  return new Set(selectors.flatMap(selector => groupsOf(/^\s*\.([\w-]+)\s*$/, selector).slice(1)))
}

/** The ids of gradients and patterns that a drawing uses, also through others: `fill="url(#a)"`, and `#b` if `a` links to it. */
function paintedIds(svg: string): Set<string> {
  const ids = new Set(Array.from(svg.matchAll(/url\(\s*(?:&quot;|["'])?#([^"')&\s]+)/g), ([, id = '']) => id))
  const paints = svg.matchAll(new RegExp(`<(?:svg:)?${anyOf(GRADIENTS)}\\b[^>]*`, 'g'))
  const linkedIds = new Map(
    Array.from(paints, ([tag]) => [
      groupsOf(/\sid=["']([^"']+)/, tag)[1],
      groupsOf(/\s(?:xlink:)?href=["']#([^"']+)/, tag)[1],
    ]),
  )
  // The loop also visits the ids that it adds.
  for (const id of ids) ids.add(linkedIds.get(id) ?? id)
  return ids
}

/** The elements in which `fill` is the colour of text. */
export const SVG_TEXTS = wordSet('text tspan textPath')

/** The attributes of SVG that style an element. */
export const STYLED = wordSet(`
  style color fill stroke stop-color flood-color lighting-color font-family font-size font-weight
  stroke-width fill-opacity stroke-opacity stop-opacity flood-opacity`)

/**
 * Reads `style` and other attributes that style an element. Colours that only some elements paint, such as `stop-color`, are
 * left out for the others.
 */
export function* readStyles(name: string, styles: readonly Declaration[], options: CssOptions): Generator<Use> {
  const painted = PAINTERS.get(name.toLowerCase())
  const unpainted: ReadonlySet<string> = new Set(PAINTER_COLORS.filter(property => property !== painted))
  const inStyle = new RegExp(`(?<=^|;)\\s*${anyOf([...unpainted])}\\s*:[^;]*`, 'gi')
  const declarations = styles.filter(({ property }) => property !== 'style' && !unpainted.has(property))
  const style = styles.find(({ property }) => property === 'style')?.value
  // Spaces keep the places of the other declarations.
  const paintedStyle = style && { ...style, text: style.text.replace(inStyle, text => ' '.repeat(text.length)) }
  yield* readDeclarations(declarations, options, paintedStyle)
}

const PAINTER_COLORS = ['stop-color', 'flood-color', 'lighting-color']
/** The elements that paint one of these colours. */
const PAINTERS = wordTable([
  ['stop-color', 'stop'],
  ['flood-color', 'feflood fedropshadow'],
  ['lighting-color', 'fediffuselighting fespecularlighting'],
])

function attributeOf(source: SourceText, { value, start, end }: XmlText): SourceText {
  const isLiteral = !source.text.slice(start, end).includes('&')
  return isLiteral ? partOf(source, start, end) : decodedPart(value, source, start)
}
