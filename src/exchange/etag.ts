import { createHash, type Hash } from 'node:crypto'
import { inSteps } from '../base/steps.ts'

/** A strong entity tag made from the bytes themselves (RFC 9110 §8.8.3). */
export function etagOf(bytes: Uint8Array): string {
  return tagOf(createHash('sha256').update(bytes))
}

/** The same; many bytes are hashed in steps. */
export async function etagInSteps(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= BYTES_AT_ONCE) return etagOf(bytes)
  const hash = createHash('sha256')
  const starts = Array.from({ length: Math.ceil(bytes.length / BYTES_AT_ONCE) }, (_, at) => at * BYTES_AT_ONCE)
  await inSteps(starts, 1, start => hash.update(bytes.subarray(start, start + BYTES_AT_ONCE)))
  return tagOf(hash)
}

/** About a millisecond's work. */
const BYTES_AT_ONCE = 1 << 20

function tagOf(hash: Hash): string {
  return `"${hash.digest('base64url').slice(0, 27)}"`
}

/**
 * The entity tag for a 304 reply to `If-None-Match` (RFC 9110 §13.1.2: `*`, or weak comparison), or undefined if the
 * client does not have the content. `all` are the tags of all codings of the content: a client that has any coding has
 * the content. `own` is the tag of the coding that would be sent, and is preferred.
 */
export function matchedTag(ifNoneMatch: string | undefined, own: string, all: readonly string[]): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch === own || ifNoneMatch.trim() === '*') return own
  const named: readonly string[] = ifNoneMatch.match(ENTITY_TAG) ?? []
  return named.includes(own) ? own : all.find(tag => named.includes(tag))
}

/** Whether the condition of `If-Match` holds, or was not sent (RFC 9110 §13.1.1: `*`, or strong comparison). */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  const named: readonly string[] = ifMatch.match(WEAK_OR_STRONG_TAG) ?? []
  return named.includes(etag)
}

const ENTITY_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g
const WEAK_OR_STRONG_TAG = new RegExp(`(?:W/)?${ENTITY_TAG.source}`, 'g')
