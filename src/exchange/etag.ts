import { createHash } from 'node:crypto'

/** A strong entity tag made from the bytes themselves (RFC 9110 §8.8.3). */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
}

/**
 * The tag that answers `If-None-Match` with 304 (RFC 9110 §13.1.2: `*`, or weak comparison), or undefined. All codings of
 * one content are given together: a client that holds any of them holds the current content. `own` is the tag of the
 * coding that would be sent, and is preferred.
 */
export function matchedTag(ifNoneMatch: string | undefined, own: string, all: readonly string[]): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch === own || ifNoneMatch.trim() === '*') return own
  const named: readonly string[] = ifNoneMatch.match(ENTITY_TAG) ?? []
  return named.includes(own) ? own : all.find(tag => named.includes(tag))
}

/** Whether `If-Match`, if it was sent, lets a request go on (RFC 9110 §13.1.1: `*`, or strong comparison). */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  const named: readonly string[] = ifMatch.match(WEAK_OR_STRONG_TAG) ?? []
  return named.includes(etag)
}

const ENTITY_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g
const WEAK_OR_STRONG_TAG = new RegExp(`(?:W/)?${ENTITY_TAG.source}`, 'g')
