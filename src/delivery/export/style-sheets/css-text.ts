import type { Color, PRINT_KEYS } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { smallestSize, type TypeStyle, type UnnamedStyle } from '#brand/type-style.ts'
import { wordSet } from '#platform/base/text.ts'

/** A string as a CSS string that its content cannot end (CSSOM, "serialize a string"). */
export function cssString(text: string): string {
  return `"${text.replace(UNSAFE, escapeCharacter)}"`
}

/** Control characters, characters with a meaning in strings, `<`, which could end an HTML element, and `#{` of Sass. */
const UNSAFE = /[\p{Cc}"\\<]|#(?=\{)/gu

function escapeCharacter(character: string): string {
  if ('"\\'.includes(character)) return `\\${character}`
  // An escape ends with a space: `\3c ` for `<`. CSS has none for NUL.
  return character === '\0' ? '\ufffd' : `\\${character.charCodeAt(0).toString(16)} `
}

/** Families as a `font-family` value. Generic families are CSS keywords, so they are not quoted. */
export function familyList(families: readonly string[]): string {
  const names = families.map(family => (GENERIC.has(family.toLowerCase()) ? family.toLowerCase() : cssString(family)))
  return [...new Set(names)].join(', ')
}

/** CSS Fonts 4 §2.1.4. */
const GENERIC = wordSet(`serif sans-serif monospace cursive fantasy system-ui math emoji fangsong ui-serif ui-sans-serif
  ui-monospace ui-round`)

/** A type style as CSS declarations of the form `property: value`; `families` is its `font-family`, if any. */
export function styleDeclarations(style: UnnamedStyle, families: string | undefined): string[] {
  return styleProperties(style, families).map(([property, value]) => `${property}: ${value}`)
}

type StyleProperty = readonly [property: keyof typeof STYLE_PROPERTIES, value: string | number]

/**
 * The properties in their order, each with the last part of its variable, such as `size` in `--type-body-size`. No part ends
 * in a hyphen and another part, so that styles called `a` and `a-letter` share no variable.
 */
const STYLE_PROPERTIES = {
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

/** A type style as CSS properties; `families` is its `font-family`, if any. */
function styleProperties(style: UnnamedStyle, families: string | undefined): StyleProperty[] {
  const { size, leading, tracking, casing, spacing, responsive } = style
  const values: Readonly<Record<StyleProperty[0], string | number | undefined>> = {
    'font-family': families,
    'font-style': style.style,
    'font-weight': style.weight,
    'font-size': size === undefined ? undefined : responsive ? fluidSize(size) : `${size}px`,
    'line-height': leading,
    'letter-spacing': inEm(tracking),
    'font-variant-caps': casing === 'small-caps' ? casing : undefined,
    'text-transform': TRANSFORMS.has(casing) ? casing : undefined,
    'font-feature-settings': tagSettings(style.features),
    'font-variation-settings': tagSettings(style.axes),
    'margin-block-end': inEm(spacing),
  }
  return keysOf(STYLE_PROPERTIES).flatMap(property => {
    const value = values[property]
    return value === undefined ? [] : [[property, value] as const]
  })
}

const TRANSFORMS = wordSet('uppercase lowercase capitalize')

function inEm(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value}em`
}

/** The declaration that undoes the inherited axes of another style. */
export const DEFAULT_AXES = 'font-variation-settings: normal'

/** OpenType tags with their values as in CSS, such as `"tnum" 1, "liga" 0`; undefined without any. */
export function tagSettings(settings: Readonly<Record<string, number>> = {}): string | undefined {
  const tags = Object.entries(settings).map(([tag, value]) => `${cssString(tag)} ${value}`)
  return tags.length === 0 ? undefined : tags.join(', ')
}

/**
 * A size that grows with the width of the screen: `size` from 1200 px on, and a smaller one up to 360 px. There, 64 px become
 * 37 px, and running text keeps its size. `maxSize` is the largest size as CSS, such as a variable.
 */
export function fluidSize(size: number, maxSize = `${size}px`): string {
  const minSize = smallestSize(size)
  if (minSize >= size) return maxSize
  // A line through both sizes: the px at a width of 0, and the px for each px of width. `1vw` is a hundredth of the width.
  const slope = (size - minSize) / (WIDE - NARROW)
  return `clamp(${minSize}px, ${round(minSize - slope * NARROW)}px + ${round(100 * slope)}vw, ${maxSize})`
}

/** The size of a style in px: `16`, or `37–64` from the narrowest to wide screens, which stays on one line. */
export function sizeRange({ size, responsive }: Pick<TypeStyle, 'size' | 'responsive'>): string | undefined {
  if (size === undefined) return undefined
  const minSize = responsive ? Math.min(smallestSize(size), size) : size
  return minSize < size ? `${minSize}–\u2060${size}` : `${size}`
}

/** Widths of screens in px, between which a fluid size grows. */
const NARROW = 360
const WIDE = 1200

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/**
 * The properties of colours with a value for dark grounds, for browsers with `light-dark()` (CSS Color 5 §7); the others
 * keep the light value. Each part of a page has the scheme of its next `data-theme`, else that of the reader.
 */
export function schemeRules(
  colors: readonly Color[],
  selector: string,
  property: (id: Color['id']) => string,
): string[] {
  const values = colors.flatMap(({ id, hex, dark }) =>
    dark === undefined ? [] : [`    ${property(id)}: light-dark(${hex}, ${dark});\n`],
  )
  if (values.length === 0) return []
  const schemes = [
    [':root', 'light dark'],
    ['[data-theme="light"]', 'light'],
    ['[data-theme="dark"]', 'dark'],
  ].map(([part, scheme]) => `  ${part} {\n    color-scheme: ${scheme};\n  }\n`)
  return ['\n@supports (color: light-dark(#000, #fff)) {\n', ...schemes, `  ${selector} {\n`, ...values, '  }\n}\n']
}

/** Lines as one CSS comment. No line can end the comment, or the HTML element that contains the sheet. */
export function cssComment(lines: readonly string[]): string {
  return `/*\n${lines.map(line => ` * ${escapeLine(line)}\n`).join('')} */\n`
}

/** A line without line breaks, ends of comments and ends of HTML elements in it. */
function escapeLine(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(BIDI, '')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/<(?=[/!])|#(?=\{)/g, '$& ')
}

/** Characters that would reorder the rest of a line (Unicode TR9 §2). */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

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
  return properties.map(([property, value]) => ({ property, name: STYLE_PROPERTIES[property], value: `${value}` }))
}

/** A print value in CSS: CMYK as in CSS Color 5 §9.2, references as strings, inks as pairs of strings, RAL as a number. */
export function printValue(color: Color, field: (typeof PRINT_KEYS)[number]): string | undefined {
  const value = color[field]
  if (value === undefined) return undefined
  if (typeof value === 'number') return `${value}`
  if (typeof value === 'object')
    return inkPairs(value)
      .map(pair => pair.join(' '))
      .join(', ')
  if (field !== 'cmyk') return cssString(value)
  return `device-cmyk(${value
    .split(',')
    .map(part => `${part.trim()}%`)
    .join(' ')})`
}

/** The names of ink systems and their references as CSS strings. */
export function inkPairs(inks: Readonly<Record<string, string>>): [name: string, reference: string][] {
  return Object.entries(inks).map(([name, reference]) => [cssString(name), cssString(reference)])
}
