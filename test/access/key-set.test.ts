import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchJson, findKeySet } from '../../src/access/key-set.ts'
import { localServer } from '../support/issuer-server.ts'

const KEYS = { keys: [{ kid: 'one' }] }

for (const [what, answer, reason] of [
  ['redirects', ['302', { location: '/elsewhere' }, ''], /fetch failed/],
  ['does not have it', ['404', {}, '{}'], /answered 404/],
  ['fails', ['500', {}, '{}'], /answered 500/],
  ['answers with HTML', ['200', { 'content-type': 'text/html' }, '<!doctype html>'], /JSON/],
  ['answers with half of it', ['200', {}, '{"keys":['], /JSON/],
  ['answers with nothing', ['200', {}, ''], /JSON/],
  ['answers with null', ['200', {}, 'null'], /did not answer with a JSON object/],
  ['answers with a text', ['200', {}, '"keys"'], /did not answer with a JSON object/],
  ['answers with more than 256 KiB', ['200', {}, `{"keys":[]${' '.repeat(256 << 10)}}`], /more than 262144 bytes/],
  ['has no list of keys', ['200', {}, '{"keys":{}}'], /has no list of keys/],
] as const) {
  test(`a key set is not taken from a server that ${what}`, async () => {
    const [status, headers, body] = answer
    const { url } = await localServer((_, response) => response.writeHead(Number(status), headers).end(body))
    await assert.rejects(findKeySet(url, `${url}/jwks`, fetchJson), reason)
  })
}

test('a key set is not waited for longer than a few seconds, whether nothing comes or a byte at a time', async () => {
  const silent = await localServer(() => undefined)
  const dripping = await localServer((_, response) => {
    const timer = setInterval(() => response.write(' '), 100)
    response.once('close', () => clearInterval(timer))
  })
  const tried = [silent, dripping].map(({ url }) => assert.rejects(fetchJson(url), { name: 'TimeoutError' }))
  await Promise.all(tried)
})

test('a key set is read over http on this machine alone', async () => {
  await assert.rejects(fetchJson('http://login.example.com/jwks'), /is not https/)
})

test('entries of a key set that are no keys are left out', async () => {
  const set = await findKeySet('https://x.example', 'https://x.example/jwks', async () => ({
    keys: [null, 1, 'a', ...KEYS.keys],
  }))
  assert.deepEqual(set, KEYS.keys)
})

/** Reads from these addresses alone. */
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
    assert.deepEqual(
      await findKeySet(issuer, undefined, only({ [metadata]: { issuer, jwks_uri: jwks }, [jwks]: KEYS })),
      KEYS.keys,
    )
  })
}

for (const [what, metadata, reason] of [
  ['are of another issuer', { issuer: 'https://y.example', jwks_uri: 'https://x.example/jwks' }, /of another issuer/],
  ['name no key set', { issuer: 'https://x.example' }, /names no key set/],
  ['name a key set on this machine', { issuer: 'https://x.example', jwks_uri: 'http://127.0.0.1/jwks' }, /not https/],
] as const) {
  test(`metadata that ${what} are not believed`, async () => {
    const pages = { 'https://x.example/.well-known/openid-configuration': metadata }
    await assert.rejects(findKeySet('https://x.example', undefined, only(pages)), reason)
  })
}
