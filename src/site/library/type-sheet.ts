import type { TypeStyle } from '../../brand/type-style.ts'
import type { Made } from '../../serving/prepared.ts'
import type { Guide } from '../guide.ts'
import { guideText } from '../guide-text.ts'
import { cssString, styleDeclarations } from './css-text.ts'
import { type FontFace, faceName, familiesOf, fontFaces, regularFaces } from './font-faces.ts'
import { fontFormat } from './font-format.ts'
import { styleAnchor } from './style-anchor.ts'

/** The fonts and type styles of a guide as a style sheet for its own pages. */
export async function typeSheet(guide: Guide): Promise<Made> {
  const { publication, paths } = guide
  const { types, files } = publication.content
  const faces = fontFaces((await files()).values())
  const sheet = sheetText(await types(), faces, ({ file }) => paths.file(publication.record, file))
  return guideText(guide, sheet, 'text/css')
}

/**
 * A style sheet with a face for each font, a class for each face (`face-1`) and one for each type style, named as its
 * anchor is (`type-body`). A face stands for one font alone, whatever that says of its family, weight and style.
 */
export function sheetText(
  types: readonly TypeStyle[],
  faces: readonly FontFace[],
  addressOf: (face: FontFace) => string,
): string {
  const families = familiesOf(faces)
  const rules = types.map(style => {
    const own = style.family === undefined ? [] : regularFaces(families.get(style.family) ?? [])
    const names = own.length > 0 ? [...own.map(face => cssString(faceName(face))), FALLBACK].join(', ') : undefined
    // An id is letters, digits and hyphens, and so needs no escape in a class (CSS Syntax 3 §4.3.9).
    return `.${styleAnchor('type', style.id)}{${styleDeclarations(style, names).join(';')}}\n`
  })
  return [...faces.map(face => fontFace(face, addressOf(face))), ...rules].join('')
}

/** Nothing is shown until a face is there, since letters of another would be in other places (and of another brand). */
function fontFace(face: FontFace, address: string): string {
  const { number, file, weight, metadata } = face
  const name = `font-family:${cssString(faceName(face))}`
  const format = fontFormat(file.contentType)
  const source = `src:url(${cssString(address)})${format === undefined ? '' : ` format("${format}")`}`
  return `@font-face{${name};font-weight:${weight};font-style:${metadata.style ?? 'normal'};font-display:block;${source}}
.face-${number}{${name}, ${FALLBACK}}
`
}

/** What letters are shown in until a font is there, and those that it lacks. */
const FALLBACK = 'system-ui, sans-serif'
