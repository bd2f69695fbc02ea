import Negotiator from 'negotiator'

/** The content codings of replies, in the order in which they are chosen if a client has no preference. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const

/** A content coding (RFC 9110 §8.4.1). */
export type Encoding = (typeof ENCODINGS)[number]

/**
 * The content coding that `Accept-Encoding` asks for (RFC 9110 §12.5.3): by quality, then br, gzip, identity. Identity
 * without the header, and if none of the codings in it is offered.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity'
  const known = chosen.get(acceptEncoding)
  if (known) return known
  const encoding = negotiate(acceptEncoding)
  if (chosen.size < MAX_REMEMBERED && acceptEncoding.length < MAX_REMEMBERED_LENGTH)
    chosen.set(acceptEncoding, encoding)
  return encoding
}

/** Clients send few different values. The bounds keep a hostile client from filling memory. */
const chosen = new Map<string, Encoding>()
const MAX_REMEMBERED = 256
const MAX_REMEMBERED_LENGTH = 256

function negotiate(acceptEncoding: string): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const best = negotiator.encodings([...ENCODINGS], { preferred: [...ENCODINGS] })[0]
  return ENCODINGS.find(encoding => encoding === best) ?? 'identity'
}
