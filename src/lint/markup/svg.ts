import { type CssOptions, readCss, readDeclarations } from '../css/read-css.ts'
import type { Declaration } from '../css/type.ts'
import { collectVariables, type Variables } from '../css/variables.ts'
import type { Sheets } from '../source.ts'
import { decodedPart, partOf, type SourceText } from '../source.ts'
import type { Use } from '../use.ts'
import { addPieces, joinPieces, type Piece, wordsOf } from './words.ts'
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
  let [pieces, isRoot, masks]: [Piece[], boolean, number] = [[], true, 0]
  for (const part of readXml(source.text)) {
    if (part.kind === 'problem') return yield { ...source.at(part.start), kind: 'unreadable', message: part.message }
    const name = part.name.replace(/^svg:/, '')
    if (isRoot && name !== 'svg')
      return yield { kind: 'unreadable', message: 'does not begin with <svg>: export it again' }
    isRoot = false
    if (part.kind === 'text') {
      const isRead = name === 'style' || WORDED.has(name)
      if (isRead) for (const piece of piecesOf(source, part)) pieces.push(piece)
      continue
    }
    if (MASKS.has(name)) masks += part.kind === 'start' ? 1 : -1
    const attributes = part.kind === 'start' ? part.attributes : new Map<string, XmlText>()
    // Editors write a <tspan> with a position for every line.
    if (!INLINE.has(name) || attributes.has('y') || attributes.has('dy')) {
      const text = joinPieces(source, pieces)
      pieces = []
      const isStyle = name === 'style' && part.kind === 'end'
      reads.push(() => (isStyle ? readCss(text, options) : wordsOf(text)))
      if (isStyle) collectVariables(text.text, 'css', sheets, variables)
    }
    if (SVG_TEXTS.has(name))
      for (const className of attributes.get('class')?.value.split(/\s+/) ?? []) textClasses.add(className)
    const styles = [...attributes].filter(([attribute]) => STYLED.has(attribute))
    if (styles.length === 0 || masks > 0) continue
    const declarations = styles.map(([property, value]) => ({ property, value: attributeOf(source, value) }))
    reads.push(() => readStyles(declarations, { ...options, traits: SVG_TEXTS.has(name) ? ['text'] : [] }))
    const style = attributes.get('style')?.value ?? ''
    if (style.includes('--')) collectVariables(style, 'css', sheets, variables)
  }
  for (const read of reads) yield* read()
}

const INLINE: ReadonlySet<string> = new Set(['tspan', 'textPath', 'a'])
const WORDED = new Set([...INLINE, 'text', 'title', 'desc'])
/** Elements whose colours only say what else is visible. */
export const MASKS: ReadonlySet<string> = new Set(['mask', 'clipPath'])
export const SVG_TEXTS: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath'])

/** The attributes of SVG that style an element. */
export const STYLED: ReadonlySet<string> = new Set([
  ...'style color fill stroke stop-color flood-color lighting-color font-family font-size font-weight'.split(' '),
  ...'fill-opacity stroke-opacity stop-opacity flood-opacity'.split(' '),
])

/** Reads the styles of an element: its `style`, and other attributes by the property that they set. */
export function* readStyles(styles: readonly Declaration[], options: CssOptions): Generator<Use> {
  const declarations = styles.filter(({ property }) => property !== 'style')
  const withUnits = declarations.map(({ property, value }) => {
    const isNumber = property === 'font-size' && /^\s*[\d.]+\s*$/.test(value.text)
    return { property, value: isNumber ? { ...value, text: `${value.text.trim()}px` } : value }
  })
  yield* readDeclarations(withUnits, options, styles.find(({ property }) => property === 'style')?.value)
}

function attributeOf(source: SourceText, { value, start, end }: XmlText): SourceText {
  const isLiteral = !source.text.slice(start, end).includes('&')
  return isLiteral ? partOf(source, start, end) : decodedPart(value, source, start)
}

function piecesOf({ text }: SourceText, { start, end, isCdata = false }: XmlText): Piece[] {
  const pieces: Piece[] = []
  if (isCdata) pieces.push({ text: text.slice(start, end), start })
  else addPieces(pieces, text, start, end)
  return pieces
}
