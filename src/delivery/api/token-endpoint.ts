import { API_PATH, isScope, type Scope } from '#brand/contract/operations.ts'
import {
  BASIC_CHALLENGE,
  RETRY_SOON,
  refusalReply,
  refuse,
  type TokenRefusalId,
  tokenRefusalReply,
  tokenReply,
} from '#brand/contract/refusals.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, percentDecode } from '#platform/base/text.ts'
import type { HeaderList, Reply, Request } from '#platform/exchange/message.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { authenticateClient, isClientId, isPublicClient } from '#serving/access/client/clients.ts'
import type { LoginThrottle } from '#serving/access/client/throttles.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { EncryptedKeyError } from '#serving/access/keys/key-encryption.ts'
import { issueToken, secondsToNextToken, type TokenRequest } from '#serving/access/token/issue.ts'
import type { ClientRecord } from '#store/access/clients.ts'

type TokenEndpoint = {
  access: AccessContext
  throttle: LoginThrottle
  log: Log
  /** Whether an error is an outage of the store; if so, it is logged. */
  reportOutage: (error: unknown) => boolean
}

/** Answers `/oauth/token`: the client credentials grant (RFC 6749 §4.4) with resource indicators (RFC 8707). */
export async function answerTokenRequest(endpoint: TokenEndpoint, request: Request): Promise<Reply> {
  try {
    return await answerFromStore(endpoint, request)
  } catch (error) {
    if (!endpoint.reportOutage(error)) throw error
    return tokenRefusalReply('temporarily_unavailable', endpoint.access.publicUrl, RETRY_SOON)
  }
}

/**
 * Checks in this order: the form, the client and its secret, the grant type, the scopes, the resource, and the limit of
 * tokens. A wrong secret counts against the client and the network address, and is audited, as are refused clients.
 */
async function answerFromStore(endpoint: TokenEndpoint, request: Request): Promise<Reply> {
  const { access } = endpoint
  const form = readForm(request)
  if (!form.ok) return refuseForm(endpoint, request, form.problem)
  const client = await authenticateClient(access, form.value.clientId, form.value.clientSecret)
  if (!client) return refuseClient(endpoint, request, form.value)
  access.markUse?.('client', client.id, access.clock())
  if (form.value.grantType !== GRANT_TYPE) return tokenRefusalReply('unsupported_grant_type', access.publicUrl)
  return answerClient(endpoint, request, form.value, client)
}

const GRANT_TYPE = 'client_credentials'

/** Refuses a request, and audits that. */
function refuseAudited(
  { access }: TokenEndpoint,
  { address }: Request,
  id: TokenRefusalId,
  clientId = '',
  headers: HeaderList = [],
): Reply {
  const client = isClientId(clientId) && { client: clientId }
  access.record({ event: 'client-refused', reason: id, address, ...client })
  return tokenRefusalReply(id, access.publicUrl, headers)
}

function refuseForm(endpoint: TokenEndpoint, request: Request, problem: FormProblem): Reply {
  const { publicUrl } = endpoint.access
  if (problem === 'invalid_client') return refuseAudited(endpoint, request, problem, '', CHALLENGE)
  return problem === 'too_large'
    ? refusalReply(refuse('form-too-large'), publicUrl)
    : tokenRefusalReply(problem, publicUrl)
}

/** Refuses a client that does not exist, or whose secret is wrong. */
async function refuseClient(
  endpoint: TokenEndpoint,
  request: Request,
  { clientId, grantType }: TokenForm,
): Promise<Reply> {
  // An agent's client has no secret. With another grant type, it is at the wrong address, and guesses no secret.
  if (grantType !== GRANT_TYPE && (await isPublicClient(endpoint.access, clientId)))
    return refuseAudited(endpoint, request, 'unsupported_grant_type', clientId)
  const waitSeconds = await endpoint.throttle.countFailure(clientId, request.address)
  if (waitSeconds === 0) return refuseAudited(endpoint, request, 'invalid_client', clientId, CHALLENGE)
  return refuseAudited(endpoint, request, 'too_many_requests', clientId, retryAfter(waitSeconds))
}

/** Gives an authenticated client its token, unless it may not have the scopes or the resource, or had too many. */
async function answerClient(
  endpoint: TokenEndpoint,
  request: Request,
  { scope, resources }: TokenForm,
  client: ClientRecord,
): Promise<Reply> {
  const { access } = endpoint
  const { id, workspace, projects } = client
  const scopes = allowedScopes(scope, client.scope)
  if (!scopes) return refuseAudited(endpoint, request, 'invalid_scope', id)
  const resource = allowedResource(resources, access.publicUrl, workspace)
  if (resource === undefined) return refuseAudited(endpoint, request, 'invalid_target', id)
  const waitSeconds = await secondsToNextToken(access, id, new Date(access.clock()))
  if (waitSeconds > 0) return refuseAudited(endpoint, request, 'too_many_requests', id, retryAfter(waitSeconds))
  return issue(endpoint, resource, {
    workspace,
    scopes,
    lifetimeSeconds: LIFETIME_SECONDS,
    client: id,
    ...(projects && { projects }),
    ...(resources.length > 0 && { resource }),
  })
}

function retryAfter(seconds: number): HeaderList {
  return ['Retry-After', String(seconds)]
}

/** The lifetime of client tokens. */
const LIFETIME_SECONDS = 3600

const CHALLENGE = ['WWW-Authenticate', BASIC_CHALLENGE]

/** The requested scopes, or all of the client if none are requested; undefined if the client lacks one of them. */
function allowedScopes(requested: string | undefined, clientScopes: string): readonly Scope[] | undefined {
  const allowed = clientScopes.split(' ').filter(isScope)
  if (requested === undefined) return allowed
  const names = requested.split(' ')
  const scopes = allowed.filter(scope => names.includes(scope))
  return names.every(name => allowed.some(scope => scope === name)) ? scopes : undefined
}

/** The requested resource, or else the API of the workspace; undefined if it is another one, or one of several. */
function allowedResource(requested: readonly string[], publicUrl: string, workspace: string): string | undefined {
  const path = `/workspace/${workspace}`
  const apiUrl = publicUrl + API_PATH + path
  const [resource = apiUrl, ...others] = requested
  const isAllowed = [apiUrl, publicUrl + path, `${publicUrl}/mcp`].includes(resource)
  return isAllowed && others.length === 0 ? resource : undefined
}

/** Signs a token, and answers with it (RFC 6749 §5.1). */
async function issue({ access, log }: TokenEndpoint, resource: string, request: TokenRequest): Promise<Reply> {
  try {
    const { token, scope } = await issueToken(access, request, new Date(access.clock()))
    const body = { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope, resource }
    return tokenReply(200, body)
  } catch (error) {
    if (!(error instanceof EncryptedKeyError)) throw error
    log.error({ err: error }, 'cannot sign a token')
    return tokenRefusalReply('temporarily_unavailable', access.publicUrl)
  }
}

/** The reason for refusing a form: a code of RFC 6749 §5.2, or its size. */
export type FormProblem = 'invalid_request' | 'invalid_client' | 'too_large'

type ClientCredentials = { clientId: string; clientSecret: string }

type TokenForm = ClientCredentials & {
  grantType: string
  scope: string | undefined
  resources: readonly string[]
}

/**
 * Reads a token request form: credentials in the form or as HTTP Basic (RFC 6749 §2.3.1), never both; no repeated
 * parameter except `resource` (RFC 6749 §3.2, RFC 8707 §2), none in the query. A request without a client is
 * `invalid_client`; a form of more than 8 KiB is `too_large`; any other error is `invalid_request`. Because anyone may
 * send a form, its size and number of parameters are checked before parsing.
 */
function readForm(request: Request): Result<TokenForm, FormProblem> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type))
    return failed('invalid_request')
  const body = request.body ?? new Uint8Array()
  if (body.length > MAX_BYTES) return failed('too_large')
  if (body.filter(byte => byte === AMPERSAND).length >= MAX_PARAMETERS) return failed('invalid_request')
  const form = new URLSearchParams(Buffer.from(body).toString('utf8'))
  const names = [...form.keys()].filter(name => name !== 'resource')
  if (new Set(names).size !== names.length || request.query !== '') return failed('invalid_request')
  const credentials = readCredentials(request, form)
  if (!credentials.ok) return credentials
  const grantType = present(form, 'grant_type')
  if (grantType === undefined) return failed('invalid_request')
  const resources = form.getAll('resource').filter(resource => resource !== '')
  return ok({ ...credentials.value, grantType, scope: present(form, 'scope'), resources })
}

const MAX_BYTES = 8192
const MAX_PARAMETERS = 32
const AMPERSAND = 0x26

/** The id and the secret of a client in a form or as HTTP Basic. */
export function readCredentials(request: Request, form: URLSearchParams): Result<ClientCredentials, FormProblem> {
  const clientId = present(form, 'client_id')
  const clientSecret = present(form, 'client_secret')
  const authorization = request.headers.authorization
  if (authorization === undefined)
    return clientId === undefined ? failed('invalid_client') : ok({ clientId, clientSecret: clientSecret ?? '' })
  if (request.authorizations > 1 || clientSecret !== undefined) return failed('invalid_request')
  const basic = readBasic(authorization)
  if (!basic) return failed('invalid_client')
  return clientId === undefined || clientId === basic.clientId ? ok(basic) : failed('invalid_request')
}

/** Decodes the id and the secret, which are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(authorization: string): ClientCredentials | undefined {
  const [, encoded] = groupsOf(/^basic +([A-Za-z0-9+/]+=*)$/i, authorization)
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1) return undefined
  const [clientId, clientSecret] = [pair.slice(0, colon), pair.slice(colon + 1)].map(text =>
    percentDecode(text.replaceAll('+', ' ')),
  )
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

/** A parameter without a value counts as absent (RFC 6749 §3.2). */
function present(form: URLSearchParams, name: string): string | undefined {
  return form.get(name) || undefined
}

/** The grant type of a token request, without checking the rest of it. */
export function grantTypeOf({ method, body }: Request): string | undefined {
  if (method !== 'POST' || !body || body.length > MAX_BYTES) return undefined
  return new URLSearchParams(Buffer.from(body).toString('utf8')).get('grant_type') ?? undefined
}
