import { cachingOf } from '../../serving/publications.ts'
import type { Representation } from '../../serving/response-cache.ts'
import type { Guide } from '../guide/guide.ts'

/** A text about a guide, for programs: Markdown, a style sheet, a list; `type` is its media type. */
export function guideText({ publication }: Guide, content: string | Uint8Array, type: string): Representation {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: cachingOf(publication) }
}
