import type { TypeStyle } from '../../../../brand/type-style.ts'
import { FORMATS_BY_SIZE, type FontFace, ownWeight, type WeightRange } from '../../../../export/fonts/font-faces.ts'

/** The weight and the style that a text asks for. */
export type FontRequest = { weight: number; style: 'normal' | 'italic' }

/** What a text in a type style asks for: what CSS takes if nothing is said, if the style does not say. */
export function fontRequestOf({ weight = 400, style = 'normal' }: Pick<TypeStyle, 'weight' | 'style'>): FontRequest {
  return { weight, style }
}

/**
 * The fonts of a family that a browser takes for a text (CSS Fonts 4 §5.2): of the wanted style and the nearest weight,
 * and of regular width. There are several if a font comes in parts or formats: the smallest format is the first.
 */
export function matchingFaces(
  family: readonly FontFace[],
  { weight, style }: FontRequest,
  rangeOf: (face: FontFace) => WeightRange = ownWeight,
): FontFace[] {
  const traits = [
    (face: FontFace) => styleDistance(face.metadata.style ?? 'normal', style),
    (face: FontFace) => weightDistance(rangeOf(face), weight),
    oddity,
  ]
  let matching = family
  for (const trait of traits) {
    const distances = matching.map(trait)
    const nearest = distances.reduce((least, distance) => Math.min(least, distance), Number.POSITIVE_INFINITY)
    matching = matching.filter((_, at) => distances[at] === nearest)
  }
  return matching.toSorted(
    (a, b) => FORMATS_BY_SIZE.indexOf(a.file.contentType) - FORMATS_BY_SIZE.indexOf(b.file.contentType),
  )
}

function styleDistance(style: 'normal' | 'italic' | 'oblique', wanted: FontRequest['style']): number {
  return STYLES[wanted].indexOf(style)
}

/** The nearest style first. */
const STYLES = { italic: ['italic', 'oblique', 'normal'], normal: ['normal', 'oblique', 'italic'] }

/**
 * How far the weights of a font are from the wanted one. From 400 to 500, those up to 500 are the next, then the lighter
 * ones, then the heavier; below 400 the lighter ones come first, above 500 the heavier.
 */
function weightDistance([min, max]: WeightRange, wanted: number): number {
  if (min <= wanted && wanted <= max) return 0
  const isLighter = max < wanted
  const away = isLighter ? wanted - max : min - wanted
  if (wanted < 400) return isLighter ? away : 1000 + away
  if (wanted > 500) return isLighter ? 1000 + away : away
  if (isLighter) return 1000 + away
  return min <= 500 ? away : 2000 + away
}

/** Widths other than the regular one, and other names than those of upright and slanted fonts of a weight. */
function oddity({ metadata: { subFamily = '' } }: FontFace): number {
  if (/cond(?:ensed)?\b|compressed|narrow|\bext(?:ended)?\b|expanded|\bwide\b/i.test(subFamily)) return 2
  return /^(?:regular|normal|roman|book|text|italic|oblique)?$/i.test(subFamily) ? 0 : 1
}
