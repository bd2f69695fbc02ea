import type { Page } from '../../../../brand/page.ts'
import type { TypeStyle } from '../../../../brand/type-style.ts'
import { typeAnchor } from '../../../../serving/addresses.ts'
import type { Guide } from '../../../guide/guide.ts'
import { type Html, html } from '../../../html.ts'
import { sampleText } from '../style-sample.ts'

/**
 * The type styles of a guide combined as on a page: titles are page names, each followed by the page description.
 * Undefined with fewer than two styles.
 */
export async function typeArticle(
  { publication, words }: Guide,
  styles: readonly TypeStyle[],
): Promise<Html | undefined> {
  if (styles.length < 2) return undefined
  const described = (await publication.content.pages()).values().filter(({ description }) => description !== undefined)
  const pages = described.take(MAX_STYLES).toArray()
  const lines = alternate(styles.slice(0, MAX_STYLES)).map(({ style, isTitle, at }) => {
    const page = pages[at]
    return html`<p class="${typeAnchor(style.id)}">${page ? textOf(page, isTitle) : sampleText(words, style)}</p>\n`
  })
  return html`<h2 id="together">${words.specimen.together}</h2>\n<div class="together">\n${lines}</div>\n`
}

const MAX_STYLES = 12

/** Alternates titles and body styles, each with its position among its kind. */
function alternate(styles: readonly TypeStyle[]): { style: TypeStyle; isTitle: boolean; at: number }[] {
  const [titles, texts] = [styles.filter(isTitle), styles.filter(style => !isTitle(style))]
  const length = Math.max(titles.length, texts.length)
  return Array.from({ length }, (_, at) => at).flatMap(at => [
    ...titles.slice(at, at + 1).map(style => ({ style, isTitle: true, at })),
    ...texts.slice(at, at + 1).map(style => ({ style, isTitle: false, at })),
  ])
}

function isTitle({ size = 0, casing, weight = 400 }: TypeStyle): boolean {
  return size >= 28 || weight >= 600 || casing === 'uppercase'
}

function textOf({ name, description }: Page, isTitle: boolean): string {
  return isTitle ? name : (description ?? name)
}
