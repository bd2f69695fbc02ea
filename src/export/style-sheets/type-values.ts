import type { TypeStyle } from '../../brand/type-style.ts'
import { familyList, type StyleProperty, styleProperties } from '../css/css-text.ts'

/** A value of a type style: its CSS property, its name here, and its CSS text. */
export type TypeValue = { property: StyleProperty[0]; name: string; value: string }

/** The values of a type style in CSS. The size is the authored one, even if it is fluid. */
export function typeValuesInCss(style: TypeStyle): TypeValue[] {
  const { family, fallback = [] } = style
  const families = [...(family === undefined ? [] : [family]), ...fallback]
  const properties = styleProperties(
    { ...style, responsive: false },
    families.length > 0 ? familyList(families) : undefined,
  )
  return properties.map(([property, value]) => ({ property, name: NAMES[property], value: `${value}` }))
}

/**
 * The last part of a name such as `--type-body-size`. No name ends in a hyphen and another name, so styles called `a`
 * and `a-letter` share no variable.
 */
const NAMES: Readonly<Record<StyleProperty[0], string>> = {
  'font-family': 'family',
  'font-style': 'style',
  'font-weight': 'weight',
  'font-size': 'size',
  'line-height': 'line-height',
  'letter-spacing': 'letter-spacing',
  'font-variant-caps': 'variant-caps',
  'text-transform': 'text-transform',
  'font-feature-settings': 'feature-settings',
  'font-variation-settings': 'variation-settings',
  'margin-block-end': 'paragraph-spacing',
}
