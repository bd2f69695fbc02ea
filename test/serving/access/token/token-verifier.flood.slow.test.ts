import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failed } from '#platform/base/result.ts'
import { openCaches } from '#platform/caches/caches.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { ownIssuerReader } from '#serving/access/token/own-issuer.ts'
import { openTokenVerifier, type TokenVerifier } from '#serving/access/token/token-verifier.ts'
import type { Issuer } from '#serving/access/token/verify.ts'
import type { Database } from '#store/database/database.ts'
import { MAIN } from '../../../program/cli/housestyle.ts'
import { serve } from '../../../support/command.ts'
import { flood } from '../../../support/flood.ts'
import { accessTo, SMALL_BRAND, temporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'
import { openForge } from './forge.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
const forge = await openForge(temporary)
const good = forge.withClaims({})
const { audience } = accessTo(temporary.store)
const { database } = temporary.store
const readOwn = ownIssuerReader(database, audience, () => Date.now())

test('invented keys and clients cause no read of the store, and no repeated check of good tokens', async () => {
  const counts = { reads: 0, checks: 0 }
  const counting: Database = {
    ...database,
    all: (...query) => {
      counts.reads++
      return database.all(...query)
    },
  }
  const counted = <Key>(key: Key): Key => {
    if (key) counts.checks++
    return key
  }
  const read = ownIssuerReader(counting, audience, () => Date.now())
  const own = await read()
  const watched: Issuer = { ...own, key: (kid, algorithm) => counted(own.key(kid, algorithm)) }
  const readWatched = async () => ((await read()) === own ? watched : assert.fail('the store was read again'))
  const verifier = await openTokenVerifier({ record: () => undefined, caches: openCaches() }, readWatched, [])
  const { reads } = counts
  for (let number = 0; number < 50; number++) {
    await ask(verifier, forge.withHeader({ kid: `made-up-${number}` }))
    await ask(verifier, forge.withClaims({ client_id: `acme-${number}` }))
    assert.equal((await ask(verifier, good)).ok, true)
  }
  assert.deepEqual(counts, { reads, checks: 1 })
})

test('a store read that began before a revocation does not undo it', async () => {
  const before = await readOwn()
  const after: Issuer = { ...before, readClaims: () => failed('revoked') }
  const [begun, late] = [Promise.withResolvers<void>(), Promise.withResolvers<Issuer>()]
  const answers = [() => before, () => begun.resolve() ?? late.promise]
  const verifier = await openTokenVerifier(
    { record: () => undefined, caches: openCaches() },
    async () => (answers.shift() ?? (() => after))(),
    [],
  )
  const looking = ask(verifier, forge.withHeader({ kid: 'made-up' }))
  await begun.promise
  await verifier.refresh()
  late.resolve(before)
  await looking
  assert.equal((await ask(verifier, good)).ok, false)
})

test('a refusal is recorded once for missing, repeated or wrong credentials', async () => {
  const events: AccessEvent[] = []
  const verifier = await openTokenVerifier({ record: event => events.push(event), caches: openCaches() }, readOwn, [])
  const address = '192.0.2.1'
  const request = { method: 'GET', path: '/', query: '', address }
  await verifier.verify({ ...request, headers: {}, authorizations: 0 }, Date.now())
  await verifier.verify({ ...request, headers: { authorization: 'Basic eDp5' }, authorizations: 1 }, Date.now())
  await verifier.verify({ ...request, headers: { authorization: `Bearer ${good}` }, authorizations: 2 }, Date.now())
  const authorization = `Bearer ${forge.withClaims({ exp: 1 })}`
  await verifier.verify({ ...request, headers: { authorization }, authorizations: 1 }, Date.now())
  const { client_id: client, workspace, jti } = forge.claims
  assert.deepEqual(events, [
    { event: 'token-refused', reason: 'no-credentials', address },
    { event: 'token-refused', reason: 'no-credentials', address },
    { event: 'token-refused', reason: 'repeated', address },
    { event: 'token-refused', reason: 'expired', address, client, workspace, jti },
  ])
})

test('a flood of bad tokens does not reduce the throughput of good requests, and uses no workspace limit', async () => {
  const service = await serve(MAIN, '--data', temporary.data, '--rate', '1000000/60')
  try {
    const place = { port: Number(new URL(service.url).port), path: '/beta/workspace/acme', token: good }
    // Other work on the machine affects both sides, so one of many attempts must succeed.
    let [calm, flooded] = [1, 0]
    const [answers, refused] = [new Map<string, number>(), new Map<string, number>()]
    for (let tries = 0; tries < 30 && flooded <= 0.3 * calm; tries++) {
      const found = await flood({ ...place, perSecond: 1000, rounds: 2, roundMs: 500 })
      calm = found.calm
      flooded = found.flooded
      addCounts(answers, found.good)
      addCounts(refused, found.bad.byStatus)
    }
    assert.ok(flooded > 0.3 * calm, `${flooded} of ${calm} requests per second`)
    assert.deepEqual([[...answers.keys()], [...refused.keys()]], [['200'], ['401']])
    const ask = async (token: string) => {
      const reply = await fetch(service.url + place.path, { headers: { authorization: `Bearer ${token}` } })
      return Number(/r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1])
    }
    // The service may still answer requests of the flood.
    await until(async () => {
      const left = await ask(good)
      for (let at = 0; at < 20; at++) await ask(`${good}${at}`)
      return left - (await ask(good)) <= 1
    })
  } finally {
    await service.stop()
  }
})

function ask(verifier: TokenVerifier, token: string, nowMs = Date.now()): ReturnType<TokenVerifier['verify']> {
  const headers = { authorization: `Bearer ${token}` }
  return verifier.verify({ method: 'GET', path: '/', query: '', headers, authorizations: 1, address: '' }, nowMs)
}

function addCounts(to: Map<string, number>, counts: Readonly<Record<number, number>>): void {
  for (const [status, count] of Object.entries(counts)) to.set(status, (to.get(status) ?? 0) + count)
}
