import { ok } from '../../base/result.ts'
import type { Color } from '../../brand/color.ts'
import { nameOfWeight } from '../../brand/styles/font-weight.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { MakeExport } from '../format.ts'
import { letterSpacingOf, roundTo6, type TokenForm, tokenFamilies, tokenFile } from './token-file.ts'

/** Design tokens in the Design Tokens Community Group format, 2025.10. */
export const dtcg: MakeExport = async source => ok(await tokenFile(source, FORM))

const FORM: TokenForm = {
  file: 'tokens.json',
  head: { $schema: 'https://www.designtokens.org/schemas/2025.10/format.json' },
  types: {
    color: 'color',
    typography: 'typography',
    fontFamily: 'fontFamily',
    fontSize: 'dimension',
    fontWeight: 'fontWeight',
    lineHeight: 'number',
    letterSpacing: 'dimension',
  },
  color: colorValue,
  parts: partValues,
  noSpacing: pixels(0),
}

/** Format 2025.10 §8.1, and Color 2025.10 §4.2 on sRGB. */
function colorValue({ rgb, hex }: Color) {
  const components = rgb.split(',').map(channel => roundTo6(Number(channel) / 255))
  return { colorSpace: 'srgb', components, alpha: 1, hex }
}

function partValues(style: TypeStyle) {
  const { size, weight, leading } = style
  const families = tokenFamilies(style)
  const spacing = letterSpacingOf(style)
  return {
    fontFamily: families.length > 1 ? families : families[0],
    fontSize: size === undefined ? undefined : pixels(size),
    fontWeight: weight,
    lineHeight: leading,
    letterSpacing: spacing === undefined ? undefined : pixels(spacing),
  }
}

/** Format 2025.10 §8.2. */
function pixels(value: number) {
  return { value, unit: 'px' }
}

/** The form of the earlier drafts, which Penpot and Tokens Studio read: strings with units. */
export const dtcgLegacy: MakeExport = async source => ok(await tokenFile(source, LEGACY_FORM))

const LEGACY_FORM: TokenForm = {
  file: 'tokens.legacy.json',
  // Tokens Studio parses anything next to groups as tokens.
  head: undefined,
  types: {
    color: 'color',
    typography: 'typography',
    fontFamily: 'fontFamilies',
    fontSize: 'fontSizes',
    fontWeight: 'fontWeights',
    lineHeight: 'lineHeights',
    letterSpacing: 'letterSpacing',
    textCase: 'textCase',
    paragraphSpacing: 'paragraphSpacing',
  },
  color: ({ hex }) => hex,
  parts: legacyValues,
  noSpacing: '0px',
}

function legacyValues(style: TypeStyle) {
  const { size, leading, casing, spacing } = style
  const letterSpacing = letterSpacingOf(style)
  return {
    fontFamily: tokenFamilies(style)[0],
    fontSize: size === undefined ? undefined : `${size}px`,
    fontWeight: weightOf(style),
    // Figma reads a bare number as px.
    lineHeight: leading === undefined ? undefined : `${roundTo6(leading * 100)}%`,
    letterSpacing: letterSpacing === undefined ? undefined : `${letterSpacing}px`,
    textCase: casing === 'none' ? undefined : casing === 'small-caps' ? 'small_caps' : casing,
    paragraphSpacing: spacing === undefined || size === undefined ? undefined : `${roundTo6(spacing * size)}px`,
  }
}

/** The weight includes the italic, for which it needs its name: `SemiBold Italic`. */
function weightOf({ weight, style }: TypeStyle): string | number | undefined {
  const name = weight === undefined || style !== 'italic' ? undefined : nameOfWeight(weight)
  return name === undefined ? weight : `${name} Italic`
}
