import assert from 'node:assert/strict'
import test from 'node:test'
import { HousestyleError } from '../../client/src/error.ts'
import { get } from '../../client/src/get.ts'
import { scriptedServer, testPlatform } from './platform.ts'

const textOf = (response: Response) => response.text()

for (const status of [408, 429, 500, 503]) {
  test(`a request that gets ${status} twice is repeated after longer and longer pauses`, async () => {
    const platform = testPlatform()
    const { url } = await scriptedServer((response, _, count) =>
      response.writeHead(count < 3 ? status : 200).end('all'),
    )
    assert.equal(await get(platform, { url }, textOf), 'all')
    assert.deepEqual(platform.pauses, [375, 750])
  })
}

for (const status of [400, 401, 403, 404]) {
  test(`a request that gets ${status} is not repeated`, async () => {
    const { url, requests } = await scriptedServer(response => response.writeHead(status).end())
    await assert.rejects(get(testPlatform(), { url }, textOf), { status, code: `http_${status}` })
    assert.equal(requests.length, 1)
  })
}

test('a third temporary error is thrown', async () => {
  const { url, requests } = await scriptedServer(response => response.writeHead(502).end('<h1>Bad gateway</h1>'))
  await assert.rejects(get(testPlatform(), { url }, textOf), { name: 'HousestyleError', status: 502, code: 'http_502' })
  assert.equal(requests.length, 3)
})

for (const [retryAfter, pauses] of [
  ['7', [7000]],
  ['Thu, 01 Jan 2026 00:00:05 GMT', [5000]],
  ['Wed, 31 Dec 2025 23:59:00 GMT', [0]],
  ['soon', [375]],
] as const) {
  test(`Retry-After: ${retryAfter} gives a pause of ${pauses[0]} ms`, async () => {
    const platform = testPlatform()
    const { url } = await scriptedServer((response, _, count) =>
      response.writeHead(count < 2 ? 503 : 200, { 'retry-after': retryAfter }).end(),
    )
    await get(platform, { url }, textOf)
    assert.deepEqual(platform.pauses, pauses)
  })
}

test('a request is not repeated if Retry-After is longer than a minute', async () => {
  const { url, requests } = await scriptedServer(response => response.writeHead(429, { 'retry-after': '61' }).end())
  await assert.rejects(get(testPlatform(), { url }, textOf), { status: 429, retryAfterSeconds: 61 })
  assert.equal(requests.length, 1)
})

test('a request whose connection is lost, also within the body, is repeated', async () => {
  const { url, requests } = await scriptedServer((response, _, count) => {
    if (count === 1) response.destroy()
    else if (count === 2) response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy())
    else response.end('all')
  })
  assert.equal(await get(testPlatform(), { url }, textOf), 'all')
  assert.equal(requests.length, 3)
})

test('an unreachable service gives network_error with its cause', async () => {
  const { url, stop } = await scriptedServer(response => response.end())
  await stop()
  const error = await get(testPlatform(), { url }, textOf).catch(error => error)
  assert.ok(error instanceof HousestyleError)
  assert.deepEqual([error.status, error.code], [0, 'network_error'])
  assert.match(error.message, /^cannot get http:\S+: network_error: .*ECONNREFUSED.*\. Check the address/)
  assert.ok(error.cause instanceof TypeError)
})

test('each attempt has the time limit, after which the error is timeout', async () => {
  const { url, requests } = await scriptedServer(() => undefined)
  await assert.rejects(get(testPlatform(50), { url }, textOf), { status: 0, code: 'timeout' })
  assert.equal(requests.length, 3)
})

test('an aborted request throws the reason of its signal and is not repeated', async () => {
  const controller = new AbortController()
  const { url, requests } = await scriptedServer(() => controller.abort(new Error('left')))
  await assert.rejects(get(testPlatform(), { url, signal: controller.signal }, textOf), { message: 'left' })
  assert.equal(requests.length, 1)
})

test('a request with a token follows redirects within its origin', async () => {
  const { url, requests } = await scriptedServer((response, { url }) => {
    if (url === '/new') response.end('all')
    else response.writeHead(308, { location: url === '/' ? '/old' : 'new' }).end()
  })
  assert.equal(await get(testPlatform(), { url, token: 'secret' }, textOf), 'all')
  const authorizations = requests.map(({ headers }) => headers.authorization)
  assert.deepEqual(authorizations, Array(3).fill('Bearer secret'))
})

test('a request with a token does not follow a redirect to another origin', async () => {
  const other = await scriptedServer(response => response.end('stolen'))
  const { url } = await scriptedServer(response => response.writeHead(302, { location: `${other.url}/x` }).end())
  const error = await get(testPlatform(), { url, token: 'secret' }, textOf).catch(error => error)
  assert.deepEqual([error.status, error.code], [302, 'redirect'])
  assert.match(error.message, new RegExp(`redirect to ${other.url}, where the token must not go. Set baseUrl`))
  assert.equal(other.requests.length, 0)
})

test('a request with a token does not follow redirects in a circle', async () => {
  const { url, requests } = await scriptedServer(response => response.writeHead(302, { location: '/' }).end())
  await assert.rejects(get(testPlatform(), { url, token: 'secret' }, textOf), { code: 'redirect' })
  assert.equal(requests.length, 6)
})
