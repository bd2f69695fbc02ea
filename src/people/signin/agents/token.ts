import { isScope } from '#brand/contract/operations.ts'
import { BASIC_CHALLENGE, RETRY_SOON, tokenRefusalReply, tokenReply } from '#brand/contract/refusals.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { fieldText } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { issueLiveToken, type TokenRequest } from '#serving/access/token/issue.ts'
import { type ConnectionRecord, findLiveConnection } from '#store/access/connections.ts'
import type { Exchanged, SigninContext } from '../context.ts'
import { canonicalResource, contentScopes } from './connection/resource.ts'
import { exchange, jsonOf } from './server/authorization-server.ts'

/** Answers `/oauth/token` for a code or a refresh token (RFC 6749 §4.1.3, §6) with a token of ours. */
export async function answerExchange(context: SigninContext, request: Request): Promise<Reply> {
  try {
    // Fails before a code is used up if tokens cannot be signed.
    await (await context.access.signer(new Date(context.access.clock()))).key()
    const { reply, exchanged } = await exchange(context, withKnownParameters(request))
    return exchanged
      ? await issue(context, request, exchanged, jsonOf(reply).refresh_token)
      : errorReply(context, request, reply)
  } catch (error) {
    if (!context.reportOutage(error)) throw error
    return tokenRefusalReply('temporarily_unavailable', context.access.publicUrl, RETRY_SOON)
  }
}

/**
 * A token request with its resource and its scopes as the authorization has them: at a refresh, a program may repeat the
 * scopes with which it began, and its resource may end with a slash. Repeated parameters stay, so that they are refused.
 */
function withKnownParameters(request: Request): Request {
  const form = new URLSearchParams(new TextDecoder().decode(request.body))
  const resources = form.getAll('resource')
  const scopes = form.getAll('scope')
  if (resources.length === 1) form.set('resource', canonicalResource(resources.join()))
  if (scopes.length === 1) {
    const scope = contentScopes(scopes.join())
    if (scope === '') form.delete('scope')
    else form.set('scope', scope)
  }
  return { ...request, body: new TextEncoder().encode(form.toString()) }
}

/** Issues a token for what the person may see now, or ends a connection that has ended meanwhile. */
async function issue(
  context: SigninContext,
  request: Request,
  exchanged: Exchanged,
  refreshToken: string | undefined,
): Promise<Reply> {
  const { database, clock } = context.access
  const now = new Date(clock())
  const connection = await findLiveConnection(database, exchanged.connection, now)
  const lifetimeSeconds = connection ? lifetimeOf(connection, now) : 0
  const issued =
    connection && lifetimeSeconds > 0
      ? await issueLiveToken(context.access, tokenRequest(connection, exchanged, lifetimeSeconds), now)
      : undefined
  if (!issued) {
    await context.endConnection(exchanged.connection, 'expired')
    return refuse(context, request, exchanged.client)
  }
  return tokenReply(200, {
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    scope: issued.scope,
    resource: exchanged.resource,
    ...withoutUndefined({ refresh_token: refreshToken }),
  })
}

/** The token for what the connection covers now, with the scopes that the library has checked. */
function tokenRequest(
  { id, workspace, client, subject }: ConnectionRecord,
  { coverage, scope, resource }: Exchanged,
  lifetimeSeconds: number,
): TokenRequest {
  const scopes = scope.split(' ').filter(isScope)
  return { ...coverage, workspace, scopes, lifetimeSeconds, client, actor: { connection: id, subject }, resource }
}

/** The whole seconds until the token must end: at most an hour, and never after its connection. */
function lifetimeOf({ expiresAt }: ConnectionRecord, now: Date): number {
  return Math.min(MAX_LIFETIME_SECONDS, Math.floor((expiresAt.getTime() - now.getTime()) / 1000))
}

const MAX_LIFETIME_SECONDS = 3600

/** The refusal of a code or a refresh token, which is recorded. */
function refuse({ access: { record, publicUrl } }: SigninContext, { address }: Request, client: string): Reply {
  record({ event: 'client-refused', reason: 'invalid_grant', client, address })
  return tokenRefusalReply('invalid_grant', publicUrl)
}

/** Our reply for an error of the library, which is recorded; a code or token that it refuses gets `refuse`. */
function errorReply(context: SigninContext, request: Request, reply: Reply): Reply {
  const { error = 'invalid_request', error_description: description } = jsonOf(reply)
  if (error === 'invalid_grant') {
    const client = fieldText(new URLSearchParams(new TextDecoder().decode(request.body)), 'client_id')
    return refuse(context, request, client.slice(0, 200))
  }
  if (error === 'temporarily_unavailable')
    return tokenRefusalReply(error, context.access.publicUrl, ['Retry-After', '60'])
  context.access.record({ event: 'client-refused', reason: error, address: request.address })
  const challenge = reply.status === 401 ? ['WWW-Authenticate', BASIC_CHALLENGE] : []
  const error_uri = `${context.access.publicUrl}/docs#${error}`
  return tokenReply(reply.status, { error, error_description: description, error_uri }, challenge)
}
