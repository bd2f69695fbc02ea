import { expand, isVariable, shortValue, type Variables, valuesOf } from '#formats/css/variables.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { anyOf, groupsOf, singleSpaced, wordSet, wordsIn } from '#platform/base/text.ts'
import type { SourceText } from '../source.ts'
import type { TypeUse } from '../use.ts'
import { ROOT_SIZE } from './variables.ts'

/** The property is in lower case, except the name of a variable. */
export type Declaration = { property: string; value: SourceText }

/**
 * The type that declarations set, of which the last of a property counts; what depends on other elements, such as `2vw`, is
 * absent.
 */
export function typeOf(declarations: readonly Declaration[], scope: Variables): Omit<TypeUse, 'kind'> {
  const values = new Map<string, string | undefined>()
  for (const { property, value } of declarations) {
    const text = expand(value.text, scope)
    for (const [name, part] of property === 'font' ? shorthandParts(text) : [[property, text] as const])
      values.set(name, part)
  }
  const family = firstFamily(values.get('font-family'))
  // Not a number if sheets give the root element a size, since `rem` is unknown then.
  const rem = scope.has(ROOT_SIZE) ? Number.NaN : 16
  const lengths = Object.entries({ ...PX, rem })
  // Attributes of SVG and drawing programs write sizes without a unit.
  const size = numberOf(values.get('font-size'), Object.fromEntries([['', 1], ...lengths])) || undefined
  const weightText = values.get('font-weight')?.toLowerCase() ?? ''
  const weight = WEIGHTS.get(weightText) ?? numberOf(weightText, { '': 1 })
  // A line height is a multiple of the size: a length is divided by it, and without a size it is unknown.
  const perSize = Object.fromEntries(lengths.map(([unit, px]) => [unit, px / Number(size)]))
  const leading = numberOf(values.get('line-height'), { '': 1, em: 1, '%': 0.01, ...perSize })
  const written = writtenIn({ size: values.get('font-size'), leading: values.get('line-height') })
  return withoutUndefined({ family, size, weight, leading, written })
}

const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['normal', 400],
  ['bold', 700],
])

/** Pixels of the absolute lengths (CSS Values 4 §6.2). */
export const PX = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6 }

/** The values that the plain number does not show: sizes in a unit other than px, and line heights in any unit. */
function writtenIn(values: Readonly<Record<'size' | 'leading', string | undefined>>): TypeUse['written'] {
  const units = Object.entries(values).filter(
    ([name, text = '']) => UNIT.test(text) && !(name === 'size' && text.endsWith('px')),
  )
  return units.length > 0 ? Object.fromEntries(units) : undefined
}

/** `1.5rem` or `120%`. */
const UNIT = /^[\d.]+(?:[a-z]+|%)$/i

/** A number times the factor of its unit; undefined for other units and other text. */
export function numberOf(text = '', factors: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = groupsOf(/^\+?((?:\d*\.)?\d+)(%?[a-z]*)$/i, text)
  const value = Number(number) * Number(factors[unit.toLowerCase()])
  return Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : undefined
}

/** The parts of a `font` shorthand (CSS Fonts 4 §2.7). The properties that it leaves out are reset: the weight is normal again. */
function shorthandParts(text = ''): (readonly [string, string | undefined])[] {
  const [, words = '', size, leading, family] = groupsOf(SHORTHAND, text.slice(0, 500))
  const [weight = 'normal'] = groupsOf(WEIGHT, words)
  return Object.entries({
    'font-family': family,
    'font-size': size,
    'font-weight': size && weight,
    'line-height': leading,
  })
}

const WEIGHT_WORDS = anyOf(wordsIn('bolder, bold, lighter'))
const WEIGHT = new RegExp(`\\b(?:\\d+|${WEIGHT_WORDS})\\b`, 'i')
const STYLE_WORDS = anyOf(wordsIn('normal, italic, oblique, small-caps'))
const SIZE_WORDS = anyOf(
  wordsIn('xxx-small, xx-small, x-small, small, medium, large, x-large, xx-large, xxx-large, smaller, larger'),
)
/** `clamp(1rem, 2vw, 2rem)`. */
const CALL = '[\\w-]+\\([^;]*?\\)'
/** The slots of the shorthand in order; `0/0 a` only hides text. */
const SHORTHAND = new RegExp(
  [
    // Words for style and weight, the size, the line height, the family.
    `^((?:(?:${STYLE_WORDS}|${WEIGHT_WORDS}|\\d+|[a-z-]*(?:condensed|expanded))\\s+)*)`,
    `(?!0[\\s/])(${CALL}|[\\d.+$#@][^\\s"',/]*|${SIZE_WORDS})`,
    `(?:\\s*/\\s*([\\w.%]+|${CALL}))?`,
    '\\s+(\\S.*)$',
  ].join(''),
  'is',
)

/** The family that a declaration uses. One in a variable such as `--font-body` is judged where that is defined. */
export function familyIn({ property, value }: Declaration, scope: Variables): string | undefined {
  if (isVariable(property) ? !isFamilyVariable(property) : !FAMILY_PROPERTIES.has(property)) return undefined
  const [first = ''] = shortValue(value.text).split(',')
  // The variables in the first family. SCSS does not distinguish `$font_body` from `$font-body`.
  const variableNames = first.replaceAll('_', '-').match(/(?:--|\$)[\w-]+/g) ?? []
  if (variableNames.some(name => isFamilyVariable(name) && valuesOf(name, scope).length > 0)) return undefined
  const text = expand(value.text, scope)
  // A variable may contain a whole shorthand, or only families.
  const shorthand =
    property === 'font-family' ? undefined : firstFamily(new Map(shorthandParts(text)).get('font-family'))
  return shorthand ?? (property === 'font' ? undefined : firstFamily(text))
}

const FAMILY_PROPERTIES = wordSet('font font-family')

/** Whether the name of a variable says that it is a font family: `--font-body`, but not `--font-size-body`. */
export function isFamilyVariable(name: string): boolean {
  const has = (word: string) => name.toLowerCase().includes(word)
  return FAMILY_WORDS.values().some(has) && !OTHER_WORDS.values().some(has)
}

const FAMILY_WORDS = wordSet('font family typeface')
const OTHER_WORDS = wordSet('size weight style stretch feature vari path url color smooth')

/** The first family of a list; undefined if it is generic, a CSS-wide keyword, a path, or not resolved. */
function firstFamily(list = ''): string | undefined {
  const [, , quoted, words = ''] = groupsOf(FIRST_FAMILY, list)
  const family = singleSpaced(quoted ?? words)
  const isKeyword = NO_FAMILIES.has(
    words
      .trim()
      .toLowerCase()
      .replace(/^ui-.*/, 'ui-'),
  )
  // Empty, with an escape at its start, or a path.
  return isKeyword || /^(?![^\\])|\//.test(family) ? undefined : family
}

/** `"Acme Sans"` or `Acme Sans`, up to a comma or the end: a name in quotes, or words without brackets and variables. */
const FIRST_FAMILY = /^(?:(["'])((?:(?!\1).)+)\1|([^\d\s,"'/(){}#$:.][^,"'/(){}#$:]*))\s*(?![^,])/s

const NO_FAMILIES = wordSet(`
  serif sans-serif ui- monospace math emoji cursive fantasy fangsong inherit initial unset revert revert-layer
  normal none auto swap block optional fallback true false null`)
