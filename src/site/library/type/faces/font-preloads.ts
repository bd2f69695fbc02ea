import type { TypeStyle } from '../../../../brand/type-style.ts'
import { scriptsIn } from '../../../../fonts/scripts.ts'
import type { Publication } from '../../../../serving/publications/publications.ts'
import type { Representation } from '../../../../serving/replies/response-cache.ts'
import { themeOf } from '../../../theme/guide-theme.ts'
import { makeSubset } from './font-subsets.ts'
import { frameFaces, headingWeight } from './frame-fonts.ts'
import { guideFonts } from './guide-fonts.ts'
import { knownFacts } from './known-facts.ts'
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

/** Tags for italic words in running text, where a substitute font would be conspicuous. */
const EMPHASIS = /<(?:em|i)>/

function linkTo(address: string, contentType: string): string {
  return `<${address}>; rel=preload; as=font; type="${contentType}"; crossorigin`
}

/**
 * Reads the fonts of guides and makes the subsets for their themes: first the facts of all fonts of themes, for which all
 * pages wait. Continues with the next font if one fails.
 *
 * @throws if the store cannot be read
 */
export async function prepareFonts(
  { paths, fontFacts, fontSubset }: Pick<FontGuide, 'paths' | 'fontFacts' | 'fontSubset'>,
  publications: readonly Publication[],
): Promise<void> {
  const prepared = []
  for (const publication of publications) {
    const guide = { publication, paths, fontFacts, fontSubset, copy: undefined }
    prepared.push({ guide, ...(await frameFaces(guide, await themeOf(publication))) })
  }
  for (const { guide, subsets } of prepared) for (const subset of subsets) await makeSubset(guide, subset)
  for (const { guide } of prepared) await knownFacts(guide, (await guideFonts(guide)).faces)
}
