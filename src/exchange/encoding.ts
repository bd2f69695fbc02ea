import Negotiator from 'negotiator'
import { memoize } from '../base/text.ts'

/** The content codings of replies, in the order in which they are chosen if a client has no preference. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const

/** A content coding (RFC 9110 §8.4.1). */
export type Encoding = (typeof ENCODINGS)[number]

/**
 * The content coding that `Accept-Encoding` asks for (RFC 9110 §12.5.3): by quality, then br, gzip, identity. Identity
 * without the header, and if none of the codings in it is offered.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  return acceptEncoding === undefined ? 'identity' : negotiate(acceptEncoding)
}

/** Clients send few different values. */
const negotiate = memoize(
  (acceptEncoding): Encoding => {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
    const best = negotiator.encodings([...ENCODINGS], { preferred: [...ENCODINGS] })[0]
    return ENCODINGS.find(encoding => encoding === best) ?? 'identity'
  },
  { maxEntries: 256 },
)
