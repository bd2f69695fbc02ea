import { memoize } from '../base/text.ts'
import { publishedPath } from '../contract/draft-path.ts'
import { isApiPath, routePath } from '../contract/route.ts'
import { isStreamPath } from '../events/streams/answer.ts'
import { withoutBase } from '../exchange/target.ts'

/**
 * Classifies a request: an operation id, or another kind of address. There are only a few dozen kinds, so that metrics
 * can use them as labels. The path is undefined if the request could not be read; `base` is the path of the public URL.
 */
export function requestKind(sent: string | undefined, base = ''): string {
  return sent === undefined ? 'malformed' : kindOf(withoutBase(sent, base))
}

const kindOf = memoize(path => {
  if (isApiPath(path)) {
    const routed = routePath(path)
    return routed.ok ? routed.value.operation.id : 'unknown'
  }
  if (path === '/oauth/token' || path === '/oauth/revoke') return 'token'
  if (isStreamPath(path)) return 'events'
  const [, first = '', , third] = path.split('/', 4)
  if (third !== '-') return SERVICE.get(first) ?? 'page'
  const published = publishedPath(path)
  const [, , , dash, kind = '', , filename = ''] = (published ?? path).split('/', 7)
  const isList = kind === 'files' && filename === ''
  if (dash !== '-' || isList || (kind === 'mcp' && published !== undefined)) return 'page'
  return BELOW_PROJECT.get(kind) ?? 'page'
})

/** Whether a target is for monitoring: such requests are answered even under overload. */
export function isMonitoringPath(target: string, base = ''): boolean {
  const path = target.split('?', 1)[0] ?? ''
  return MONITORING_PATHS.has(path) || MONITORING_PATHS.has(withoutBase(path, base))
}

const MONITORING_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** The addresses of a project or its draft other than pages, by the segment after `/-/`. */
const BELOW_PROJECT: ReadonlyMap<string, string> = new Map([
  ['files', 'file'],
  ['files.zip', 'archive'],
  ['kits', 'archive'],
  ['thumbnails', 'thumbnail'],
  ['fonts', 'font'],
  ['png', 'png'],
  ['exports', 'export'],
  ['search', 'search'],
  ['share', 'share'],
  ['mcp', 'mcp'],
  ['consent', 'authorization'],
])

/** The service's own addresses, by their first segment. */
const SERVICE: ReadonlyMap<string, string> = new Map([
  ['healthz', 'health'],
  ['readyz', 'health'],
  ['metrics', 'metrics'],
  ['.well-known', 'metadata'],
  ['openapi.json', 'docs'],
  ['docs', 'docs'],
  ['schemas', 'docs'],
  ['assets', 'asset'],
  ['oauth', 'authorization'],
  ['-', 'signin'],
  ['mcp', 'mcp'],
  ['hooks', 'hook'],
])
