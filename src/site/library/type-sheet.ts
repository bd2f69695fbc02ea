import type { TypeStyle } from '../../brand/type-style.ts'
import type { Representation } from '../../serving/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { guideText } from '../texts/guide-text.ts'
import { cssString, styleDeclarations } from './css-text.ts'
import { type FontFace, faceName } from './font-faces.ts'
import { fontFormat } from './font-format.ts'
import type { GuideFonts } from './guide-fonts.ts'
import { letterFace } from './home-previews.ts'
import { styleAnchor } from './style-anchor.ts'
import { typePage } from './type-list.ts'

/**
 * A style sheet for a page of the list of type, with all that it shows; that for the first page has the letters of the
 * guide's home page as well. Undefined beyond the last page.
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
  return guideText(
    guide,
    sheetText(types, inOrder, fonts, ({ file }) => paths.file(publication.record, file)),
    'text/css',
  )
}

/**
 * A style sheet with a face for each of these fonts, a class for each face (`face-1`) and one for each type style, named
 * as its anchor is (`type-body`). A face stands for one font alone, whatever that says of its family, weight and style.
 */
export function sheetText(
  types: readonly TypeStyle[],
  faces: readonly FontFace[],
  { regular }: Pick<GuideFonts, 'regular'>,
  addressOf: (face: FontFace) => string,
): string {
  const namesIn = new Map<string, string>()
  for (const family of new Set(types.flatMap(style => style.family ?? []))) {
    const own = regular(family)
    if (own.length > 0) namesIn.set(family, [...own.map(face => cssString(faceName(face))), FALLBACK].join(', '))
  }
  const rules = types.map(style => {
    const names = style.family === undefined ? undefined : namesIn.get(style.family)
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
