import { authenticateClient, isClientId } from '../access/client/clients.ts'
import type { LoginThrottle } from '../access/client/login-throttle.ts'
import type { AccessContext } from '../access/context.ts'
import { EncryptedKeyError } from '../access/keys/key-encryption.ts'
import type { MarkUse } from '../access/last-use/uses.ts'
import { issueToken, secondsToNextToken, type TokenRequest } from '../access/token/issue.ts'
import { isScope, type Scope } from '../contract/operations.ts'
import { RETRY_SOON, refusalReply, refuse } from '../contract/refusals.ts'
import { BASIC_CHALLENGE, type TokenRefusalId, tokenRefusalReply, tokenReply } from '../contract/token-refusals.ts'
import type { HeaderList, Reply, Request } from '../exchange/message.ts'
import type { Log } from '../telemetry/log.ts'
import { readForm } from './token-form.ts'

export type TokenContext = {
  access: AccessContext
  throttle: LoginThrottle
  markUse: MarkUse
  baseUrl: string
  publicUrl: string
  clock: () => number
  log: Log
  /** Whether an error is an outage of the store; if so, it is logged. */
  reportOutage: (error: unknown) => boolean
}

/** Answers `/oauth/token`: the client credentials grant (RFC 6749 §4.4) with resource indicators (RFC 8707). */
export async function answerTokenRequest(context: TokenContext, request: Request): Promise<Reply> {
  try {
    return await answerFromStore(context, request)
  } catch (error) {
    if (!context.reportOutage(error)) throw error
    return tokenRefusalReply('temporarily_unavailable', context.publicUrl, RETRY_SOON)
  }
}

async function answerFromStore(context: TokenContext, request: Request): Promise<Reply> {
  const { publicUrl } = context
  const refused = (id: TokenRefusalId, clientId = '', headers: HeaderList = []) => {
    const client = isClientId(clientId) && { client: clientId }
    context.access.record({ event: 'client-refused', reason: id, address: request.address, ...client })
    return tokenRefusalReply(id, publicUrl, headers)
  }
  const form = readForm(request)
  if (!form.ok) {
    if (form.problem === 'invalid_client') return refused('invalid_client', '', CHALLENGE)
    if (form.problem === 'too_large') return refusalReply(refuse('form-too-large'), publicUrl)
    return tokenRefusalReply(form.problem, publicUrl)
  }
  const { clientId, clientSecret, grantType, scope, resources } = form.value
  const client = await authenticateClient(context.access, clientId, clientSecret)
  if (!client) {
    const waitSeconds = await context.throttle.countFailure(clientId, request.address)
    if (waitSeconds === 0) return refused('invalid_client', clientId, CHALLENGE)
    return refused('too_many_requests', clientId, ['Retry-After', String(waitSeconds)])
  }
  context.markUse('client', client.id, context.clock())
  if (grantType !== 'client_credentials') return tokenRefusalReply('unsupported_grant_type', publicUrl)
  const scopes = allowedScopes(scope, client.scope)
  if (!scopes) return refused('invalid_scope', client.id)
  const path = `/workspace/${client.workspace}`
  const [resource = context.baseUrl + path] = resources
  const isOwn = [context.baseUrl + path, publicUrl + path, `${publicUrl}/mcp`].includes(resource)
  if (resources.length > 1 || !isOwn) return refused('invalid_target', client.id)
  const waitSeconds = await secondsToNextToken(context.access, client.id, new Date(context.clock()))
  if (waitSeconds > 0) return refused('too_many_requests', client.id, ['Retry-After', String(waitSeconds)])
  const { workspace, projects } = client
  return issue(context, resource, {
    workspace,
    scopes,
    lifetimeSeconds: LIFETIME_SECONDS,
    client: client.id,
    ...(projects && { projects }),
    ...(resources.length > 0 && { resource }),
  })
}

/** The lifetime of client tokens. */
const LIFETIME_SECONDS = 3600

const CHALLENGE = ['WWW-Authenticate', BASIC_CHALLENGE]

/**
 * Returns the requested scopes, or all client scopes if none are requested; undefined if the client lacks one of them.
 */
function allowedScopes(requested: string | undefined, clientScopes: string): readonly Scope[] | undefined {
  const allowed = clientScopes.split(' ').filter(isScope)
  if (requested === undefined) return allowed
  const names = requested.split(' ')
  const scopes = allowed.filter(scope => names.includes(scope))
  return names.every(name => allowed.some(scope => scope === name)) ? scopes : undefined
}

async function issue(
  { access, clock, publicUrl, log }: TokenContext,
  resource: string,
  request: TokenRequest,
): Promise<Reply> {
  try {
    const { token, scope } = await issueToken(access, request, new Date(clock()))
    const body = { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope, resource }
    return tokenReply(200, body)
  } catch (error) {
    if (!(error instanceof EncryptedKeyError)) throw error
    log.error({ err: error }, 'cannot sign a token')
    return tokenRefusalReply('temporarily_unavailable', publicUrl)
  }
}
