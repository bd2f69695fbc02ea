import type { TypeStyle } from '#brand/type-style.ts'
import { type FontFace, faceName, fontFormat } from '#delivery/export/fonts/font-faces.ts'
import { cssString, DEFAULT_AXES, fluidSize, styleDeclarations } from '#delivery/export/style-sheets/css-text.ts'
import { typeAnchor } from '#serving/addresses.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '../../guide/guide.ts'
import { guideText } from '../../texts/agent-texts.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import { letterFaces } from './faces/frame-fonts.ts'
import { fontRequestOf } from './faces/guide-fonts.ts'
import { type StyleFaces, styleFaces } from './faces/style-faces.ts'
import { featureRules, shownFeatures } from './specimen/glyph-grid.ts'
import { faceClass, familyClass, type ShownFamily, shownFamilies, weightClass } from './specimen/shown-families.ts'
import { nameRule } from './specimen/specimen.ts'
import { axisRules, weightSteps } from './specimen/weight-list.ts'
import { typeEntries } from './type-list.ts'

/** The style sheet of the type page, which also has the font on the guide's home page. */
export async function typeSheet(guide: Guide): Promise<Representation> {
  const { site, publication } = guide
  const { styles, faces, fonts } = await typeEntries(guide)
  const { families, keptMs } = await shownFamilies(guide, faces, fonts)
  const cuts = families.flatMap(family => family.cuts)
  // Matched cuts are requested from their family, as type styles are; each other cut has its own name.
  const matchedCuts = cuts
    .filter(({ isMatched }) => isMatched)
    .map(({ first: { family }, wanted }) => ({ family, ...wanted }))
  const separateFaces = cuts.filter(({ isMatched }) => !isMatched).map(({ first }) => first)
  // A sample in another font would misrepresent the brand, so its letters wait for their font.
  const styleFonts = await styleFaces(guide, [...styles, ...matchedCuts], { display: 'block', hasEmphasis: false })
  const letters = await letterFaces(guide)
  const address = ({ file }: FontFace) => site.paths.file(publication.record, file)
  const { heading, body } = await themeOf(publication)
  const texts = [heading?.sample, body?.sample, `${guide.words.type.sample}`, `${guide.words.type.largeSample}`]
  const rules = new Set([
    ...sheetRules(styles, separateFaces, styleFonts, address, texts),
    ...letters.rules,
    ...families.map(family => familyRules(family, styleFonts.families)),
    ...sharedRules(families),
  ])
  return { ...guideText(guide, [...rules].join(''), 'text/css'), keptMs: styleFonts.keptMs ?? keptMs }
}

/** The style sheet with the classes of type styles of an earlier revision, for its samples next to those of today. */
export async function earlierTypeSheet(guide: Guide, styles: readonly TypeStyle[]): Promise<Representation> {
  const faces = await styleFaces(guide, styles, { display: 'block', hasEmphasis: false })
  const earlier = styles.map(style => ({ ...style, id: earlierId(style.id) }))
  const address = ({ file }: FontFace) => guide.site.paths.file(guide.publication.record, file)
  return { ...guideText(guide, sheetRules(earlier, [], faces, address).join(''), 'text/css'), keptMs: faces.keptMs }
}

/** An id that no style has, because of its underscore. */
export function earlierId(id: string): string {
  return `${id}_before`
}

/** The class of a family, for text in any of its fonts. */
function familyRules(family: ShownFamily, families: StyleFaces['families']): string {
  return `.${familyClass(family.number)}{font-family:${families({ family: family.name })};${DEFAULT_AXES}}\n${nameRule(family)}`
}

/** The classes of weights, axes and features, which all families share. */
function sharedRules(families: readonly ShownFamily[]): string[] {
  const cuts = families.flatMap(({ cuts }) => cuts)
  const weights = cuts.flatMap(({ weights: [min, max], wanted }) => [wanted.weight, ...weightSteps(min, max)])
  const tags = families.flatMap(({ facts }) => shownFeatures(facts?.features).map(({ tag }) => tag))
  return [
    ...Array.from(new Set(weights), weight => `.${weightClass(weight)}{font-weight:${weight}}\n`),
    ...new Set(families.flatMap(axisRules)),
    ...Array.from(new Set(tags), featureRules),
  ]
}

/**
 * The rules that type styles need, a face and a class (`face-1`) for each of these fonts, and a class for each style
 * with the name of its anchor (`type-body`). A face selects exactly one font, regardless of its family, weight and style.
 *
 * @param texts the samples of styles without their own
 */
export function sheetRules(
  types: readonly (StyleValues & { id: string })[],
  faces: readonly FontFace[],
  { rules, families }: Pick<StyleFaces, 'rules' | 'families'>,
  addressOf: (face: FontFace) => string,
  texts: readonly (string | undefined)[] = [],
): string[] {
  const ofStyles = types.map(style => {
    // An id consists of letters, digits and hyphens, so it needs no escape in a class (CSS Syntax 3 §4.3.9).
    return `.${typeAnchor(style.id)}{${sampleDeclarations(style, families(style), texts).join(';')}}\n`
  })
  return [...rules, ...faces.map(face => fontFace(face, addressOf(face))), ...ofStyles]
}

type StyleValues = Omit<TypeStyle, 'id'>

/** Browsers do not synthesise missing weights or styles here, but do synthesise small capitals, as in other text. */
function sampleDeclarations(
  style: StyleValues,
  families: string | undefined,
  texts: readonly (string | undefined)[],
): string[] {
  const declarations = styleDeclarations({ ...style, ...fontRequestOf(style) }, families)
  return [
    ...declarations,
    ...(style.axes ? [] : [DEFAULT_AXES]),
    ...limitedSize(style, style.sample === undefined ? [style.name, ...texts] : [style.sample]),
    'font-synthesis: small-caps',
  ]
}

/** A size at which the longest word fits its line, but not below that of text, and no letter is wider than the screen. */
function limitedSize(style: StyleValues, texts: readonly (string | undefined)[]): string[] {
  const { size = 0, responsive } = style
  const widestEms = Math.max(...texts.map(text => widestWord(text ?? '', style)))
  // Very large letters have at most 60% of the window. A long word has its line, divided by its width in em, but letters of
  // at least 17 px.
  const limits = [
    ...(size > MAX_SAMPLE_SIZE ? ['60vw'] : []),
    ...(size * widestEms > NARROWEST_LINE ? [`max(1.0625rem, ${Math.floor(100 / widestEms)}cqi)`] : []),
  ]
  return limits.length === 0
    ? []
    : [`font-size: min(${[responsive ? fluidSize(size) : `${size}px`, ...limits].join(', ')})`]
}

/**
 * The estimated width of the longest word in em, with 0.82 for a capital and 0.68 for other letters, which few fonts
 * exceed. Text without spaces, as in Japanese, has short words.
 */
function widestWord(text: string, { casing, tracking = 0 }: StyleValues): number {
  const ems = text.split(BREAKS).map(word => {
    const isCapital = casing === 'uppercase' || word === word.toUpperCase()
    return word.length * ((isCapital ? 0.82 : 0.68) + tracking)
  })
  return Math.max(0.01, ...ems)
}

/** Spaces, hyphens and characters after which browsers break lines. */
const BREAKS = /[\s\-–—/\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/u

/** In pixels: larger letters may be wider than a screen, and wider words than the line of a phone. */
const MAX_SAMPLE_SIZE = 200
const NARROWEST_LINE = 260

function fontFace(face: FontFace, address: string): string {
  const { file, weight, metadata } = face
  const name = `font-family:${cssString(faceName(face))}`
  const format = fontFormat(file.contentType)
  const source = `src:url(${cssString(address)})${format === undefined ? '' : ` format("${format}")`}`
  return `@font-face{${name};font-weight:${weight};font-style:${metadata.style ?? 'normal'};font-display:block;${source}}
.${faceClass(face)}{${name}, system-ui, sans-serif;${DEFAULT_AXES}}
`
}
