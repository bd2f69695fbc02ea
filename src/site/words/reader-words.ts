import Negotiator from 'negotiator'
import { LANGUAGES } from '#brand/languages.ts'
import { memoize } from '#platform/base/text.ts'
import type { Request } from '#platform/exchange/message.ts'
import { type Words, wordsFor } from './words.ts'

/** The words of a page outside any guide, in the language that the reader prefers (RFC 9110 §12.5.4). */
export function readerWords({ headers }: Pick<Request, 'headers'>): Words {
  return wordsFor(preferredLanguage(headers['accept-language'] ?? ''))
}

/** Cached, because clients send few different values. */
const preferredLanguage = memoize(
  accepted => new Negotiator({ headers: { 'accept-language': accepted } }).languages([...LANGUAGES])[0] ?? 'en',
  { maxEntries: 256 },
)
