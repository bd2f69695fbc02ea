import type { TypeStyle } from '../../../../brand/type-style.ts'
import { styleDeclarations } from '../../../../export/css/css-text.ts'
import type { Guide } from '../../../guide/guide.ts'
import type { GuideTheme } from '../../../theme/guide-theme.ts'
import { styleFaces } from './style-faces.ts'

/**
 * The rules of a style sheet that set the frame of a guide in the type styles of its theme. A font that comes too late
 * is not shown, since letters of another width would move what stands below; the next page has it.
 */
export async function frameFontRules(
  guide: Guide,
  { heading, body }: GuideTheme,
): Promise<{ rules: readonly string[]; keptMs: number | undefined }> {
  const styles = [heading, body].filter(style => style !== undefined)
  // Nothing tells a browser of the fonts of a copy ahead: none would come in time.
  const display = guide.copy ? 'swap' : 'optional'
  const { rules, families, keptMs } = await styleFaces(guide, styles, { display, hasEmphasis: true })
  const rule = (selector: string, style: TypeStyle) =>
    `${selector}{${styleDeclarations(style, families(style)).join(';')}}\n`
  return {
    keptMs,
    rules: [
      ...rules,
      ...(body ? [rule('body,input,button', textStyle(body))] : []),
      ...(heading ? [rule('h1,h2,h3,h4', headingStyle(heading))] : []),
      ...(heading?.leading === undefined ? [] : [`:root{--display-leading:${between(0.9, heading.leading, 1.3)}}\n`]),
    ],
  }
}

/** What running text has of a style: its sizes and cases are those of each part of a page. */
function textStyle({ size: _s, casing: _c, spacing: _p, features: _f, leading, ...style }: TypeStyle): TypeStyle {
  const lines = leading === undefined ? {} : { leading: between(1.35, leading, 1.8) }
  return { ...style, ...lines, casing: 'none', features: {} }
}

/** What headings of all sizes have of a style. Weights that the fonts lack are not made up. */
function headingStyle({ size: _s, leading: _l, spacing: _p, ...style }: TypeStyle): TypeStyle {
  return style
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
