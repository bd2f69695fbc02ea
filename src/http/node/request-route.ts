import { API_PATH, OPERATIONS } from '../../contract/operations.ts'
import { withoutBase } from '../../exchange/target.ts'
import { requestKind } from '../request-kind.ts'

/** What a trace says of the address of a request. */
export type RequestRoute = {
  /** The pattern of the address: `/{workspace}/{project}/{page}`. There are a few dozen. */
  route: string
  /** The path as it was sent, without what opens something: the secrets of share links, and the keys of files. */
  path: string
}

/** The pattern of a path, and what of the path may be told. `base` is the path of the service's own address. */
export function requestRoute(sent: string, base = ''): RequestRoute {
  const path = withoutBase(sent, base)
  return { route: routeOf(path), path: withoutSecrets(sent).slice(0, MAX_PATH) }
}

/** A page's id may be long, and traces are not the place for it. */
const MAX_PATH = 1024

function routeOf(path: string): string {
  const kind = requestKind(path)
  const operation = OPERATION_PATHS.get(kind)
  if (operation !== undefined) return path.startsWith('/revision/') ? `/revision/{revision}${operation}` : operation
  return ROUTES.get(kind) ?? routeOfPage(path)
}

const OPERATION_PATHS: ReadonlyMap<string, string> = new Map(OPERATIONS.map(({ id, path }) => [id, API_PATH + path]))

/** Patterns of addresses that are no operations and no pages, by what they are for. */
const ROUTES: ReadonlyMap<string, string> = new Map([
  ['unknown', `${API_PATH}/{path}`],
  ['token', '/oauth/token'],
  ['file', '/{workspace}/{project}/-/files/{key}/{filename}'],
  ['thumbnail', '/{workspace}/{project}/-/thumbnails/{key}/{width}/{filename}'],
  ['export', '/{workspace}/{project}/-/exports/{format}'],
  ['share', '/{workspace}/{project}/-/share/{secret}'],
  ['asset', '/assets/{name}'],
  ['metadata', '/.well-known/{name}'],
])

function routeOfPage(path: string): string {
  if (OWN.has(path)) return path
  const [first = '', project, third] = path.slice(1).split('/', 3)
  if (first === 'schemas') return '/schemas/{name}'
  if (project === undefined) return '/{workspace}'
  if (third === undefined) return '/{workspace}/{project}'
  return third === '-' ? '/{workspace}/{project}/-/{view}' : '/{workspace}/{project}/{page}'
}

/** Addresses that are always the same. */
const OWN: ReadonlySet<string> = new Set([
  '*',
  '/',
  '/docs',
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/readyz',
  '/robots.txt',
  '/sitemap.xml',
])

/** A path without the segments that open something for everyone who has them, however they are written. */
function withoutSecrets(path: string): string {
  const segments = path.split('/')
  const plain = segments.map(segment =>
    segment.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
  return segments
    .map((segment, at) => (plain[at - 2] === '-' && OPENING.has(plain[at - 1] ?? '') ? 'REDACTED' : segment))
    .join('/')
}

/** What stands before a key or a secret, after `/-/`. */
const OPENING: ReadonlySet<string> = new Set(['files', 'thumbnails', 'share'])
