import { generateKeyPairSync } from 'node:crypto'
import { type Configuration, type Context, errors, interactionPolicy, Provider } from 'oidc-provider'
import { isRedirectAddress } from '../../access/client/redirect-address.ts'
import { SCOPES } from '../../contract/operations.ts'
import { basePath } from '../../exchange/target.ts'
import { findClient } from '../../store/access/clients.ts'
import { findLiveConnection } from '../../store/access/connections.ts'
import { countLiveTokensOf } from '../../store/access/tokens.ts'
import type { Database } from '../../store/database/database.ts'
import { stateAdapters } from './adapter.ts'
import { withKnownFields } from './client-document.ts'
import { consentPath, defaultResource, readResource } from './resource.ts'

export type ProviderParts = {
  /** Without a trailing slash. */
  publicUrl: string
  database: Database
  /** Milliseconds since 1970. */
  clock: () => number
  /** Reads the documents of clients, whose addresses outsiders choose. */
  fetch: (address: string | URL, init?: RequestInit) => Promise<Response>
  /** Whether an address may cause one more outgoing request now. */
  mayFetch: (address: string) => boolean
  endConnection: (id: string) => Promise<void>
}

/** A code exchanged or a refresh token used: the connection, and the scopes and the resource that the program asked for. */
export type Exchanged = { connection: string; scope: string; resource: string; client: string }

/** The authorization server, and what it did for each request. */
export type OpenProvider = {
  provider: Provider
  exchanged: WeakMap<object, Exchanged>
  faults: WeakMap<object, Error>
}

/** Opens the authorization server for people's programs (OAuth 2.1: code with PKCE, and rotating refresh tokens). */
export function openProvider(parts: ProviderParts): OpenProvider {
  const provider = new Provider(parts.publicUrl, configurationFor(parts))
  provider.proxy = true
  const mountPath = basePath(parts.publicUrl)
  provider.use((context, next) => {
    context.mountPath = mountPath
    return next()
  })
  const exchanged: OpenProvider['exchanged'] = new WeakMap()
  const faults: OpenProvider['faults'] = new WeakMap()
  provider.on('server_error', ({ req }, error) => void faults.set(req, error))
  provider.on('grant.success', ({ req, oidc }) => {
    const token = oidc.entities.AccessToken
    if (!token) return
    exchanged.set(req, {
      connection: token.grantId,
      scope: token.scope,
      resource: token.aud,
      client: token.clientId,
    })
  })
  return { provider, exchanged, faults }
}

/** The names of the library's cookies. It has no sessions: only our own say who is signed in. */
export function cookieNames(publicUrl: string): { session: string; interaction: string; resume: string } {
  const isSecure = publicUrl.startsWith('https:')
  return {
    session: 'housestyle-unused',
    interaction: `${isSecure ? '__Host-' : ''}housestyle-consent`,
    resume: `${isSecure ? '__Secure-' : ''}housestyle-resume`,
  }
}

function configurationFor(parts: ProviderParts): Configuration {
  const { publicUrl } = parts
  return {
    ...modelsFor(parts),
    ...clientsFor(parts),
    features: featuresFor(publicUrl),
    interactions: {
      policy: [CONSENT],
      url: async (_context, { uid, params }) => publicUrl + consentPath(targetOf(publicUrl, params.resource), uid),
    },
    cookies: {
      keys: [],
      names: cookieNames(publicUrl),
      short: { path: '/', httpOnly: true, sameSite: 'lax' },
      long: { path: '/', httpOnly: true, sameSite: 'lax' },
    },
    pkce: { required: () => true },
    responseTypes: ['code'],
    routes: { authorization: '/oauth/authorize', token: '/oauth/token', revocation: '/oauth/revoke' },
    // The page for an error without a redirect address is ours.
    renderError: async (context, { error, error_description }) => {
      context.body = { error, error_description }
    },
    scopes: [],
    // Signs nothing: our own keys sign access tokens, and there are no ID tokens.
    jwks: { keys: [unusedKey()] },
  }
}

function featuresFor(publicUrl: string): Configuration['features'] {
  const [isEnabled, isDisabled] = [{ enabled: true }, { enabled: false }]
  return {
    clientIdMetadataDocument: {
      ...isEnabled,
      ack: 'draft-02',
      // Other spellings of the scheme, which the library accepts, would not look like the program of an outsider.
      allowClient: async (_context, { clientId, redirectUris }) =>
        clientId.startsWith('https://') && redirectUris.every(isRedirectAddress),
      cacheDuration: { min: 60, max: 3600 },
    },
    devInteractions: isDisabled,
    pushedAuthorizationRequests: isDisabled,
    resourceIndicators: {
      ...isEnabled,
      defaultResource: () => defaultResource(publicUrl),
      getResourceServerInfo: (context, resource) => resourceServer(publicUrl, context, resource),
      useGrantedResource: async () => true,
    },
    revocation: { ...isEnabled, allowedPolicy: async (_context, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: isDisabled,
    userinfo: isDisabled,
  }
}

/** Every authorization asks the person. */
const CONSENT = new interactionPolicy.Prompt(
  { name: 'consent', requestable: false },
  new interactionPolicy.Check(
    'consent_required',
    'the person has not agreed yet',
    ({ oidc }) => oidc.result?.consent === undefined,
  ),
)

function modelsFor(
  parts: ProviderParts,
): Pick<
  Configuration,
  | 'adapter'
  | 'findAccount'
  | 'ttl'
  | 'expiresWithSession'
  | 'rotateRefreshToken'
  | 'issueRefreshToken'
  | 'revokeGrantPolicy'
> {
  const { database, clock, endConnection } = parts
  return {
    adapter: stateAdapters({
      database,
      clock,
      endConnection,
      findClient: id => registeredClient(database, id),
    }),
    // The account of an authorization is its connection, so that a program never continues as another person.
    findAccount: async (_context, id, token) => {
      const now = new Date(clock())
      if (!(await findLiveConnection(database, id, now))) return undefined
      if (token?.kind === 'RefreshToken' && (await countLiveTokensOf(database, id, now)) >= MAX_LIVE_TOKENS)
        throw new errors.TemporarilyUnavailable('too many unexpired access tokens: use each until it expires')
      return { accountId: id, claims: async () => ({ sub: id }) }
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: async () => true,
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Interaction: CONSENT_SECONDS,
      RefreshToken: ({ oidc }) => Math.max(1, (oidc.entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1000)),
      Session: CONSENT_SECONDS,
    },
  }
}

const CONSENT_SECONDS = 15 * 60
const MAX_LIVE_TOKENS = 100

function clientsFor({
  fetch,
  mayFetch,
}: ProviderParts): Pick<
  Configuration,
  'clientAuthMethods' | 'clientDefaults' | 'fetch' | 'fetchResponseBodyLimits' | 'assertJwtClientAuthClaimsAndHeader'
> {
  const limit = 64 << 10
  return {
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: {
      // Allows any port of this machine, schemes of programs, and otherwise only https.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    fetch: async (address, init) => {
      // The consent page has no context: its authorization has been counted before.
      const asking = Provider.ctx?.ip
      if (asking !== undefined && !mayFetch(asking)) throw new Error('too many requests from one network in a minute')
      return withKnownFields(String(address), await fetch(address, init))
    },
    fetchResponseBodyLimits: { 'client_id metadata document': limit, jwks_uri: limit, sector_identifier_uri: 0 },
    // The store remembers an assertion until it expires.
    assertJwtClientAuthClaimsAndHeader: async (_context, { exp }) => {
      if (typeof exp !== 'number' || exp > Date.now() / 1000 + MAX_ASSERTION_SECONDS)
        throw new errors.InvalidClientAuth('the assertion is valid for more than an hour')
    },
  }
}

const MAX_ASSERTION_SECONDS = 3600

/** A client that an operator registered for people; undefined for one with a secret. */
async function registeredClient(database: Database, id: string) {
  const client = await findClient(database, id)
  if (!client?.redirectUris) return undefined
  return {
    client_id: id,
    ...(client.name !== undefined && { client_name: client.name }),
    redirect_uris: client.redirectUris,
  }
}

function resourceServer(publicUrl: string, { oidc }: Context, resource: string) {
  const { resource: all } = oidc.params
  if (Array.isArray(all) && all.length > 1) throw new errors.InvalidTarget('name only one resource')
  if (!readResource(publicUrl, resource))
    throw new errors.InvalidTarget('this service does not have the resource: send the address for agents')
  return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3600 } as const
}

function targetOf(publicUrl: string, resource: string | readonly string[] | undefined) {
  const [named = ''] = [resource].flat()
  return readResource(publicUrl, named) ?? {}
}

function unusedKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
}
