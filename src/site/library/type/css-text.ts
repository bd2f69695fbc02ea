import type { TypeStyle } from '../../../brand/type-style.ts'

/** A text as a CSS string, which nothing in it can end (CSSOM, "serialize a string"). */
export function cssString(text: string): string {
  return `"${text.replace(UNSAFE, escaped)}"`
}

/** NUL, the other control characters, and what has a meaning within a string. */
const UNSAFE = /[\p{Cc}"\\]/gu

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`
  return character === '\0' ? '\ufffd' : `\\${character.charCodeAt(0).toString(16)} `
}

/** A type style as CSS declarations, each `property: value`; `families` is its `font-family`, if any. */
export function styleDeclarations(style: TypeStyle, families: string | undefined): string[] {
  const { size, leading, tracking, casing, spacing } = style
  const isSmallCaps = casing === 'small-caps'
  const features = Object.entries(style.features).map(([tag, value]) => `${cssString(tag)} ${value}`)
  const declarations = [
    ['font-family', families],
    ['font-size', size === undefined ? undefined : `${size}px`],
    ['line-height', leading],
    ['letter-spacing', tracking === undefined ? undefined : `${tracking}em`],
    ['font-variant-caps', isSmallCaps ? 'small-caps' : undefined],
    ['text-transform', isSmallCaps || casing === 'none' ? undefined : casing],
    ['font-feature-settings', features.length === 0 ? undefined : features.join(', ')],
    ['margin-block-end', spacing === undefined ? undefined : `${spacing}em`],
  ] as const
  return declarations.flatMap(([property, value]) => (value === undefined ? [] : [`${property}: ${value}`]))
}
