import assert from 'node:assert/strict'
import test from 'node:test'
import { fc, forAllIn } from '../../support/random.ts'
import { assertAnswer, runningService, testService } from '../../support/service.ts'
import { exchange, requestText } from '../../support/socket.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const { token } = await temporary.issue('acme')
const { text: list } = await (await testService(temporary)).ask('/beta/workspace/acme/project/guidelines/files', {
  token,
})
const fileTarget = new URL(JSON.parse(list).files[0].url).pathname

/** Valid and invalid parts of requests. */
const PARTS =
  '/ /beta /workspace /acme /project /guidelines /page /pages /logo /styles /-/ /files %2F % %00 %ff .. /. ? # * // http://x \xe8\x89\xb2'
const SEGMENTS = ['', ...PARTS.split(' '), fileTarget]
const target = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...SEGMENTS) }, fc.string({ maxLength: 6 })), {
    maxLength: 12,
  })
  .map(parts => parts.join(''))
const method = fc.oneof(
  fc.constantFrom('GET', 'OPTIONS', 'POST', 'TRACE', 'CONNECT', 'PRI', 'get'),
  fc.string({ maxLength: 4 }),
)
const FIELDS = [
  'Host: b',
  'Host:',
  `Authorization: Bearer ${token}`,
  'Authorization: x',
  'Content-Length: 3',
  'Content-Length: 1e9',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Connection: Upgrade',
  'Connection: close',
  'If-None-Match: *',
  'Accept-Encoding: br',
  'Origin: null',
  'Range: bytes=0-1',
  'Trailer: x',
]
const field = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...FIELDS) }, fc.string({ maxLength: 12 }))
const body = fc.oneof(
  fc.constantFrom('', 'abc', '3\r\nabc\r\n0\r\n\r\n', '0\r\n\r\n', 'fffffffff\r\n', '\r\n'),
  fc.string({ maxLength: 9 }),
)
const request = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(field, { maxLength: 6 })
      .chain(fields =>
        method.chain(name => target.chain(path => body.map(rest => requestText(`${name} ${path}`, fields, rest)))),
      ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes).toString('latin1')) },
)

test('for any bytes, each reply has the form of the API, none is a 5xx, and the service keeps running', async () => {
  const { port } = await runningService(temporary)
  const cut = fc.integer({ min: 0, max: 400 })
  await forAllIn(100, [fc.array(request, { minLength: 1, maxLength: 4 }), fc.option(cut)], async (requests, length) => {
    const bytes = Buffer.from(requests.join(''), 'latin1').subarray(0, length ?? undefined)
    const replies = await exchange(port, bytes)
    for (const { status, fields, body } of replies) {
      assert.ok(status >= 200 && status < 500, `${status}`)
      assertAnswer('', 'GET', {
        status,
        headers: new Headers(fields.map(([name, value]) => [name, value])),
        text: body,
      })
    }
  })
  const [reply] = await exchange(port, requestText('GET /healthz'))
  assert.equal(reply?.status, 200)
})

test('for any path and fields, the reply matches the OpenAPI document, and none is a 5xx', async () => {
  const { ask } = await testService(temporary, { cors: ['https://app.example.com'] })
  const names = ['authorization', 'accept-encoding', 'if-none-match', 'origin', 'access-control-request-method']
  const value = fc.oneof(fc.constantFrom(`Bearer ${token}`, 'br;q=x', 'gzip, *;q=0', 'W/"a", "', '*'), fc.string())
  const fields = fc.dictionary(fc.constantFrom(...names), value)
  const path = target.map(text => `/${text}`)
  await forAllIn(600, [fc.oneof(fc.constantFrom('HEAD'), method), path, fields], async (name, text, headers) => {
    const { status } = await ask(text, { method: name, headers: { authorization: `Bearer ${token}`, ...headers } })
    assert.ok(status >= 200 && status < 500, `${status}`)
  })
})
