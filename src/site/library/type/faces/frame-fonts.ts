import type { TypeStyle } from '../../../../brand/type-style.ts'
import { styleDeclarations } from '../../../../export/css/css-text.ts'
import type { Guide } from '../../../guide/guide.ts'
import type { GuideTheme } from '../../../theme/guide-theme.ts'
import { styleFaces } from './style-faces.ts'

/**
 * The style rules for the frame of a guide in the type styles of its theme. A font that loads too late is not shown,
 * since letters with another width would move the content below; the next page shows it.
 */
export async function frameFontRules(
  guide: Guide,
  { heading, body }: GuideTheme,
): Promise<{ rules: readonly string[]; keptMs: number | undefined }> {
  const styles = [heading, body].filter(style => style !== undefined)
  // Static copies cannot preload fonts, so no font would load in time.
  const display = guide.copy ? 'swap' : 'optional'
  const { rules, families, keptMs } = await styleFaces(guide, styles, { display, hasEmphasis: true })
  const rule = (selector: string, style: TypeStyle) =>
    `${selector}{${styleDeclarations(style, families(style)).join(';')}}\n`
  return {
    keptMs,
    rules: [
      ...rules,
      ...(body ? [rule('body,input,button', textStyle(body))] : []),
      ...(heading ? [rule('.tile-name,h1,h2,h3,h4', headingStyle(heading))] : []),
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
