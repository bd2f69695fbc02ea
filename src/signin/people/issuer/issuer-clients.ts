import type { Configuration, ServerMetadata } from 'openid-client'
import { decryptKey } from '../../../access/keys/key-encryption.ts'
import { field } from '../../../base/object.ts'
import { withReason } from '../../../base/reason.ts'
import type { OutgoingFetch } from '../../../outgoing/outgoing-fetch.ts'
import type { SigninRecord } from '../../../store/access/signins.ts'
import type { SigninContext } from '../../context.ts'
import { issuerFetch } from './issuer-fetch.ts'

/** Thrown if an issuer does not answer, or not as its settings require. */
export class IssuerUnusable extends Error {}

/** Opens the clients of issuers, which `SigninContext` describes. `keySecret` decrypts client secrets. */
export function openIssuerClients(
  fetch: OutgoingFetch,
  keySecret: string | undefined,
  clock: () => number,
): SigninContext['clientOf'] {
  const entries = new Map<string, { metadata: Promise<ServerMetadata>; until: number }>()
  const secrets = new Map<string, Promise<string>>()
  const metadataOf = (signin: SigninRecord) => {
    const current = entries.get(signin.id)
    if (current && clock() < current.until) return current.metadata
    const entry = { metadata: readMetadata(signin, fetch), until: clock() + FRESH_MS }
    entries.set(signin.id, entry)
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

const FRESH_MS = 10 * 60_000
/** Between two attempts to reach an issuer, which may take five seconds. */
const RETRY_MS = 3000

/**
 * Reads the metadata of an issuer (OpenID Connect Discovery 1.0 §4), which must name exactly this issuer. The message for
 * another one names it, because the address of an issuer is easily entered without its last slash.
 */
async function readMetadata({ issuer }: SigninRecord, fetch: OutgoingFetch): Promise<ServerMetadata> {
  const client = await openidClient()
  let named: unknown
  const reading: OutgoingFetch = async (...asked) => {
    const response = await fetch(...asked)
    named = await issuerIn(response.clone())
    return response
  }
  const options = { [client.customFetch]: issuerFetch(reading), timeout: MAX_SECONDS, ...insecure(issuer, client) }
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

/** The issuer that a reply names, if it is metadata. */
async function issuerIn(reply: Response): Promise<unknown> {
  try {
    return field(await reply.json(), 'issuer')
  } catch {
    return undefined
  }
}

/** The whole exchange has the limits of the fetch; this one only ends later. */
const MAX_SECONDS = 10

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
  const authentication =
    secret === undefined ? client.None() : isPost ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret)
  const configuration = new client.Configuration(metadata, settings.way.clientId, undefined, authentication)
  configuration[client.customFetch] = issuerFetch(fetch)
  configuration.timeout = MAX_SECONDS
  if (isInsecure(issuer)) client.allowInsecureRequests(configuration)
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/** Loaded after the start if people sign in, because most services never need it. */
const openidClient = () => import('openid-client')

type OpenidClient = Awaited<ReturnType<typeof openidClient>>

/** Only an issuer on this machine may use http. */
function insecure(issuer: string, { allowInsecureRequests }: OpenidClient) {
  return isInsecure(issuer) ? { execute: [allowInsecureRequests] } : {}
}

function isInsecure(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:'
}
