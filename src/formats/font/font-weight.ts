import { anyOf, lettersOf } from '#platform/base/text.ts'

/** OpenType (OS/2, usWeightClass) and foundry names of weights, each in one form. */
const WEIGHTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    100: 'hairline thin',
    200: 'extralight ultralight',
    300: 'light',
    350: 'semilight demilight',
    400: 'normal regular roman book',
    500: 'medium',
    600: 'semibold demibold demi',
    700: 'bold',
    800: 'extrabold ultrabold',
    900: 'black heavy',
    950: 'extrablack ultrablack',
  }).flatMap(([weight, names]) => names.split(' ').map(name => [name, Number(weight)])),
)

/** Weight names, in lower case and without separators. */
export const WEIGHT_NAMES: readonly string[] = [...WEIGHTS.keys()]

/** The weight for a name in any spelling, such as `semi-bold`; undefined if the name is unknown. */
export function weightOfName(name: string): number | undefined {
  return WEIGHTS.get(lettersOf(name))
}

/** The name of a cut without its slope, and whether it has one: `Medium` of `Medium Oblique`, `700` of `700italic`. */
export function withoutSlope(cut: string): { upright: string; isSlanted: boolean } {
  const upright = cut.trim().replace(SLOPE, '')
  return { upright, isSlanted: upright !== cut.trim() }
}

const SLOPES = ['italic', 'oblique', 'slanted', 'kursiv', 'cursiva', 'italique']
const SLOPE = new RegExp(String.raw`(?<![\s_-])[\s_-]*${anyOf(SLOPES)}$`, 'i')

/**
 * The OpenType name of a weight: `SemiBold` for 600. Undefined unless the weight is a multiple of 100, from 100 to 900.
 */
export function nameOfWeight(weight: number): string | undefined {
  return HUNDREDS[weight / 100 - 1]
}

/** `Inter ExtraLight Italic`; a variable font is named without a weight: `Inter Italic`. Undefined without a family. */
export function fontName({ family, subFamily = '' }: Names, isVariable: boolean): string | undefined {
  const cut = isVariable
    ? subFamily.replace(WEIGHT_WORDS, words => (weightOfName(words) === undefined ? words : ''))
    : subFamily
  return family === undefined ? undefined : [family, ...cut.split(' ')].filter(Boolean).join(' ')
}

type Names = { family?: string; subFamily?: string }

const DEGREES = ['extra', 'ultra', 'semi', 'demi']
/** The pattern of a word with the word for its degree: `Light`, `Extra Light`, `SemiBold`. */
export const WEIGHT_WORD = String.raw`(?:${anyOf(DEGREES)}[ -]?)?\p{L}+`
const WEIGHT_WORDS = new RegExp(WEIGHT_WORD, 'giu')

/** OpenType, usWeightClass. */
const HUNDREDS = ['Thin', 'ExtraLight', 'Light', 'Regular', 'Medium', 'SemiBold', 'Bold', 'ExtraBold', 'Black']
