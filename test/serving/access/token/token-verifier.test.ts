import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failed } from '#platform/base/result.ts'
import { openIssuers } from '#serving/access/token/token-verifier.ts'
import type { Issuer } from '#serving/access/token/verify.ts'
import { testService } from '../../../support/service.ts'
import { SMALL_BRAND, temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
const { token } = await temporary.issue('acme')
const { ask, clock } = await testService(temporary)

async function statusOf(authorization: string | undefined): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization }
  const { status } = await ask('/beta/workspace/acme', { headers })
  return status
}

async function challengeOf(authorization: string): Promise<string | null> {
  const { headers } = await ask('/beta/workspace/acme', { headers: { authorization } })
  return headers.get('www-authenticate')
}

test('credentials of another scheme count as missing; an invalid bearer token gets its own challenge', async () => {
  assert.equal(await challengeOf('Basic YTpi'), 'Bearer realm="housestyle"')
  assert.match((await challengeOf(`Bearer ${token}x`)) ?? '', /^Bearer realm="housestyle", error="invalid_token", /)
})

test('an accepted token stops working five seconds after it expires', async () => {
  assert.equal(await statusOf(`Bearer ${token}`), 200)
  const before = clock.now
  clock.now += 3600_000 + 6000
  assert.equal(await statusOf(`Bearer ${token}`), 401)
  clock.now = before
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
  const issuers = current().map(each => each.issuer)
  assert.deepEqual(issuers, ['third'])
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
  const issuers = current().map(each => each.issuer)
  assert.deepEqual(issuers, ['another', 'other'])
})
