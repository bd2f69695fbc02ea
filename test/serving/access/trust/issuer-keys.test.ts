import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import type { JWK } from 'jose'
import { ALGORITHMS, type Algorithm } from '#serving/access/keys/jose.ts'
import { cacheIssuerKeys } from '#serving/access/trust/issuer-keys.ts'
import { issuerKey } from '../../../support/issuer-server.ts'

const [EC, ED, RSA] = [await issuerKey('k'), await issuerKey('k', 'EdDSA'), await issuerKey('k', 'RS256')]
const SMALL_RSA = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
const P384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })

/** Opens the keys of an issuer with this set, on a clock that only moves when set. */
function openKeys(keys: readonly object[]) {
  const failures: string[] = []
  const state = { keys: [...keys], isDown: false, asked: 0, changes: 0, now: 0, failures }
  const find = cacheIssuerKeys({
    issuer: 'https://x.example',
    jwks: 'https://x.example/jwks',
    fetchJson: async () => {
      state.asked++
      if (state.isDown) throw new Error('down')
      return { keys: state.keys }
    },
    clock: () => state.now,
    changed: () => {
      state.changes++
    },
    failed: error => failures.push(error instanceof Error ? error.message : String(error)),
  })
  return { state, find }
}

async function usable(keys: readonly object[], kid = 'k'): Promise<{ algorithms: Algorithm[]; failures: string[] }> {
  const { state, find } = openKeys(keys)
  const found: Algorithm[] = []
  for (const algorithm of ALGORITHMS) if (await find(kid, algorithm)) found.push(algorithm)
  return { algorithms: found, failures: state.failures }
}

function without(jwk: JWK, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !names.includes(name)))
}

const UNUSABLE = ['key "k" of https://x.example cannot be used']

for (const [what, keys, algorithms, failures] of [
  ['an EC key of P-256', [EC.jwk], ['ES256'], []],
  ['an EC key that does not name its algorithm', [without(EC.jwk, 'alg', 'use')], ['ES256'], []],
  ['an Ed25519 key for EdDSA', [ED.jwk], ['EdDSA', 'Ed25519'], []],
  ['an Ed25519 key for Ed25519', [{ ...ED.jwk, alg: 'Ed25519' }], ['EdDSA', 'Ed25519'], []],
  ['an Ed25519 key without an algorithm', [without(ED.jwk, 'alg')], ['EdDSA', 'Ed25519'], []],
  ['an RSA key for RS256', [RSA.jwk], ['RS256'], []],
  ['an RSA key for PS256', [{ ...RSA.jwk, alg: 'PS256' }], ['PS256'], []],
  ['an RSA key that does not name its algorithm', [without(RSA.jwk, 'alg')], ['RS256'], []],
  ['an RSA key for RS512', [{ ...RSA.jwk, alg: 'RS512' }], [], []],
  ['an RSA key for HS256', [{ ...RSA.jwk, alg: 'HS256' }], [], []],
  ['an Ed25519 key for ES256', [{ ...ED.jwk, alg: 'ES256' }], [], []],
  ['an RSA key of 1024 bits', [{ ...SMALL_RSA, kid: 'k' }], [], UNUSABLE],
  ['an EC key of P-384', [{ ...P384, kid: 'k' }], [], []],
  ['an EC key whose point is on no curve', [{ ...EC.jwk, y: EC.jwk.x }], [], UNUSABLE],
  ['an EC key without a coordinate', [without(EC.jwk, 'y')], [], UNUSABLE],
  ['a symmetric key', [{ kty: 'oct', k: 'c2VjcmV0', kid: 'k', alg: 'HS256' }], [], []],
  ['a symmetric key for ES256', [{ kty: 'oct', k: 'c2VjcmV0', kid: 'k', alg: 'ES256' }], [], []],
  ['a key for encryption', [{ ...EC.jwk, use: 'enc' }], [], []],
  ['a key for other operations', [{ ...EC.jwk, key_ops: ['deriveKey'] }], [], []],
  ['a key without an id', [without(EC.jwk, 'kid')], [], []],
  ['a key whose id is a number', [{ ...EC.jwk, kid: 1 }], [], []],
  ['a key with its private part, which is ignored,', [{ ...EC.jwk, d: 'AAAA' }], ['ES256'], []],
  ['the same key twice', [EC.jwk, { ...EC.jwk }], ['ES256'], []],
  ['two keys with the same id and algorithm', [EC.jwk, (await issuerKey('k')).jwk], [], UNUSABLE],
  ['two keys with the same id and different kinds', [EC.jwk, RSA.jwk], ['ES256', 'RS256'], []],
  [
    'an unusable key and a usable one',
    [{ ...P384, kid: 'p' }, { ...SMALL_RSA, kid: 'r' }, EC.jwk],
    ['ES256'],
    ['key "r" of https://x.example cannot be used'],
  ],
] as const) {
  const found = algorithms.join(' and ') || 'nothing'
  test(`a set with ${what} checks ${found}`, async () => {
    assert.deepEqual(await usable(keys), { algorithms: [...algorithms], failures: [...failures] })
  })
}

test('an unknown id causes a new read of the set, but at most once in 30 seconds', async () => {
  const { state, find } = openKeys([EC.jwk])
  const unknown = () => Promise.all(['a', 'b', 'c'].map(kid => find(kid, 'ES256')))
  assert.deepEqual(await unknown(), [undefined, undefined, undefined])
  assert.equal(state.asked, 1)
  state.now = 29_999
  await unknown()
  assert.equal(state.asked, 1)
  state.now = 30_000
  state.keys = [EC.jwk, { ...EC.jwk, kid: 'b' }]
  assert.equal((await unknown())[1]?.kid, 'b')
  assert.deepEqual([state.asked, state.changes], [2, 2])
})

test('a ten-minute-old set is read again in the background when a known key is used', async () => {
  const { state, find } = openKeys([EC.jwk])
  await find('k', 'ES256')
  state.now = 10 * 60_000
  await find('k', 'ES256')
  assert.equal(state.asked, 1)
  state.now++
  state.keys = []
  assert.equal((await find('k', 'ES256'))?.kid, 'k')
  assert.equal(state.asked, 2)
  await new Promise(setImmediate)
  assert.deepEqual([await find('k', 'ES256'), state.changes], [undefined, 2])
})

test('while the set is unreadable, known keys keep working and the failure is reported', async () => {
  const { state, find } = openKeys([EC.jwk])
  await find('k', 'ES256')
  state.isDown = true
  for (const minutes of [11, 60, 24 * 60]) {
    state.now = minutes * 60_000
    assert.equal((await find('k', 'ES256'))?.kid, 'k')
    await new Promise(setImmediate)
  }
  assert.deepEqual([state.failures.length, state.changes], [3, 1])
})

test('all callers waiting for an unreadable set share one read, and no call waits for it again for half a minute', async () => {
  const hung = Promise.withResolvers<never>()
  let asked = 0
  const state = { now: 0 }
  const find = cacheIssuerKeys({
    issuer: 'https://x.example',
    jwks: 'https://x.example/jwks',
    fetchJson: () => {
      asked++
      return hung.promise
    },
    clock: () => state.now,
    changed: () => undefined,
    failed: () => undefined,
  })
  const waiting = ['a', 'b', 'c'].map(kid => find(kid, 'ES256'))
  state.now = 5000
  hung.reject(new Error('timeout'))
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined, undefined])
  state.now = 29_999
  assert.equal(await find('a', 'ES256'), undefined)
  assert.equal(asked, 1)
})
