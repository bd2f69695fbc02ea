/** The names of weights in OpenType (OS/2, usWeightClass), and those that foundries use besides, in one form each. */
const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['hairline', 100],
  ['thin', 100],
  ['extralight', 200],
  ['ultralight', 200],
  ['light', 300],
  ['semilight', 350],
  ['demilight', 350],
  ['normal', 400],
  ['regular', 400],
  ['roman', 400],
  ['book', 400],
  ['medium', 500],
  ['semibold', 600],
  ['demibold', 600],
  ['demi', 600],
  ['bold', 700],
  ['extrabold', 800],
  ['ultrabold', 800],
  ['black', 900],
  ['heavy', 900],
  ['extrablack', 950],
  ['ultrablack', 950],
])

/** The names of weights, in lower case and without separators. */
export const WEIGHT_NAMES: readonly string[] = [...WEIGHTS.keys()]

/**
 * The weight that a name means, from 1 to 1000, however its parts are written: `SemiBold`, `semi-bold`, `Extra Light`.
 * Undefined if it is the name of no weight.
 */
export function weightOfName(name: string): number | undefined {
  return WEIGHTS.get(name.toLowerCase().replace(/[ _-]/g, ''))
}

/** The name of a weight that is a hundred, as fonts call it in every language: `SemiBold`. Undefined for others. */
export function nameOfWeight(weight: number): string | undefined {
  return HUNDREDS[weight / 100 - 1]
}

/** OpenType, usWeightClass. */
const HUNDREDS = ['Thin', 'ExtraLight', 'Light', 'Regular', 'Medium', 'SemiBold', 'Bold', 'ExtraBold', 'Black']
