import { andThen, type MaybePromise } from '../base/promise.ts'
import { refusalReply, refuse } from '../contract/refusals.ts'
import type { Call } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { AccessEvent, Audit } from '../telemetry/access-event.ts'
import { type WorkspaceLimit, withinWorkspaceLimit } from './limit/workspace-limit.ts'
import { type Grant, type Permit, permit } from './token/grant.ts'
import type { TokenVerifier } from './token/token-verifier.ts'

/** The objects that check requests with tokens. */
export type PermitContext = WorkspaceLimit & {
  verifier: TokenVerifier
  /** The time of day, in milliseconds. */
  clock: () => number
  record: Audit
}

/** A call and its name in the access log. `find` returns the reply; undefined if the content does not exist. */
export type PermittedCall = {
  call: Call
  operation: string
  find: (permitted: Permit) => MaybePromise<Reply | undefined>
}

/**
 * Answers a call with a token. The checks run in this order, and the first one that fails determines the reply:
 * token 401, limit 429, scope 403, workspace and project 404.
 */
export function permittedReply(
  context: PermitContext,
  request: Request,
  { call, operation, find }: PermittedCall,
): MaybePromise<Reply> {
  const { publicUrl, verifier, clock, record } = context
  return andThen(verifier.verify(request, clock()), verified => {
    if (!verified.ok) return refusalReply(verified.problem, publicUrl)
    const grant = verified.value
    const audit = (event: AccessEvent['event']) => record({ event, operation, ...auditedFields(grant, request) })
    const reply = () => {
      const permitted = permit(grant, call)
      if (permitted.ok)
        return andThen(find(permitted.value), reply => reply ?? refusalReply(refuse('not-found'), publicUrl))
      audit(permitted.problem.id === 'insufficient-scope' ? 'scope-refused' : 'place-refused')
      return refusalReply(permitted.problem, publicUrl)
    }
    return withinWorkspaceLimit(context, grant.workspace, reply, () => audit('limit-refused'))
  })
}

function auditedFields({ client, workspace, jti }: Grant, { address }: Request) {
  return { client, workspace, jti, address }
}
