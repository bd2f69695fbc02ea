import type { HeaderList } from '../exchange/message.ts'
import type { Publication } from './publications.ts'

/**
 * How what the website says of a project may be kept: by everyone and asked for again each time; of a private one by
 * whoever asked for it alone, and by no search engine.
 */
export function cachingOf({ published }: Pick<Publication, 'published'>): HeaderList {
  return published.visibility === 'public' ? PUBLIC : PRIVATE
}

const PUBLIC = ['Cache-Control', 'public, no-cache', 'Vary', 'Accept-Encoding'] as const
const PRIVATE = [
  ...['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Cookie, Accept-Encoding'],
  ...['X-Robots-Tag', 'noindex'],
] as const
