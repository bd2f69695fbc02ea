import { failed, ok, type Result } from '../base/result.ts'
import type { Reply } from '../exchange/message.ts'
import { noContent } from '../exchange/reply.ts'
import { decodeSegments, pathProblem } from '../exchange/target.ts'
import { API_PATH, OPERATIONS, type Operation } from './operations.ts'
import { type Refusal, refusalReply, refuse, refuseMissingId } from './refusals.ts'

/** An operation together with what its path gave, decoded. */
export type Call = {
  operation: Operation
  workspace: string
  project: string
  page: string
  /** The number of the revision. Absent for the current one. */
  revision?: number
}

/** Whether a path belongs to the API: below `/beta`, or below `/revision/{n}/beta` for one revision. */
export function isApiPath(path: string): boolean {
  return path.startsWith(CURRENT) || path.startsWith(REVISIONS)
}

/** Finds the operation that a path of the API means. A path that cannot be decoded is malformed. */
export function routePath(path: string): Result<Call, Refusal> {
  const isOfRevision = path.startsWith(REVISIONS)
  const below = path.slice((isOfRevision ? REVISIONS : CURRENT).length - 1)
  const segments = decodeSegments(below)
  if (!segments) return failed(refuse(pathProblem(below)))
  return isOfRevision ? routeRevision(segments) : route(segments)
}

const CURRENT = `${API_PATH}/`
const REVISIONS = '/revision/'

/**
 * Routes a path below `{base_url}`. A page id may be one segment (`logo%2Fmisuse`) or several (`logo/misuse`). A path
 * that ends before a required id is malformed. Any other unknown path is not found.
 */
export function route(segments: readonly string[]): Result<Call, Refusal> {
  for (const { operation, pattern } of PATTERNS) {
    const call = matchPattern(operation, pattern, segments)
    if (call) return ok(call)
  }
  const incomplete = PATTERNS.find(({ pattern }) => stopsShort(pattern, segments))
  const missing = incomplete?.pattern[segments.length]
  return failed(missing === undefined ? refuse('not-found') : refuseMissingId(missing.slice(1, -1)))
}

/**
 * Routes a path below `{public-url}/revision`: the number of a revision, the segment of the API, then the path of an
 * operation whose reply is frozen.
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
  const takesRest = pattern.at(-1) === '{page}'
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

/** The methods of every address but the token endpoint. */
export const METHODS = 'GET, HEAD, OPTIONS'

/** The reply to a method other than GET and HEAD: 204 to OPTIONS, else 405. Undefined for GET and HEAD. */
export function answerMethod(method: string, publicUrl: string): Reply | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method === 'OPTIONS') return noContent(['Allow', METHODS])
  return refusalReply(refuse('method-not-allowed', ['Allow', METHODS]), publicUrl)
}
