import type { TypeStyle } from '../../../../brand/type-style.ts'
import { typeAnchor } from '../../../../serving/addresses.ts'
import { type Html, html } from '../../../html.ts'
import type { GuideTheme } from '../../../theme/guide-theme.ts'
import type { Words } from '../../../words/words.ts'
import { sampleText } from '../style-table.ts'

/**
 * The type styles of a guide combined as on a page: pairs of a title and a body style, each with its own sample or that of
 * the theme. Undefined with fewer than two styles.
 */
export function typeArticle(
  words: Words,
  styles: readonly TypeStyle[],
  { heading, body }: Pick<GuideTheme, 'heading' | 'body'>,
): Html | undefined {
  if (styles.length < 2) return undefined
  const [titles, texts] = [styles.filter(isTitle), styles.filter(style => !isTitle(style))]
  const line = (style: TypeStyle | undefined, sample: string | undefined) =>
    style &&
    html`<p class="${typeAnchor(style.id)}" dir="auto">${style.sample ?? sample ?? sampleText(words, style)}</p>\n`
  const pairs = Array.from({ length: Math.min(MAX_PAIRS, Math.max(titles.length, texts.length)) }, (_, at) => {
    return html`<div>${line(titles[at], heading?.sample)}${line(texts[at], body?.sample)}</div>\n`
  })
  return html`<h2 id="together">${words.specimen.together}</h2>\n<div class="together">\n${pairs}</div>\n`
}

const MAX_PAIRS = 6

function isTitle({ size = 0, casing, weight = 400 }: TypeStyle): boolean {
  return size >= 28 || weight >= 600 || casing === 'uppercase'
}
