import type { Request } from './message.ts'

/**
 * Reads a form (application/x-www-form-urlencoded) that a page of this service sent; undefined for any other request.
 * Browsers name the sending site in `Sec-Fetch-Site` and `Origin` (Fetch standard §3.1 and §3.2.6).
 */
export function readOwnForm(
  publicUrl: string,
  request: Request,
  { maxBytes, allowsNullOrigin = false }: { maxBytes: number; allowsNullOrigin?: boolean },
): URLSearchParams | undefined {
  const { headers, body } = request
  if (!isFromOwnPage(publicUrl, request, allowsNullOrigin)) return undefined
  if (!/^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(headers['content-type'] ?? '')) return undefined
  return body && body.length <= maxBytes ? new URLSearchParams(new TextDecoder().decode(body)) : undefined
}

/** Reads a form with files (multipart/form-data, RFC 7578) that a page of this service sent; undefined for any other request. */
export async function readOwnUpload(publicUrl: string, request: Request): Promise<FormData | undefined> {
  const type = request.headers['content-type'] ?? ''
  if (!isFromOwnPage(publicUrl, request) || !request.body || !/^multipart\/form-data\s*;/i.test(type)) return undefined
  const sent = new Response(new Uint8Array(request.body), { headers: { 'content-type': type } })
  return sent.formData().catch(() => undefined)
}

function isFromOwnPage(publicUrl: string, { headers }: Request, allowsNullOrigin = false): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers
  if (site !== 'same-origin') return false
  // Pages that send no referrer have the origin `null`.
  return origin === undefined || origin === new URL(publicUrl).origin || (allowsNullOrigin && origin === 'null')
}
