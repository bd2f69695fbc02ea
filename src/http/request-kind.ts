import { API_PATH } from '../contract/operations.ts'
import { WORDS } from '../contract/route.ts'
import { withoutBase } from '../exchange/target.ts'

/**
 * What a request asks for, by its path alone: the id of an operation of the API, or another kind of address. There are a
 * few dozen, whatever clients ask for, so that metrics can tell them apart. The path is undefined if the request could
 * not be read; `base` is the path of the service's own address.
 */
export function requestKind(sent: string | undefined, base = ''): string {
  if (sent === undefined) return 'malformed'
  const path = withoutBase(sent, base)
  if (path.startsWith(CURRENT)) return apiKind(path, CURRENT.length)
  if (path.startsWith(REVISIONS)) return apiKind(path, after(path, after(path, REVISIONS.length)))
  if (path === '/oauth/token') return 'token'
  const [, first = '', , third, fourth = ''] = path.split('/', 5)
  if (third === '-') return BELOW_PROJECT.get(fourth) ?? 'page'
  return SERVICE.get(first) ?? 'page'
}

/** Whether a target asks how the process is: that is answered whatever else is refused. */
export function isAboutState(target: string, base = ''): boolean {
  const path = target.split('?', 1)[0] ?? ''
  return STATE.has(path) || STATE.has(withoutBase(path, base))
}

const STATE: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

const CURRENT = `${API_PATH}/`
const REVISIONS = '/revision/'

/**
 * The kind of a path whose words begin at `start`. A word stands before each id: `workspace`, `project`, and what is asked
 * of it. No list of them is made, since this is on the way of every request.
 */
function apiKind(path: string, start: number): string {
  let words = WORDS
  let at = start
  do {
    const end = after(path, at)
    const next = words.below.get(path.slice(at, end - 1))
    if (!next) return UNKNOWN
    words = next
    at = after(path, end)
  } while (words.below.size > 0 && at < path.length)
  return words.operation?.id ?? UNKNOWN
}

/** Where the segment after the one that begins here would begin. */
function after(path: string, start: number): number {
  const end = path.indexOf('/', start)
  return (end === -1 ? path.length : end) + 1
}

const UNKNOWN = 'unknown'

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
