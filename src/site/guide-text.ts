import { cachingOf } from '../serving/caching.ts'
import type { Made } from '../serving/prepared.ts'
import type { Guide } from './guide.ts'

/** A text about a guide, for programs: Markdown, a style sheet, a list; `type` is its media type. */
export function guideText({ publication }: Guide, content: string, type: string): Made {
  const bytes = new TextEncoder().encode(content)
  return { bytes, type: ['Content-Type', `${type}; charset=utf-8`], about: cachingOf(publication) }
}
