import assert from 'node:assert/strict'
import test from 'node:test'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { withHostCheck } from '#program/http/service/service.ts'
import { testService, URL_OF_SERVICE } from '../../../support/service.ts'
import { publishedStore, SMALL_BRAND, temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
await temporary.issue('acme')
const { ask } = await testService(temporary)

const OWN: readonly [path: string, contentType: string, content: RegExp][] = [
  ['/', 'text/html; charset=utf-8', /<a href="\/acme\/guidelines">Brand guidelines<\/a>/],
  ['/healthz', 'text/plain', /^ok\n$/],
  ['/readyz', 'text/plain', /^ready\n$/],
  ['/metrics', 'text/plain; version=0.0.4; charset=utf-8', /^# TYPE housestyle_requests_total counter$/m],
  ['/.well-known/jwks.json', 'application/jwk-set+json', /"kid":/],
  ['/openapi.json', 'application/json', /"openapi": "3\.1\.\d"/],
  ['/docs', 'text/html; charset=utf-8', new RegExp(`${URL_OF_SERVICE}/beta`)],
  ['/robots.txt', 'text/plain; charset=utf-8', new RegExp(`^Sitemap: ${URL_OF_SERVICE}/sitemap\\.xml$`, 'm')],
  [
    '/sitemap.xml',
    'application/xml; charset=utf-8',
    /<loc>http:\/\/brand\.test\/acme\/guidelines\/sitemap\.xml<\/loc>/,
  ],
]

for (const [path, contentType, content] of OWN) {
  test(`${path} is answered, without a body for HEAD`, async () => {
    const { status, headers, text } = await ask(`${path}?x=1`)
    assert.deepEqual([status, headers.get('content-type')], [200, contentType])
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(text, content)
    const head = await ask(path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
  })

  test(`${path} supports only the methods in its OPTIONS reply`, async () => {
    const options = await ask(path, { method: 'OPTIONS' })
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
    const refused = await ask(path, { method: 'POST' })
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
    assert.equal(JSON.parse(refused.text).error_uri, `${URL_OF_SERVICE}/docs#method_not_allowed`)
  })
}

test('the public keys are published without their private parts', async () => {
  const { keys } = JSON.parse((await ask('/.well-known/jwks.json')).text)
  assert.equal(keys.length, 1)
  assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})

test('the home page lists only public projects', async () => {
  await temporary.publishing('acme/secret', { 'secret/project.yaml': 'name: A secret\n' })
  const { ask: askNow } = await testService(temporary)
  const { text } = await askNow('/')
  assert.match(text, /Brand guidelines/)
  assert.doesNotMatch(text, /secret/i)
})

test('OPTIONS * gets the supported methods', async () => {
  const { status, headers } = await ask('*', { method: 'OPTIONS' })
  assert.deepEqual([status, headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
})

for (const path of ['/beta', '/Beta/workspace/acme', '/constructor', '/__proto__', '/favicon.ico', '//'])
  test(`${path} is nothing`, async () => assert.equal((await ask(path)).status, 404))

test('a service with an unreadable database is degraded, not ready after the grace period, and ready again when the database is readable', async () => {
  const broken = await temporaryStore()
  const { ask: askBroken, clock } = await testService(broken, { readyGrace: 60 })
  const { probe } = broken.store.database
  const readyz = async () => {
    const { status, text, headers } = await askBroken('/readyz')
    return [status, text, headers.get('Retry-After')]
  }
  broken.store.database.probe = () => {
    throw new Error('the disk is unavailable')
  }
  assert.deepEqual(await readyz(), [200, 'degraded: database\n', null])
  clock.now += 59_999
  assert.deepEqual(await readyz(), [200, 'degraded: database\n', null])
  clock.now += 1
  assert.deepEqual(await readyz(), [503, 'unavailable: database\n', '1'])
  assert.equal((await askBroken('/healthz')).status, 200)
  broken.store.database.probe = probe
  assert.deepEqual(await readyz(), [200, 'ready\n', null])
})

test('a local service answers only to its own names, and refuses a request with a token in JSON', async () => {
  const refused: AccessEvent[] = []
  const answer = () => ({ status: 200, headers: [], body: undefined })
  const local = withHostCheck('Mac.local', answer, event => void refused.push(event))
  const replyFor = (headers: RequestHeaders, authorizations = 0) =>
    local({ method: 'GET', path: '/', query: '', headers, authorizations, address: '127.0.0.1' })
  for (const host of ['127.0.0.1:4080', 'localhost', '[::1]', 'mac.local', 'mac.local:4080'])
    assert.equal((await replyFor({ host })).status, 200, host)
  assert.equal((await replyFor({})).status, 200)
  for (const host of ['evil.example:4080', 'mac.local.evil.example', '[::1].evil.example'])
    assert.equal((await replyFor({ host })).status, 421, host)
  const { status, body } = await replyFor({ host: 'evil.example', authorization: 'Bearer x' }, 1)
  assert.ok(body instanceof Uint8Array)
  assert.deepEqual([status, JSON.parse(new TextDecoder().decode(body)).error], [421, 'invalid_request'])
  const seen = refused.map(({ event, host }) => [event, host])
  const expected = ['evil.example:4080', 'mac.local.evil.example', '[::1].evil.example', 'evil.example'].map(host => [
    'host-refused',
    host,
  ])
  assert.deepEqual(seen, expected)
})
