import { slopesOf } from '#brand/fonts/font-cuts.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import {
  type FontFace,
  faceDescriptors,
  rangeText,
  unicodeRange,
  weightsOf,
} from '#delivery/export/fonts/font-faces.ts'
import { familyList } from '#delivery/export/style-sheets/css-text.ts'
import { isForText } from '#formats/font/characters.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import type { Guide } from '../../../guide/guide.ts'
import { fallbackFaces, widthAt } from './fallback-face.ts'
import { clamp, type FaceUse, type FontSubset, fontSubsets } from './font-subsets.ts'
import {
  type FontRequest,
  fontRequestOf,
  type GuideFonts,
  guideFonts,
  knownFacts,
  matchingFaces,
} from './guide-fonts.ts'

/** The CSS that type styles need to use the fonts of their guide. */
export type StyleFaces = {
  /** `@font-face` rules: the fonts of the styles, and a local fallback font with the same metrics for each. */
  rules: readonly string[]
  /** The value of `font-family` for one of the styles; undefined if it names no font. */
  families: (style: FontChoice) => string | undefined
  /** The fonts of the styles, each in its smallest format. */
  fonts: readonly FontFace[]
  /** The fonts for text in one of the styles; several are parts of one font. */
  facesOf: (style: FontChoice) => readonly FontFace[]
  /** The subsets of the fonts, which load before them; none with the display `block`. */
  subsets: readonly FontSubset[]
  /** The mean width of a letter in body text in one of the styles, in em; undefined if its font is unknown. */
  meanWidth: (style: FontChoice) => number | undefined
  /** How long to cache content made from this; undefined if all fonts could be read in time. */
  keptMs: number | undefined
}

type FontChoice = Pick<TypeStyle, 'family' | 'weight' | 'style' | 'fallback' | 'axes'> &
  Partial<Pick<TypeStyle, 'features'>>

/**
 * The `font-display` value (CSS Fonts 4 §4.9), and whether to include bold and italic fonts. The frame of a page swaps
 * fonts and loads subsets of them; a sample waits for its whole font.
 */
type FacesOptions = { display: 'swap' | 'block'; hasEmphasis: boolean }

/**
 * The `@font-face` rules and `font-family` values for type styles of a guide, for any of its style sheets, such as the
 * theme or a page with specimens. Each family has its own name, under which the browser selects a font by `font-weight`
 * and `font-style`; a variable font has all its weights there. A style sheet must set both for each style:
 * `styleDeclarations` sets them if the style has them, and `fontRequestOf` returns the defaults. The frame uses no fonts
 * of icons.
 */
export async function styleFaces(
  guide: Guide,
  styles: readonly FontChoice[],
  { display, hasEmphasis }: FacesOptions,
): Promise<StyleFaces> {
  const fonts = await guideFonts(guide)
  // Which fonts the styles request, and which font files answer each request.
  const requests = requestsIn(styles, fonts, display, hasEmphasis)
  const candidates = requests.flatMap(request => facesToRead(request, fonts))
  const { facts, keptMs } = await knownFacts(guide, candidates)
  const isForIcons = (face: FontFace) => !isForText(facts.get(face)?.characters)
  const answered = requests
    .map(request => chosenFaces(request, fonts, facts))
    .filter(({ faces }) => display === 'block' || !faces.every(isForIcons))
  // The rules of these fonts, of their subsets, and of the local fonts that replace them until they load.
  const used = usedFaces(answered, fonts, facts)
  const subsets = used.map(({ face, isSmallest, ...use }) =>
    display === 'swap' && isSmallest ? fontSubsets(guide, face, facts.get(face), use) : [],
  )
  const fontRules = used.flatMap((each, at) => rulesOf(guide, each, subsets[at] ?? [], display, facts.get(each.face)))
  const localFamilies = localFallbacks(answered, facts)
  const localRules = [...localFamilies.values()].flatMap(rules => [...rules.keys()])
  return {
    rules: [...new Set([...fontRules, ...localRules])],
    fonts: [...new Set(answered.flatMap(({ faces }) => faces.slice(0, 1)))],
    subsets: subsets.flat(),
    ...lookups(answered, fonts, facts, localFamilies, display),
    keptMs,
  }
}

/** The functions that find the fonts of one style. */
function lookups(
  answered: readonly AnsweredRequest[],
  fonts: GuideFonts,
  facts: Facts,
  localFamilies: LocalFamilies,
  display: FacesOptions['display'],
): Pick<StyleFaces, 'families' | 'facesOf' | 'meanWidth'> {
  const requestFor = (style: FontChoice) => {
    const name = familyName(style, display)
    const { weight, style: slope } = fontRequestOf(style)
    return answered.find(each => each.name === name && each.wanted.weight === weight && each.wanted.style === slope)
  }
  return {
    families: style => {
      const { family, fallback = /^helvetica/i.test(family ?? '') ? SUBSTITUTES : [] } = style
      if (family === undefined) return fallback.length > 0 ? familyList([...fallback, ...GENERIC]) : undefined
      const names = fonts.families.has(family) ? [familyName(style, display)] : [family]
      return familyList([...names, ...new Set(localFamilies.get(family)?.values()), ...fallback, ...GENERIC])
    },
    facesOf: style => {
      const [first, ...others] = requestFor(style)?.faces ?? []
      return first ? [first, ...others.filter(({ file }) => file.contentType === first.file.contentType)] : []
    },
    meanWidth: style => meanWidthIn(requestFor(style), facts),
  }
}

/** For each family, the names of its local fallback fonts by the `@font-face` rules that define them. */
type LocalFamilies = ReadonlyMap<string, ReadonlyMap<string, string>>

function localFallbacks(answered: readonly AnsweredRequest[], facts: Facts): LocalFamilies {
  const localFamilies = new Map<string, Map<string, string>>()
  for (const { family, wanted, faces } of answered) {
    const measured = firstFacts(faces, facts)
    const rules = localFamilies.get(family) ?? new Map<string, string>()
    for (const fallback of measured ? fallbackFaces(`Fallback: ${family}`, measured, wanted) : [])
      localFamilies.set(family, rules.set(fallback.rule, fallback.family))
  }
  return localFamilies
}

function firstFacts(faces: readonly FontFace[], facts: Facts): FontFacts | undefined {
  return faces.map(face => facts.get(face)).find(known => known !== undefined)
}

function meanWidthIn(request: AnsweredRequest | undefined, facts: Facts): number | undefined {
  const measured = request && firstFacts(request.faces, facts)
  return request && measured && widthAt(measured.widths, request.wanted.weight)
}

/** The fonts with the shapes of Helvetica Neue and others, which many systems lack. */
const SUBSTITUTES = ['Helvetica', 'Arial']

/** For letters that the fonts do not contain. */
const GENERIC = ['system-ui', 'sans-serif']

/**
 * The name of a family in style sheets of the guide, which no other page uses. Samples have separate names, so that no
 * other style sheet of their page sets their `font-display`. In the frame, so have axes, which its subsets contain.
 */
function familyName({ family, axes }: FontChoice, display: FacesOptions['display']): string {
  if (display === 'block') return `Guide: ${family}`
  return `Frame: ${family}${axes === undefined ? '' : ` ${JSON.stringify(axes)}`}`
}

/** A font request for one family, with its name in style sheets and the text that it is for. */
type FamilyRequest = { name: string; family: string; wanted: FontRequest } & Pick<FaceUse, 'axes' | 'features'>

function requestsIn(
  styles: readonly FontChoice[],
  { families }: GuideFonts,
  display: FacesOptions['display'],
  hasEmphasis: boolean,
): FamilyRequest[] {
  const requests = new Map<string, FamilyRequest>()
  for (const style of styles) {
    const { family, axes } = style
    if (family === undefined || !families.has(family)) continue
    const request = fontRequestOf(style)
    const name = familyName(style, display)
    for (const wanted of hasEmphasis ? [request, ...emphasisRequests(request)] : [request]) {
      const key = `${wanted.weight} ${wanted.style} ${name}`
      const features = [...(requests.get(key)?.features ?? []), ...Object.keys(style.features ?? {})]
      requests.set(key, { name, family, wanted, axes, features })
    }
  }
  return [...requests.values()]
}

/** The font requests of `strong` and `em`. */
function emphasisRequests({ weight }: FontRequest): FontRequest[] {
  const bold = boldFor(weight)
  return [
    { weight, style: 'italic' },
    { weight: bold, style: 'normal' },
    { weight: bold, style: 'italic' },
  ]
}

/** The weight of `strong` in text of a weight; text that is bold itself stays the same. */
export function boldFor(weight: number): number {
  return weight < 600 ? 700 : weight
}

/** The candidate fonts of a request: if none has its weight by itself, includes fonts that may have it on an axis. */
function facesToRead({ family, wanted }: FamilyRequest, { families, matching }: GuideFonts): readonly FontFace[] {
  const matches = matching(family, wanted)
  const isExact = matches.some(({ weight }) => weight === wanted.weight)
  return isExact ? matches : [...matches, ...(families.get(family) ?? []).slice(0, MAX_TRIED)]
}

/** The number of fonts of a family that are read to find a weight on an axis. */
const MAX_TRIED = 16

type Facts = ReadonlyMap<FontFace, FontFacts>

/** A request with the fonts that a browser selects for it, the smallest format first. */
type AnsweredRequest = FamilyRequest & { faces: readonly FontFace[] }

/** Chooses the fonts of a request. The facts show which variable fonts have its weight on an axis. */
function chosenFaces(request: FamilyRequest, { families, matching }: GuideFonts, facts: Facts): AnsweredRequest {
  const { family, wanted } = request
  const matchesByName = matching(family, wanted)
  if (matchesByName.some(({ weight }) => weight === wanted.weight)) return { ...request, faces: matchesByName }
  const readFaces = (families.get(family) ?? []).slice(0, MAX_TRIED).filter(face => facts.has(face))
  const candidates = [...new Set([...matchesByName, ...readFaces])]
  return { ...request, faces: matchingFaces(candidates, wanted, face => weightsOf(face, facts.get(face))) }
}

/** A font under a name, with all the text that it is for. */
type UsedFace = FaceUse & {
  name: string
  face: FontFace
  isOneOfMany: boolean
  /** Whether no other format of the font is smaller. */
  isSmallest: boolean
}

/**
 * The fonts of all requests, each once under its name, with the weights and features of all its text. The last of several
 * equal rules applies, so the smallest format comes last.
 */
function usedFaces(answered: readonly AnsweredRequest[], { families }: GuideFonts, facts: Facts): UsedFace[] {
  const used = new Map<string, UsedFace>()
  for (const { name, family, wanted, axes, features, faces } of answered)
    for (const face of faces.toReversed()) {
      const cuts = (families.get(family) ?? []).map(({ metadata }) => metadata)
      const slopes = slopesOf(face.metadata, cuts, facts.get(face)?.axes)
      const slope = slopes.at(wanted.style === 'italic' ? -1 : 0) ?? { style: 'normal' }
      const key = `${face.number} ${slope.style} ${name}`
      const before = used.get(key)
      const weights = [before?.weights ?? [], wanted.weight].flat()
      used.set(key, {
        name,
        face,
        slope,
        weights: [Math.min(...weights), Math.max(...weights)],
        axes,
        features: [...new Set([...(before?.features ?? []), ...features])].sort(),
        isOneOfMany: faces.length > 1 || before?.isOneOfMany === true,
        isSmallest: face.file.contentType === faces[0]?.file.contentType,
      })
    }
  return [...used.values()]
}

/** The rule of a font, then those of its subsets, which apply first. A subset has only the weights of its text. */
function rulesOf(
  { publication, site: { paths } }: Guide,
  { name, face, slope, weights: [lightest, boldest], isOneOfMany }: UsedFace,
  subsets: readonly FontSubset[],
  display: FacesOptions['display'],
  facts: FontFacts | undefined,
): string[] {
  const [min, max] = weightsOf(face, facts)
  // Subsets have only the weights of their text, and the rule of the whole font has the same range.
  const weights =
    subsets.length === 0 ? ([min, max] as const) : ([clamp(min, lightest, max), clamp(min, boldest, max)] as const)
  const rule = (address: string, contentType: string, range: string | undefined) => {
    const descriptors = faceDescriptors({
      family: name,
      weights,
      ...slope,
      display,
      sources: [{ address, contentType }],
      range,
    })
    return `@font-face{${descriptors.map(each => each.join(':')).join(';')}}\n`
  }
  const range = isOneOfMany || subsets.length > 0 ? unicodeRange(facts) : undefined
  return [
    rule(paths.file(publication.record, face.file), face.file.contentType, range),
    ...subsets.map(({ address, script }) => rule(address, 'font/woff2', rangeText(script.ranges))),
  ]
}
