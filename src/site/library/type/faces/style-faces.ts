import { inSteps } from '../../../../base/steps.ts'
import type { TypeStyle } from '../../../../brand/type-style.ts'
import { familyList } from '../../../../export/css/css-text.ts'
import { faceDescriptors, unicodeRange } from '../../../../export/fonts/face-rule.ts'
import { type FontFace, weightsOf } from '../../../../export/fonts/font-faces.ts'
import type { FontFacts } from '../../../../fonts/font-facts.ts'
import type { Guide } from '../../../guide/guide.ts'
import { fallbackFace } from './fallback-face.ts'
import { type FontRequest, fontRequestOf, matchingFaces } from './font-matching.ts'
import { type GuideFonts, guideFonts } from './guide-fonts.ts'
import { knownFacts } from './known-facts.ts'

/** The CSS that type styles need to use the fonts of their guide. */
export type StyleFaces = {
  /** `@font-face` rules: the fonts of the styles, and a local fallback font with the same metrics for each. */
  rules: readonly string[]
  /** The value of `font-family` for one of the styles; undefined if it names no font. */
  families: (style: FontChoice) => string | undefined
  /** The fonts of the styles, each in its smallest format. */
  fonts: readonly FontFace[]
  /** How long to cache content made from this; undefined if all fonts could be read in time. */
  keptMs: number | undefined
}

/** The font request of a type style or other text. */
type FontChoice = Pick<TypeStyle, 'family' | 'weight' | 'style' | 'fallback'>

/** The `font-display` value (CSS Fonts 4 §4.9), and whether to include bold and italic fonts. */
type FacesOptions = { display: 'swap' | 'block' | 'optional'; hasEmphasis: boolean }

/**
 * The `@font-face` rules and `font-family` values for type styles of a guide, for any of its style sheets, such as the
 * theme or a page with specimens. Each family has its own name, under which the browser selects a font by `font-weight`
 * and `font-style`; a variable font has all its weights there. A style sheet must set both for each style:
 * `styleDeclarations` sets them if the style has them, and `fontRequestOf` returns the defaults.
 *
 *     const { rules, families, keptMs } = await styleFaces(guide, [heading, body])
 *     const sheet = [...rules, `body{${styleDeclarations(body, families(body)).join(';')}}`]
 */
export async function styleFaces(
  guide: Guide,
  styles: readonly FontChoice[],
  { display, hasEmphasis }: FacesOptions = { display: 'swap', hasEmphasis: true },
): Promise<StyleFaces> {
  const fonts = await guideFonts(guide)
  const requests = requestsIn(styles, fonts, hasEmphasis)
  const found = (await inSteps(requests, request => facesToRead(request, fonts))).flat()
  const { facts, keptMs } = await knownFacts(guide, found)
  const chosen = await inSteps(requests, request => chosenFaces(request, fonts, facts))
  const address = ({ file }: FontFace) => guide.paths.file(guide.publication.record, file)
  const own = new Set<string>()
  const local = new Map<string, Set<string>>()
  for (const { family, wanted, faces } of chosen) {
    // The last of several equal rules applies, so the smallest format comes last.
    for (const face of faces.toReversed()) own.add(ruleOf(face, address(face), display, faces.length > 1, facts))
    const measured = faces.map(face => facts.get(face)).find(known => known !== undefined)
    const rule = measured && fallbackFace(fallbackName(family), measured, wanted)
    if (rule !== undefined) local.set(family, (local.get(family) ?? new Set()).add(rule))
  }
  const families = ({ family, fallback = [] }: FontChoice) => {
    if (family === undefined) return fallback.length > 0 ? familyList([...fallback, ...GENERIC]) : undefined
    const names = fonts.families.has(family) ? [familyName(family, display)] : [family]
    return familyList([...names, ...(local.has(family) ? [fallbackName(family)] : []), ...fallback, ...GENERIC])
  }
  const rules = [...own, ...[...local.values()].flatMap(rules => [...rules])]
  return { rules, families, fonts: [...new Set(chosen.flatMap(({ faces }) => faces.slice(0, 1)))], keptMs }
}

/** For letters that the fonts do not contain. */
const GENERIC = ['system-ui', 'sans-serif']

/**
 * The name of a family in style sheets of the guide, which no other page uses. Samples have separate names, so that no
 * other style sheet of their page sets their `font-display`.
 */
function familyName(family: string, display: FacesOptions['display']): string {
  return `${display === 'block' ? 'Guide' : 'Frame'}: ${family}`
}

function fallbackName(family: string): string {
  return `Fallback: ${family}`
}

/** A font request for one family. */
type FamilyRequest = { family: string; wanted: FontRequest }

/** The unique font requests of styles whose family exists. */
function requestsIn(styles: readonly FontChoice[], { families }: GuideFonts, hasEmphasis: boolean): FamilyRequest[] {
  const requests = new Map<string, FamilyRequest>()
  for (const style of styles) {
    const { family } = style
    if (family === undefined || !families.has(family)) continue
    const own = fontRequestOf(style)
    for (const wanted of hasEmphasis ? [own, ...emphasisRequests(own)] : [own])
      requests.set(`${wanted.weight} ${wanted.style} ${family}`, { family, wanted })
  }
  return [...requests.values()]
}

/** The font requests of `strong` and `em`. */
function emphasisRequests({ weight }: FontRequest): FontRequest[] {
  const bold = Math.max(700, weight)
  return [
    { weight, style: 'italic' },
    { weight: bold, style: 'normal' },
    { weight: bold, style: 'italic' },
  ]
}

/** The candidate fonts of a request: if none has its weight by itself, includes fonts that may have it on an axis. */
function facesToRead({ family, wanted }: FamilyRequest, { families, matching }: GuideFonts): readonly FontFace[] {
  const found = matching(family, wanted)
  const isExact = found.some(({ weight }) => weight === wanted.weight)
  return isExact ? found : [...found, ...(families.get(family) ?? []).slice(0, MAX_TRIED)]
}

const MAX_TRIED = 16

type Facts = ReadonlyMap<FontFace, FontFacts>

function chosenFaces(
  { family, wanted }: FamilyRequest,
  { families, matching }: GuideFonts,
  facts: Facts,
): FamilyRequest & { faces: readonly FontFace[] } {
  const found = matching(family, wanted)
  if (found.some(({ weight }) => weight === wanted.weight)) return { family, wanted, faces: found }
  const faces = (families.get(family) ?? []).slice(0, MAX_TRIED).filter(face => facts.has(face))
  const better = matchingFaces([...new Set([...found, ...faces])], wanted, face => weightsOf(face, facts.get(face)))
  return { family, wanted, faces: better }
}

function ruleOf(
  face: FontFace,
  address: string,
  display: FacesOptions['display'],
  isOneOfMany: boolean,
  facts: Facts,
): string {
  const known = facts.get(face)
  const descriptors = faceDescriptors({
    family: familyName(face.family, display),
    weights: weightsOf(face, known),
    style: face.metadata.style,
    display,
    sources: [{ address, contentType: face.file.contentType }],
    range: isOneOfMany ? unicodeRange(known) : undefined,
  })
  return `@font-face{${descriptors.map(each => each.join(':')).join(';')}}\n`
}
