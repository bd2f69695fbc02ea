/** OpenType (OS/2, usWeightClass) and foundry names of weights, each in one form. */
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

/** Weight names, in lower case and without separators. */
export const WEIGHT_NAMES: readonly string[] = [...WEIGHTS.keys()]

/**
 * The weight for a name, from 1 to 1000, in any spelling: `SemiBold`, `semi-bold`, `Extra Light`. Undefined if the name
 * is unknown.
 */
export function weightOfName(name: string): number | undefined {
  return WEIGHTS.get(name.toLowerCase().replace(/[ _-]/g, ''))
}

/** The OpenType name of a weight: `SemiBold` for 600. Undefined unless the weight is a multiple of 100 up to 900. */
export function nameOfWeight(weight: number): string | undefined {
  return HUNDREDS[weight / 100 - 1]
}

/** OpenType, usWeightClass. */
const HUNDREDS = ['Thin', 'ExtraLight', 'Light', 'Regular', 'Medium', 'SemiBold', 'Bold', 'ExtraBold', 'Black']
