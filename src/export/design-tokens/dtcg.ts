import { ok } from '../../base/result.ts'
import type { Color } from '../../brand/color.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { MakeExport } from '../format.ts'
import { type TokenForm, tokenFile } from './token-file.ts'
import { letterSpacingOf, roundTo6, tokenFamilies } from './token-values.ts'

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
