import { type CssOptions, readCss, readDeclarations } from '../css/read-css.ts'
import type { Declaration } from '../css/type.ts'
import { collectVariables, type Variables } from '../css/variables.ts'
import { decodedPart, partOf, type Sheets, type SourceText } from '../source.ts'
import type { Use } from '../use.ts'
import { joinPieces, type Piece, splitPieces, wordsOf } from './words.ts'
import { readXml, type XmlText } from './xml.ts'

/** Reads the styles of an SVG, and its texts, titles and descriptions. */
export function* readSvg(source: SourceText, sheets: Sheets): Generator<Use> {
  const variables: Variables = new Map()
  const textClasses = new Set<string>()
  const isTextRule = (selector: string) =>
    selector.matchAll(/\.([\w-]+)/g).some(([, name = '']) => textClasses.has(name))
  const options = { syntax: 'css', variables, isTextRule } as const
  // Styles wait for the variables of the whole file.
  const reads: (() => Iterable<Use>)[] = []
  const isUnpainted = unpaintedIn(source.text)
  let [pieces, isRoot, depth, unseenDepth]: [Piece[], boolean, number, number] = [[], true, 0, Number.POSITIVE_INFINITY]
  for (const part of readXml(source.text)) {
    if (part.kind === 'problem') return yield { ...source.at(part.start), kind: 'unreadable', message: part.message }
    const name = part.name.replace(/^svg:/, '')
    if (isRoot && name !== 'svg')
      return yield { kind: 'unreadable', message: 'does not begin with <svg>: export it again' }
    isRoot = false
    if (part.kind === 'text') {
      const isRead = name === 'style' || (WORDED.has(name) && depth < unseenDepth)
      if (isRead) for (const piece of piecesOf(source, part)) pieces.push(piece)
      continue
    }
    const attributes = part.kind === 'start' ? part.attributes : new Map<string, XmlText>()
    const textOf = (attribute: string) => attributes.get(attribute)?.value ?? ''
    if (part.kind === 'end' && depth-- === unseenDepth) unseenDepth = Number.POSITIVE_INFINITY
    else if (part.kind === 'start' && ++depth < unseenDepth && isUnpainted(name, textOf)) unseenDepth = depth
    // Editors write a <tspan> with a position for every line.
    if (!INLINE.has(name) || attributes.has('y') || attributes.has('dy')) {
      const text = joinPieces(source, pieces)
      pieces = []
      const isStyle = name === 'style' && part.kind === 'end'
      reads.push(() => (isStyle ? readCss(text, options) : wordsOf(text)))
      if (isStyle) collectVariables(text.text, 'css', sheets, variables)
    }
    if (SVG_TEXTS.has(name)) for (const className of textOf('class').split(/\s+/)) textClasses.add(className)
    const styles = [...attributes].filter(([attribute]) => STYLED.has(attribute))
    if (styles.length === 0 || depth >= unseenDepth) continue
    const declarations = styles.map(([property, value]) => ({ property, value: attributeOf(source, value) }))
    reads.push(() => readStyles(name, declarations, { ...options, traits: SVG_TEXTS.has(name) ? ['text'] : [] }))
    if (textOf('style').includes('--')) collectVariables(textOf('style'), 'css', sheets, variables)
  }
  for (const read of reads) yield* read()
}

const INLINE: ReadonlySet<string> = new Set(['tspan', 'textPath', 'a'])
const WORDED = new Set([...INLINE, 'text', 'title', 'desc'])
const PAINT = /^(?:(?:linear|radial)Gradient|pattern|filter|marker)$/

type AttributeReader = (attribute: string) => string

/** Says of an element whether nobody sees its colours, or nothing in the drawing uses it. */
function unpaintedIn(svg: string): (name: string, textOf: AttributeReader) => boolean {
  const [painted, hidden] = [paintedIds(svg), hiddenClasses(svg)]
  return (name, textOf) => {
    const isUnused = PAINT.test(name) && !painted.has(textOf('id'))
    const classes = textOf('class').split(/\s+/)
    return isUnused || classes.some(className => hidden.has(className)) || isUnseen(name, textOf)
  }
}

/** Whether nobody sees the colours in an element: they only say what else is visible, or its layer is hidden. */
export function isUnseen(name: string, textOf: AttributeReader): boolean {
  const styles = ['display', 'visibility', 'opacity'].map(property => `;${property}:${textOf(property)}`)
  return /^(?:mask|clipPath)$/.test(name) || HIDDEN.test([textOf('style'), ...styles].join(''))
}

const HIDDEN =
  /(?:^|;)\s*(?:display\s*:\s*none\b|visibility\s*:\s*(?:hidden|collapse)\b|opacity\s*:\s*(?:0|0?\.0+)%?\s*(?:;|$))/

/** The classes that Illustrator gives to hidden layers. */
function hiddenClasses(svg: string): Set<string> {
  const rules = svg.matchAll(/(?<=[}>[])([^{}<>[]{1,1000})\{[^{}]{0,300}?\bdisplay\s*:\s*none\b/g)
  return new Set(
    rules.flatMap(([, selectors = '']) =>
      selectors.split(',').flatMap(selector => /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1] ?? []),
    ),
  )
}

/** The ids of gradients and patterns that a drawing uses, also through others; chains have 10 links at most. */
function paintedIds(svg: string): Set<string> {
  const ids = new Set(Array.from(svg.matchAll(/url\(\s*(?:&quot;|["'])?#([^"')&\s]+)/g), ([, id = '']) => id))
  const tags = Array.from(
    svg.matchAll(/<(?:svg:)?(?:linearGradient|radialGradient|pattern)\b([^>]*)/g),
    ([, tag = '']) => ({
      id: /\sid=["']([^"']+)/.exec(tag)?.[1] ?? '',
      other: /\shref=["']#|\sxlink:href=["']#/.test(tag) ? /href=["']#([^"']+)/.exec(tag)?.[1] : undefined,
    }),
  )
  for (let round = 0; round < 10; round++) for (const { id, other } of tags) if (other && ids.has(id)) ids.add(other)
  return ids
}

export const SVG_TEXTS: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath'])

/** The attributes of SVG that style an element. */
export const STYLED: ReadonlySet<string> = new Set([
  ...'style color fill stroke stop-color flood-color lighting-color font-family font-size font-weight'.split(' '),
  ...'stroke-width fill-opacity stroke-opacity stop-opacity flood-opacity'.split(' '),
])

/**
 * Reads the styles of an element: its `style`, and other attributes by the property that they set. Drawing programs also
 * write colours that only stops and filters paint.
 */
export function* readStyles(name: string, styles: readonly Declaration[], options: CssOptions): Generator<Use> {
  const others = Object.entries(PAINTERS).filter(([, painter]) => !painter.test(name))
  const unpainted = new RegExp(`(?<=^|;)\\s*(?:${others.map(([property]) => property).join('|')})\\s*:[^;]*`, 'gi')
  const declarations = styles.filter(
    ({ property }) => property !== 'style' && !others.some(([other]) => other === property),
  )
  const style = styles.find(({ property }) => property === 'style')?.value
  const withUnits = declarations.map(({ property, value }) => {
    const isNumber = property === 'font-size' && /^\s*[\d.]+\s*$/.test(value.text)
    return { property, value: isNumber ? { ...value, text: `${value.text.trim()}px` } : value }
  })
  const seen = style && { ...style, text: style.text.replace(unpainted, text => ' '.repeat(text.length)) }
  yield* readDeclarations(withUnits, options, seen)
}

const PAINTERS = { 'stop-color': /^stop$/, 'flood-color': /^fe(?:Flood|DropShadow)$/i, 'lighting-color': /Lighting$/i }

function attributeOf(source: SourceText, { value, start, end }: XmlText): SourceText {
  const isLiteral = !source.text.slice(start, end).includes('&')
  return isLiteral ? partOf(source, start, end) : decodedPart(value, source, start)
}

function piecesOf({ text }: SourceText, { start, end, isCdata = false }: XmlText): Piece[] {
  return isCdata ? [{ text: text.slice(start, end), start }] : splitPieces(text, start, end)
}
