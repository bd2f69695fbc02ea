import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'

/** A page that loads the fonts of its theme at once. What finds them is read when the first page is asked for. */
export async function withFonts(
  guide: Pick<Guide, 'publication' | 'paths'>,
  page: Representation,
): Promise<Representation> {
  const { withFontsAhead } = await import('./type/faces/fonts-ahead.ts')
  return withFontsAhead(guide, page)
}
