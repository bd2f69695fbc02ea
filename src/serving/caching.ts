import type { HeaderList } from '../exchange/message.ts'
import type { Publication } from './publications.ts'

/**
 * How what the website says of a project may be kept: by everyone and asked for again each time; of a private one by
 * whoever asked for it alone, and by no search engine.
 */
export function cachingOf({ published }: Pick<Publication, 'published'>): HeaderList {
  return published.visibility === 'public' ? FOR_EVERYONE : FOR_ONE
}

/** How what is the same for everyone may be kept. */
export const FOR_EVERYONE = ['Cache-Control', 'public, no-cache', 'Vary', 'Accept-Encoding'] as const
const FOR_ONE = [
  ...['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Cookie, Accept-Encoding'],
  ...['X-Robots-Tag', 'noindex'],
] as const
