import type { Configuration } from 'openid-client'
import { openIssuerClients } from '#people/signin/people/issuer-clients.ts'
import { failureText, isClientRefused, issuerFailure, saidBy } from '#people/signin/people/issuer-failure.ts'
import { lacksSecureAddress, redirectPath, SIGNOUT_PATH } from '#people/signin/people/signin-addresses.ts'
import { withReason } from '#platform/base/reason.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { trustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { fetchJson, findKeySet } from '#serving/access/trust/issuer-keys.ts'
import { listNamedSignins, type SigninRecord } from '#store/access/signins.ts'
import type { Store } from '#store/store.ts'

/** The problem is null if the issuer can be used. A proxy has no addresses, and an issuer may end no sessions. */
export type SigninTest = {
  id: string
  workspace: string
  issuer: string
  problem: string | null
  redirectUri: string | null
  signoutUri: string | null
  notes: readonly string[]
}

/** Tests the issuers that an id or a workspace names, as a service with this public URL would use them. */
export async function testSignins(
  settings: Pick<Settings, 'keySecret'>,
  { database }: Pick<Store, 'database'>,
  { named, publicUrl }: { named: string; publicUrl: string },
): Promise<SigninTest[]> {
  const records = await listNamedSignins(database, named)
  return Promise.all(
    records.map(async signin => {
      const { id, workspace, issuer } = signin
      const result = await checkSignin(signin, settings, publicUrl).catch(error => ({
        ...NO_ADDRESSES,
        problem: failureText(error),
      }))
      return { id, workspace, issuer, ...result }
    }),
  )
}

const NO_ADDRESSES = { redirectUri: null, signoutUri: null, notes: [] } as const

type Checked = Omit<SigninTest, 'id' | 'workspace' | 'issuer'>

/** Reads the metadata of an issuer and proves its client, or reads the keys of a proxy. Throws if that fails. */
function checkSignin(
  signin: SigninRecord,
  { keySecret }: Pick<Settings, 'keySecret'>,
  publicUrl: string,
): Promise<Checked> {
  const { way } = signin.settings
  return 'proxy' in way ? checkProxy(signin.issuer, way.proxy.jwks) : checkIssuer(signin, keySecret, publicUrl)
}

async function checkProxy(issuer: string, jwks: string): Promise<Checked> {
  const keys = await findKeySet(issuer, jwks, fetchJson)
  if (keys.length === 0) throw new Error(`${jwks} has no keys`)
  return { ...NO_ADDRESSES, problem: null }
}

async function checkIssuer(
  signin: SigninRecord,
  keySecret: Settings['keySecret'],
  publicUrl: string,
): Promise<Checked> {
  const configuration = await openIssuerClients(trustedFetch(), keySecret, Date.now)(signin)
  const metadata = configuration.serverMetadata()
  const redirectUri = publicUrl + redirectPath(signin, metadata)
  const hasSecret = signin.clientSecret !== undefined
  const checked = await checkClient(configuration, { redirectUri, hasSecret })
  const isNamed = metadata.authorization_response_iss_parameter_supported
  // Each is a note, or false.
  const notes = [
    lacksSecureAddress(publicUrl, undefined) && INSECURE,
    !hasSecret && !isNamed && ISSUER_UNNAMED,
    ...(checked.ok ? [checked.value.note, REDIRECT_UNKNOWN] : []),
  ]
  return {
    problem: checked.ok ? null : checked.problem,
    redirectUri,
    signoutUri: metadata.end_session_endpoint === undefined ? null : publicUrl + SIGNOUT_PATH,
    notes: notes.filter(note => note !== false),
  }
}

const INSECURE = 'people can sign in only by https: set --public-url to the https address'
const ISSUER_UNNAMED = 'the issuer does not name itself in its answers (RFC 9207): use a client with a secret'

/** Asks for a token with an invented code, which only an issuer that accepts the client calls an `invalid_grant`. */
async function checkClient(
  configuration: Configuration,
  { redirectUri, hasSecret }: { redirectUri: string; hasSecret: boolean },
): Promise<Result<{ note: string | false }, string>> {
  const { genericGrantRequest, randomPKCECodeVerifier, ResponseBodyError } = await import('openid-client')
  const parameters = { code: 'invented', redirect_uri: redirectUri, code_verifier: randomPKCECodeVerifier() }
  try {
    await genericGrantRequest(configuration, 'authorization_code', parameters)
    return ok({ note: CLIENT_UNKNOWN })
  } catch (error) {
    if (await isClientRefused(error)) return failed(withReason(hasSecret ? SECRET_REFUSED : ID_REFUSED, saidBy(error)))
    const failure = await issuerFailure(error)
    if (failure === undefined || failure === 'unavailable') throw error
    if (!(error instanceof ResponseBodyError)) return ok({ note: CLIENT_UNKNOWN })
    return ok({ note: error.error !== 'invalid_grant' && withReason(CLIENT_UNKNOWN, saidBy(error)) })
  }
}

const SECRET_REFUSED = 'the issuer refuses the client: its id or its secret is wrong, or the secret has expired'
const ID_REFUSED = 'the issuer refuses the client: its id is wrong, or it needs a secret'
const CLIENT_UNKNOWN =
  'this test cannot know whether the client and its secret are right: the issuer did not answer an invented code with invalid_grant'
const REDIRECT_UNKNOWN =
  'this test cannot know whether the redirect address is registered at the issuer: sign in once to see'
