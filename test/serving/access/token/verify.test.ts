import assert from 'node:assert/strict'
import { KeyObject } from 'node:crypto'
import test from 'node:test'
import { type CryptoKey, generateKeyPair, SignJWT } from 'jose'
import { ok } from '#platform/base/result.ts'
import { type VerificationKey, verificationKeys } from '#serving/access/keys/keys.ts'
import type { Grant } from '#serving/access/token/grant.ts'
import { readOwnIssuer } from '#serving/access/token/own-issuer.ts'
import { type Issuer, verifyToken } from '#serving/access/token/verify.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const NOW = Date.parse('2026-05-06T07:08:09.000Z')
const SECONDS = NOW / 1000
const DAY = 24 * 3600
const URL_OF_SERVICE = 'https://brand.example.com'
const audience = { issuer: URL_OF_SERVICE, audience: `${URL_OF_SERVICE}/beta` }

const { store, importing, issue } = await temporaryStore(URL_OF_SERVICE)
await importing('acme', { 'guide/pages/index.md': '# Hello\n' })
const issued = await issue('acme', { scopes: ['styles.read', 'data.read'], now: new Date(NOW) })
const ours = await verificationKeys(store.database)
const es256 = await generateKeyPair('ES256')
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
  { ...ownIssuer, key: (kid, algorithm) => (keys.get(kid)?.algorithm === algorithm ? keys.get(kid) : undefined) },
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
  [{ projects: [], instances: [] }, new Map()],
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

/* Tokens that differ in one way from a good one are in forged-tokens.ts. */

const RIGHT: readonly (readonly [what: string, token: string | Promise<string>])[] = [
  ['nbf four seconds ahead', sign({}, { nbf: SECONDS + 4 })],
  ['exp five seconds more than 366 days ahead', sign({}, { exp: SECONDS + 366 * DAY + 5 })],
  ...others.map(
    ({ algorithm, kid, privateKey }) => [algorithm, sign({ alg: algorithm, kid }, {}, privateKey)] as const,
  ),
]

for (const [what, token] of RIGHT)
  test(`a token with ${what} is accepted`, async () => assert.equal(await isAccepted(await token), true))

for (const [what, token] of [
  ['PS256 under a key of RS256', sign({ alg: 'PS256', kid: 'RS256' }, {}, others.at(-1)?.privateKey)],
  ['the issuer as its audience', sign({}, { aud: URL_OF_SERVICE })],
  ['exp six seconds more than 366 days ahead', sign({}, { exp: SECONDS + 366 * DAY + 6 })],
] as const)
  test(`a token with ${what} is refused`, async () => assert.equal(await isAccepted(await token), false))

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
