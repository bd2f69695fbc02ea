import { failed, ok, type Result } from '../base/result.ts'
import { API_PATH, type Call, OPERATIONS, type Operation } from './operations.ts'
import { type Refusal, refuse } from './refusals.ts'

/** Finds the operation that a path means, from the decoded segments of the path. */
export type Router = (segments: readonly string[]) => Result<Call, Refusal>

/**
 * Routes a path below `{base_url}`. A page id may be one segment (`logo%2Fmisuse`) or several (`logo/misuse`). A path
 * that stops before a required id is malformed; any other path that no operation has is not found.
 */
export function route(segments: readonly string[]): Result<Call, Refusal> {
  for (const { operation, pattern } of PATTERNS) {
    const call = matchPattern(operation, pattern, segments)
    if (call) return ok(call)
  }
  const isIncomplete = PATTERNS.some(({ pattern }) => stopsShort(pattern, segments))
  return failed(refuse(isIncomplete ? 'malformed-request' : 'not-found'))
}

/**
 * Routes a path below `{public-url}/revision`: the number of a revision, the segment of the API, then the path of an
 * operation that earlier revisions answer too.
 */
export function routeRevision(segments: readonly string[]): Result<Call, Refusal> {
  const [number = '', api, ...below] = segments
  if (!/^[1-9]\d*$/.test(number) || `/${api}` !== API_PATH) return failed(refuse('not-found'))
  const routed = route(below)
  if (!routed.ok) return routed
  const call = routed.value
  return call.operation.isFrozen ? ok({ ...call, revision: Number(number) }) : failed(refuse('not-found'))
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
