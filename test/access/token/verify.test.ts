import assert from 'node:assert/strict'
import { createHmac, KeyObject } from 'node:crypto'
import test from 'node:test'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { type VerificationKey, verificationKeys } from '../../../src/access/keys/verifying.ts'
import type { Grant } from '../../../src/access/token/grant.ts'
import type { Issuer } from '../../../src/access/token/issuer.ts'
import { readOwnIssuer } from '../../../src/access/token/own-issuer.ts'
import { verifyToken } from '../../../src/access/token/verify.ts'
import { failed, ok } from '../../../src/base/result.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const NOW = Date.parse('2026-05-06T07:08:09.000Z')
const SECONDS = NOW / 1000
const DAY = 24 * 3600
const URL_OF_SERVICE = 'https://brand.example.com'
const audience = { issuer: URL_OF_SERVICE, audience: `${URL_OF_SERVICE}/beta` }

const { store, importing, issue } = await temporaryStore(URL_OF_SERVICE)
await importing('acme', { 'guide/pages/index.md': '# Hello\n' })
const issued = await issue('acme', { scopes: ['styles.read', 'data.read'], now: new Date(NOW) })
const ours = await verificationKeys(store.database)
const es256 = await generateKeyPair('ES256', { extractable: true })
const others = await Promise.all(
  (['EdDSA', 'Ed25519', 'RS256', 'PS256'] as const).map(async algorithm => ({
    algorithm,
    kid: algorithm,
    ...(await generateKeyPair(algorithm)),
  })),
)
const keys = new Map<string, VerificationKey>([
  ...ours,
  ['es', { kid: 'es', algorithm: 'ES256', key: () => KeyObject.from(es256.publicKey) }],
  ...others.map(
    ({ kid, algorithm, publicKey }) => [kid, { kid, algorithm, key: () => KeyObject.from(publicKey) }] as const,
  ),
])
const ownIssuer = await readOwnIssuer(store.database, audience, new Date(NOW))
const trust: Issuer[] = [
  {
    ...ownIssuer,
    key: (kid, algorithm) => (keys.get(kid)?.algorithm === algorithm ? keys.get(kid) : undefined),
    readClaims: claims => (claims.jti === 'revoked' ? failed('revoked') : ownIssuer.readClaims(claims)),
  },
]

const HEADER = { typ: 'at+jwt', alg: 'ES256', kid: 'es' }
const CLAIMS = {
  iss: audience.issuer,
  aud: audience.audience,
  sub: 'cli',
  client_id: 'cli',
  jti: 'a',
  iat: SECONDS,
  exp: SECONDS + 3600,
  scope: 'data.read styles.read',
  workspace: 'acme',
}

function sign(header: object, claims: object, key: CryptoKey | Uint8Array = es256.privateKey): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ ...HEADER, ...header }).sign(key)
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

async function isAccepted(token: string, nowMs = NOW): Promise<boolean> {
  return (await verifyToken(token, trust, nowMs)).ok
}

test('an issued token gives a grant with its claims', async () => {
  const grant = {
    workspace: 'acme',
    scopes: new Set(['data.read', 'styles.read']),
    client: 'cli',
    jti: issued.jti,
    expiresAt: NOW + 3600_000,
    uses: [{ kind: 'token' as const, id: issued.jti }],
  }
  assert.deepEqual(await verifyToken(issued.token, trust, NOW), ok(grant))
})

const PROJECTS: readonly [claims: Readonly<Record<string, unknown>>, granted: Grant['projects']][] = [
  [{}, undefined],
  [{ projects: [] }, new Map()],
  [{ projects: [], instances: [] }, new Map()],
  [{ projects: ['guide', 'other'] }, new Map(['guide', 'other'].map(id => [id, { instance: '' }]))],
  [{ projects: ['guide'], instances: ['x'] }, new Map([['guide', { instance: 'x' }]])],
]

for (const [claims, granted] of PROJECTS)
  test(`a token with ${JSON.stringify(claims)} names ${granted ? granted.size : 'no'} projects`, async () => {
    const grant = await verifyToken(await sign({}, claims), trust, NOW)
    assert.ok(grant.ok)
    assert.deepEqual(grant.value.projects, granted)
  })

test('unknown scopes are ignored', async () => {
  const grant = await verifyToken(await sign({}, { scope: 'openid  files.read write' }), trust, NOW)
  assert.ok(grant.ok)
  assert.deepEqual(grant.value.scopes, new Set(['files.read']))
})

const RIGHT: readonly (readonly [what: string, token: string | Promise<string>])[] = [
  ['typ application/at+jwt', sign({ typ: 'application/at+jwt' }, {})],
  ['one of two audiences', sign({}, { aud: ['https://elsewhere.example', audience.audience] })],
  ['exp with a fraction', sign({}, { exp: SECONDS + 0.5 })],
  ['exp 366 days ahead', sign({}, { exp: SECONDS + 366 * DAY })],
  ['nbf four seconds ahead', sign({}, { nbf: SECONDS + 4 })],
  ...others.map(
    ({ algorithm, kid, privateKey }) => [algorithm, sign({ alg: algorithm, kid }, {}, privateKey)] as const,
  ),
]

for (const [what, token] of RIGHT)
  test(`a token with ${what} is accepted`, async () => assert.equal(await isAccepted(await token), true))

const own = await sign({}, {})
const [head = '', body = '', signature = ''] = own.split('.')
const foreign = await generateKeyPair('ES256')
const publicPem = Buffer.from(await exportSPKI(es256.publicKey))
const publicJwk = await exportJWK(es256.publicKey)
const rs256 = others.find(({ algorithm }) => algorithm === 'RS256')
const none = encode({ ...HEADER, alg: 'none' })

/** Makes an HMAC signature that the server would check with its public key. */
function signWithHmac(alg: string, hash: string, key: Uint8Array): string {
  const text = `${encode({ ...HEADER, alg })}.${body}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}

const WRONG: readonly [what: string, token: string | Promise<string>][] = [
  ['no text', ''],
  ['one part', 'abc'],
  ['two parts', `${head}.${body}`],
  ['four parts', `${own}.${signature}`],
  ['an empty signature', `${head}.${body}.`],
  ['padding', `${head}.${body}.${signature}=`],
  ['a space in it', `${head}.${body} .${signature}`],
  ['a header that is not JSON', `${Buffer.from('{').toString('base64url')}.${body}.${signature}`],
  ['a header that is a list', `${encode([])}.${body}.${signature}`],
  ['a header that is null', `${Buffer.from('null').toString('base64url')}.${body}.${signature}`],
  ['a changed body', `${head}.${encode({ ...CLAIMS, workspace: 'other' })}.${signature}`],
  ['a changed signature', `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
  ['a short signature', `${head}.${body}.${signature.slice(0, 20)}`],
  ['the signature of another key', sign({}, {}, foreign.privateKey)],
  ['alg none', `${none}.${body}.${signature}`],
  ['alg none and no signature', `${none}.${body}.`],
  ['alg None', `${encode({ ...HEADER, alg: 'None' })}.${body}.${signature}`],
  ['no alg', `${encode({ typ: 'at+jwt', kid: 'es' })}.${body}.${signature}`],
  ['HMAC with the public key as secret', signWithHmac('HS256', 'sha256', publicPem)],
  [
    'HMAC with the public key in JSON as secret',
    signWithHmac('HS256', 'sha256', Buffer.from(JSON.stringify(publicJwk))),
  ],
  ['HMAC of 512 bits', signWithHmac('HS512', 'sha512', publicPem)],
  ['an algorithm that is not the key’s', sign({ alg: 'RS256' }, {}, rs256?.privateKey)],
  ['PS256 under a key of RS256', sign({ alg: 'PS256', kid: 'RS256' }, {}, others.at(-1)?.privateKey)],
  ['no kid', sign({ kid: undefined }, {})],
  ['an unknown kid', sign({ kid: 'unknown' }, {})],
  ['a kid that is not a string', sign({ kid: ['es'] }, {})],
  ['a kid that is a property of every object', sign({ kid: '__proto__' }, {})],
  ['no typ', sign({ typ: undefined }, {})],
  ['typ JWT', sign({ typ: 'JWT' }, {})],
  ['typ of an ID token', sign({ typ: 'id+jwt' }, {})],
  ['typ at+jwt and more', sign({ typ: 'at+jwt;x' }, {})],
  ['jku', sign({ jku: 'https://evil.example/jwks.json' }, {})],
  ['jwk', sign({ jwk: publicJwk }, {})],
  ['x5u', sign({ x5u: 'https://evil.example/cert.pem' }, {})],
  ['x5c', sign({ x5c: ['MIIB'] }, {})],
  ['crit', `${encode({ ...HEADER, crit: ['exp'], exp: 1 })}.${body}.${signature}`],
  ['an empty crit', `${encode({ ...HEADER, crit: [] })}.${body}.${signature}`],
  ['another issuer', sign({}, { iss: 'https://elsewhere.example' })],
  ['the issuer with a trailing slash', sign({}, { iss: `${URL_OF_SERVICE}/` })],
  ['no issuer', sign({}, { iss: undefined })],
  ['another audience', sign({}, { aud: URL_OF_SERVICE })],
  ['no audience', sign({}, { aud: undefined })],
  ['an empty list of audiences', sign({}, { aud: [] })],
  ['no exp', sign({}, { exp: undefined })],
  ['exp that is a string', sign({}, { exp: String(SECONDS + 60) })],
  ['exp more than 366 days ahead', sign({}, { exp: SECONDS + 366 * DAY + 6 })],
  ['exp that is too large for a number', `${head}.${Buffer.from('{"exp":1e999}').toString('base64url')}.${signature}`],
  ['nbf in the future', sign({}, { nbf: SECONDS + 60 })],
  ['no workspace', sign({}, { workspace: undefined })],
  ['a workspace that is not a string', sign({}, { workspace: ['acme'] })],
  ['no scope', sign({}, { scope: undefined })],
  ['scope that is a list', sign({}, { scope: ['data.read'] })],
  ['no sub', sign({}, { sub: undefined })],
  ['no client_id', sign({}, { client_id: undefined })],
  ['no iat', sign({}, { iat: undefined })],
  ['no jti', sign({}, { jti: undefined })],
  ['projects that is a string', sign({}, { projects: 'guide' })],
  ['projects that is null', sign({}, { projects: null })],
  ['projects that contains a number', sign({}, { projects: [1] })],
  ['the id of a revoked token', sign({}, { jti: 'revoked' })],
  ['more than 8 KiB', sign({}, { padding: 'x'.repeat(8192) })],
  ['a body that is a list', sign({}, []).then(token => token.replace(/\.[^.]+\./, `.${encode([])}.`))],
]

for (const [what, token] of WRONG)
  test(`a token with ${what} is refused`, async () => {
    const refused = await verifyToken(await token, trust, NOW)
    assert.ok(!refused.ok)
  })

test('a token works until five seconds after it expires, to the millisecond', async () => {
  for (const [exp, last] of [
    [SECONDS, NOW + 4999],
    [SECONDS + 0.5, NOW + 5499],
  ] as const) {
    const token = await sign({}, { exp })
    assert.equal(await isAccepted(token, last), true)
    assert.equal(await isAccepted(token, last + 1), false)
  }
})
