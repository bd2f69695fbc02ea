import type { TypeStyle } from '../../brand/type-style.ts'

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

/** A type style as CSS declarations, each `property: value`, with this for its `font-family`, if any. */
export function styleDeclarations(style: TypeStyle, families: string | undefined): string[] {
  const { size, leading, tracking, casing, spacing } = style
  const features = Object.entries(style.features).map(([tag, value]) => `${cssString(tag)} ${value}`)
  return [
    ...(families === undefined ? [] : [`font-family: ${families}`]),
    ...(size === undefined ? [] : [`font-size: ${size}px`]),
    ...(leading === undefined ? [] : [`line-height: ${leading}`]),
    ...(tracking === undefined ? [] : [`letter-spacing: ${tracking}em`]),
    ...(casing === 'small-caps' ? ['font-variant-caps: small-caps'] : []),
    ...(casing === 'none' || casing === 'small-caps' ? [] : [`text-transform: ${casing}`]),
    ...(features.length > 0 ? [`font-feature-settings: ${features.join(', ')}`] : []),
    ...(spacing === undefined ? [] : [`margin-block-end: ${spacing}em`]),
  ]
}
