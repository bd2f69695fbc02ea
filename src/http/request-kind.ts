import { OPERATIONS } from '../contract/operations.ts'
import { isApiPath } from '../contract/route.ts'

/**
 * What a request asks for, by its path alone: the id of an operation of the API, or another kind of address. There are a
 * few dozen, whatever clients ask for, so that metrics can tell them apart. The path is undefined if the request could
 * not be read; `base` is the path of the service's own address.
 */
export function requestKind(sent: string | undefined, base = ''): string {
  if (sent === undefined) return 'malformed'
  const path = base !== '' && sent.startsWith(`${base}/`) ? sent.slice(base.length) : sent
  const isApi = isApiPath(path)
  const segments = path.split('/', MAX_SEGMENTS)
  if (isApi) return apiKind(segments)
  if (path === '/oauth/token') return 'token'
  if (segments[3] === '-') return BELOW_PROJECT.get(segments[4] ?? '') ?? 'page'
  return SERVICE.get(segments[1] ?? '') ?? 'page'
}

/** As many as the longest path of an operation has before its page, below `/revision/{n}/beta`. */
const MAX_SEGMENTS = 9

/** The words of a path stand before each id: `workspace`, `project`, and what is asked of it. */
function apiKind(segments: readonly string[]): string {
  const at = segments[1] === 'revision' ? 4 : 2
  return OPERATION.get(wordsOf(segments[at], segments[at + 2], segments[at + 4])) ?? 'unknown'
}

const OPERATION: ReadonlyMap<string, string> = new Map(
  OPERATIONS.map(({ id, path }) => {
    const [, first, , second, , third] = path.split('/')
    return [wordsOf(first, second, third), id]
  }),
)

function wordsOf(first = '', second = '', third = ''): string {
  return `${first}/${second}/${third}`
}

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
