import { memoize } from '../base/text.ts'
import { isApiPath, routePath } from '../contract/route.ts'
import { withoutBase } from '../exchange/target.ts'

/**
 * What a request asks for, by its path alone: the id of an operation of the API, or another kind of address. There are a
 * few dozen, whatever clients ask for, so that metrics can tell them apart. The path is undefined if the request could
 * not be read; `base` is the path of the service's own address.
 */
export function requestKind(sent: string | undefined, base = ''): string {
  return sent === undefined ? 'malformed' : kindOf(withoutBase(sent, base))
}

const kindOf = memoize(path => {
  if (isApiPath(path)) {
    const routed = routePath(path)
    return routed.ok ? routed.value.operation.id : 'unknown'
  }
  if (path === '/oauth/token') return 'token'
  const [, first = '', , third, fourth = ''] = path.split('/', 5)
  if (third === '-') return BELOW_PROJECT.get(fourth) ?? 'page'
  return SERVICE.get(first) ?? 'page'
})

/** Whether a target asks how the process is: that is answered whatever else is refused. */
export function isMonitoringPath(target: string, base = ''): boolean {
  const path = target.split('?', 1)[0] ?? ''
  return MONITORING_PATHS.has(path) || MONITORING_PATHS.has(withoutBase(path, base))
}

const MONITORING_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** The addresses of a project that are no pages, by what follows `/-/`. */
const BELOW_PROJECT: ReadonlyMap<string, string> = new Map([
  ['files', 'file'],
  ['files.zip', 'archive'],
  ['kits', 'archive'],
  ['thumbnails', 'thumbnail'],
  ['exports', 'export'],
  ['search', 'search'],
  ['share', 'share'],
])

/** The addresses of the service itself, by their first segment. */
const SERVICE: ReadonlyMap<string, string> = new Map([
  ['healthz', 'health'],
  ['readyz', 'health'],
  ['metrics', 'metrics'],
  ['.well-known', 'metadata'],
  ['openapi.json', 'docs'],
  ['docs', 'docs'],
  ['schemas', 'docs'],
  ['assets', 'asset'],
])
