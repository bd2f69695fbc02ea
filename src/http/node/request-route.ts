import { withoutBase } from '../../exchange/target.ts'
import { findRoute } from '../service/routes.ts'

/** The address of a request in a trace. */
export type RequestRoute = {
  /** The pattern of the address: `/{workspace}/{project}/{page}`. There are a few dozen patterns. */
  route: string
  /** The path as sent, without secrets: those of share links, file keys, and ids of authorizations. */
  path: string
}

/** Returns the pattern of a path, and the path without secrets. `base` is the path of the public URL. */
export function requestRoute(sent: string, base = ''): RequestRoute {
  const { pattern } = findRoute(withoutBase(sent, base)).route
  return { route: pattern, path: withoutSecrets(sent).slice(0, MAX_PATH) }
}

/** A page id may be too long for a trace. */
const MAX_PATH = 1024

/**
 * Removes segments that give access to anyone who has them, in any encoding. The id of an authorization is also in the
 * cookie that continues it.
 */
function withoutSecrets(path: string): string {
  const segments = path.split('/')
  const plain = segments.map(segment =>
    segment.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
  return segments
    .map((segment, at) => (BEFORE_SECRET.has(`${plain[at - 2]}/${plain[at - 1]}`) ? 'REDACTED' : segment))
    .join('/')
}

/** The two segments before a key, a secret or an id. */
const BEFORE_SECRET: ReadonlySet<string> = new Set([
  '-/files',
  '-/thumbnails',
  '-/png',
  '-/share',
  '-/consent',
  'oauth/consent',
  'oauth/authorize',
])
