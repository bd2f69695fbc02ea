import { inSteps } from '../../../base/steps.ts'
import type { TypeStyle } from '../../../brand/type-style.ts'
import { typeAnchor } from '../../../serving/addresses.ts'
import type { Representation } from '../../../serving/response-cache.ts'
import type { Guide } from '../../guide/guide.ts'
import { guideText } from '../../texts/guide-text.ts'
import { cssString, styleDeclarations } from './css-text.ts'
import { type FontFace, faceName, fontFormat } from './font-faces.ts'
import { type GuideFonts, letterFace } from './guide-fonts.ts'
import { typePage } from './type-list.ts'

/**
 * The style sheet of a page of the list of type. That of the first page also has the font that the guide's home page
 * shows. Undefined beyond the last page.
 */
export async function typeSheet(guide: Guide, number: number): Promise<Representation | undefined> {
  const { publication, paths } = guide
  const found = await typePage(guide, number)
  if (!found) return undefined
  const { page, fonts } = found
  const types = page.entries.flatMap(entry => (entry.kind === 'style' ? [entry.style] : []))
  const shown = page.entries.flatMap(entry => (entry.kind === 'face' ? [entry.face] : []))
  const families = new Set([...types, ...shown].flatMap(({ family }) => family ?? []))
  const letters = number === 1 ? await letterFace(guide) : undefined
  const faces = new Set([...shown, ...[...families].flatMap(fonts.regular), ...(letters ? [letters] : [])])
  const inOrder = [...faces].sort((a, b) => a.number - b.number)
  const rules = await sheetRules(types, inOrder, fonts, ({ file }) => paths.file(publication.record, file))
  return guideText(guide, rules, 'text/css')
}

/**
 * The rules of a style sheet: a face for each of these fonts, a class for each face (`face-1`) and one for each type
 * style, named as its anchor is (`type-body`). A face stands for one font alone, whatever that says of its family,
 * weight and style.
 */
export async function sheetRules(
  types: readonly TypeStyle[],
  faces: readonly FontFace[],
  { regular }: Pick<GuideFonts, 'regular'>,
  addressOf: (face: FontFace) => string,
): Promise<string[]> {
  const families = [...new Set(types.flatMap(style => style.family ?? []))]
  const names = await textsInSteps(families, family => familyNames(regular(family)))
  const namesOf = new Map(families.map((family, at) => [family, names[at] || undefined]))
  const rules = await textsInSteps(types, style => {
    const given = style.family === undefined ? undefined : namesOf.get(style.family)
    // An id is letters, digits and hyphens, and so needs no escape in a class (CSS Syntax 3 §4.3.9).
    return `.${typeAnchor(style.id)}{${styleDeclarations(style, given).join(';')}}\n`
  })
  return [...(await textsInSteps(faces, face => fontFace(face, addressOf(face)))), ...rules]
}

function textsInSteps<Entry>(entries: readonly Entry[], make: (entry: Entry) => string): Promise<string[]> {
  return inSteps(entries, CHARACTERS_AT_ONCE, make, text => RULE_WORK + text.length)
}

/** Some two milliseconds' work. */
const CHARACTERS_AT_ONCE = 128 << 10
/** The work for a rule besides its characters, as a number of characters. */
const RULE_WORK = 500

/** What sets a text in a family, as the value of `font-family`; empty if it has no fonts. */
function familyNames(faces: readonly FontFace[]): string {
  return faces.length === 0 ? '' : [...faces.map(face => cssString(faceName(face))), FALLBACK].join(', ')
}

/** `block`: letters of another font would move, and would be of another brand. */
function fontFace(face: FontFace, address: string): string {
  const { number, file, weight, metadata } = face
  const name = `font-family:${cssString(faceName(face))}`
  const format = fontFormat(file.contentType)
  const source = `src:url(${cssString(address)})${format === undefined ? '' : ` format("${format}")`}`
  return `@font-face{${name};font-weight:${weight};font-style:${metadata.style ?? 'normal'};font-display:block;${source}}
.face-${number}{${name}, ${FALLBACK}}
`
}

/** For letters that a font lacks. */
const FALLBACK = 'system-ui, sans-serif'
