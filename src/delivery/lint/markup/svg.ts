import { keysOf } from '#brand/fields.ts'
import { readXml, type XmlPart, type XmlText } from '#formats/xml/xml.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { type CssOptions, readCss, readDeclarations } from '../css/read-css.ts'
import { isHidden } from '../css/traits.ts'
import type { Declaration } from '../css/type.ts'
import { collectVariables, type Variables } from '../css/variables.ts'
import { decodedPart, partOf, type Sheets, type SourceText } from '../source.ts'
import type { Use } from '../use.ts'
import { type AttributeReader, joinPieces, type Piece, splitPieces, wordsOf } from './words.ts'

/** Reads the styles of an SVG, and its texts, titles and descriptions. */
export function* readSvg(source: SourceText, sheets: Sheets): Generator<Use> {
  const variables: Variables = new Map()
  const textClasses = new Set<string>()
  const isTextRule = (selector: string) =>
    selector.matchAll(/\.([\w-]+)/g).some(([, name = '']) => textClasses.has(name))
  const options = { syntax: 'css', variables, isTextRule } as const
  // Styles wait for the variables of the whole file.
  const reads: (() => Iterable<Use>)[] = []
  let [pieces, textLang]: [Piece[], string] = [[], '']
  const endText = (isStyle: boolean) => {
    const [text, lang] = [joinPieces(source, pieces), textLang]
    pieces = []
    reads.push(() => (isStyle ? readCss(text, options) : wordsOf(text, lang)))
    if (isStyle) collectVariables(text.text, 'css', sheets, variables)
  }
  for (const { part, isRoot, nodeName: name, lang, isUnseen } of walk(source.text)) {
    if (part.kind === 'problem') return yield { ...source.at(part.start), kind: 'unreadable', message: part.message }
    if (isRoot && name !== 'svg')
      return yield { kind: 'unreadable', message: 'does not begin with <svg>: export it again' }
    if (part.kind === 'text') {
      if (name !== 'style' && (isUnseen || !WORDED.has(name))) continue
      if (textLang !== lang) endText(false)
      textLang = lang
      if (part.isCdata) pieces.push({ text: source.text.slice(part.start, part.end), start: part.start })
      else for (const piece of splitPieces(source.text, part.start, part.end)) pieces.push(piece)
      continue
    }
    const attributes = part.kind === 'start' ? part.attributes : new Map<string, XmlText>()
    const attributeText = (attribute: string) => attributes.get(attribute)?.value ?? ''
    // Editors write a <tspan> with a position for every line.
    if (!INLINE.has(name) || attributes.has('y') || attributes.has('dy'))
      endText(name === 'style' && part.kind === 'end')
    if (SVG_TEXTS.has(name)) for (const className of attributeText('class').split(/\s+/)) textClasses.add(className)
    const styles = [...attributes].filter(([attribute]) => STYLED.has(attribute))
    if (styles.length === 0 || isUnseen) continue
    const declarations = styles.map(([property, value]) => ({ property, value: attributeOf(source, value) }))
    const traits = [SVG_TEXTS.has(name) && ('text' as const), attributeText('filter') !== '' && ('filtered' as const)]
    reads.push(() => readStyles(name, declarations, { ...options, traits: traits.filter(trait => trait !== false) }))
    if (attributeText('style').includes('--')) collectVariables(attributeText('style'), 'css', sheets, variables)
  }
  for (const read of reads) yield* read()
}

type OpenElement = { nodeName: string; isRoot: boolean; isUnseen: boolean; lang: string }

/** The parts of an SVG, each with the element that it is in or begins, and whether nobody sees it. */
function* walk(svg: string): Generator<OpenElement & { part: XmlPart }> {
  const [isUnpainted, prefixes] = [unpaintedIn(svg), drawnPrefixes(svg)]
  const open: OpenElement[] = []
  for (const part of readXml(svg)) {
    const parent = open.at(-1) ?? OUTSIDE
    if (part.kind === 'start') {
      const name = part.name.replace(/^[^:]+:/, prefix => (prefixes.has(prefix) ? '' : prefix))
      const attributeText = (attribute: string) => part.attributes.get(attribute)?.value ?? ''
      const isUnseen = isUnpainted(name, attributeText, parent) || parent.isUnseen
      const tag =
        attributeText('xml:lang') || attributeText('lang') || attributeText('systemLanguage').replace(/,.*$/s, '')
      open.push({ nodeName: name, isRoot: parent === OUTSIDE, isUnseen, lang: tag || parent.lang })
    }
    yield { part, ...(open.at(-1) ?? OUTSIDE) }
    if (part.kind === 'end') open.pop()
  }
}

const OUTSIDE: OpenElement = { nodeName: '', isRoot: false, isUnseen: false, lang: '' }

/** The prefixes, with their colon, of elements that are drawn: those of SVG, and of HTML in it. */
function drawnPrefixes(svg: string): Set<string> {
  const names = svg.matchAll(/\sxmlns(:[\w.-]+)\s*=\s*["']http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/xhtml)["']/g)
  return new Set(['svg:', ...names.map(([, name = '']) => `${name.slice(1)}:`)])
}

const INLINE = wordSet('tspan textPath a')
const WORDED = new Set([...INLINE, 'text', 'title', 'desc'])
const PAINTS = wordSet('linearGradient radialGradient pattern filter marker')

/** Says of elements in order whether nobody sees their colours, or nothing in the drawing uses them. */
function unpaintedIn(svg: string): IsUnseen {
  const [painted, hidden, isUnseen] = [paintedIds(svg), hiddenClasses(svg), createUnseen()]
  return (name, attributeText, parent) => {
    const isUnused = PAINTS.has(name) && !painted.has(attributeText('id'))
    const classes = attributeText('class').split(/\s+/)
    return isUnseen(name, attributeText, parent) || isUnused || classes.some(className => hidden.has(className))
  }
}

type IsUnseen = (name: string, attributeText: AttributeReader, parent: { nodeName: string }) => boolean

/**
 * Says of elements in order whether nobody sees the colours in them: they only say what else is visible, their layer is
 * hidden, they are data of an editor in a namespace or extension of its own (SVG 2 §3.4), or a `<switch>` already has a
 * choice without conditions (§5.10). Features are no condition, because programs have all of them.
 */
export function createUnseen(): IsUnseen {
  const decided = new WeakSet()
  return (name, attributeText, parent) => {
    const styles = [...PAINTING].map(property => `${property}:${attributeText(property)};`).join('')
    const isForeign = EXTENSION.test(attributeText('requiredExtensions'))
    const isForeignName = name.includes(':')
    const isChoice = parent.nodeName === 'switch' && !isForeignName && !NO_CHOICES.has(name)
    const isOther = isChoice && decided.has(parent)
    if (isChoice && !isForeign && attributeText('systemLanguage') === '') decided.add(parent)
    return (
      isOther ||
      isForeign ||
      isForeignName ||
      UNSEEN.has(name) ||
      EXTENSION.test(attributeText('xmlns')) ||
      isHidden(styles + attributeText('style'), PAINTING)
    )
  }
}

const PAINTING = wordSet('display visibility opacity')
const NO_CHOICES = wordSet('title desc metadata style defs script')
const UNSEEN = wordSet('mask clipPath metadata')
/** A namespace other than those that browsers draw. */
const EXTENSION = /^(?!\s*http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/xhtml|1998\/Math\/MathML)\s*$)\s*\S/

/** The classes that Illustrator gives to hidden layers. */
function hiddenClasses(svg: string): Set<string> {
  const rules = svg.matchAll(/(?<=[}>[])([^{}<>[]{1,1000})\{[^{}]{0,300}?\bdisplay\s*:\s*none\b/g)
  const selectors = [...rules.flatMap(([, list = '']) => list.split(','))]
  return new Set(selectors.flatMap(selector => groupsOf(/^\s*\.([\w-]+)\s*$/, selector)[1] ?? []))
}

/** The ids of gradients and patterns that a drawing uses, also through others. */
function paintedIds(svg: string): Set<string> {
  const ids = new Set(Array.from(svg.matchAll(/url\(\s*(?:&quot;|["'])?#([^"')&\s]+)/g), ([, id = '']) => id))
  const paints = svg.matchAll(/<(?:svg:)?(?:(?:linear|radial)Gradient|pattern)\b[^>]*/g)
  const others = new Map(
    Array.from(paints, ([tag]) => [
      groupsOf(/\sid=["']([^"']+)/, tag)[1],
      groupsOf(/\s(?:xlink:)?href=["']#([^"']+)/, tag)[1],
    ]),
  )
  for (const id of ids) ids.add(others.get(id) ?? id)
  return ids
}

export const SVG_TEXTS = wordSet('text tspan textPath')

/** The attributes of SVG that style an element. */
export const STYLED = wordSet(`
  style color fill stroke stop-color flood-color lighting-color font-family font-size font-weight
  stroke-width fill-opacity stroke-opacity stop-opacity flood-opacity`)

/** Reads `style` and other attributes that style an element, without colours that only stops and filters paint. */
export function* readStyles(name: string, styles: readonly Declaration[], options: CssOptions): Generator<Use> {
  const others = keysOf(PAINTERS).filter(property => !PAINTERS[property].test(name))
  const unpainted = new RegExp(`(?<=^|;)\\s*(?:${others.join('|')})\\s*:[^;]*`, 'gi')
  const declarations = styles.filter(
    ({ property }) => property !== 'style' && !others.some(other => other === property),
  )
  const style = styles.find(({ property }) => property === 'style')?.value
  const seen = style && { ...style, text: style.text.replace(unpainted, text => ' '.repeat(text.length)) }
  yield* readDeclarations(declarations, options, seen)
}

const PAINTERS = { 'stop-color': /^stop$/, 'flood-color': /^fe(?:Flood|DropShadow)$/i, 'lighting-color': /Lighting$/i }

function attributeOf(source: SourceText, { value, start, end }: XmlText): SourceText {
  const isLiteral = !source.text.slice(start, end).includes('&')
  return isLiteral ? partOf(source, start, end) : decodedPart(value, source, start)
}
