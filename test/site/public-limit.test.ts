import assert from 'node:assert/strict'
import test from 'node:test'
import { headersOf, type Reply, replyHeader } from '#platform/exchange/message.ts'
import { REDIS, startRedis } from '../support/redis.ts'
import { runningService, testService } from '../support/service.ts'
import { publishedBrand } from '../support/temporary-store.ts'

const BROWSER = { accept: 'text/html,*/*' }
const RATE = { requests: 2, seconds: 60 }
const temporary = await publishedBrand({
  'guide/pages/index.md': '# Guide\n\n[text](../files/a.txt)\n',
  'guide/files/a.txt': 'a',
})

/** Starts a service with this public limit, and returns a function that requests a path from an address. */
async function limitedService() {
  const { service, clock } = await testService(temporary, { ratePublic: RATE })
  const get = async (
    target: string,
    address = '192.0.2.1',
    headers: Record<string, string> = BROWSER,
    method = 'GET',
  ) => {
    const [path = '', query = ''] = target.split('?')
    return service({ method, path, query, headers, authorizations: 0, address })
  }
  const statuses = async (paths: readonly string[], address?: string) => {
    const found: number[] = []
    for (const path of paths) found.push((await get(path, address)).status)
    return found
  }
  return { get, statuses, clock }
}

function textOf({ body }: Reply): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : ''
}

test('pages and searches beyond the rate get 429 with Retry-After, until the window has passed', async () => {
  const { get, statuses, clock } = await limitedService()
  assert.deepEqual(await statuses(['/acme/guide', '/acme/guide/-/search', '/acme/guide']), [200, 200, 429])
  clock.now += 1500
  assert.equal(replyHeader(headersOf(await get('/acme')), 'retry-after'), '59')
  clock.now += 58_500
  assert.deepEqual(await statuses(['/acme/guide/index.md', '/', '/acme/guide/-/colors']), [200, 200, 429])
  clock.now += 60_000
  const drafts = ['/acme/guide/-/draft', '/acme/guide/-/draft/-/search', '/acme/guide/-/draft/logo']
  assert.deepEqual(await statuses(drafts), [404, 404, 429])
})

for (const list of ['/acme/guide/-/files', '/acme/guide/-/files/documents', '/acme/guide/-/files.css'])
  test(`${list} counts with each filter`, async () => {
    const { statuses } = await limitedService()
    const [, , refused] = await statuses([1, 2, 3].map(width => `${list}?minWidth=${width}`))
    assert.equal(refused, 429)
  })

test('methods that an address refuses count like a page, so that they are limited too; OPTIONS never counts', async () => {
  for (const path of ['/acme/guide', '/acme/guide/-/search?q=logo', '/nothing/here', '/'])
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE']) {
      const { get } = await limitedService()
      const send = (by: string) => get(path, undefined, BROWSER, by).then(({ status }) => status)
      assert.deepEqual([await send(method), await send('OPTIONS'), await send(method)], [405, 204, 405], path)
      assert.equal(await send(method), 429, `${method} ${path}`)
      assert.equal(await send('OPTIONS'), 204)
    }
})

test('above the limit, a browser gets a styled page and a program the API’s error; neither is cached', async () => {
  const { get, statuses } = await limitedService()
  await statuses(['/acme/guide', '/acme/guide'])
  const page = await get('/acme/guide')
  assert.match(
    textOf(page),
    /<link rel="stylesheet" href="\/assets\/[^"]+">.*<h1>Too many requests<\/h1>.*Wait 60 seconds/s,
  )
  assert.match(replyHeader(page.headers, 'content-type') ?? '', /^text\/html/)
  const error = await get('/acme/guide/-/search', undefined, { accept: 'application/json' })
  assert.equal(JSON.parse(textOf(error)).error, 'too_many_requests')
  for (const each of [page, error])
    assert.deepEqual(
      [each.status, ...['retry-after', 'cache-control', 'vary'].map(name => replyHeader(headersOf(each), name))],
      [429, '60', 'no-store', 'Accept'],
    )
})

test('each address is counted separately, and the addresses of an IPv6 network together', async () => {
  const { statuses } = await limitedService()
  const twice = ['/acme/guide', '/acme/guide']
  assert.deepEqual(await statuses(twice, '192.0.2.1'), [200, 200])
  assert.deepEqual(await statuses(twice, '192.0.2.2'), [200, 200])
  assert.deepEqual(await statuses(twice, '2001:db8::1'), [200, 200])
  assert.deepEqual(await statuses(twice, '2001:db8::ffff:2'), [429, 429])
  assert.deepEqual(await statuses(twice, '2001:db8:0:1::1'), [200, 200])
})

test('files, style sheets, the API and the addresses of the service itself do not count', async () => {
  const { get, statuses } = await limitedService()
  const links = textOf(await get('/acme/guide'))
  const file = /\/acme\/guide\/-\/files\/[^"]+/.exec(links)?.[0] ?? ''
  const sheet = /\/assets\/[^"]+/.exec(links)?.[0] ?? ''
  const free = [file, sheet, '/acme/guide/-/files.zip', '/robots.txt', '/healthz', '/metrics', '/openapi.json']
  assert.deepEqual(await statuses([...free, ...free]), Array(2 * free.length).fill(200))
  assert.equal((await get('/beta/workspace/acme')).status, 401)
  assert.equal((await get('/acme/guide', undefined, BROWSER, 'OPTIONS')).status, 204)
  assert.deepEqual(await statuses(['/nothing/here', '/acme/guide']), [404, 429])
  assert.deepEqual(await statuses(free), Array(free.length).fill(200))
})

test('through --limits, processes share the public limit', REDIS, async () => {
  const server = await startRedis()
  temporary.beforeEnd(server.stop)
  const flags = { limits: server.url, ratePublic: '2/60', trustedProxies: '127.0.0.1' }
  const [one, other] = [await runningService(temporary, flags), await runningService(temporary, flags)]
  const ask = async ({ url }: { url: string }, from: string) =>
    (await fetch(`${url}/acme/guide`, { headers: { 'x-forwarded-for': from } })).status
  assert.deepEqual([await ask(one, '192.0.2.7'), await ask(other, '192.0.2.7')], [200, 200])
  assert.deepEqual([await ask(one, '192.0.2.7'), await ask(other, '192.0.2.7')], [429, 429])
  assert.equal(await ask(one, '192.0.2.8'), 200)
})
