import { DRAFT_PATH, publishedPath } from '../../contract/draft-path.ts'
import { API_PATH, OPERATIONS } from '../../contract/operations.ts'
import { withoutBase } from '../../exchange/target.ts'
import { requestKind } from '../request-kind.ts'

/** The address of a request in a trace. */
export type RequestRoute = {
  /** The pattern of the address: `/{workspace}/{project}/{page}`. There are a few dozen patterns. */
  route: string
  /** The path as sent, without secrets: those of share links, file keys, and ids of authorizations. */
  path: string
}

/** Returns the pattern of a path, and the path without secrets. `base` is the path of the public URL. */
export function requestRoute(sent: string, base = ''): RequestRoute {
  const path = withoutBase(sent, base)
  const published = publishedPath(path)
  const route = published === undefined ? routeOf(path) : routeOfDraft(published)
  return { route, path: withoutSecrets(sent).slice(0, MAX_PATH) }
}

/** A page id may be too long for a trace. */
const MAX_PATH = 1024

const PROJECT = '/{workspace}/{project}'

/** The pattern of a path in a draft, for the path of the same content in the published guide. */
function routeOfDraft(path: string): string {
  const route = routeOf(path)
  return route.startsWith(PROJECT) ? `${PROJECT}${DRAFT_PATH}${route.slice(PROJECT.length)}` : route
}

function routeOf(path: string): string {
  const kind = requestKind(path)
  const operation = OPERATION_PATHS.get(kind)
  if (operation !== undefined) return path.startsWith('/revision/') ? `/revision/{revision}${operation}` : operation
  if (kind === 'authorization') return routeOfAuthorization(path)
  if (kind === 'events') return routeOfStream(path)
  return ROUTES.get(kind) ?? routeOfPage(path)
}

function routeOfAuthorization(path: string): string {
  if (!path.startsWith('/oauth/')) return `${PROJECT}/-/consent/{id}`
  if (path === '/oauth/authorize') return path
  const step = ['authorize', 'consent'].find(each => path.startsWith(`/oauth/${each}/`))
  return step === undefined ? '/oauth/{path}' : `/oauth/${step}/{id}`
}

const OPERATION_PATHS: ReadonlyMap<string, string> = new Map(OPERATIONS.map(({ id, path }) => [id, API_PATH + path]))

/** Patterns of addresses other than operations and pages, by kind. */
const ROUTES: ReadonlyMap<string, string> = new Map([
  ['unknown', `${API_PATH}/{path}`],
  ['token', '/oauth/token'],
  ['file', '/{workspace}/{project}/-/files/{key}/{filename}'],
  ['thumbnail', '/{workspace}/{project}/-/thumbnails/{key}/{width}/{filename}'],
  ['png', '/{workspace}/{project}/-/png/{key}/{filename}'],
  ['export', '/{workspace}/{project}/-/exports/{format}'],
  ['share', '/{workspace}/{project}/-/share/{secret}'],
  ['asset', '/assets/{name}'],
  ['metadata', '/.well-known/{name}'],
  ['signin', '/-/{action}'],
])

function routeOfStream(path: string): string {
  return `/events/workspace/{workspace}${path.split('/').length > 4 ? '/project/{project}' : ''}`
}

function routeOfPage(path: string): string {
  if (FIXED_PATHS.has(path)) return path
  const [first = '', project, third] = path.slice(1).split('/', 3)
  if (first === 'schemas') return '/schemas/{name}'
  if (project === undefined) return '/{workspace}'
  if (third === undefined) return '/{workspace}/{project}'
  return third === '-' ? '/{workspace}/{project}/-/{view}' : '/{workspace}/{project}/{page}'
}

/** Addresses without variable parts. */
const FIXED_PATHS: ReadonlySet<string> = new Set([
  '*',
  '/',
  '/docs',
  '/healthz',
  '/hooks/git',
  '/metrics',
  '/openapi.json',
  '/readyz',
  '/robots.txt',
  '/sitemap.xml',
])

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
