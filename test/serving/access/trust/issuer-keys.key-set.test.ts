import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { fetchJson, findKeySet } from '#serving/access/trust/issuer-keys.ts'
import { localServer } from '../../../support/local-server.ts'

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
