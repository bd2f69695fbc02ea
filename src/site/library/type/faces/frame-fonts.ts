import type { TypeStyle } from '../../../../brand/type-style.ts'
import { DEFAULT_AXES, styleDeclarations } from '../../../../export/css/css-text.ts'
import type { GuideTheme } from '../../../theme/guide-theme.ts'
import { type FontGuide, type StyleFaces, styleFaces } from './style-faces.ts'

/** The fonts of the frame of a guide, with subsets that load before the whole fonts. */
export function frameFaces(guide: FontGuide, { heading, body }: GuideTheme): Promise<StyleFaces> {
  const styles = [body, heading && { ...heading, weight: headingWeight(heading) }].filter(style => style !== undefined)
  return styleFaces(guide, styles, { display: 'swap', hasEmphasis: true })
}

/** The weight of headings; without one, that of the style sheet. */
export function headingWeight({ weight = 650 }: TypeStyle): number {
  return weight
}

/**
 * The style rules for the frame of a guide in the type styles of its theme. Until a font has loaded, text is in a
 * system font with its metrics.
 */
export async function frameFontRules(
  guide: FontGuide,
  theme: GuideTheme,
): Promise<{ rules: readonly string[]; keptMs: number | undefined }> {
  const { heading, body } = theme
  const { rules, families, keptMs } = await frameFaces(guide, theme)
  const rule = (selector: string, style: TypeStyle) =>
    `${selector}{${[...styleDeclarations(style, families(style)), ...(body?.axes && !style.axes ? [DEFAULT_AXES] : [])].join(';')}}\n`
  return {
    keptMs,
    rules: [
      ...rules,
      ...(body ? [rule('body,input,button', textStyle(body))] : []),
      ...(heading ? [rule('.statement,.tile-name,h1,h2,h3,h4', headingStyle(heading))] : []),
      ...(heading?.leading === undefined ? [] : [`:root{--display-leading:${clamp(0.9, heading.leading, 1.3)}}\n`]),
    ],
  }
}

/** The properties of a style for running text. Each part of a page sets its own sizes and cases. */
function textStyle({ size: _s, casing: _c, spacing: _p, features: _f, leading, ...style }: TypeStyle): TypeStyle {
  const lines = leading === undefined ? {} : { leading: clamp(1.35, leading, 1.8) }
  return { ...style, ...lines, casing: 'none', features: {} }
}

/** The properties of a style for headings of all sizes. Browsers do not synthesise missing weights. */
function headingStyle({ size: _s, leading: _l, spacing: _p, ...style }: TypeStyle): TypeStyle {
  return style
}

function clamp(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
