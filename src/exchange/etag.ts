import { createHash } from 'node:crypto'

/** A strong entity tag made from the bytes themselves (RFC 9110 §8.8.3); `suffix` tells the codings of one content apart. */
export function etagOf(bytes: Uint8Array, suffix = ''): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}${suffix}"`
}

/**
 * Whether `If-None-Match` names one of these tags (RFC 9110 §13.1.2: `*`, or weak comparison), so that 304 is the answer.
 * All codings of one content are given together: a client that holds any of them holds the current content.
 */
export function isNoneMatch(ifNoneMatch: string | undefined, etags: readonly string[]): boolean {
  if (ifNoneMatch === undefined) return false
  if (etags.includes(ifNoneMatch)) return true
  if (ifNoneMatch.trim() === '*') return true
  return (ifNoneMatch.match(ENTITY_TAG) ?? []).some(tag => etags.includes(tag))
}

const ENTITY_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g
