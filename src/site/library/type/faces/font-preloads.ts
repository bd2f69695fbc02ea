import { withTimeout } from '../../../../base/promise.ts'
import type { TypeStyle } from '../../../../brand/type-style.ts'
import { scriptsIn } from '../../../../fonts/scripts.ts'
import type { Representation } from '../../../../serving/replies/response-cache.ts'
import { themeOf } from '../../../theme/guide-theme.ts'
import { makeSubset } from './font-subsets.ts'
import { frameFaces, headingWeight } from './frame-fonts.ts'
import { boldFor, type FontGuide } from './style-faces.ts'

/**
 * A page that preloads the fonts of the theme (RFC 8288, preload), so that they are shown from the start: those of
 * headings, text, bold labels and, if the page has any, emphasis. A font loads as subsets for the scripts of the page, or
 * whole if it has none.
 */
export async function withFontPreloads(guide: FontGuide, page: Representation): Promise<Representation> {
  const { publication, paths } = guide
  const theme = await themeOf(publication)
  const { heading, body } = theme
  const { facesOf, subsets, keptMs } = await frameFaces(guide, theme)
  const text = Buffer.from(page.bytes).toString()
  const styles: (TypeStyle | undefined)[] = [
    body,
    heading && { ...heading, weight: headingWeight(heading) },
    body && { ...body, weight: boldFor(body.weight ?? 400) },
    body && EMPHASIS.test(text) ? { ...body, style: 'italic' } : undefined,
  ]
  const scripts = new Set(scriptsIn(text))
  const parts = styles.map(style => {
    const faces = style ? facesOf(style) : []
    return { faces, parts: subsets.filter(({ face, script }) => faces.includes(face) && scripts.has(script)) }
  })
  const needed = parts.flatMap(({ parts }) => parts)
  await withTimeout(MAX_WAIT_MS, Promise.all(needed.map(each => makeSubset(guide, each))), () => undefined)
  const links = parts.flatMap(({ faces, parts }) => {
    if (parts.length > 0) return parts.map(({ address }) => linkTo(address, 'font/woff2'))
    // A page may need any of several parts of a font.
    const [whole, ...others] = faces
    return whole && others.length === 0
      ? [linkTo(paths.file(publication.record, whole.file), whole.file.contentType)]
      : []
  })
  if (links.length === 0) return page
  const type = [...page.type, 'Link', [...new Set(links)].join(', ')]
  return { ...page, type, ...(keptMs !== undefined && { keptMs: Math.min(keptMs, page.keptMs ?? keptMs) }) }
}

/** The first page after a font has changed waits for its subsets, so that its text does not move later. */
const MAX_WAIT_MS = 10_000

/** Tags for italic words in running text, where a substitute font would be conspicuous. */
const EMPHASIS = /<(?:em|i)>/

function linkTo(address: string, contentType: string): string {
  return `<${address}>; rel=preload; as=font; type="${contentType}"; crossorigin`
}
