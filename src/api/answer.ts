import type { Limit } from '../access/limit/allowance.ts'
import { type Grant, permit } from '../access/token/grant.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import { andThen, type MaybePromise } from '../base/promise.ts'
import { failed, ok, type Result } from '../base/result.ts'
import { answerMethod } from '../contract/methods.ts'
import type { Call } from '../contract/operations.ts'
import { type Refusal, refusalReply, refuse } from '../contract/refusals.ts'
import type { route } from '../contract/route.ts'
import { type Reply, type Request, withHeaders } from '../exchange/message.ts'
import { decodeSegments } from '../exchange/target.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Pointers } from '../serving/pointers.ts'
import type { OpenPublication } from '../serving/publications.ts'
import type { ResponseCache } from '../serving/response-cache.ts'
import type { ServedRevisions } from '../serving/revisions.ts'
import type { AccessEvent, Audit } from '../telemetry/access-event.ts'
import { find } from './find.ts'
import { rateHeaders } from './rate-headers.ts'

/** What the API answers from. */
export type ApiParts = {
  pointers: Pointers
  openPublication: OpenPublication
  revisions: ServedRevisions
  prepared: ResponseCache
  addresses: Addresses
  publicUrl: string
  verifier: TokenVerifier
  /** Undefined if requests are not limited. */
  limit: Limit | undefined
  /** The time of day, in milliseconds. */
  clock: () => number
  /** Milliseconds that never go back. */
  ticks: () => number
  record: Audit
}

/** A request for the API, and what the checks have found out of it. */
type Asked = { api: ApiParts; request: Request; call: Call; grant: Grant }

/**
 * Answers a request for the API; `path` is what follows the address below which `findRoute` knows the paths. The checks
 * come in this order, and the first that fails is the answer: form 400, path 404, method 405, token 401, limit 429,
 * scope 403, place and resource 404.
 */
export function answer(api: ApiParts, request: Request, path: string, findRoute: typeof route): MaybePromise<Reply> {
  const refused = (refusal: Refusal) => refusalReply(refusal, api.publicUrl)
  const call = callAt(path, findRoute)
  if (!call.ok) return refused(call.problem)
  const other = answerMethod(request.method, api.publicUrl)
  if (other) return other
  return andThen(api.verifier.verify(request, api.clock()), grant =>
    'id' in grant ? refused(grant) : answerWithinLimit({ api, request, call: call.value, grant }),
  )
}

function callAt(path: string, findRoute: typeof route): Result<Call, Refusal> {
  const segments = decodeSegments(path)
  const call = segments && findRoute(segments)
  if (call === undefined) return failed(refuse(segments ? 'not-found' : 'malformed-request'))
  return call === 'incomplete' ? failed(refuse('malformed-request')) : ok(call)
}

function answerWithinLimit(asked: Asked): MaybePromise<Reply> {
  const { limit, ticks, publicUrl } = asked.api
  if (!limit) return answerGranted(asked)
  return andThen(limit.spend(asked.grant.workspace, ticks()), allowance => {
    const headers = rateHeaders(limit.rate, allowance)
    if (allowance.isAllowed) return andThen(answerGranted(asked), reply => withHeaders(reply, headers))
    audit(asked, 'limit-refused')
    return withHeaders(refusalReply(refuse('too-many-requests'), publicUrl), headers)
  })
}

function answerGranted(asked: Asked): MaybePromise<Reply> {
  const { api, request, call, grant } = asked
  const permitted = permit(grant, call)
  if ('id' in permitted) {
    audit(asked, permitted.id === 'insufficient-scope' ? 'scope-refused' : 'place-refused')
    return refusalReply(permitted, api.publicUrl)
  }
  return andThen(find(api, permitted, request), reply => reply ?? refusalReply(refuse('not-found'), api.publicUrl))
}

function audit({ api, request, call, grant }: Asked, event: AccessEvent['event']): void {
  const { client, workspace, jti } = grant
  api.record({ event, operation: call.operation.id, client, workspace, jti, address: request.address })
}
