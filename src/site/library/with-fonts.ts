import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'

/** A page that preloads the fonts of its theme. The module that finds them is loaded after the start. */
export async function withFonts(guide: Guide, page: Representation): Promise<Representation> {
  const { withFontPreloads } = await import('./type/faces/frame-fonts.ts')
  return withFontPreloads(guide, page)
}
