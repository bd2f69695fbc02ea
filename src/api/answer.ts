import type { Limit } from '../access/limit/limit.ts'
import { type Grant, permit } from '../access/token/grant.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import { andThen, type MaybePromise } from '../base/promise.ts'
import { answerMethod } from '../contract/methods.ts'
import type { Call } from '../contract/operations.ts'
import { type Refusal, refusalReply, refuse } from '../contract/refusals.ts'
import type { Router } from '../contract/route.ts'
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

/**
 * Answers a request for the API; `path` is what the router takes. The checks come in this order, and the first that
 * fails is the answer: form 400, path 404, method 405, token 401, limit 429, scope 403, workspace and project 404.
 */
export function answer(api: ApiParts, request: Request, path: string, route: Router): MaybePromise<Reply> {
  const refused = (refusal: Refusal) => refusalReply(refusal, api.publicUrl)
  const segments = decodeSegments(path)
  if (!segments) return refused(refuse('malformed-request'))
  const routed = route(segments)
  if (!routed.ok) return refused(routed.problem)
  const call = routed.value
  const methodReply = answerMethod(request.method, api.publicUrl)
  if (methodReply) return methodReply
  return andThen(api.verifier.verify(request, api.clock()), verified => {
    if (!verified.ok) return refused(verified.problem)
    const context = { api, request, call, grant: verified.value }
    return withinLimit(context, () => {
      const permitted = permit(context.grant, call)
      if (permitted.ok)
        return andThen(find(api, permitted.value, request), reply => reply ?? refused(refuse('not-found')))
      audit(context, permitted.problem.id === 'insufficient-scope' ? 'scope-refused' : 'place-refused')
      return refused(permitted.problem)
    })
  })
}

/** A request whose token is genuine. */
type Context = { api: ApiParts; request: Request; call: Call; grant: Grant }

/** Charges a request to the workspace of its token, and answers it if the limit allows. */
function withinLimit(context: Context, reply: () => MaybePromise<Reply>): MaybePromise<Reply> {
  const { limit, ticks, publicUrl } = context.api
  if (!limit) return reply()
  return andThen(limit.spend(context.grant.workspace, ticks()), allowance => {
    const headers = rateHeaders(limit.rate, allowance)
    if (allowance.isAllowed) return andThen(reply(), each => withHeaders(each, headers))
    audit(context, 'limit-refused')
    return withHeaders(refusalReply(refuse('too-many-requests'), publicUrl), headers)
  })
}

function audit({ api, request, call, grant }: Context, event: AccessEvent['event']): void {
  const { client, workspace, jti } = grant
  api.record({ event, operation: call.operation.id, client, workspace, jti, address: request.address })
}
