import { ok } from '../../base/result.ts'
import { nameOfWeight } from '../../brand/styles/font-weight.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { MakeExport } from '../format.ts'
import { type TokenForm, tokenFile } from './token-file.ts'
import { letterSpacingOf, roundTo6, tokenFamilies } from './token-values.ts'

/**
 * Design tokens in the form of the earlier drafts, which Penpot and Tokens Studio read: strings with units, and the
 * types of Tokens Studio.
 */
export const dtcgLegacy: MakeExport = async source => ok(await tokenFile(source, FORM))

const FORM: TokenForm = {
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
  parts: partValues,
  noSpacing: '0px',
}

function partValues(style: TypeStyle) {
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
