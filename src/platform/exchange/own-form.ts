import type { Request } from './message.ts'

/**
 * Reads a form (application/x-www-form-urlencoded) that a page of this service sent; undefined for any other request.
 * Browsers name the sending site in `Sec-Fetch-Site` and `Origin` (Fetch standard §3.1 and §3.2.6).
 */
export function readOwnForm(
  publicUrl: string,
  { headers, body }: Request,
  { maxBytes, allowsNullOrigin = false }: { maxBytes: number; allowsNullOrigin?: boolean },
): URLSearchParams | undefined {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers
  if (site !== 'same-origin') return undefined
  // Pages that send no referrer have the origin `null`.
  const isOwn = origin === undefined || origin === new URL(publicUrl).origin || (allowsNullOrigin && origin === 'null')
  if (!isOwn) return undefined
  if (!/^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(headers['content-type'] ?? '')) return undefined
  return body && body.length <= maxBytes ? new URLSearchParams(new TextDecoder().decode(body)) : undefined
}
