import { pick } from '#platform/base/object.ts'
import { type CommonValues, type FieldsOf, fieldIn, type KeysIn, keysIn } from './fields.ts'

const api = fieldIn('API')
const website = fieldIn('website')

export const CASINGS = ['none', 'uppercase', 'lowercase', 'capitalize', 'small-caps'] as const

export const FONT_STYLES = ['normal', 'italic'] as const

/** The keys of a type style. Sizes are in px, `leading` is a multiple of the size, other measures are in em. */
export const TYPE_FIELDS = {
  id: api('style id', 'The id in addresses and links. Default: made from the name.', 'heading'),
  name: api('name', 'The name that people see.', 'Heading'),
  family: api('short line', 'The family of a font under files/.', 'Acme Sans'),
  size: api('size', 'The size in px, without a unit.', 16),
  leading: api('leading', 'The line height, as a multiple of the size.', 1.5),
  tracking: api('tracking', 'The letter spacing in em, without a unit.', -0.02),
  casing: api('casing', 'The change of case when text is set.'),
  spacing: api('spacing', 'The space after a paragraph in em, without a unit.', 0.5),
  responsive: api('flag, false by default', 'Whether the size follows the width of the screen.'),
  features: api('features', 'OpenType features: tags of four characters, 1 for on and 0 for off.', {
    tnum: 1,
    liga: 0,
  }),
  weight: website('weight', 'The weight, 1 to 1000, or a name.', 600, 'SemiBold'),
  style: website('font style', 'Whether letters are upright or slanted.'),
  fallback: website('families', 'Fallback families, in order.', ['Georgia', 'serif']),
  axes: website('axes', 'Axes of a variable font: tags of four characters with numbers.', {
    SOFT: 100,
    WONK: 1,
  }),
  sample: website('line', 'A sample of brand text that shows the style, in one line.', 'Open until six'),
} as const

export type TypeStyle = FieldsOf<typeof TYPE_FIELDS, TypeKinds, 'id' | 'name' | 'casing' | 'responsive' | 'features'>

/** The values of a type style, which may be from none of the guide's own. */
export type UnnamedStyle = Omit<TypeStyle, 'id' | 'name'>

type TypeKinds = CommonValues & {
  size: number
  leading: number
  tracking: number
  spacing: number
  casing: (typeof CASINGS)[number]
  'flag, false by default': boolean
  /** OpenType tags and their values: `{ tnum: 1, liga: 0 }`. */
  features: Record<string, number>
  /** 1 to 1000, like `font-weight` (CSS Fonts 4 §2.2). */
  weight: number
  'font style': (typeof FONT_STYLES)[number]
  families: readonly string[]
  axes: Readonly<Record<string, number>>
}

/** A type style as in API replies. */
export type TypeValues = Pick<TypeStyle, KeysIn<typeof TYPE_FIELDS, 'API'>>

const API_KEYS = keysIn(TYPE_FIELDS, 'API')

/** Removes the fields that API replies omit. */
export function typeValues(style: TypeStyle): TypeValues {
  return pick(style, API_KEYS)
}

/** The size in px of a responsive style on a screen of 360 px: 64 px become 37 px, and running text keeps its size. */
export function smallestSize(size: number): number {
  return Math.round(RUNNING * (Math.max(size, RUNNING) / RUNNING) ** 0.6)
}

const RUNNING = 16
