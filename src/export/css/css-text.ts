import type { TypeStyle } from '../../brand/type-style.ts'

/** A text as a CSS string, which nothing in it can end (CSSOM, "serialize a string"). */
export function cssString(text: string): string {
  return `"${text.replace(UNSAFE, escaped)}"`
}

/** NUL, the other control characters, what has a meaning within a string, and what could end an HTML element. */
const UNSAFE = /[\p{Cc}"\\<]/gu

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`
  return character === '\0' ? '\ufffd' : `\\${character.charCodeAt(0).toString(16)} `
}

/** Families as the value of `font-family`: those that every browser has by a word of CSS are not quoted. */
export function familyList(families: readonly string[]): string {
  return [...new Set(families.map(family => (GENERIC.test(family) ? family.toLowerCase() : cssString(family))))].join(
    ', ',
  )
}

/** CSS Fonts 4 §2.1.4. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|fangsong|ui-(?:serif|sans-serif|monospace|rounded))$/i

/** A type style as CSS declarations, each `property: value`; `families` is its `font-family`, if any. */
export function styleDeclarations(style: TypeStyle, families: string | undefined): string[] {
  return styleProperties(style, families).map(([property, value]) => `${property}: ${value}`)
}

/** A property of CSS and its value. */
export type StyleProperty = readonly [property: (typeof STYLE_PROPERTIES)[number], value: string | number]

/** The properties that type styles have in CSS, in the order of a rule. */
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
  'margin-block-end',
] as const

/** A type style as properties of CSS; `families` is its `font-family`, if any. */
export function styleProperties(style: TypeStyle, families: string | undefined): StyleProperty[] {
  const { size, leading, tracking, casing, spacing, responsive } = style
  const isSmallCaps = casing === 'small-caps'
  const features = Object.entries(style.features).map(([tag, value]) => `${cssString(tag)} ${value}`)
  const values: Readonly<Record<StyleProperty[0], string | number | undefined>> = {
    'font-family': families,
    'font-style': style.style,
    'font-weight': style.weight,
    'font-size': size === undefined ? undefined : responsive ? fluidSize(size) : `${size}px`,
    'line-height': leading,
    'letter-spacing': tracking === undefined ? undefined : `${tracking}em`,
    'font-variant-caps': isSmallCaps ? 'small-caps' : undefined,
    'text-transform': isSmallCaps || casing === 'none' ? undefined : casing,
    'font-feature-settings': features.length === 0 ? undefined : features.join(', '),
    'margin-block-end': spacing === undefined ? undefined : `${spacing}em`,
  }
  return STYLE_PROPERTIES.flatMap(property => {
    const value = values[property]
    return value === undefined ? [] : [[property, value] as const]
  })
}

/**
 * A size that follows the screen: the given one from 1200 px on, and at 360 px that of a scale with smaller steps above
 * running text, so that 64 px become 37 px. Running text keeps its size. `most` is the given size as CSS says it.
 */
export function fluidSize(size: number, most = `${size}px`): string {
  const least = smallestSize(size)
  if (least >= size) return most
  const slope = (size - least) / (WIDE - NARROW)
  return `clamp(${least}px, ${rounded(least - slope * NARROW)}px + ${rounded(100 * slope)}vw, ${most})`
}

/** The size of a style on the narrowest screens, px. */
function smallestSize(size: number): number {
  return Math.round(RUNNING * (Math.max(size, RUNNING) / RUNNING) ** 0.6)
}

/** px */
const [NARROW, WIDE, RUNNING] = [360, 1200, 16]

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
