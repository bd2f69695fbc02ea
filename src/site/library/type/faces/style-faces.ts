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

/** What sets texts in type styles with the fonts of their guide. */
export type StyleFaces = {
  /** `@font-face` rules: the fonts that the styles need, and for each one a local font of the same measures. */
  rules: readonly string[]
  /** The value of `font-family` for one of the styles; undefined if that names no font at all. */
  families: (style: FontChoice) => string | undefined
  /** The fonts that the styles are set in, each in its smallest format. */
  fonts: readonly FontFace[]
  /** How long what is made of this may be kept, if not for good: not every font could be read in time. */
  keptMs: number | undefined
}

/** What a type style, or anything else, says of the font that it is set in. */
type FontChoice = Pick<TypeStyle, 'family' | 'weight' | 'style' | 'fallback'>

/** How fonts are shown before they are there (CSS Fonts 4 §4.9), and whether bold and italics are needed besides. */
type FacesOptions = { display: 'swap' | 'block' | 'optional'; hasEmphasis: boolean }

/**
 * The `@font-face` rules and the `font-family` values for some type styles of a guide, for any style sheet of it: of the
 * theme, of a page with specimens. Each family has one name of its own, under which the browser chooses among its fonts
 * by `font-weight` and `font-style`; a variable font stands there with all its weights. A style sheet says both of them
 * for each style (`styleDeclarations` does if the style has them, `fontRequestOf` gives what they are otherwise).
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
  const texts = textsIn(styles, fonts, hasEmphasis)
  const found = (await inSteps(texts, text => facesToRead(text, fonts))).flat()
  const { facts, keptMs } = await knownFacts(guide, found)
  const chosen = await inSteps(texts, text => chosenFaces(text, fonts, facts))
  const address = ({ file }: FontFace) => guide.paths.file(guide.publication.record, file)
  const own = new Set<string>()
  const local = new Map<string, Set<string>>()
  for (const { family, wanted, faces } of chosen) {
    // Of rules for the same text the last counts, so that the smallest format is tried first.
    for (const face of faces.toReversed()) own.add(ruleOf(face, address(face), display, faces.length > 1, facts))
    const measured = faces.map(face => facts.get(face)).find(known => known !== undefined)
    const rule = measured && fallbackFace(fallbackName(family), measured, wanted)
    if (rule !== undefined) local.set(family, (local.get(family) ?? new Set()).add(rule))
  }
  const families = ({ family, fallback = [] }: FontChoice) => {
    if (family === undefined) return fallback.length > 0 ? familyList([...fallback, ...LAST]) : undefined
    const names = fonts.families.has(family) ? [familyName(family, display)] : [family]
    return familyList([...names, ...(local.has(family) ? [fallbackName(family)] : []), ...fallback, ...LAST])
  }
  const rules = [...own, ...[...local.values()].flatMap(rules => [...rules])]
  return { rules, families, fonts: [...new Set(chosen.flatMap(({ faces }) => faces.slice(0, 1)))], keptMs }
}

/** For letters that the fonts lack. */
const LAST = ['system-ui', 'sans-serif']

/**
 * The name of a family in style sheets of the guide: unlike any font that other pages ask for. Samples have names of
 * their own, so that no other style sheet of their page says when they are shown.
 */
function familyName(family: string, display: FacesOptions['display']): string {
  return `${display === 'block' ? 'Guide' : 'Frame'}: ${family}`
}

function fallbackName(family: string): string {
  return `Fallback: ${family}`
}

/** A text that is to be set: in which family, weight and style. */
type Text = { family: string; wanted: FontRequest }

/** The different texts in styles whose family is there. */
function textsIn(styles: readonly FontChoice[], { families }: GuideFonts, hasEmphasis: boolean): Text[] {
  const texts = new Map<string, Text>()
  for (const style of styles) {
    const { family } = style
    if (family === undefined || !families.has(family)) continue
    const own = fontRequestOf(style)
    for (const wanted of hasEmphasis ? [own, ...emphasised(own)] : [own])
      texts.set(`${wanted.weight} ${wanted.style} ${family}`, { family, wanted })
  }
  return [...texts.values()]
}

/** What `strong` and `em` ask for within a text. */
function emphasised({ weight }: FontRequest): FontRequest[] {
  const bold = Math.max(700, weight)
  return [
    { weight, style: 'italic' },
    { weight: bold, style: 'normal' },
    { weight: bold, style: 'italic' },
  ]
}

/** The fonts that a text may be set in: if none has its weight by itself, those that may have it on an axis. */
function facesToRead({ family, wanted }: Text, { families, matching }: GuideFonts): readonly FontFace[] {
  const found = matching(family, wanted)
  const isExact = found.some(({ weight }) => weight === wanted.weight)
  return isExact ? found : [...found, ...(families.get(family) ?? []).slice(0, MAX_TRIED)]
}

const MAX_TRIED = 16

type Facts = ReadonlyMap<FontFace, FontFacts>

function chosenFaces(
  { family, wanted }: Text,
  { families, matching }: GuideFonts,
  facts: Facts,
): Text & { faces: readonly FontFace[] } {
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
