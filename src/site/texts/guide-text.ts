import { encodeInSteps } from '../../base/steps.ts'
import { cachingHeaders } from '../../serving/publications/publications.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'

/** A file about a guide for programs, given in parts: Markdown, a style sheet, a list. `type` is its media type. */
export async function guideText(
  { publication }: Guide,
  parts: readonly string[],
  type: string,
): Promise<Representation> {
  const bytes = await encodeInSteps(parts)
  return { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: cachingHeaders(publication) }
}
