import type { Allowance, Limit, Rate } from '../access/allowance.ts'
import type { Gate } from '../access/gate.ts'
import { type Grant, permit } from '../access/grant.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { answerMethod } from '../contract/methods.ts'
import type { Call } from '../contract/operations.ts'
import { type Refusal, refusalReply, refuse } from '../contract/refusals.ts'
import type { route } from '../contract/route.ts'
import { type Reply, type Request, withHeaders } from '../exchange/message.ts'
import { decodeSegments } from '../exchange/target.ts'
import type { AccessEvent, Record } from '../telemetry/access-event.ts'
import { type Find, find } from './find.ts'
import { rateHeaders } from './rate-headers.ts'

/** What the API answers from. */
export type ApiParts = Find & {
  gate: Gate
  /** Absent: requests are not limited. */
  limit?: Limit
  /** The time of day, in milliseconds. */
  clock: () => number
  /** Milliseconds that never go back. */
  ticks: () => number
  record: Record
}

/**
 * Answers a request for the API; `path` is what follows the address below which `findRoute` knows the paths. The checks
 * come in this order, and the first that fails is the answer: form 400, path 404, method 405, token 401, limit 429,
 * scope 403, place and resource 404.
 */
export function answer(parts: ApiParts, request: Request, path: string, findRoute: typeof route): MaybePromise<Reply> {
  const call = callOf(path, findRoute)
  if ('id' in call) return refusalReply(call, parts.publicUrl)
  const other = answerMethod(request.method, parts.publicUrl)
  if (other) return other
  const grant = parts.gate.verify(request, parts.clock())
  return grant instanceof Promise
    ? grant.then(verified => answerVerified(parts, request, call, verified))
    : answerVerified(parts, request, call, grant)
}

function callOf(path: string, findRoute: typeof route): Call | Refusal {
  const segments = decodeSegments(path)
  const call = segments && findRoute(segments)
  if (call === undefined) return refuse(segments ? 'not-found' : 'malformed-request')
  return call === 'incomplete' ? refuse('malformed-request') : call
}

function answerVerified(parts: ApiParts, request: Request, call: Call, grant: Grant | Refusal): MaybePromise<Reply> {
  if ('id' in grant) return refusalReply(grant, parts.publicUrl)
  if (!parts.limit) return answerGranted(parts, request, call, grant)
  const { rate, spend } = parts.limit
  const allowance = spend(grant.workspace, parts.ticks())
  return allowance instanceof Promise
    ? allowance.then(each => answerCounted(parts, request, call, grant, rate, each))
    : answerCounted(parts, request, call, grant, rate, allowance)
}

function answerCounted(
  parts: ApiParts,
  request: Request,
  call: Call,
  grant: Grant,
  rate: Rate,
  allowance: Allowance,
): MaybePromise<Reply> {
  const headers = rateHeaders(rate, allowance)
  if (!allowance.isAllowed) {
    takeDown(parts, 'limit-refused', request, call, grant)
    return withHeaders(refusalReply(refuse('too-many-requests'), parts.publicUrl), headers)
  }
  const reply = answerGranted(parts, request, call, grant)
  return reply instanceof Promise ? reply.then(each => withHeaders(each, headers)) : withHeaders(reply, headers)
}

function answerGranted(parts: ApiParts, request: Request, call: Call, grant: Grant): MaybePromise<Reply> {
  const permitted = permit(grant, call)
  if ('id' in permitted) {
    takeDown(parts, permitted.id === 'insufficient-scope' ? 'scope-refused' : 'place-refused', request, call, grant)
    return refusalReply(permitted, parts.publicUrl)
  }
  const found = find(parts, permitted, request)
  return found instanceof Promise ? found.then(reply => orNotFound(parts, reply)) : orNotFound(parts, found)
}

function takeDown(
  { record }: ApiParts,
  event: AccessEvent['event'],
  { address }: Request,
  { operation }: Call,
  { client, workspace, jti }: Grant,
): void {
  record({ event, operation: operation.id, client, workspace, jti, address })
}

function orNotFound(parts: ApiParts, reply: Reply | undefined): Reply {
  return reply ?? refusalReply(refuse('not-found'), parts.publicUrl)
}
