import { type Call, OPERATIONS, type Operation } from './operations.ts'

/**
 * Which operation a path below `{base_url}` means, from its decoded segments. A page id may be one segment
 * (`logo%2Fmisuse`) or several (`logo/misuse`). Undefined where no operation has such a path; `incomplete` where the
 * path stops before a required id.
 */
export function route(segments: readonly string[]): Call | 'incomplete' | undefined {
  for (const { operation, pattern } of PATTERNS) {
    const call = matchPattern(operation, pattern, segments)
    if (call) return call
  }
  return PATTERNS.some(({ pattern }) => stopsShort(pattern, segments)) ? 'incomplete' : undefined
}

/**
 * The same for a path below `{public-url}/revision`: the number of a revision and the name of the API, then the path of
 * an operation that earlier revisions have.
 */
export function routeRevision(segments: readonly string[]): Call | 'incomplete' | undefined {
  const [number = '', api, ...below] = segments
  if (!/^[1-9]\d*$/.test(number) || api !== 'beta') return undefined
  const call = route(below)
  if (call === undefined || call === 'incomplete') return call
  return call.operation.isFrozen ? { ...call, revision: Number(number) } : undefined
}

const PATTERNS = OPERATIONS.map(operation => ({ operation, pattern: operation.path.slice(1).split('/') }))

function matchPattern(operation: Operation, pattern: readonly string[], segments: readonly string[]): Call | undefined {
  const takesRest = pattern.at(-1) === '{page-id}'
  if (takesRest ? segments.length < pattern.length : segments.length !== pattern.length) return undefined
  if (!startsLike(pattern, segments)) return undefined
  return {
    operation,
    workspace: segments[1] ?? '',
    project: segments[3] ?? '',
    page: takesRest ? segments.slice(pattern.length - 1).join('/') : '',
  }
}

function stopsShort(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern[segments.length]?.startsWith('{') === true && startsLike(pattern.slice(0, segments.length), segments)
}

function startsLike(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, at) => part.startsWith('{') || part === segments[at])
}
