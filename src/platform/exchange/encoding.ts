import Negotiator from 'negotiator'
import { memoize } from '../base/text.ts'

/** The content codings of replies, in the order of preference if the client has none. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const

/** A content coding (RFC 9110 §8.4.1). */
export type Encoding = (typeof ENCODINGS)[number]

/**
 * Chooses a content coding by `Accept-Encoding` (RFC 9110 §12.5.3): by quality, then br, gzip, identity. Returns
 * identity if the header is absent or lists no available coding.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  return acceptEncoding === undefined ? 'identity' : negotiate(acceptEncoding)
}

/** Cached, because clients send few different values. */
const negotiate = memoize(
  (acceptEncoding): Encoding => {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
    const best = negotiator.encodings([...ENCODINGS], { preferred: [...ENCODINGS] })[0]
    return ENCODINGS.find(encoding => encoding === best) ?? 'identity'
  },
  { maxEntries: 256 },
)
