import { hash } from 'node:crypto'

/** Computes a strong entity tag from the bytes (RFC 9110 §8.8.3). */
export function etagOf(bytes: Uint8Array): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, TAG_CHARACTERS)}"`
}

/** 162 bits of the hash, which no two contents share. */
const TAG_CHARACTERS = 27

/**
 * Finds the entity tag for a 304 reply to `If-None-Match` (RFC 9110 §13.1.2: `*`, or weak comparison); undefined if the
 * client does not have the content. `own` is the tag of the negotiated coding and comes first. `isOfContent` recognizes
 * tags of other codings: a client with any coding has the content.
 */
export function matchedTag(
  ifNoneMatch: string | undefined,
  own: string,
  isOfContent: (tag: string) => boolean = () => false,
): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch === own || ifNoneMatch.trim() === '*') return own
  // Without `W/`, so that the comparison is weak.
  const named: readonly string[] = ifNoneMatch.match(ENTITY_TAG) ?? []
  return named.includes(own) ? own : named.find(isOfContent)
}

/**
 * Makes the tag of a content coding (RFC 9110 §8.8.3.3) from the tag of the content and the encoded bytes, because the
 * same content may be compressed in several ways.
 */
export function codedTag(etag: string, coding: string, bytes: Uint8Array): string {
  return `${etag.slice(0, -1)}-${coding}-${hash('sha256', bytes, 'base64url').slice(0, 10)}"`
}

/** Whether a tag belongs to some content or to a coding of it. */
export function isTagOf(etag: string, tag: string): boolean {
  return tag === etag || tag.startsWith(`${etag.slice(0, -1)}-`)
}

/** Whether the `If-Match` condition holds or is absent (RFC 9110 §13.1.1: `*`, or strong comparison). */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  // A weak tag keeps its `W/`, so that it equals no strong one.
  const named: readonly string[] = ifMatch.match(WEAK_OR_STRONG_TAG) ?? []
  return named.includes(etag)
}

/** `"abc"`: printable characters of one byte without quotes (RFC 9110 §8.8.3). */
const ENTITY_TAG = /"[\x21\x23-\x7e\x80-\xff]*"/g
const WEAK_OR_STRONG_TAG = new RegExp(`(?:W/)?${ENTITY_TAG.source}`, 'g')
