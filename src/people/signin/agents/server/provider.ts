import { generateKeyPairSync, hash } from 'node:crypto'
import {
  type Adapter,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { isScope, SCOPES } from '#brand/contract/operations.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { basePath } from '#platform/exchange/target.ts'
import { isRedirectAddress } from '#serving/access/client/clients.ts'
import type { AccessContext } from '#serving/access/context.ts'
import { consumeState, findState, limitStates, removeState, saveState } from '#store/access/authorization-state.ts'
import { findClient } from '#store/access/clients.ts'
import { findLiveConnection } from '#store/access/connections.ts'
import type { Coverage } from '#store/access/covered-projects.ts'
import { countLiveTokens } from '#store/access/tokens.ts'
import type { AuthorizationServer, SigninContext } from '../../context.ts'
import { coverageOf } from '../connection/coverage.ts'
import { consentPath, contentScopes, defaultResource, readResource } from '../connection/resource.ts'
import { begunCookie } from './begun-authorizations.ts'
import { MAX_DOCUMENT_BYTES, withKnownFields } from './client-document.ts'
import { parametersOf } from './parameters.ts'
import { SIGNING_ALGORITHMS } from './server-metadata.ts'

/** Opens the authorization server for people's programs (OAuth 2.1: code with PKCE, and rotating refresh tokens). */
export function openProvider(signin: SigninContext): AuthorizationServer {
  // What the person of an account may see now: found with the account, and read when a token is granted.
  const coverages = new WeakMap<object, Coverage>()
  const provider = new Provider(signin.access.publicUrl, configurationFor(signin, coverages))
  // The library believes the host and scheme that `passToNode` sets.
  provider.proxy = true
  const mountPath = basePath(signin.access.publicUrl)
  provider.use((context, next) => {
    context.mountPath = mountPath
    return next()
  })
  const exchanged: AuthorizationServer['exchanged'] = new WeakMap()
  const faults: AuthorizationServer['faults'] = new WeakMap()
  provider.on('server_error', ({ req }, error) => void faults.set(req, error))
  provider.on('grant.success', ({ req, oidc }) => {
    const { AccessToken: token, Account: account } = oidc.entities
    const coverage = account && coverages.get(account)
    if (!token || !coverage) return
    const { grantId: connection, scope = '', clientId: client = '' } = token
    const [resource = ''] = [token.aud].flat()
    exchanged.set(req, { connection, scope, resource, client, coverage })
  })
  return { provider, exchanged, faults }
}

/** The names of the library's cookies. It has no sessions: only our own say who is signed in (decisions/0575). */
function cookieNames(publicUrl: string): { session: string; interaction: string; resume: string } {
  const resume = `${publicUrl.startsWith('https:') ? '__Secure-' : ''}housestyle-resume`
  return { session: 'housestyle-unused', interaction: begunCookie(publicUrl), resume }
}

/** All settings of the library. */
function configurationFor(signin: SigninContext, coverages: WeakMap<object, Coverage>): Configuration {
  const { publicUrl } = signin.access
  return {
    ...modelsFor(signin, coverages),
    ...clientSettings(signin),
    features: featuresFor(signin),
    interactions: {
      policy: [CONSENT],
      url: async (_context, { uid, params }) => publicUrl + consentPath(targetOf(signin, params), uid),
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

/** The optional parts of the protocol that are on and off. */
function featuresFor(signin: SigninContext): Configuration['features'] {
  const isEnabled = { enabled: true }
  const isDisabled = { enabled: false }
  return {
    clientIdMetadataDocument: {
      ...isEnabled,
      ack: 'draft-02',
      // Other spellings of the scheme, which the library accepts, would not look like the program of an outsider.
      allowClient: async (_context, { clientId, redirectUris }) =>
        clientId.startsWith('https://') && redirectUris?.every(isRedirectAddress) === true,
      cacheDuration: { min: 60, max: 3600 },
    },
    devInteractions: isDisabled,
    pushedAuthorizationRequests: isDisabled,
    resourceIndicators: {
      ...isEnabled,
      defaultResource: () => defaultResource(signin.access.publicUrl),
      getResourceServerInfo: (context, resource) => resourceServer(signin, context, resource),
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

/** The settings about what the library stores, and how long it lasts, in seconds. */
function modelsFor(signin: SigninContext, coverages: WeakMap<object, Coverage>): Partial<Configuration> {
  return {
    adapter: stateAdapters(signin),
    findAccount: accountFinder(signin, coverages),
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

/** How long a person may take to decide. */
const CONSENT_SECONDS = 15 * 60

/**
 * Finds the account of an authorization: its connection, so that a program never continues as another person. Checks the
 * person before a code or a refresh token is used up, and notes what they may see. A connection without anything to see
 * ends.
 */
function accountFinder(
  signin: SigninContext,
  coverages: WeakMap<object, Coverage>,
): NonNullable<Configuration['findAccount']> {
  const { database } = signin.access
  return async (_context, id, token) => {
    const now = new Date(signin.access.clock())
    const connection = await findLiveConnection(database, id, now)
    if (!connection) return undefined
    const account = { accountId: id, claims: async () => ({ sub: id }) }
    if (!token) return account
    const isRefresh = token.kind === 'RefreshToken'
    if (isRefresh && (await countLiveTokens(database, 'connection', id, now)).count >= MAX_LIVE_TOKENS)
      throw new errors.TemporarilyUnavailable('too many unexpired access tokens: use each until it expires')
    const coverage = await coverageOf(signin, connection, { isRefresh, now })
    if (coverage === 'unavailable') throw new errors.TemporarilyUnavailable('the person cannot be checked')
    // A string is the reason why the connection must end.
    if (typeof coverage === 'string') {
      await signin.endConnection(id, coverage)
      return undefined
    }
    coverages.set(account, coverage)
    return account
  }
}

/** The unexpired access tokens of a connection. */
const MAX_LIVE_TOKENS = 100

/** Checks the resource and the scopes of a request; the tokens that this describes are never sent, as ours take their place. */
function resourceServer({ service: { hosts } }: SigninContext, { oidc }: KoaContextWithOIDC, resource: string) {
  const { resources, scope } = parametersOf(oidc.params)
  if (resources.length > 1) throw new errors.InvalidTarget('name only one resource')
  if (!readResource(hosts.pathOf, resource))
    throw new errors.InvalidTarget('this service does not have the resource: send the address for agents')
  const unknown = contentScopes(scope)
    .split(' ')
    .find(name => name !== '' && !isScope(name))
  if (unknown !== undefined) throw new errors.InvalidScope(`the scopes are ${SCOPES.join(' ')}`, unknown)
  return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3600 } as const
}

/** What the program of an authorization asks for. */
function targetOf({ service: { hosts } }: SigninContext, params: object) {
  const [named = ''] = parametersOf(params).resources
  return readResource(hosts.pathOf, named) ?? {}
}

/** A key for the library, which does not start without one. */
function unusedKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
}

/** The settings about programs: they have no secrets, and may sign assertions with keys that their document names. */
function clientSettings({ fetchUntrusted, mayFetch }: SigninContext): Partial<Configuration> {
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
    enabledJWA: { clientAuthSigningAlgValues: SIGNING_ALGORITHMS },
    fetch: async (address, init) => {
      // The consent page has no context: its authorization has been counted before.
      const asking = Provider.ctx?.ip
      if (asking !== undefined && !mayFetch(asking)) throw new Error('too many requests from one network in a minute')
      const url = address instanceof Request ? address.url : address
      return withKnownFields(String(url), await fetchUntrusted(url, init))
    },
    fetchResponseBodyLimits: {
      'client_id metadata document': MAX_DOCUMENT_BYTES,
      jwks_uri: MAX_DOCUMENT_BYTES,
      sector_identifier_uri: 0,
    },
    // The store remembers an assertion until it expires.
    assertJwtClientAuthClaimsAndHeader: async (_context, { exp }) => {
      if (typeof exp !== 'number' || exp > Date.now() / 1000 + MAX_ASSERTION_SECONDS)
        throw new errors.InvalidClientAuth('the assertion is valid for more than an hour')
    },
  }
}

/** The longest time for which an assertion may be valid. */
const MAX_ASSERTION_SECONDS = 3600

type AdapterParts = Pick<SigninContext, 'endConnection'> & { access: Pick<AccessContext, 'database' | 'clock'> }

/**
 * Makes the adapters that let `oidc-provider` keep its models in our store. Its sessions and its own access tokens are
 * not kept: our sessions say who is signed in, and clients get tokens of ours.
 */
export function stateAdapters(context: AdapterParts): (kind: string) => Adapter {
  return kind => {
    if (kind === 'Client') return { ...nothingKept(context), find: id => registeredClient(context, id) }
    return Object.hasOwn(MAX_RECORDS, kind) ? keptAdapter(context, kind) : nothingKept(context)
  }
}

/** The kinds that are kept, and how many. Anyone can create the first two, so the first to expire are deleted. */
const MAX_RECORDS: Readonly<Record<string, number>> = {
  Interaction: 10_000,
  ReplayDetection: 100_000,
  Grant: Number.POSITIVE_INFINITY,
  AuthorizationCode: Number.POSITIVE_INFINITY,
  RefreshToken: Number.POSITIVE_INFINITY,
}

/** The adapter for a kind that is kept in the store. */
function keptAdapter(context: AdapterParts, kind: string): Adapter {
  const { database, clock } = context.access
  const now = () => new Date(clock())
  // Ids are codes and tokens, which a reader of the database or of a backup must not be able to use.
  const keyOf = (id: string) => ({ kind, id: hash('sha256', id, 'base64url') })
  const max = MAX_RECORDS[kind] ?? 0
  // What a person has allowed must survive a power failure; the first two kinds can begin again.
  const isUnlimited = !Number.isFinite(max)
  return {
    ...nothingKept(context),
    upsert: (id, payload, expiresIn = 0) => {
      const connection = kind === 'Grant' ? id : payload.grantId
      const state = {
        ...keyOf(id),
        ...withoutUndefined({ connection }),
        payload: JSON.stringify(payload).replaceAll(id, ID_MARK),
        expiresAt: new Date(clock() + expiresIn * 1000),
      }
      return database.transaction(
        async queries => {
          await saveState(queries, state, now())
          if (!isUnlimited) await limitStates(queries, kind, max)
        },
        { durable: isUnlimited },
      )
    },
    find: async id => {
      const state = await findState(database, keyOf(id), now())
      if (!state) return undefined
      const consumed = state.consumedAt && { consumed: Math.floor(state.consumedAt.getTime() / 1000) }
      return { ...JSON.parse(state.payload.replaceAll(ID_MARK, id)), ...consumed }
    },
    consume: async id => {
      const key = keyOf(id)
      const isFirst = await database.transaction(queries => consumeState(queries, key, now()))
      if (isFirst) return
      const state = await findState(database, key, now())
      if (state?.connection !== undefined) await context.endConnection(state.connection, 'used-twice')
      throw new errors.InvalidGrant('used twice at once')
    },
    destroy: id => database.transaction(queries => removeState(queries, keyOf(id))),
  }
}

/** The adapter for a kind that is not kept. */
function nothingKept({ endConnection }: AdapterParts): Adapter {
  const nothing = async () => undefined
  return {
    upsert: nothing,
    find: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: id => endConnection(id, isRevocation() ? 'program-revoked' : 'used-twice'),
  }
}

/** Whether the program itself asks to end its connection. The library otherwise ends one whose code or token is used twice. */
function isRevocation(): boolean {
  return Provider.ctx?.req.url?.split('?', 1)[0]?.endsWith('/oauth/revoke') === true
}

/** A program that an operator registered for people; undefined for a client with a secret. */
async function registeredClient({ access: { database } }: AdapterParts, id: string) {
  const client = await findClient(database, id)
  if (!client?.redirectUris) return undefined
  const { name, redirectUris } = client
  return { client_id: id, ...withoutUndefined({ client_name: name }), redirect_uris: redirectUris }
}

/** Stands for the id in a stored payload: JSON never contains it unescaped. */
const ID_MARK = '\u0001'
