import type { TypeStyle } from '../../../../brand/type-style.ts'
import { scriptsIn } from '../../../../fonts/scripts.ts'
import type { Representation } from '../../../../serving/replies/response-cache.ts'
import { themeOf } from '../../../theme/guide-theme.ts'
import { frameFaces, headingWeight } from './frame-fonts.ts'
import { boldFor, type FontGuide } from './style-faces.ts'

/**
 * A page that preloads the fonts of the theme (RFC 8288, preload), so that they are shown from the start: those of
 * headings, text, bold labels and, if the page has any, emphasis. Of each font, it loads the subsets for the scripts of
 * the page, or the whole font if there are none.
 */
export async function withFontPreloads(guide: FontGuide, page: Representation): Promise<Representation> {
  const { publication, paths } = guide
  const theme = await themeOf(publication)
  const { heading, body } = theme
  const { facesOf, subsets, keptMs } = await frameFaces(guide, theme)
  // The style sheet may know more about the fonts by the time a browser requests it.
  if (keptMs !== undefined) return { ...page, keptMs: Math.min(keptMs, page.keptMs ?? keptMs) }
  const text = Buffer.from(page.bytes).toString()
  const styles: (TypeStyle | undefined)[] = [
    body,
    heading && { ...heading, weight: headingWeight(heading) },
    body && { ...body, weight: boldFor(body.weight ?? 400) },
    body && EMPHASIS.test(text) ? { ...body, style: 'italic' } : undefined,
  ]
  const scripts = new Set(scriptsIn(text))
  const links = styles.flatMap(style => {
    const faces = style ? facesOf(style) : []
    const parts = subsets.filter(({ face, script }) => faces.includes(face) && scripts.has(script))
    if (parts.length > 0) return parts.map(({ address }) => linkTo(address, 'font/woff2'))
    // A page may need any of several parts of a font.
    const [whole, ...others] = faces
    return whole && others.length === 0
      ? [linkTo(paths.file(publication.record, whole.file), whole.file.contentType)]
      : []
  })
  return links.length === 0 ? page : { ...page, type: [...page.type, 'Link', [...new Set(links)].join(', ')] }
}

/** Tags for italic words in running text, where a substitute font would be conspicuous. */
const EMPHASIS = /<(?:em|i)>/

function linkTo(address: string, contentType: string): string {
  return `<${address}>; rel=preload; as=font; type="${contentType}"; crossorigin`
}
