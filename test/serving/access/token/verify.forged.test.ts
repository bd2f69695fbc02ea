import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { readOwnIssuer } from '#serving/access/token/own-issuer.ts'
import { openTokenVerifier, type TokenVerifier } from '#serving/access/token/token-verifier.ts'
import type { Issuer } from '#serving/access/token/verify.ts'
import { accessTo } from '../../../support/access-context.ts'
import { type Received, receive } from '../../../support/receive.ts'
import { runningService } from '../../../support/running.ts'
import { SMALL_BRAND } from '../../../support/small-brand.ts'
import { publishedStore } from '../../../support/temporary-store.ts'
import { openForge } from './forge.ts'
import { FORGED_TOKENS, GENUINE_TOKENS, WAYS_TO_SEND } from './forged-tokens.ts'

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const forge = await openForge(temporary)
const { url, port } = await runningService(temporary)
const target = '/beta/workspace/acme/project/guidelines'

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
