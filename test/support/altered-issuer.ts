import { text } from 'node:stream/consumers'
import { issuerKey } from './issuer-server.ts'
import { localServer } from './local-server.ts'

type Fields = Record<string, unknown>
type Asked = Readonly<Record<string, string>>

/**
 * An OpenID provider without pages that signs everyone in as `anna`. A test can alter its replies with the fields
 * below, which are added to the right ones; undefined removes a field.
 */
export type AlteredIssuer = {
  url: string
  /** Alters the metadata. */
  metadata: Fields
  /** Alters the parameters with which it redirects to the client, for example `{ iss: 'https://other.example' }`. */
  redirect: Fields
  /** Alters the claims of the ID token, for example `{ nonce: 'other' }`. */
  claims: Fields
  /** Alters the reply of the token endpoint, for example `{ id_token: undefined }`; with an `error`, its status is 400 or `status`. */
  tokens: Fields | ((asked: Asked) => Fields | Promise<Fields>)
  /** Header fields of the reply of the token endpoint. */
  tokenFields: Readonly<Record<string, string>>
  /** Alters the reply of the userinfo endpoint. */
  userinfo: Fields
  /** The parameters of all requests for tokens. */
  tokenRequests: Asked[]
  stop: () => Promise<void>
}

/** Starts the issuer on this machine until the tests are done. Any client id and secret is accepted. */
export async function startAlteredIssuer(): Promise<AlteredIssuer> {
  const key = await issuerKey('one', 'RS256')
  const authorizations = new Map<string, URLSearchParams>()
  const issuer: Omit<AlteredIssuer, 'url' | 'stop'> = {
    metadata: {},
    redirect: {},
    claims: {},
    tokens: {},
    tokenFields: {},
    userinfo: {},
    tokenRequests: [],
  }
  const authorize = (asked: URLSearchParams): string => {
    const code = crypto.randomUUID()
    authorizations.set(code, asked)
    const parameters = { code, state: asked.get('state') ?? undefined, iss: server.url, ...issuer.redirect }
    const present = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return `${asked.get('redirect_uri')}?${new URLSearchParams(present)}`
  }
  const grant = async (body: string): Promise<Fields> => {
    const asked = Object.fromEntries(new URLSearchParams(body))
    issuer.tokenRequests.push(asked)
    const first = authorizations.get(asked.code ?? '')
    const nonce = first?.get('nonce') ?? undefined
    const aud = (first ?? [...authorizations.values()].at(-1))?.get('client_id')
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iss: server.url, sub: 'anna', aud, nonce, iat, ...issuer.claims }
    const id_token = await key.sign(claims, 'JWT')
    const altered = typeof issuer.tokens === 'function' ? await issuer.tokens(asked) : issuer.tokens
    return { access_token: 'anything', token_type: 'Bearer', expires_in: 3600, id_token, ...altered }
  }
  const server = await localServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', server.url)
    const reply = (value: Fields, fields: Readonly<Record<string, string>> = {}) => {
      const status = Number(value.status ?? ('error' in value ? 400 : 200))
      response.writeHead(status, { 'content-type': 'application/json', ...fields }).end(JSON.stringify(value))
    }
    if (pathname === '/authorize') response.writeHead(302, { location: authorize(searchParams) }).end()
    else if (pathname === '/token') reply(await grant(await text(request)), issuer.tokenFields)
    else if (pathname === '/userinfo') reply({ sub: 'anna', ...issuer.userinfo })
    else if (pathname === '/jwks') reply({ keys: [key.jwk] })
    else if (pathname === '/.well-known/openid-configuration') reply({ ...metadataOf(server.url), ...issuer.metadata })
    else response.writeHead(404).end()
  })
  return Object.assign(issuer, server)
}

function metadataOf(url: string): Fields {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
