import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import type { JWK } from 'jose'
import { ALGORITHMS, type Algorithm } from '#serving/access/keys/jose.ts'
import { cacheIssuerKeys, fetchJson, findKeySet } from '#serving/access/trust/issuer-keys.ts'
import { issuerKey } from '../../../support/issuer-server.ts'
import { localServer } from '../../../support/local-server.ts'

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

const KEYS = { keys: [{ kid: 'one' }] }

for (const [what, answer, reason] of [
  ['redirects', ['302', { location: '/elsewhere' }, ''], /answered 302, and redirects are not followed/],
  ['does not have it', ['404', {}, '{}'], /answered 404/],
  ['fails', ['500', {}, '{}'], /answered 500/],
  ['answers with HTML', ['200', { 'content-type': 'text/html' }, '<!doctype html>'], /JSON/],
  ['answers with half of it', ['200', {}, '{"keys":['], /JSON/],
  ['answers with nothing', ['200', {}, ''], /JSON/],
  ['answers with null', ['200', {}, 'null'], /did not answer with a JSON object/],
  ['answers with a string', ['200', {}, '"keys"'], /did not answer with a JSON object/],
  ['answers with more than 256 KiB', ['200', {}, `{"keys":[]${' '.repeat(256 << 10)}}`], /more than 262144 bytes/],
  ['has no list of keys', ['200', {}, '{"keys":{}}'], /has no list of keys/],
] as const) {
  test(`a key set is refused from a server that ${what}`, async () => {
    const [status, headers, body] = answer
    const { url } = await localServer((_, response) => response.writeHead(Number(status), headers).end(body))
    await assert.rejects(findKeySet(url, `${url}/jwks`, fetchJson), reason)
  })
}

/** Sends one byte at a time, without an end. */
const drip: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write(' '), 100)
  response.once('close', () => clearInterval(timer))
}

/** Reads the keys of an issuer that hangs at one of its addresses; returns the requested addresses and their limits. */
async function readHanging(at: string, hang: RequestListener): Promise<{ asked: string[]; signals: AbortSignal[] }> {
  const asked: string[] = []
  const { url } = await localServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === at) hang(request, response)
    else if (at.includes('oauth')) response.writeHead(404).end()
    else response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks` }))
  })
  const signals = new Set<AbortSignal>()
  const reading = findKeySet(url, undefined, (address, signal) => {
    signals.add(signal)
    return fetchJson(address, signal)
  })
  await assert.rejects(reading)
  return { asked, signals: [...signals] }
}

test('one time limit covers all steps to a key set, for any step that sends nothing or one byte at a time', async () => {
  const steps = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/jwks']
  const tried = steps.flatMap(at =>
    [() => undefined, drip].map(async hang => ({ at, ...(await readHanging(at, hang)) })),
  )
  for (const { at, asked, signals } of await Promise.all(tried)) {
    assert.equal(asked.at(-1), at)
    assert.deepEqual([signals.length, signals[0]?.aborted], [1, true])
  }
})

test('a key set is read over http only on this machine', async () => {
  await assert.rejects(
    fetchJson('http://login.example.com/jwks', new AbortController().signal),
    /the address is not https/,
  )
})

test('key set entries that are not keys are ignored', async () => {
  const set = await findKeySet('https://x.example', 'https://x.example/jwks', async () => ({
    keys: [null, 1, 'a', ...KEYS.keys],
  }))
  assert.deepEqual(set, KEYS.keys)
})

/** Reads only from these addresses. */
function only(pages: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  return async (address: string) => {
    const page = pages[address]
    if (!page) throw new Error(`nothing at ${address}`)
    return page
  }
}

for (const [issuer, metadata] of [
  ['https://x.example', 'https://x.example/.well-known/openid-configuration'],
  ['https://x.example/', 'https://x.example/.well-known/openid-configuration'],
  ['https://x.example/a/b', 'https://x.example/a/b/.well-known/openid-configuration'],
  ['https://x.example', 'https://x.example/.well-known/oauth-authorization-server'],
  ['https://x.example/a/b', 'https://x.example/.well-known/oauth-authorization-server/a/b'],
] as const) {
  test(`the keys of ${issuer} are found through ${metadata}`, async () => {
    const jwks = 'https://keys.example/jwks'
    const seen = await findKeySet(issuer, undefined, only({ [metadata]: { issuer, jwks_uri: jwks }, [jwks]: KEYS }))
    assert.deepEqual(seen, KEYS.keys)
  })
}

test('an issuer whose scheme is in upper case must have its key set at an https address, too', async () => {
  const issuer = 'HTTPS://x.example'
  const pages = { [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: 'http://127.0.0.1/jwks' } }
  await assert.rejects(findKeySet(issuer, undefined, only(pages)), /not https/)
})

for (const [what, metadata, reason] of [
  ['names another issuer', { issuer: 'https://y.example', jwks_uri: 'https://x.example/jwks' }, /names another issuer/],
  ['names no key set', { issuer: 'https://x.example' }, /names no key set/],
  ['names a key set on this machine', { issuer: 'https://x.example', jwks_uri: 'http://127.0.0.1/jwks' }, /not https/],
] as const) {
  test(`metadata that ${what} is not trusted`, async () => {
    const pages = { 'https://x.example/.well-known/openid-configuration': metadata }
    await assert.rejects(findKeySet('https://x.example', undefined, only(pages)), reason)
  })
}
