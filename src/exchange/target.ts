/**
 * Splits a request target into path and query (RFC 9112 §3.2): origin form, and absolute form, whose scheme and
 * authority are dropped. Undefined for any other form but `*`, which is given as the path `*`.
 */
export function splitTarget(target: string): { path: string; query: string } | undefined {
  const local = target.startsWith('/') || target === '*' ? target : withoutAuthority(target)
  if (local === undefined) return undefined
  const mark = local.indexOf('?')
  return mark === -1 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) }
}

/**
 * The segments of a path, each decoded once (RFC 3986 §2.1). Undefined where a segment is empty, is `..`, or holds a
 * NUL, a broken percent-encoding, or bytes that are not UTF-8.
 */
export function decodeSegments(path: string): string[] | undefined {
  const segments = path.slice(1).split('/')
  for (let at = 0; at < segments.length; at++) {
    const segment = decodeSegment(segments[at] ?? '')
    if (segment === undefined) return undefined
    segments[at] = segment
  }
  return segments
}

function withoutAuthority(target: string): string | undefined {
  const match = /^https?:\/\/[^/?#]+(?<local>[/?].*)?$/i.exec(target)
  if (!match) return undefined
  const local = match.groups?.local ?? '/'
  return local.startsWith('/') ? local : `/${local}`
}

const PLAIN = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/

function decodeSegment(segment: string): string | undefined {
  if (PLAIN.test(segment)) return segment
  const decoded = decodeOnce(segment)
  if (decoded === undefined || decoded.includes('\0')) return undefined
  return decoded.split('/').some(part => part === '' || part === '..') ? undefined : decoded
}

function decodeOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(rawBytesAsUtf8(segment))
  } catch {
    return undefined
  }
}

/** A client may send UTF-8 without percent-encoding; node:http then gives each byte as one character. */
function rawBytesAsUtf8(segment: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every byte that is not ASCII
  return segment.replace(/[^\x00-\x7f]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
