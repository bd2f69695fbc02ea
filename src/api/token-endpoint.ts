import { authenticateClient, type ClientParts, isClientId } from '../access/client/clients.ts'
import type { LoginThrottle } from '../access/client/login-throttle.ts'
import { EncryptedKeyError } from '../access/keys/key-encryption.ts'
import { issueToken, type TokenIssuer } from '../access/token/issue.ts'
import { isScope, type Scope } from '../contract/operations.ts'
import { RETRY_SOON, refusalReply, refuse } from '../contract/refusals.ts'
import { type TokenRefusalId, tokenRefusalReply, tokenReply } from '../contract/token-refusals.ts'
import type { HeaderList, Reply, Request } from '../exchange/message.ts'
import type { Log } from '../telemetry/log.ts'
import { readForm } from './token-form.ts'

/** What the token endpoint answers with. */
export type TokenEndpointParts = {
  tokenIssuer: TokenIssuer
  clients: ClientParts
  attempts: LoginThrottle
  baseUrl: string
  publicUrl: string
  clock: () => number
  log: Log
  /** Whether an error is an outage of the store; if so, it is logged. */
  reportOutage: (error: unknown) => boolean
}

/** How long tokens of clients are valid. */
const LIFETIME_SECONDS = 3600

/** Answers `/oauth/token`: the client credentials grant (RFC 6749 §4.4) with resource indicators (RFC 8707). */
export async function answerTokenRequest(parts: TokenEndpointParts, request: Request): Promise<Reply> {
  try {
    return await answerFromStore(parts, request)
  } catch (error) {
    if (!parts.reportOutage(error)) throw error
    return tokenRefusalReply('temporarily_unavailable', parts.publicUrl, RETRY_SOON)
  }
}

async function answerFromStore(parts: TokenEndpointParts, request: Request): Promise<Reply> {
  const { publicUrl } = parts
  if (request.method === 'OPTIONS') return { status: 204, headers: ['Allow', 'POST, OPTIONS'], body: undefined }
  if (request.method !== 'POST')
    return refusalReply(refuse('method-not-allowed', ['Allow', 'POST, OPTIONS']), publicUrl)
  const form = readForm(request)
  if (form === 'invalid_request') return tokenRefusalReply(form, publicUrl)
  const refused = (client: string, id: TokenRefusalId, headers: HeaderList = []) => {
    const named = isClientId(client) && { client }
    parts.tokenIssuer.record({ event: 'client-refused', reason: id, address: request.address, ...named })
    return tokenRefusalReply(id, publicUrl, headers)
  }
  if (form === 'invalid_client') return refused('', form, CHALLENGE)
  const client = await authenticateClient(parts.clients, form.clientId, form.clientSecret)
  if (!client) {
    const waitSeconds = parts.attempts.failed(form.clientId, request.address)
    return waitSeconds === 0
      ? refused(form.clientId, 'invalid_client', CHALLENGE)
      : refused(form.clientId, 'too_many_requests', ['Retry-After', String(waitSeconds)])
  }
  if (form.grantType !== 'client_credentials') return tokenRefusalReply('unsupported_grant_type', publicUrl)
  const scopes = scopesOf(form.scope, client.scope)
  if (!scopes) return refused(client.id, 'invalid_scope')
  const resource = `${parts.baseUrl}/workspace/${client.workspace}`
  if (form.resources.some(each => each !== resource) || form.resources.length > 1)
    return refused(client.id, 'invalid_target')
  return issue(parts, client, scopes, resource, form.resources.length > 0)
}

type Client = NonNullable<Awaited<ReturnType<typeof authenticateClient>>>

async function issue(
  { tokenIssuer, clock, publicUrl, log }: TokenEndpointParts,
  { id, workspace, projects }: Client,
  scopes: readonly Scope[],
  resource: string,
  isAsked: boolean,
): Promise<Reply> {
  const wanted = { workspace, scopes, lifetimeSeconds: LIFETIME_SECONDS, client: id }
  const request = { ...wanted, ...(projects && { projects }), ...(isAsked && { resource }) }
  try {
    const { token, scope } = await issueToken(tokenIssuer, request, new Date(clock()))
    const body = { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope, resource }
    return tokenReply(200, body)
  } catch (error) {
    if (!(error instanceof EncryptedKeyError)) throw error
    log.error({ err: error }, 'no token can be signed')
    return tokenRefusalReply('temporarily_unavailable', publicUrl)
  }
}

/** Every 401 says how to authenticate (RFC 9110 §15.5.2), to clients that used the form as well. */
const CHALLENGE = ['WWW-Authenticate', 'Basic realm="housestyle", charset="UTF-8"']

/** The scopes that are asked for, all of the client's where none are; undefined where one is not the client's. */
function scopesOf(asked: string | undefined, granted: string): readonly Scope[] | undefined {
  const allowed = granted.split(' ').filter(isScope)
  if (asked === undefined) return allowed
  const names = asked.split(' ')
  const scopes = allowed.filter(scope => names.includes(scope))
  return names.every(name => allowed.some(scope => scope === name)) ? scopes : undefined
}
