import { refusalReply, refuse } from '#brand/contract/refusals.ts'
import type { Call } from '#brand/contract/route.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import { type HeaderList, type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import type { Allowance, Rate } from './limit/limit-memory.ts'
import type { ServiceContext } from './service-context.ts'
import { type Permit, permit } from './token/grant.ts'

/** A call and its name in the access log. `find` returns the reply; undefined if the content does not exist. */
export type PermittedCall = {
  call: Call
  operation: string
  find: (permitted: Permit) => MaybePromise<Reply | undefined>
}

/** Answers a call with a token. The first failed check decides: token 401, limit 429, scope 403, place 404. */
export function permittedReply(
  service: ServiceContext,
  request: Request,
  { call, operation, find }: PermittedCall,
): MaybePromise<Reply> {
  const { publicUrl, clock, record } = service.access
  return andThen(service.verifier.verify(request, clock()), verified => {
    if (!verified.ok) return refusalReply(verified.problem, publicUrl)
    const grant = verified.value
    const { client, workspace, jti } = grant
    const audit = (event: AccessEvent['event']) =>
      record(withoutUndefined({ event, operation, client, workspace, jti, address: request.address }))
    const reply = () => {
      const permitted = permit(grant, call)
      if (permitted.ok)
        return andThen(find(permitted.value), reply => reply ?? refusalReply(refuse('not-found'), publicUrl))
      audit(permitted.problem.id === 'insufficient-scope' ? 'scope-refused' : 'place-refused')
      return refusalReply(permitted.problem, publicUrl)
    }
    return withinWorkspaceLimit(service, workspace, reply, () => audit('limit-refused'))
  })
}

/** Counts a request, or the messages in it, for the workspace of its token. Both replies have the remaining limit. */
export function withinWorkspaceLimit(
  { access, limit, ticks }: ServiceContext,
  workspace: string,
  reply: () => MaybePromise<Reply>,
  refused: () => void,
  messages = 1,
): MaybePromise<Reply> {
  if (!limit) return reply()
  return andThen(limit.spend(workspace, ticks(), messages), allowance => {
    const headers = rateHeaders(limit.rate, allowance)
    if (allowance.isAllowed) return andThen(reply(), each => withHeaders(each, headers))
    refused()
    return withHeaders(refusalReply(refuse('too-many-requests'), access.publicUrl), headers)
  })
}

/**
 * Makes the limit fields, as structured fields (draft-ietf-httpapi-ratelimit-headers-11). `t` never exceeds the window.
 * A refusal also contains the waiting time (RFC 9110 §10.2.3), which is longer if the clock was set back.
 */
export function rateHeaders(rate: Rate, { isAllowed, remaining, resetSeconds }: Allowance): HeaderList {
  const headers = [
    'RateLimit-Policy',
    `"workspace";q=${rate.requests};w=${rate.seconds}`,
    'RateLimit',
    `"workspace";r=${remaining};t=${Math.min(resetSeconds, rate.seconds)}`,
  ]
  if (!isAllowed) headers.push('Retry-After', String(resetSeconds))
  return headers
}
