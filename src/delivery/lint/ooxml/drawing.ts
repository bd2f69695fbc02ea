import { below, child, descendants, EMPTY, type XmlNode } from '#formats/xml/trees.ts'
import { wordSet } from '#platform/base/text.ts'
import { type ColorUse, isSign, languageOf, type Use, type WordsUse } from '../use.ts'
import type { OfficePackage, Relations } from './package.ts'
import { attributesOf, colorIn, type OfficeColor, officeColor, type Theme } from './theme.ts'

/** The fill, lines and effects of a shape, from its properties and those of its style, nearest first. */
export function* shapeUses(properties: readonly XmlNode[], theme: Theme, groupFill?: XmlNode): Generator<Use> {
  yield* fillUses(fillOf(properties, groupFill), theme, 'ground')
  for (const name of ['ln', 'lnL', 'lnR', 'lnT', 'lnB'])
    yield* fillUses(fillOf(below(properties, name)), theme, 'border')
  const [effects = EMPTY] = below(properties, 'effectLst')
  for (const effect of effects.children) yield* colorUses(colorIn(effect, theme), 'shadow')
}

const FILLS = wordSet('noFill solidFill gradFill pattFill blipFill grpFill')

/** The fill that properties give, nearest first, or that of the group if they refer to it (§20.1.8.35). */
export function fillOf(properties: readonly XmlNode[], groupFill = EMPTY): XmlNode {
  const fill = properties.flatMap(({ children }) => children).find(({ name }) => FILLS.has(name)) ?? EMPTY
  return fill.name === 'grpFill' ? groupFill : fill
}

function* fillUses(fill: XmlNode, theme: Theme, role: ColorUse['role']): Generator<Use> {
  for (const each of FILL_COLORS.get(fill.name)?.(fill) ?? []) yield* colorUses(colorIn(each, theme), role)
}

/** The elements with the colours of fills. */
const FILL_COLORS: ReadonlyMap<string, (fill: XmlNode) => readonly XmlNode[]> = new Map([
  ['solidFill', fill => [fill]],
  ['gradFill', fill => below([fill], 'gsLst').flatMap(({ children }) => children)],
  ['pattFill', ({ children }) => children],
])

/** The colour of a plain fill; undefined for gradients, pictures and no fill. */
export function plainFill(properties: readonly XmlNode[], theme: Theme, groupFill?: XmlNode): OfficeColor | undefined {
  const fill = fillOf(properties, groupFill)
  return fill.name === 'solidFill' ? colorIn(fill, theme) : undefined
}

/** The text of a shape or cell (ISO 29500-1 §21.1.2). It inherits from list styles and properties, nearest first. */
export function* textUses(shape: XmlNode, sources: XmlNode[], theme: Theme, ground?: OfficeColor): Generator<Use> {
  const [body = EMPTY] = below([shape], 'txBody')
  for (const paragraph of body.children.filter(({ name }) => name === 'p')) {
    const { lvl = '0' } = attributesOf(below([paragraph], 'pPr'))
    const level = `lvl${Number(lvl) + 1}pPr`
    // A source is either properties (`rPr`), or a list style, which has some for each level.
    const inherited = sources.flatMap(each => (each.name === 'rPr' ? each : below([each], level, 'defRPr')))
    const texts = []
    for (const run of paragraph.children) {
      const [{ text } = EMPTY] = below([run], 't')
      const [own = EMPTY] = below([run], 'rPr')
      const piece = run.name === 'br' ? '\n' : text
      const properties = [own, ...inherited]
      texts.push({ text: piece, lang: firstOf(properties, 'lang') })
      if (piece.trim() !== '') yield* drawnRunUses(piece, properties, theme, ground)
    }
    yield* runWords(texts)
  }
}

/** The first value of an attribute that is not empty. */
export function firstOf(nodes: readonly XmlNode[], key: string): string | undefined {
  return nodes.map(({ attributes }) => attributes[key]).find(Boolean)
}

/** The uses of one run of text in a drawing, from its own properties, which are the first, and inherited ones. */
function* drawnRunUses(
  text: string,
  properties: readonly XmlNode[],
  theme: Theme,
  ground?: OfficeColor,
): Generator<Use> {
  const [own = EMPTY] = properties
  const isLink = child(own, 'hlinkClick') && ![...descendants(own)].some(({ name }) => name === 'hlinkClr')
  // Programs paint links in a colour of the theme, unless an extension of theirs says otherwise.
  const color = isLink ? officeColor(theme.colors.get('hlink'), 1, 'hlink') : plainFill(properties, theme)
  // A highlighter has its own colours, so that the ground is not known.
  const behind = child(own, 'highlight') ? undefined : ground
  const face = firstOf(below(properties, 'latin'), 'typeface') ?? '+mn-lt'
  const family = face.startsWith('+') ? theme.fonts.get(face) : face
  // Drawings have hundredths of a point; a point is 4/3 px.
  const size = Number(firstOf(properties, 'sz')) / 75
  const run = { text, color, family, size, isBold: TRUE.has(firstOf(properties, 'b')) }
  // Sizes on slides depend on the size of the slide, so they are not compared.
  for (const use of runUses(run, behind)) if (use.kind !== 'type') yield use
}

/** The two forms of a boolean that is on (§22.9.2.1). */
export const TRUE: ReadonlySet<string | undefined> = wordSet('1 true')

/** A run of text; the size is in px. */
type Run = { text: string; color: OfficeColor | undefined; family: string | undefined; size: number; isBold: boolean }

/** The uses of a run in Word or in a drawing: its colour, font, contrast and type, as far as they are known. */
export function* runUses({ text, color, family, size, isBold }: Run, ground: OfficeColor | undefined): Generator<Use> {
  yield* colorUses(color, 'text')
  if (family && !isSign(text)) yield { kind: 'font', family }
  const isSize = size >= 1 && size <= 1000
  const type = { ...(isSize && { size }), ...(isBold && { weight: 700 }) }
  if (color?.color.alpha === 1 && ground?.color.alpha === 1)
    yield { kind: 'contrast', text: color.color.hex, ground: ground.color.hex, ...type }
  if (isSize) yield { kind: 'type', ...(family && { family }), ...type, written: { size: `${(size * 3) / 4}pt` } }
}

export function* colorUses(color: OfficeColor | undefined, role: ColorUse['role']): Generator<Use> {
  if (color) yield { kind: 'color', ...color, role }
}

export function* wordsUses(...texts: readonly (string | undefined)[]): Generator<WordsUse> {
  for (const text of texts) if (text?.trim()) yield { kind: 'words', text }
}

/**
 * The words of runs with their languages; those in a row in one language are one text. A run without letters, such as a full
 * stop, belongs to the text before it.
 */
export function* runWords(runs: readonly { text: string; lang: string | undefined }[]): Generator<Use> {
  const texts: { text: string; lang: string }[] = []
  for (const { text, lang } of runs) {
    const last = texts.at(-1)
    const language = languageOf(lang)
    if (last && (last.lang === language || !/\p{L}/u.test(text))) last.text += text
    else texts.push({ text, lang: language })
  }
  for (const { text, lang } of texts) for (const use of wordsUses(text)) yield { ...use, ...(lang && { lang }) }
}

/** The pictures in an element: DrawingML, its SVG extension, and VML. */
export function* pictureUses(node: XmlNode, office: OfficePackage, relations: Relations): Generator<Use> {
  for (const { name, attributes } of descendants(node)) {
    const key = PICTURE_IDS.get(name)
    if (key === undefined) continue
    const { type, part = '' } = relations.get(attributes[key] ?? '') ?? {}
    const media = type === 'image' ? office.media(part) : undefined
    if (media) yield { kind: 'file', name: part.replace(/^.*\//s, ''), ...media }
  }
}

/** The attributes with the relation to a picture, by element. */
const PICTURE_IDS: ReadonlyMap<string, string> = new Map([
  ['imagedata', ':id'],
  ['blip', ':embed'],
  ['svgBlip', ':embed'],
])
