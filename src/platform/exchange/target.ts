import { groupsOf, percentDecode, withoutLastSlash } from '../base/text.ts'
/**
 * Splits a request target into path and query (RFC 9112 §3.2). Accepts the origin form, the absolute form, whose host
 * counts instead of the `Host` field, and the asterisk form, whose path is `*`. Undefined for any other form.
 */
export function splitTarget(target: string): { path: string; query: string; host?: string } | undefined {
  if (!target.startsWith('/') && target !== '*') return splitAbsolute(target)
  const mark = target.indexOf('?')
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/**
 * Splits a path into segments, each decoded once (RFC 3986 §2.1). Undefined if a segment is empty, is `..`, or contains
 * a NUL, a broken percent-encoding, or bytes that are not UTF-8.
 */
export function decodeSegments(path: string): string[] | undefined {
  const segments = path.slice(1).split('/')
  if (PLAIN_PATH.test(path)) return segments
  const decoded = segments.map(decodeSegment)
  return decoded.every(segment => segment !== undefined) ? decoded : undefined
}

export type PathProblem =
  | 'trailing-slash'
  | 'empty-segment'
  | 'parent-segment'
  | 'nul-in-path'
  | 'broken-encoding'
  | 'not-utf-8'

/** Explains why a path cannot be decoded: a trailing slash, or else the problem of the first invalid segment. */
export function pathProblem(path: string): PathProblem {
  if (/(?:\/|%2f)$/i.test(path)) return 'trailing-slash'
  for (const segment of path.slice(1).split('/')) {
    if (/%(?![0-9a-f]{2})/i.test(segment)) return 'broken-encoding'
    const decoded = decodeOnce(segment)
    if (decoded === undefined) return 'not-utf-8'
    if (decoded.includes('\0')) return 'nul-in-path'
    if (decoded.split('/').includes('..')) return 'parent-segment'
    if (decoded.split('/').includes('')) return 'empty-segment'
  }
  return 'empty-segment'
}

/** Returns the path of the public URL without a trailing slash: empty for the root of a host. */
export function basePath(publicUrl: string): string {
  return withoutLastSlash(new URL(publicUrl).pathname)
}

/** Removes the path of the public URL. `/metrics` exists only at the root, where proxies hide it. */
export function withoutBase(path: string, base: string): string {
  if (base === '' || !path.startsWith(`${base}/`)) return path
  const below = path.slice(base.length)
  return below === '/metrics' ? path : below
}

/** Splits `http://host/path?query`; `host` includes the port. */
function splitAbsolute(target: string): ReturnType<typeof splitTarget> {
  const [, host, path = '', query = ''] = groupsOf(/^https?:\/\/([^/?#]+)(\/[^?]*)?(?:\?(.*))?$/i, target)
  return host === undefined ? undefined : { host, path: path || '/', query }
}

/** Segments without encoded characters and leading dots. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/

function decodeSegment(segment: string): string | undefined {
  const decoded = decodeOnce(segment)
  if (decoded === undefined || decoded.includes('\0')) return undefined
  return decoded.split('/').some(part => part === '' || part === '..') ? undefined : decoded
}

function decodeOnce(segment: string): string | undefined {
  return percentDecode(rawBytesAsUtf8(segment))
}

/** Percent-encodes raw UTF-8 from a client; node:http gives each byte as one character. */
function rawBytesAsUtf8(segment: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every byte that is not ASCII
  return segment.replace(/[^\x00-\x7f]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
