import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import type { SourceText } from '../source.ts'
import type { TypeUse } from '../use.ts'
import { expand, isVariable, plainValue, ROOT_SIZE, type Variables, valuesOf } from './variables.ts'

/** The property is in lower case, except the name of a variable. */
export type Declaration = { property: string; value: SourceText }

/** The type that declarations set; what depends on other elements, such as `2vw`, is absent. */
export function typeOf(declarations: readonly Declaration[], scope: Variables): Omit<TypeUse, 'kind'> {
  const last = new Map<string, string | undefined>()
  for (const { property, value } of declarations) {
    const text = expand(value.text, scope)
    for (const [name, part] of property === 'font' ? shorthandParts(text) : [[property, text] as const])
      last.set(name, part)
  }
  const [family, weightText] = [firstFamily(last.get('font-family')), last.get('font-weight')?.toLowerCase()]
  const rem = scope.has(ROOT_SIZE) ? Number.NaN : 16
  const lengths = Object.entries({ ...PX, rem })
  // Attributes of SVG and drawing programs write sizes without a unit.
  const size = numberOf(last.get('font-size'), Object.fromEntries([['', 1], ...lengths])) || undefined
  const weight = numberOf(weightText?.replace(/^normal$/, '400').replace(/^bold$/, '700'), { '': 1 })
  const perSize = Object.fromEntries(lengths.map(([unit, px]) => [unit, px / (size ?? Number.NaN)]))
  const leading = numberOf(last.get('line-height'), { '': 1, em: 1, '%': 0.01, ...perSize })
  const written = writtenIn({ size: last.get('font-size'), leading: last.get('line-height') })
  return withoutUndefined({ family, size, weight, leading, written })
}

/** Pixels of the absolute lengths (CSS Values 4 §6.2). */
export const PX = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6 }

/** The values with a unit other than px. */
function writtenIn(values: Readonly<Record<'size' | 'leading', string | undefined>>): TypeUse['written'] {
  const units = Object.entries(values).filter(([, text = '']) => /^[\d.]+(?:[a-z]+|%)$/i.test(text))
  const written = Object.fromEntries(units.filter(([name, text]) => name !== 'size' || !text?.endsWith('px')))
  return Object.keys(written).length > 0 ? written : undefined
}

/** A number times the factor of its unit; undefined for other units and other text. */
export function numberOf(text = '', factors: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = groupsOf(/^\+?((?:\d*\.)?\d+)(%|[a-z]*)$/i, text)
  const value = Number(number) * (factors[unit.toLowerCase()] ?? Number.NaN)
  return Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : undefined
}

/** The parts of a `font` shorthand (CSS Fonts 4 §2.7), which resets others; `0/0 a` only hides text. */
function shorthandParts(text = ''): (readonly [string, string | undefined])[] {
  const [, words, size, leading, family] = groupsOf(SHORTHAND, text.slice(0, 500))
  const weight = words === undefined ? undefined : (groupsOf(/\b(?:\d+|bold(?:er)?|lighter)\b/i, words)[0] ?? 'normal')
  return Object.entries({ 'font-family': family, 'font-size': size, 'font-weight': weight, 'line-height': leading })
}

const SHORTHAND =
  /^((?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|\d+|[a-z-]*(?:condensed|expanded))\s+)*)(?!0[\s/])([\w-]+\([^;]*?\)|[\d.+$#@][^\s"',/]*|(?:x{1,3}-)?(?:small|large)|medium|smaller|larger)(?:\s*\/\s*([\w.%]+|[\w-]+\([^;]*?\)))?\s+(\S.*)$/is

/** The family that a declaration uses. One in a variable such as `--font-body` is judged where that is defined. */
export function familyIn({ property, value }: Declaration, scope: Variables): string | undefined {
  if (isVariable(property) ? !isFamilyVariable(property) : !FAMILY_PROPERTIES.has(property)) return undefined
  const [first = ''] = plainValue(value.text).split(',')
  const names = first.replaceAll('_', '-').match(/(?:--|\$)[\w-]+/g) ?? []
  if (names.some(name => isFamilyVariable(name) && valuesOf(name, scope).length > 0)) return undefined
  const text = expand(value.text, scope)
  const shorthand =
    property === 'font-family' ? undefined : firstFamily(new Map(shorthandParts(text)).get('font-family'))
  return shorthand ?? (property === 'font' ? undefined : firstFamily(text))
}

const FAMILY_PROPERTIES = wordSet('font font-family')

/** Whether the name of a variable says that it is a font family. */
export function isFamilyVariable(name: string): boolean {
  const has = (word: string) => name.toLowerCase().includes(word)
  return FAMILY_WORDS.values().some(has) && !OTHER_WORDS.values().some(has)
}

const FAMILY_WORDS = wordSet('font family typeface')
const OTHER_WORDS = wordSet('size weight style stretch feature vari path url color smooth')

/** The first family of a list; undefined if it is generic, a CSS-wide keyword, a path, or not resolved. */
function firstFamily(list = ''): string | undefined {
  const [, double, single, words] = groupsOf(
    /^(?:"([^"]+)"|'([^']+)'|([^\d\s,"'/(){}#$:.][^,"'/(){}#$:]*))\s*(?:,|$)/,
    list,
  )
  const family = (double ?? single ?? words ?? '').replace(/\s+/g, ' ').trim()
  const isKeyword = words !== undefined && NO_FAMILIES.has(family.toLowerCase().replace(/^ui-.*/, 'ui-'))
  return isKeyword || /^$|^\\|\//.test(family) ? undefined : family
}

const NO_FAMILIES = wordSet(`
  serif sans-serif ui- monospace math emoji cursive fantasy fangsong inherit initial unset revert revert-layer
  normal none auto swap block optional fallback true false null`)
