import { createHash, type Hash, hash } from 'node:crypto'
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
  await inSteps(starts, start => hash.update(bytes.subarray(start, start + BYTES_AT_ONCE)))
  return tagOf(hash)
}

/** A fraction of a millisecond's work. */
const BYTES_AT_ONCE = 256 << 10

function tagOf(hash: Hash): string {
  return `"${hash.digest('base64url').slice(0, 27)}"`
}

/**
 * The entity tag for a 304 reply to `If-None-Match` (RFC 9110 §13.1.2: `*`, or weak comparison), or undefined if the
 * client does not have the content. `own` is the tag of the coding that would be sent, and is preferred; `isOfContent` says
 * which others are of the same content: a client that has any coding has the content.
 */
export function matchedTag(
  ifNoneMatch: string | undefined,
  own: string,
  isOfContent: (tag: string) => boolean = () => false,
): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch === own || ifNoneMatch.trim() === '*') return own
  const named: readonly string[] = ifNoneMatch.match(ENTITY_TAG) ?? []
  return named.includes(own) ? own : named.find(isOfContent)
}

/**
 * The tag of a coding of some content (RFC 9110 §8.8.3.3), from the tag of the content and the bytes as they are sent: the
 * same content may be compressed in more than one way.
 */
export function codedTag(etag: string, coding: string, bytes: Uint8Array): string {
  return `${etag.slice(0, -1)}-${coding}-${hash('sha256', bytes, 'base64url').slice(0, 10)}"`
}

/** Whether a tag is that of some content, or of a coding of it. */
export function isTagOf(etag: string, tag: string): boolean {
  return tag === etag || tag.startsWith(`${etag.slice(0, -1)}-`)
}

/** Whether the condition of `If-Match` holds, or was not sent (RFC 9110 §13.1.1: `*`, or strong comparison). */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  const named: readonly string[] = ifMatch.match(WEAK_OR_STRONG_TAG) ?? []
  return named.includes(etag)
}

const ENTITY_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g
const WEAK_OR_STRONG_TAG = new RegExp(`(?:W/)?${ENTITY_TAG.source}`, 'g')
