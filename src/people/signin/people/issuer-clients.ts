import { hkdfSync, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { field, parsedJson } from '#platform/base/object.ts'
import { once } from '#platform/base/promise.ts'
import { withReason } from '#platform/base/reason.ts'
import { fieldText } from '#platform/base/text.ts'
import type { OutgoingFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { loadJose, unlessRefused } from '#serving/access/keys/jose.ts'
import { decryptKey } from '#serving/access/keys/key-encryption.ts'
import type { SigninRecord } from '#store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import type { Claims } from './groups-claim.ts'

/** Thrown if the metadata of an issuer cannot be read, or does not fit its settings. */
export class IssuerUnusable extends Error {}

/** Makes the function that gives the client of an issuer, with its metadata and its decrypted secret. */
export function openIssuerClients(
  fetch: OutgoingFetch,
  keySecret: string | undefined,
  clock: () => number,
): SigninContext['clientOf'] {
  const entries = new Map<string, { metadata: Promise<ServerMetadata>; until: number }>()
  /** The decrypted secrets, keyed by their encrypted form, because decrypting takes a tenth of a second. */
  const secrets = new Map<string, Promise<string>>()
  const metadataOf = (signin: SigninRecord) => {
    const current = entries.get(signin.id)
    if (current && clock() < current.until) return current.metadata
    const entry = { metadata: readMetadata(signin, fetch), until: clock() + FRESH_MS }
    entries.set(signin.id, entry)
    // A failure is kept for a moment only.
    entry.metadata.catch(() => {
      entry.until = clock() + RETRY_MS
    })
    return entry.metadata
  }
  const secretOf = (encrypted: string) => {
    const secret =
      secrets.get(encrypted) ??
      decryptKey(encrypted, keySecret, 'client secret').then(text => String(JSON.parse(text).secret))
    secrets.set(encrypted, secret)
    secret.catch(() => secrets.delete(encrypted))
    return secret
  }
  return async signin => {
    const { clientSecret } = signin
    const secret = clientSecret === undefined ? undefined : await secretOf(clientSecret)
    return configure(signin, await metadataOf(signin), secret, fetch)
  }
}

/** How long metadata are used. */
const FRESH_MS = 10 * 60_000
/** The pause between two attempts to reach an issuer, which may take five seconds. */
const RETRY_MS = 3000

/**
 * Reads the metadata of an issuer (OpenID Connect Discovery 1.0 §4), which must name exactly this issuer. The message for
 * another one names it, because the address of an issuer is easily entered without its last slash.
 */
async function readMetadata({ issuer }: SigninRecord, fetch: OutgoingFetch): Promise<ServerMetadata> {
  const client = await openidClient()
  // The issuer that the metadata name: the library only says that it is another one.
  let named: unknown
  const reading: OutgoingFetch = async (...exchange) => {
    const response = await fetch(...exchange)
    const copy = response.clone()
    named = field(await copy.json().catch(() => undefined), 'issuer')
    return response
  }
  const insecure = isInsecure(issuer) && { execute: [client.allowInsecureRequests] }
  const options = { [client.customFetch]: issuerFetch(reading), timeout: MAX_SECONDS, ...insecure }
  const unusable = (why: string, cause?: unknown) => new IssuerUnusable(`${issuer}: ${why}`, { cause })
  const discovery = client.discovery(new URL(issuer), 'discovery', undefined, undefined, options)
  const configuration = await discovery.catch(error => {
    if (typeof named !== 'string' || named === issuer) throw unusable('its metadata cannot be read', error)
    throw unusable(withReason(OTHER_ISSUER, named))
  })
  const metadata = configuration.serverMetadata()
  if (new URL(metadata.issuer).href !== new URL(issuer).href) throw unusable(withReason(OTHER_ISSUER, metadata.issuer))
  const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].find(name => metadata[name] === undefined)
  if (missing !== undefined) throw unusable(`its metadata has no ${missing}`)
  return metadata
}

const OTHER_ISSUER =
  'the metadata at this address names another issuer; if it is yours, add it again with exactly that --issuer'

/** The whole exchange has the limits of the fetch; this one only ends later. */
const MAX_SECONDS = 10

/** The client of an issuer for the library, with the way in which it authenticates. */
async function configure(
  { issuer, settings }: SigninRecord,
  metadata: ServerMetadata,
  secret: string | undefined,
  fetch: OutgoingFetch,
): Promise<Configuration> {
  const client = await openidClient()
  if (!('clientId' in settings.way)) throw new Error('a proxy has no client')
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isPost = supported.includes('client_secret_post')
  const withSecret = isPost ? client.ClientSecretPost : client.ClientSecretBasic
  const authentication = secret === undefined ? client.None() : withSecret(secret)
  const configuration = new client.Configuration(metadata, settings.way.clientId, undefined, authentication)
  configuration[client.customFetch] = issuerFetch(fetch)
  configuration.timeout = MAX_SECONDS
  if (isInsecure(issuer)) client.allowInsecureRequests(configuration)
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/** Loaded after the start if people sign in, because most services never need it. */
const openidClient = () => import('openid-client')

/** Only an issuer on this machine may use http. */
function isInsecure(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:'
}

/** The tokens and the claims of a person, which the store keeps encrypted with their session. */
export type IssuerTokens = {
  idToken: string
  /** Reads the person's groups again; absent if the issuer gave none. */
  refreshToken?: string
  /** The last claims of the person for which the rules ask. */
  claims: Claims
  /** The sign-in that began the session, and the address to which it led. */
  answered?: { state: string; ledTo: string }
}

/** Encrypts tokens for the store. */
export async function sealIssuerTokens(tokens: IssuerTokens, key: Uint8Array): Promise<string> {
  const { CompactEncrypt } = await loadJose()
  const text = new TextEncoder().encode(JSON.stringify(tokens))
  return new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/** Decrypts tokens from the store; undefined if they were encrypted with another key secret. */
export async function openIssuerTokens(sealed: string, key: Uint8Array): Promise<IssuerTokens | undefined> {
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  const opened = await unlessRefused(({ compactDecrypt }) => compactDecrypt(sealed, key, options))
  return opened && JSON.parse(new TextDecoder().decode(opened.plaintext))
}

/**
 * The key for the tokens, which is derived once. With a key secret, the store alone is not enough to decrypt them. PBKDF2
 * makes a weak secret costly to guess.
 */
export function issuerTokensKey(secret: Uint8Array, keySecret: string | undefined): () => Promise<Uint8Array> {
  const salt = deriveKey(secret, 'tokens of issuers')
  return once(async () =>
    keySecret === undefined ? salt : promisify(pbkdf2)(keySecret, salt, ITERATIONS, KEY_BYTES, 'sha256'),
  )
}

/** The OWASP recommendation for PBKDF2 with HMAC-SHA256. */
const ITERATIONS = 600_000

/** Derives a key for one purpose from the store's secret (RFC 5869). */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `housestyle ${purpose}`, KEY_BYTES))
}

const KEY_BYTES = 32

/**
 * A fetch for the library. An error reply loses the secrets of its request, which some issuers repeat, so that no message or
 * log line can contain them.
 */
function issuerFetch(fetch: OutgoingFetch): CustomFetch {
  return async (address, { method, headers, redirect, body, signal }) => {
    const response = await fetch(address, { method, headers, redirect, body, signal })
    return response.status < 400 ? response : withoutSecrets(response, secretsIn(headers, body))
  }
}

/** The values of a request that only this service and the issuer may know, the longest first: one may be in another. */
function secretsIn({ authorization = '' }: Record<string, string>, body: unknown): string[] {
  const [scheme = '', credentials = ''] = authorization.split(' ', 2)
  const isBasic = scheme.toLowerCase() === 'basic'
  const [, password = ''] = isBasic ? Buffer.from(credentials, 'base64').toString('utf8').split(/:(.*)/s) : []
  const form = body instanceof URLSearchParams ? body : new URLSearchParams()
  const secrets = [credentials, password, decodeForm(password), ...SECRETS.flatMap(name => form.getAll(name))]
  return secrets.filter(secret => secret !== '').toSorted((a, b) => b.length - a.length)
}

const SECRETS = ['client_secret', 'code', 'code_verifier', 'refresh_token']

/** The text of a form-encoded value, as the library sends the secret of a client (RFC 6749 §2.3.1). */
function decodeForm(text: string): string {
  return fieldText(new URLSearchParams(`secret=${text}`), 'secret')
}

/** A response in whose body and header fields dots take the place of secrets. */
async function withoutSecrets(response: Response, secrets: readonly string[]): Promise<Response> {
  const clean = (text: string) => secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '...'), text)
  const body = response.body ? clean(await response.text()) : null
  // The library reads the reason of a refused client from the body only if there is no challenge.
  const hasReason = typeof field(parsedJson(body ?? ''), 'error') === 'string'
  const headers = new Headers()
  for (const [name, value] of response.headers)
    if (name !== 'www-authenticate' || IS_BEARER.test(value) || !hasReason) headers.append(name, clean(value))
  return new Response(body, { status: response.status, headers })
}

const IS_BEARER = /^\s*bearer\b/i
