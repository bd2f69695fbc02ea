import type { TypeStyle } from '../../brand/type-style.ts'

/** A string as a CSS string that its content cannot end (CSSOM, "serialize a string"). */
export function cssString(text: string): string {
  return `"${text.replace(UNSAFE, escapeCharacter)}"`
}

/** Control characters, characters with a meaning in strings, and `<`, which could end an HTML element. */
const UNSAFE = /[\p{Cc}"\\<]/gu

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`
  return character === '\0' ? '\ufffd' : `\\${character.charCodeAt(0).toString(16)} `
}

/** Families as a `font-family` value. Generic families are CSS keywords, so they are not quoted. */
export function familyList(families: readonly string[]): string {
  return [...new Set(families.map(family => (GENERIC.test(family) ? family.toLowerCase() : cssString(family))))].join(
    ', ',
  )
}

/** CSS Fonts 4 §2.1.4. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|fangsong|ui-(?:serif|sans-serif|monospace|round))$/i

/** A type style as CSS declarations of the form `property: value`; `families` is its `font-family`, if any. */
export function styleDeclarations(style: TypeStyle, families: string | undefined): string[] {
  return styleProperties(style, families).map(([property, value]) => `${property}: ${value}`)
}

/** A CSS property and its value. */
export type StyleProperty = readonly [property: (typeof STYLE_PROPERTIES)[number], value: string | number]

/** The CSS properties of type styles, in the order of a rule. */
const STYLE_PROPERTIES = [
  'font-family',
  'font-style',
  'font-weight',
  'font-size',
  'line-height',
  'letter-spacing',
  'font-variant-caps',
  'text-transform',
  'font-feature-settings',
  'font-variation-settings',
  'margin-block-end',
] as const

/** A type style as CSS properties; `families` is its `font-family`, if any. */
export function styleProperties(style: TypeStyle, families: string | undefined): StyleProperty[] {
  const { size, leading, tracking, casing, spacing, responsive } = style
  const isSmallCaps = casing === 'small-caps'
  const values: Readonly<Record<StyleProperty[0], string | number | undefined>> = {
    'font-family': families,
    'font-style': style.style,
    'font-weight': style.weight,
    'font-size': size === undefined ? undefined : responsive ? fluidSize(size) : `${size}px`,
    'line-height': leading,
    'letter-spacing': tracking === undefined ? undefined : `${tracking}em`,
    'font-variant-caps': isSmallCaps ? 'small-caps' : undefined,
    'text-transform': isSmallCaps || casing === 'none' ? undefined : casing,
    'font-feature-settings': tagSettings(style.features),
    'font-variation-settings': tagSettings(style.axes),
    'margin-block-end': spacing === undefined ? undefined : `${spacing}em`,
  }
  return STYLE_PROPERTIES.flatMap(property => {
    const value = values[property]
    return value === undefined ? [] : [[property, value] as const]
  })
}

/** Undoes the inherited axes of another style. */
export const DEFAULT_AXES = 'font-variation-settings: normal'

/** OpenType tags with their values as in CSS, such as `"tnum" 1, "liga" 0`; undefined without any. */
export function tagSettings(settings: Readonly<Record<string, number>> = {}): string | undefined {
  const tags = Object.entries(settings).map(([tag, value]) => `${cssString(tag)} ${value}`)
  return tags.length === 0 ? undefined : tags.join(', ')
}

/**
 * A fluid font size: the given size at a width of 1200 px or more. At 360 px, a scale with smaller steps above running
 * text applies, so that 64 px becomes 37 px. Running text keeps its size. `maxSize` is the given size as CSS.
 */
export function fluidSize(size: number, maxSize = `${size}px`): string {
  const minSize = smallestSize(size)
  if (minSize >= size) return maxSize
  const slope = (size - minSize) / (WIDE - NARROW)
  return `clamp(${minSize}px, ${round(minSize - slope * NARROW)}px + ${round(100 * slope)}vw, ${maxSize})`
}

/** The size of a style in px: `16`, or `37–64` from the narrowest to wide screens, which stays on one line. */
export function sizeRange({ size, responsive }: Pick<TypeStyle, 'size' | 'responsive'>): string | undefined {
  if (size === undefined) return undefined
  const least = responsive ? Math.min(smallestSize(size), size) : size
  return least < size ? `${least}–\u2060${size}` : `${size}`
}

/** The size of a style on the narrowest screens, px. */
function smallestSize(size: number): number {
  return Math.round(RUNNING * (Math.max(size, RUNNING) / RUNNING) ** 0.6)
}

/** px */
const [NARROW, WIDE, RUNNING] = [360, 1200, 16]

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Lines as one CSS comment. No line can end the comment, or the HTML element that contains the sheet. */
export function cssComment(lines: readonly string[]): string {
  return `/*\n${lines.map(line => ` * ${escapeLine(line)}\n`).join('')} */\n`
}

function escapeLine(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(BIDI, '')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/<(?=[/!])/g, '< ')
}

/** Characters that would reorder the rest of a line (Unicode TR9 §2). */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
