import assert from 'node:assert/strict'
import { KeyObject } from 'node:crypto'
import test from 'node:test'
import { type CryptoKey, generateKeyPair, SignJWT } from 'jose'
import { ok } from '#platform/base/result.ts'
import { openCaches } from '#platform/caches/caches.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { type VerificationKey, verificationKeys } from '#serving/access/keys/keys.ts'
import type { Grant } from '#serving/access/token/grant.ts'
import { readOwnIssuer } from '#serving/access/token/own-issuer.ts'
import { openTokenVerifier, type TokenVerifier } from '#serving/access/token/token-verifier.ts'
import { type Issuer, verifyToken } from '#serving/access/token/verify.ts'
import { type Received, receive } from '../../../support/receive.ts'
import { runningService } from '../../../support/service.ts'
import { accessTo, publishedStore, SMALL_BRAND, temporaryStore } from '../../../support/temporary-store.ts'
import { openForge } from './forge.ts'
import { FORGED_TOKENS, GENUINE_TOKENS, WAYS_TO_SEND } from './forged-tokens.ts'

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

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const forge = await openForge(temporary)
const { url, port } = await runningService(temporary)
const target = '/beta/workspace/acme/project/guidelines'

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

test('there are at least 150 forged tokens with different names', () => {
  assert.ok(FORGED_TOKENS.length >= 150, String(FORGED_TOKENS.length))
  assert.equal(new Set(FORGED_TOKENS.map(({ name }) => name)).size, FORGED_TOKENS.length)
})

for (const { name, reason, make } of FORGED_TOKENS)
  test(`forged: ${name}: gets 401 with the reason ${reason}, and only a plausible signature is checked`, async () => {
    const token = make(forge)
    const found = await receive(port, target, { fields: ['Authorization', `Bearer ${token}`] })
    assert.deepEqual(found, EXPECTED['invalid-token'])
    const { verifier, events, checks } = await countingVerifier()
    const answer = await ask(verifier, token)
    assert.ok(!answer.ok && answer.problem.id === 'invalid-token')
    const seen = events.map(({ event, reason: logged }) => [event, logged])
    assert.deepEqual(seen, [['token-refused', reason]])
    assert.equal(checks.count, reason === 'signature' ? 1 : 0)
  })

for (const { name, make } of GENUINE_TOKENS)
  test(`genuine: ${name}: gets 200, and its signature is checked once for many requests`, async () => {
    const token = make(forge)
    assert.equal((await receive(port, target, { fields: ['Authorization', `Bearer ${token}`] })).status, 200)
    const { verifier, events, checks } = await countingVerifier()
    for (let time = 0; time < 3; time++) assert.equal((await ask(verifier, token)).ok, true)
    assert.deepEqual(events, [])
    assert.equal(checks.count, 1)
  })

for (const { name, answer, send } of WAYS_TO_SEND)
  test(`a good token, sent ${name}: ${answer}`, async () => {
    const { query = '', ...sent } = send(forge.withClaims({}))
    const received = await receive(port, target + query, sent)
    if (answer === 'accepted') assert.equal(received.status, 200)
    else assert.deepEqual(received, EXPECTED[answer])
  })

/** Opens a verifier of this store that keeps its records and the number of checked signatures. */
async function countingVerifier(): Promise<{
  verifier: TokenVerifier
  events: AccessEvent[]
  checks: { count: number }
}> {
  const events: AccessEvent[] = []
  const checks = { count: 0 }
  const { audience } = accessTo(temporary.store)
  const readOwn = async (): Promise<Issuer> => {
    const issuer = await readOwnIssuer(temporary.store.database, audience, new Date())
    return {
      ...issuer,
      key: async (kid, algorithm) => {
        const found = await issuer.key(kid, algorithm)
        if (found) checks.count++
        return found
      },
    }
  }
  return {
    verifier: await openTokenVerifier({ record: event => events.push(event), caches: openCaches() }, readOwn, []),
    events,
    checks,
  }
}

function ask(verifier: TokenVerifier, token: string): ReturnType<TokenVerifier['verify']> {
  const headers = { authorization: `Bearer ${token}` }
  const request = { method: 'GET', path: '/', query: '', headers, authorizations: 1, address: '' }
  return verifier.verify(request, Date.now())
}

const PLAIN = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

const EXPECTED: Readonly<Record<'no-credentials' | 'invalid-token' | 'headers-too-large', Received>> = {
  'no-credentials': refusal(
    401,
    'invalid_client',
    'The request has no bearer token. Send the header "Authorization: Bearer <ACCESS_TOKEN>". The operator of the service issues tokens with `housestyle token issue`.',
    ['WWW-Authenticate', 'Bearer realm="housestyle"'],
  ),
  'invalid-token': refusal(
    401,
    'invalid_client',
    'The bearer token is not valid here: it is malformed, expired, revoked, sent more than once, or was issued by or for another service. Send a current token for this service.',
    [
      'WWW-Authenticate',
      'Bearer realm="housestyle", error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service"',
    ],
  ),
  'headers-too-large': refusal(
    431,
    'invalid_request',
    'The request header fields are too large. Send fewer or shorter fields, including cookies.',
    [],
  ),
}

function refusal(status: number, error: string, description: string, fields: readonly string[]): Received {
  const text = JSON.stringify({ error, error_description: description, error_uri: `${url}/docs#${error}` })
  return { status, fields: [...PLAIN, ...fields, 'Content-Length', String(Buffer.byteLength(text))], text }
}
