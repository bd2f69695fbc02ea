/**
 * Reads the address to return to after signing in: a path of this service as a browser would resolve it. Undefined for
 * any other, so that no link to this service can redirect to another site. `publicUrl` has no trailing slash.
 */
export function parseReturnPath(text: string | null | undefined, publicUrl: string): string | undefined {
  if (!text || text.length > MAX_LENGTH || !/^\/(?![/\\])/.test(text) || !URL.canParse(text, publicUrl))
    return undefined
  const own = new URL(publicUrl)
  const { origin, pathname, search } = new URL(text, publicUrl)
  const base = own.pathname.replace(/\/$/, '')
  const isBelow = pathname === base || pathname.startsWith(`${base}/`)
  // "/.//example.com" has our origin, but as a path it would name another host.
  if (origin !== own.origin || !isBelow || pathname.startsWith('//')) return undefined
  return pathname.startsWith(`${base}/-/`) ? undefined : pathname + search
}

/** As long as the longest request target. */
const MAX_LENGTH = 8 << 10
