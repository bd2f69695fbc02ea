import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'

/** A page that loads the fonts of its theme at once. What finds them is read when the first page is asked for. */
export async function withFonts(
  guide: Pick<Guide, 'publication' | 'paths'>,
  page: Representation,
): Promise<Representation> {
  const { withFontPreloads } = await import('./type/faces/font-preloads.ts')
  return withFontPreloads(guide, page)
}
