import { BASIC_CHALLENGE, tokenRefusalReply, tokenReply } from '#brand/contract/refusals.ts'
import { type Ids, OAUTH_FIELDS, POST, type Route } from '#brand/contract/route.ts'
import { isStoredWorkspaceId } from '#brand/ids.ts'
import { readCredentials } from '#delivery/api/token-endpoint.ts'
import { fieldText } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { authenticateClient, isClientId } from '#serving/access/client/clients.ts'
import { revokeIssued } from '#serving/access/token/revoke.ts'
import type { SigninContext } from '../context.ts'
import type { Target } from './connection/resource.ts'
import { AUTHORIZE_PATH, authorize, exchange, jsonOf } from './server/authorization-server.ts'

type AgentSigninRoute = Route<{ signin: SigninContext }>

/** The fields of pages on which people connect programs. */
const PAGE = { name: 'authorization', who: 'everyone', limit: 'address' } as const
const AUTHORIZE: Omit<AgentSigninRoute, 'pattern'> = {
  ...PAGE,
  methods: ['GET', 'OPTIONS'],
  answer: ({ signin }, request) => authorize(signin, request),
}
const CONSENT: Omit<AgentSigninRoute, 'pattern'> = { ...PAGE, methods: ['GET', 'HEAD', 'POST'], answer: consentReply }

/** The addresses of the sign-in of programs, except the token endpoint. */
export const AGENT_SIGNIN_ROUTES: readonly AgentSigninRoute[] = [
  {
    pattern: '/oauth/revoke',
    methods: POST,
    name: 'token',
    who: 'client',
    limit: 'failures',
    cors: { ...OAUTH_FIELDS, methods: 'POST' },
    answer: ({ signin }, request) => answerRevocation(signin, request),
  },
  { ...AUTHORIZE, pattern: AUTHORIZE_PATH },
  { ...AUTHORIZE, pattern: `${AUTHORIZE_PATH}/{id}` },
  { ...CONSENT, pattern: '/oauth/consent/{id}' },
  { ...CONSENT, pattern: '/{workspace}/{project}/-/consent/{id}', isAtPublicUrl: true },
]

/** Answers the page on which a person lets a program read. Its address may name a guide, and its query a workspace. */
async function consentReply(
  { signin }: { signin: SigninContext },
  request: Request,
  { workspace, project, id: uid }: Ids,
): Promise<Reply> {
  await signin.authorizationServer()
  const { answerConsent } = await import('./consent/consent.ts')
  const place: Target = request.path.startsWith('/oauth/') ? chosenWorkspace(request) : { workspace, project }
  return answerConsent(signin, request, { uid, place })
}

function chosenWorkspace({ query }: Request): Target {
  const workspace = fieldText(new URLSearchParams(query), 'workspace')
  return isStoredWorkspaceId(workspace) ? { workspace } : {}
}

/** Answers `/oauth/revoke` (RFC 7009). A refresh token ends its connection. Unknown tokens get the same reply. */
async function answerRevocation(context: SigninContext, request: Request): Promise<Reply> {
  const form = new URLSearchParams(new TextDecoder().decode(request.body))
  const token = fieldText(form, 'token')
  const confidential = await confidentialClient(context, request, form)
  const isRefusal = typeof confidential === 'object'
  if (isRefusal) return confidential
  // Refresh tokens, which only clients without a secret have, are those of the library; ours are JWTs.
  if (!IS_JWT.test(token))
    return confidential === undefined ? replyOfLibrary((await exchange(context, request)).reply) : REVOKED
  if (confidential !== undefined) return revokeToken(context, request, token, confidential)
  // The library only checks the client, for which any unknown token will do: it does not know our access tokens.
  form.set('token', 'an-access-token')
  const { reply } = await exchange(context, { ...request, body: new TextEncoder().encode(form.toString()) })
  return reply.status === 200
    ? revokeToken(context, request, token, fieldText(form, 'client_id'))
    : replyOfLibrary(reply)
}

const IS_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
const REVOKED = tokenReply(200, {})

/**
 * The id of a client that sent its secret; undefined for a request without a secret, which the library checks. For a wrong
 * secret, the reply, which counts as in the token endpoint, so that no address is without a limit for guesses.
 */
async function confidentialClient(
  context: SigninContext,
  request: Request,
  form: URLSearchParams,
): Promise<string | Reply | undefined> {
  const credentials = readCredentials(request, form)
  if (!credentials.ok || credentials.value.clientSecret === '') return undefined
  const { clientId, clientSecret } = credentials.value
  const { throttle } = context
  const { publicUrl } = context.access
  const client = await authenticateClient(context.access, clientId, clientSecret)
  if (client) return client.id
  const waitSeconds = await throttle.countFailure(clientId, request.address)
  const reason = waitSeconds === 0 ? 'invalid_client' : 'too_many_requests'
  const named = isClientId(clientId) && { client: clientId }
  context.access.record({ event: 'client-refused', reason, address: request.address, ...named })
  const headers = waitSeconds === 0 ? ['WWW-Authenticate', BASIC_CHALLENGE] : ['Retry-After', String(waitSeconds)]
  return tokenRefusalReply(reason, publicUrl, headers)
}

/** Revokes an access token of this client that this store has issued, even if it lacks its record. */
async function revokeToken(context: SigninContext, request: Request, token: string, client: string): Promise<Reply> {
  const asBearer = { ...request, headers: { authorization: `Bearer ${token}` }, authorizations: 1 }
  const verified = await context.service.verifier.verify(asBearer, context.access.clock())
  if (verified.ok && verified.value.client === client && verified.value.uses) {
    const { jti, expiresAt } = verified.value
    await revokeIssued(context.access, { jti, expiresAt: new Date(expiresAt) }, new Date(context.access.clock()))
  }
  return REVOKED
}

/** The reply to a revocation for one of the library: only its error, as our other replies have it. */
function replyOfLibrary(reply: Reply): Reply {
  const { status } = reply
  if (status === 200) return REVOKED
  const { error, error_description } = jsonOf(reply)
  return tokenReply(status, { error, error_description }, status === 401 ? ['WWW-Authenticate', BASIC_CHALLENGE] : [])
}
