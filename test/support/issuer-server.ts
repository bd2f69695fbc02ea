import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { localServer } from './local-server.ts'

/** An issuer of tokens on this machine with a key set from the test. */
export type IssuerServer = {
  /** Its address, and the `iss` of its tokens. */
  url: string
  /** Its reply at `/jwks`. */
  set: { keys: JWK[] }
  /** The number of requests for the key set. */
  asked: () => number
  stop: () => Promise<void>
}

/** A key pair, and its public part as in a key set. */
export type IssuerKey = { jwk: JWK; sign: (claims: Readonly<Record<string, unknown>>, typ?: string) => Promise<string> }

/** Starts an issuer with these keys and with OpenID Connect metadata. */
export async function issuerServer(...keys: readonly IssuerKey[]): Promise<IssuerServer> {
  const set = { keys: keys.map(({ jwk }) => jwk) }
  let asked = 0
  const server = await localServer((request, response) => {
    const isSet = request.url === '/jwks'
    if (isSet) asked++
    const isKnown = isSet || request.url === '/.well-known/openid-configuration'
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isSet ? set : { issuer: server.url, jwks_uri: `${server.url}/jwks` }))
  })
  return { url: server.url, set, asked: () => asked, stop: server.stop }
}

/** Makes a key; its tokens name the key, and expire in an hour by default. */
export async function issuerKey(kid: string, algorithm = 'ES256', crv?: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true, ...(crv && { crv }) })
  const exp = Math.floor(Date.now() / 1000) + 3600
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' },
    sign: (claims, typ = 'at+jwt') =>
      new SignJWT({ exp, ...claims }).setProtectedHeader({ typ, alg: algorithm, kid }).sign(privateKey),
  }
}
