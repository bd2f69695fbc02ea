import type { TypeStyle } from '../../../../brand/type-style.ts'
import { FORMATS_BY_SIZE, type FontFace, ownWeight, type WeightRange } from '../../../../export/fonts/font-faces.ts'

/** The weight and style that text requests from a font. */
export type FontRequest = { weight: number; style: 'normal' | 'italic' }

/** The font request of a type style, with the CSS defaults for missing values. */
export function fontRequestOf({ weight = 400, style = 'normal' }: Pick<TypeStyle, 'weight' | 'style'>): FontRequest {
  return { weight, style }
}

/**
 * The fonts of a family that a browser selects (CSS Fonts 4 §5.2): the requested style, the nearest weight and regular
 * width. There are several if a font comes in parts or formats: the smallest format is first.
 */
export function matchingFaces(
  family: readonly FontFace[],
  { weight, style }: FontRequest,
  rangeOf: (face: FontFace) => WeightRange = ownWeight,
): FontFace[] {
  const traits = [
    (face: FontFace) => styleDistance(face.metadata.style ?? 'normal', style),
    (face: FontFace) => weightDistance(rangeOf(face), weight),
    nameRank,
  ]
  let matching = family
  for (const trait of traits) {
    const distances = matching.map(trait)
    const nearest = distances.reduce((minimum, distance) => Math.min(minimum, distance), Number.POSITIVE_INFINITY)
    matching = matching.filter((_, at) => distances[at] === nearest)
  }
  return matching.toSorted(
    (a, b) => FORMATS_BY_SIZE.indexOf(a.file.contentType) - FORMATS_BY_SIZE.indexOf(b.file.contentType),
  )
}

function styleDistance(style: 'normal' | 'italic' | 'oblique', wanted: FontRequest['style']): number {
  return STYLES[wanted].indexOf(style)
}

/** Ordered from the nearest style. */
const STYLES = { italic: ['italic', 'oblique', 'normal'], normal: ['normal', 'oblique', 'italic'] }

/**
 * The distance of a font's weights from the requested one. From 400 to 500, the order is weights up to 500, then
 * lighter, then heavier ones. Below 400, lighter weights come first, above 500 heavier ones.
 */
function weightDistance([min, max]: WeightRange, wanted: number): number {
  if (min <= wanted && wanted <= max) return 0
  const isLighter = max < wanted
  const distance = isLighter ? wanted - max : min - wanted
  if (wanted < 400) return isLighter ? distance : 1000 + distance
  if (wanted > 500) return isLighter ? 1000 + distance : distance
  if (isLighter) return 1000 + distance
  return min <= 500 ? distance : 2000 + distance
}

/** Ranks fonts after the regular ones if their names have another width or other unusual words. */
function nameRank({ metadata: { subFamily = '' } }: FontFace): number {
  if (/cond(?:ensed)?\b|compressed|narrow|\bext(?:ended)?\b|expanded|\bwide\b/i.test(subFamily)) return 2
  return /^(?:regular|normal|roman|book|text|italic|oblique)?$/i.test(subFamily) ? 0 : 1
}
