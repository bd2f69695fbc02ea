import assert from 'node:assert/strict'
import { KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { failed } from '#platform/base/result.ts'
import { thumbprintOf } from '#serving/access/keys/keys.ts'
import { openIssuers } from '#serving/access/token/token-verifier.ts'
import type { Issuer } from '#serving/access/token/verify.ts'
import { SIGNING_KEYS } from '#store/access/signing-keys.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import { testService } from '../../../support/service.ts'
import { SMALL_BRAND } from '../../../support/small-brand.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
const { token, jti } = await temporary.issue('acme')
const { ask, clock, follow } = await testService(temporary)

async function statusOf(authorization: string | undefined, authorizations?: number): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization }
  const { status } = await ask('/beta/workspace/acme', { headers, ...(authorizations && { authorizations }) })
  return status
}

async function challengeOf(authorization: string): Promise<string | null> {
  const { headers } = await ask('/beta/workspace/acme', { headers: { authorization } })
  return headers.get('www-authenticate')
}

for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
  test(`the scheme ${scheme} is accepted`, async () => assert.equal(await statusOf(`${scheme} ${token}`), 200))

test('several spaces before a token are allowed', async () => {
  assert.equal(await statusOf(`Bearer   ${token}`), 200)
})

for (const credentials of ['', 'Bearer', 'Bearer ', `Bearer${token}`, token, 'Basic YTpi', `Token ${token}`])
  test(`${JSON.stringify(credentials.slice(0, 12))} gets 401`, async () => {
    assert.equal(await statusOf(credentials), 401)
  })

test('credentials of another scheme count as missing; an invalid bearer token gets its own challenge', async () => {
  assert.equal(await challengeOf('Basic YTpi'), 'Bearer realm="housestyle"')
  assert.match((await challengeOf(`Bearer ${token}x`)) ?? '', /^Bearer realm="housestyle", error="invalid_token", /)
})

test('two Authorization fields get 401, even with the same token in both', async () => {
  assert.equal(await statusOf(`Bearer ${token}`, 2), 401)
})

test('an accepted token stops working five seconds after it expires', async () => {
  assert.equal(await statusOf(`Bearer ${token}`), 200)
  const before = clock.now
  clock.now += 3600_000 + 6000
  assert.equal(await statusOf(`Bearer ${token}`), 401)
  clock.now = before
})

test('a key that is added later works after the next read of the store', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = thumbprintOf(KeyObject.from(publicKey))
  const { urn } = temporary.store.identity
  const later = await new SignJWT({ client_id: 'cli', scope: 'settings.read', workspace: 'acme' })
    .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid })
    .setIssuer(urn)
    .setAudience(urn)
    .setSubject('cli')
    .setJti('later')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
  assert.equal(await statusOf(`Bearer ${later}`), 401)
  await temporary.store.database.transaction(async queries => {
    const publicJwk = JSON.stringify(await exportJWK(publicKey))
    const privateJwk = JSON.stringify(await exportJWK(privateKey))
    await SIGNING_KEYS.add(queries, { kid, algorithm: 'ES256', publicJwk, privateJwk, createdAt: new Date(0) })
    await recordChange(queries, undefined)
  })
  await follow()
  assert.equal(await statusOf(`Bearer ${later}`), 200)
  assert.equal(await statusOf(`Bearer ${token}`), 200)
})

test('an accepted token stops working when it is revoked', async () => {
  assert.equal(await statusOf(`Bearer ${token}`), 200)
  await temporary.store.database.transaction(async queries => {
    await queries.run('UPDATE token SET revoked_at = ? WHERE jti = ?', Date.now(), jti)
    await recordChange(queries, undefined)
  })
  await follow()
  assert.equal(await statusOf(`Bearer ${token}`), 401)
})

function issuer(name: string): Issuer {
  return { issuer: name, audience: name, types: [], key: () => undefined, readClaims: () => failed('claims') }
}

test('the later of two overlapping reads wins', async () => {
  const begun: PromiseWithResolvers<Issuer>[] = []
  const begin = () => {
    const reading = Promise.withResolvers<Issuer>()
    begun.push(reading)
    return reading.promise
  }
  const opening = openIssuers(begin, [], () => undefined)
  begun[0]?.resolve(issuer('first'))
  const { current, refresh } = await opening
  const readings = [refresh(), refresh()]
  begun[2]?.resolve(issuer('third'))
  await readings[1]
  begun[1]?.resolve(issuer('second'))
  await readings[0]
  assert.deepEqual(
    current().map(each => each.issuer),
    ['third'],
  )
})

test('the same value is not a change, and a failed read keeps the known value', async () => {
  const own = issuer('own')
  let reading = async () => own
  let changes = 0
  const { current, refresh } = await openIssuers(
    () => reading(),
    [issuer('other')],
    () => changes++,
  )
  const known = current()
  await refresh()
  assert.deepEqual([changes, current() === known], [0, true])
  reading = async () => {
    throw new Error('gone')
  }
  await assert.rejects(refresh(), { message: 'gone' })
  assert.equal(current(), known)
  reading = async () => issuer('another')
  await refresh()
  assert.equal(changes, 1)
  assert.deepEqual(
    current().map(each => each.issuer),
    ['another', 'other'],
  )
})
