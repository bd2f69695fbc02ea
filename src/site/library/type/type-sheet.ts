import { inSteps } from '../../../base/steps.ts'
import type { TypeStyle } from '../../../brand/type-style.ts'
import { cssString, styleDeclarations } from '../../../export/css/css-text.ts'
import { type FontFace, faceName, fontFormat } from '../../../export/fonts/font-faces.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import type { Guide } from '../../guide/guide.ts'
import { guideText } from '../../texts/guide-text.ts'
import { fontRequestOf } from './faces/font-matching.ts'
import { sampleFace } from './faces/guide-fonts.ts'
import { type StyleFaces, styleFaces } from './faces/style-faces.ts'
import { featureRules, shownFeatures } from './specimen/feature-table.ts'
import { type ShownFamily, shownFamilies } from './specimen/shown-families.ts'
import { faceClass, familyClass, weightClass } from './specimen/specimen-classes.ts'
import { weightSteps } from './specimen/weight-list.ts'
import { typePage } from './type-list.ts'

/**
 * The style sheet of a page of the list of type. That of the first page also has the font that the guide's home page
 * shows. Undefined beyond the last page.
 */
export async function typeSheet(guide: Guide, number: number): Promise<Representation | undefined> {
  const { publication, paths } = guide
  const found = await typePage(guide, number)
  if (!found) return undefined
  const { entries } = found.page
  const types = entries.flatMap(entry => (entry.kind === 'style' ? [entry.style] : []))
  const listed = entries.flatMap(entry => (entry.kind === 'face' ? [entry.face] : []))
  const letters = number === 1 ? await sampleFace(guide) : undefined
  const shown = await shownFamilies(guide, listed, found.fonts)
  const cuts = shown.families.flatMap(({ cuts }) => cuts)
  // A sample in another font would be of another brand: its letters wait for their own.
  const options = { display: 'block', hasEmphasis: false } as const
  const ofCuts = cuts
    .filter(({ isMatched }) => isMatched)
    .map(({ first: { family }, wanted }) => ({ family, ...wanted }))
  const ofStyles = await styleFaces(guide, [...types, ...ofCuts], options)
  const alone = cuts.flatMap(({ isMatched, first }) => (isMatched ? [] : [first]))
  const faces = [...new Set([...(letters ? [letters] : []), ...alone])].sort((a, b) => a.number - b.number)
  const address = ({ file }: FontFace) => paths.file(publication.record, file)
  const rules = await sheetRules(types, faces, ofStyles, address)
  const ofFamilies = await textsInSteps(shown.families, family => familyRules(family, ofStyles.families))
  const keptMs = ofStyles.keptMs ?? shown.keptMs
  const sheet = await guideText(guide, [...rules, ...ofFamilies, ...sharedRules(shown.families)], 'text/css')
  return { ...sheet, ...(keptMs !== undefined && { keptMs }) }
}

/** The class of a family, for what is set in any of its fonts. */
function familyRules({ name, number }: ShownFamily, families: StyleFaces['families']): string {
  return `.${familyClass(number)}{font-family:${families({ family: name })}}\n`
}

/** The classes of weights and features, which families share. */
function sharedRules(families: readonly ShownFamily[]): string[] {
  const cuts = families.flatMap(({ cuts }) => cuts)
  const weights = cuts.flatMap(({ weights: [min, max], wanted }) => [wanted.weight, ...weightSteps(min, max)])
  const tags = families.flatMap(({ facts }) => shownFeatures(facts?.features ?? []).map(({ tag }) => tag))
  return [
    ...Array.from(new Set(weights), weight => `.${weightClass(weight)}{font-weight:${weight}}\n`),
    ...Array.from(new Set(tags), featureRules),
  ]
}

/**
 * The rules of a style sheet: what the type styles need, a face for each of these fonts, a class for each face
 * (`face-1`) and one for each type style, named as its anchor is (`type-body`). A face stands for one font alone,
 * whatever that says of its family, weight and style.
 */
export async function sheetRules(
  types: readonly TypeStyle[],
  faces: readonly FontFace[],
  { rules, families }: Pick<StyleFaces, 'rules' | 'families'>,
  addressOf: (face: FontFace) => string,
): Promise<string[]> {
  const ofStyles = await textsInSteps(types, style => {
    // An id is letters, digits and hyphens, and so needs no escape in a class (CSS Syntax 3 §4.3.9).
    return `.${typeAnchor(style.id)}{${sampleDeclarations(style, families(style)).join(';')}}\n`
  })
  return [...rules, ...(await textsInSteps(faces, face => fontFace(face, addressOf(face)))), ...ofStyles]
}

function textsInSteps<Entry>(entries: readonly Entry[], make: (entry: Entry) => string): Promise<string[]> {
  return inSteps(entries, make)
}

/** A weight or style that no font has is not made up of another, but small capitals are, as in all other texts. */
function sampleDeclarations(style: TypeStyle, families: string | undefined): string[] {
  const declarations = styleDeclarations({ ...style, ...fontRequestOf(style) }, families)
  const { size = 0 } = style
  // A letter that is wider than the screen could not be seen.
  const limited = size > LARGEST ? [`font-size: min(${size}px, 60vw)`] : []
  return [...declarations, ...limited, 'font-synthesis: small-caps']
}

/** px */
const LARGEST = 200

function fontFace(face: FontFace, address: string): string {
  const { file, weight, metadata } = face
  const name = `font-family:${cssString(faceName(face))}`
  const format = fontFormat(file.contentType)
  const source = `src:url(${cssString(address)})${format === undefined ? '' : ` format("${format}")`}`
  return `@font-face{${name};font-weight:${weight};font-style:${metadata.style ?? 'normal'};font-display:block;${source}}
.${faceClass(face)}{${name}, system-ui, sans-serif}
`
}
