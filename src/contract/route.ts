import { failed, ok, type Result } from '../base/result.ts'
import { memoize } from '../base/text.ts'
import type { Reply } from '../exchange/message.ts'
import { noContent } from '../exchange/reply.ts'
import { decodeSegments, pathProblem } from '../exchange/target.ts'
import { API_PATH, OPERATIONS, type Operation } from './operations.ts'
import { type Refusal, refusalReply, refuse, refuseMissingId } from './refusals.ts'

/** An operation and the decoded ids of its path. */
export type Call = {
  operation: Operation
  workspace: string
  project: string
  page: string
  /** The revision number. Absent for the current revision. */
  revision?: number
}

/** Whether a path belongs to the API: it is below `/beta`, or below `/revision/{n}/beta` for one revision. */
export function isApiPath(path: string): boolean {
  return path.startsWith(CURRENT) || path.startsWith(REVISIONS)
}

/**
 * Finds the operation for an API path. A path that cannot be decoded is malformed. A cached path gives the same object.
 */
export const routePath: (path: string) => Result<Call, Refusal> = memoize(path => {
  const isOfRevision = path.startsWith(REVISIONS)
  const below = path.slice((isOfRevision ? REVISIONS : CURRENT).length - 1)
  const segments = decodeSegments(below)
  if (!segments) return failed(refuse(pathProblem(below)))
  return isOfRevision ? routeRevision(segments) : route(segments)
})

const CURRENT = `${API_PATH}/`
const REVISIONS = '/revision/'

/**
 * Routes a path below `{base_url}`. A page id may be one segment (`logo%2Fmisuse`) or several (`logo/misuse`). A path
 * that ends before a required id is malformed. Any other unknown path is not found.
 */
export function route(segments: readonly string[]): Result<Call, Refusal> {
  let words = WORDS
  let at = 0
  do {
    const next = words.below.get(segments[at] ?? '')
    if (!next) return NOT_FOUND
    words = next
    at++
    if (words.id === undefined) continue
    if (at === segments.length) return failed(refuseMissingId(words.id))
    at = words.id === 'page' ? segments.length : at + 1
  } while (at < segments.length)
  const { operation } = words
  if (!operation) return NOT_FOUND
  const [, workspace = '', , project = '', , ...page] = segments
  return ok({ operation, workspace, project, page: words.id === 'page' ? page.join('/') : '' })
}

const NOT_FOUND = failed(refuse('not-found'))

/**
 * The meaning of an API path after some of its words: its operation, the id that comes next, and the words that may
 * follow.
 */
type Words = { operation?: Operation; id?: string; below: Map<string, Words> }

const WORDS: Words = { below: new Map() }
for (const operation of OPERATIONS) {
  let words = WORDS
  for (const part of operation.path.slice(1).split('/')) {
    if (part.startsWith('{')) {
      words.id = part.slice(1, -1)
      continue
    }
    const next = words.below.get(part) ?? { below: new Map() }
    words.below.set(part, next)
    words = next
  }
  words.operation = operation
}

/**
 * Routes a path below `{public-url}/revision`: a revision number, the API segment, then the path of an operation with a
 * frozen reply.
 */
export function routeRevision(segments: readonly string[]): Result<Call, Refusal> {
  const [number = '', api, ...below] = segments
  if (!/^[1-9]\d*$/.test(number) || `/${api}` !== API_PATH) return failed(refuse('not-found'))
  const routed = route(below)
  if (!routed.ok) return routed
  const call = routed.value
  return call.operation.isFrozen ? ok({ ...call, revision: Number(number) }) : failed(refuse('not-found'))
}

/** The methods of every address except the token endpoint. */
export const METHODS = 'GET, HEAD, OPTIONS'

/** Replies to a method other than GET and HEAD: 204 to OPTIONS, else 405. Undefined for GET and HEAD. */
export function answerMethod(method: string, publicUrl: string): Reply | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method === 'OPTIONS') return noContent(['Allow', METHODS])
  return refusalReply(refuse('method-not-allowed', ['Allow', METHODS]), publicUrl)
}
