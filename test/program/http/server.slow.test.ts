import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { REFUSALS, type RefusalId } from '#brand/contract/refusals.ts'
import type { Request } from '#platform/exchange/message.ts'
import { text } from '#platform/exchange/reply.ts'
import { listen } from '#program/http/server.ts'
import { assertAnswer, runningService, silent } from '../../support/service.ts'
import { exchange, type RawReply, requestText, type Sending } from '../../support/socket.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const { token } = await temporary.issue('acme')
const { url, port } = await runningService(temporary)
const bearer = `Authorization: Bearer ${token}`
const workspace = '/beta/workspace/acme'
const page = `${workspace}/project/guidelines/page`

/** Checks that a reply has the form of the API, and that a refusal has the common error body. */
function assertForm({ status, fields, body }: RawReply): void {
  const headers = new Headers(fields.map(([name, value]): [string, string] => [name, value]))
  assert.match(headers.get('x-request-id') ?? '', /^[\w-]+$/)
  assert.ok(headers.has('date'))
  assertAnswer('', 'GET', { status, headers, text: body })
  if (status < 400) return
  assert.equal(headers.get('content-type'), 'application/json')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(JSON.parse(body).error_uri, new RegExp(`^${url}/docs#`))
}

function assertRefused(reply: RawReply | undefined, id: RefusalId): void {
  assert.ok(reply)
  assertForm(reply)
  const { status, error, description } = REFUSALS[id]
  assert.equal(reply.status, status)
  const { error: code, error_description: text } = JSON.parse(reply.body)
  assert.deepEqual([code, text], [error, description])
}

type Case = readonly [what: string, bytes: string | readonly string[], id: RefusalId, sending?: Sending]

test('the host of a target in the absolute form counts instead of the Host field', async t => {
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined })
  t.after(() => server.stop())
  const answer = ({ headers }: Request) => text(`${headers.host}`)
  server.answerWith(answer, 'http://brand.test')
  const replies = await exchange(server.port, requestText('GET http://guide.test:80/logo') + requestText('GET /logo'))
  const bodies = replies.map(({ body }) => body)
  assert.deepEqual(bodies, ['guide.test:80', 'brand.test'])
})

const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
const CHUNKED = ['Transfer-Encoding: chunked']

const REFUSED: Case[] = [
  ['an invalid request line', 'hello\r\n\r\n', 'malformed-http'],
  ['an empty method', ' / HTTP/1.1\r\nHost: a\r\n\r\n', 'malformed-http'],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 'malformed-http'],
  ['a lower-case method', 'get / HTTP/1.1\r\nHost: a\r\n\r\n', 'malformed-http'],
  ['a request of HTTP/0.9', 'GET /\r\n\r\n', 'malformed-http'],
  ['another version', 'GET / HTTP/3.7\r\nHost: a\r\n\r\n', 'malformed-http'],
  ['HTTP/2.0 in a request line', requestText('GET /').replace('HTTP/1.1', 'HTTP/2.0'), 'malformed-http'],
  ['HTTP/0.9 in a request line', requestText('GET /').replace('HTTP/1.1', 'HTTP/0.9'), 'malformed-http'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'malformed-http'],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'malformed-http'],
  ['a target with a user', requestText('GET http://guide.test@brand.test/'), 'malformed-http'],
  ['a field without a colon', requestText('GET /', ['nothing']), 'malformed-http'],
  ['a space before a colon', requestText('GET /', ['X : y']), 'malformed-http'],
  ['a field name with a space', requestText('GET /', ['X Y: z']), 'malformed-http'],
  ['a folded field', requestText('GET /', ['X: y', ' z']), 'malformed-http'],
  ['a NUL in a field', requestText('GET /', ['X: \0']), 'malformed-http'],
  ['a bare CR in a field', requestText('GET /', ['X: a\rb']), 'malformed-http'],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 'malformed-http'],
  ['two Hosts', requestText('GET /', ['Host: other.test']), 'malformed-http'],
  ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 'malformed-http'],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 'malformed-http'],
  ['a target without a slash', requestText('GET beta'), 'malformed-target'],
  ['raw UTF-8 in the path, which must be percent-encoded', requestText(`GET ${page}/\xe8\x89\xb2`), 'malformed-target'],
  ['a target of another scheme', requestText('GET ftp://brand.test/'), 'malformed-http'],
  ['GET *', requestText('GET *'), 'malformed-http'],
  ['CONNECT', 'CONNECT brand.test:443 HTTP/1.1\r\nHost: brand.test:443\r\n\r\n', 'malformed-http'],
  ['CONNECT and more', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n\x16\x03\x01 more', 'malformed-http'],
  [
    'compressed content in chunks, which is not supported',
    requestText('POST /', ['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
    'malformed-http',
  ],
  ['two lengths', requestText('POST /', ['Content-Length: 1', 'Content-Length: 2'], 'xx'), 'malformed-http'],
  ['an invalid length', requestText('POST /', ['Content-Length: -1']), 'malformed-http'],
  ['a length and chunks', requestText('POST /', ['Content-Length: 5', ...CHUNKED], '0\r\n\r\n'), 'malformed-http'],
  ['chunks and a length', requestText('POST /', [...CHUNKED, 'Content-Length: 5'], '0\r\n\r\n'), 'malformed-http'],
  ['invalid chunks', requestText(`GET ${workspace}`, CHUNKED, 'zz\r\n'), 'malformed-http'],
  ['an unknown transfer coding', requestText('POST /', ['Transfer-Encoding: gzip'], 'x'), 'malformed-http'],
  ['an incomplete request', 'GET / HTTP/1.1\r\nHost: a\r\nX: ', 'malformed-http', {}],
  ['an incomplete body', requestText(`GET ${workspace}`, ['Content-Length: 9'], 'x'), 'malformed-http', {}],
  [
    'an upgrade with an incomplete body',
    requestText('GET /', [...CHUNKED, 'Connection: Upgrade', 'Upgrade: x']),
    'malformed-http',
    {},
  ],
  ['a target of 9 KiB', requestText(`GET /${'a'.repeat(9 << 10)}`), 'target-too-long'],
  ['a target of 30 KiB', requestText(`GET /beta?${'a'.repeat(30 << 10)}`), 'target-too-long'],
  ['a target of 200 KiB', requestText(`GET /${'a'.repeat(200 << 10)}`), 'target-too-long'],
  ['a field of 17 KiB', requestText('GET /', [`X: ${'a'.repeat(17 << 10)}`]), 'headers-too-large'],
  ['a field of 200 KiB', requestText('GET /', [`X: ${'a'.repeat(200 << 10)}`]), 'headers-too-large'],
  ['3000 fields', requestText('GET /', Array(3000).fill('X: a')), 'headers-too-large'],
  ['a body of 65537 bytes', requestText('GET /', ['Content-Length: 65537'], 'x'.repeat(65_537)), 'body-too-large'],
  ['a body of 1 TiB', requestText('GET /', ['Content-Length: 1099511627776'], 'x'), 'body-too-large'],
  ['chunks of 96 KiB', requestText('GET /', CHUNKED, `${chunk.repeat(3)}0\r\n\r\n`), 'body-too-large'],
  ['chunks of 3 MiB', [requestText('GET /', CHUNKED), ...Array(96).fill(chunk), '0\r\n\r\n'], 'body-too-large'],
]

/**
 * HTTP/1.0 requests with keep-alive and chunks, which HTTP/1.0 does not have: the smuggled request is after the body
 * (RFC 9112 §6.1).
 */
const CHUNKED_1_0 = requestText('POST /nothing', ['Connection: keep-alive', ...CHUNKED]).replace('HTTP/1.1', 'HTTP/1.0')
const SMUGGLED = requestText(`GET ${workspace}`, [bearer])

for (const [what, body] of [
  ['chunks and another request', `1\r\nx\r\n0\r\n\r\n${SMUGGLED}`],
  ['another request where its chunks should be', SMUGGLED],
  ['no end', '8\r\nx'],
] as const)
  REFUSED.push([`a chunked body of HTTP/1.0 with ${what}`, [CHUNKED_1_0, body], 'malformed-http'])

// All at once, because the service waits two seconds before it closes a connection whose client still sends.
for (const [what, bytes, id, sending = { keepOpen: true }] of REFUSED) {
  const exchanged = exchange(port, bytes, sending)
  test(`${what} gets ${REFUSALS[id].status} in the form of the API, and the connection is closed`, async () => {
    const replies = await exchanged
    assert.equal(replies.length, 1)
    assertRefused(replies[0], id)
    assert.ok(replies[0]?.fields.some(([name, value]) => name === 'Connection' && value === 'close'))
  })
}

const ANSWERED: Readonly<Record<string, readonly [bytes: string, statuses: readonly number[], sending?: Sending]>> = {
  'a token': [requestText(`GET ${workspace}`, [bearer]), [200]],
  'a token under a lower-case scheme and name': [
    requestText(`GET ${workspace}`, [`authorization: bearer ${token}`]),
    [200],
  ],
  'two Authorization fields': [requestText(`GET ${workspace}`, [bearer, bearer]), [401]],
  'two Authorization fields, 2500 fields apart': [
    requestText(`GET ${workspace}`, [bearer, ...Array(2500).fill('X:'), bearer]),
    [401],
  ],
  'a token over 8 KiB': [requestText(`GET ${workspace}`, [`Authorization: Bearer ${'a'.repeat(8193)}`]), [401]],
  'the absolute form': [requestText(`GET http://brand.test${workspace}`, [bearer]), [200]],
  'the absolute form of another host': [
    requestText(`GET HTTPS://elsewhere.test:8443${workspace}?x=/`, [bearer]),
    [200],
  ],
  'the absolute form without a path': [requestText('GET http://brand.test'), [200]],
  'OPTIONS *': [requestText('OPTIONS *'), [204]],
  TRACE: [requestText(`TRACE ${workspace}`), [405]],
  'HTTP/1.0 without Host': [`GET ${workspace} HTTP/1.0\r\n${bearer}\r\n\r\n`, [200]],
  'an empty Host': [`GET ${workspace} HTTP/1.1\r\nHost:\r\n${bearer}\r\n\r\n`, [200]],
  'an IPv6 Host': [`GET ${workspace} HTTP/1.1\r\nHost: [::1]:80\r\n${bearer}\r\n\r\n`, [200]],
  'a body of 64 KiB': [requestText(`GET ${workspace}`, [bearer, 'Content-Length: 65536'], 'x'.repeat(65_536)), [200]],
  'chunks of 64 KiB': [requestText(`GET ${workspace}`, [bearer, ...CHUNKED], `${chunk.repeat(2)}0\r\n\r\n`), [200]],
  'Expect: 100-continue': [
    requestText(`GET ${workspace}`, [bearer, 'Content-Length: 1', 'Expect: 100-continue'], 'x'),
    [200],
  ],
  'Expect: 100-continue behind a slower request': [
    requestText('GET /nothing') + requestText('GET /nowhere', ['Expect: 100-continue']),
    [404, 404],
  ],
  'another expectation': [requestText(`GET ${workspace}`, [bearer, 'Expect: nothing']), [200]],
  'an upgrade to a WebSocket': [
    requestText(`GET ${workspace}`, [bearer, 'Connection: Upgrade', 'Upgrade: websocket']),
    [200],
  ],
  'an upgrade to h2c': [
    requestText(`GET ${workspace}`, [bearer, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c']),
    [200],
  ],
  'an empty line first': [`\r\n${requestText(`GET ${workspace}`, [bearer])}`, [200]],
  'five requests at once': [
    ['', '/projects', '/nothing', '/', '/project/guidelines']
      .map(path => requestText(`GET ${workspace}${path}`, [bearer]))
      .join(''),
    [200, 200, 404, 400, 200],
  ],
  'a request and then nonsense': [`${requestText(`GET ${page}/index`, [bearer])}nonsense\r\n\r\n`, [200, 400]],
  'a request and then CONNECT': [
    `${requestText(`GET ${workspace}`, [bearer])}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`,
    [200, 400],
  ],
  'two slower requests, and then invalid chunks': [
    requestText('GET /nothing', ['TE: trailers']).repeat(2) + requestText('POST /', CHUNKED, 'zz\r\n'),
    [404, 404, 400],
  ],
  'a refused request and then nonsense': [`${requestText('GET *')}nonsense\r\n\r\n`, [400]],
  'the last request of a connection and then nonsense': [
    `${requestText('GET /nothing', ['Connection: close'])}nonsense\r\n\r\n`,
    [404],
  ],
  'a refused request and then another': [requestText('GET nothing') + requestText('GET /'), [400]],
}

test('bytes after a request for another protocol are not read, even if they look like a request', async () => {
  const inner = requestText('GET /nothing')
  const upgrade = requestText(`GET ${workspace}`, [bearer, 'Connection: Upgrade', 'Upgrade: h2c'])
  const post = requestText('POST /oauth/token', [`Content-Length: ${inner.length}`])
  const replies = await exchange(port, [requestText('GET /nothing') + upgrade + post, inner], {
    pauseMs: 100,
    keepOpen: true,
  })
  const statuses = replies.map(({ status }) => status)
  assert.deepEqual(statuses, [404, 200])
  const closing = replies.map(({ fields }) =>
    fields.some(([name, value]) => name === 'Connection' && value === 'close'),
  )
  assert.deepEqual(closing, [false, true])
})

for (const [what, [bytes, statuses]] of Object.entries(ANSWERED))
  test(`${what} gets ${statuses.join(', ')}`, async () => {
    const replies = await exchange(port, bytes)
    const seen = replies.map(({ status }) => status)
    assert.deepEqual(seen, statuses)
    for (const reply of replies) assertForm(reply)
  })

test('HEAD gives the fields of GET, including its length, and no body', async () => {
  for (const target of [workspace, '/healthz', '/nothing', '/beta/']) {
    const [got] = await exchange(port, requestText(`GET ${target}`, [bearer]))
    const [head] = await exchange(port, requestText(`HEAD ${target}`, [bearer]), { isHead: true })
    const fields = (reply: RawReply | undefined) =>
      reply?.fields.filter(([name]) => !/^(date|x-request-id)$/i.test(name))
    assert.deepEqual([head?.status, fields(head), head?.body], [got?.status, fields(got), ''])
  }
})

test('requests after a refused one are not answered, even if they arrived together', async () => {
  const events: string[] = []
  const log = { ...silent, info: (_: unknown, message: string) => events.push(message) }
  const opened = await runningService(temporary, {}, log)
  const forged = requestText(`GET ${workspace}`, ['Authorization: Bearer forged'])
  const refused = [`${CHUNKED_1_0}0\r\n\r\n`, requestText('GET *'), requestText('GET /', ['Host: b'])]
  const exchanges = refused.map(each => exchange(opened.port, `${each}${forged}${forged}`))
  for (const replies of await Promise.all(exchanges)) assert.equal(replies.length, 1)
  assert.deepEqual(events, [])
  await exchange(opened.port, forged)
  assert.deepEqual(events, ['token-refused'])
})

test('a request that comes in single bytes is answered', async () => {
  const [reply] = await exchange(port, [...requestText('GET /healthz')], { pauseMs: 1 })
  assert.deepEqual([reply?.status, reply?.body], [200, 'ok\n'])
})

test('every reply has its own request id', async () => {
  const replies = await exchange(port, requestText('GET /healthz').repeat(20))
  const ids = replies.map(({ fields }) => fields.find(([name]) => name === 'X-Request-Id')?.[1])
  assert.equal(new Set(ids).size, 20)
})

test('a client that disconnects at any point does not disturb the service', async () => {
  for (const bytes of [
    'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
    'nonsense\r\n\r\n',
    requestText('GET /', CHUNKED, chunk),
  ])
    await new Promise<void>(resolve => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        socket.write(bytes)
        socket.once('data', () => socket.resetAndDestroy())
        setTimeout(() => socket.resetAndDestroy(), 50)
      })
      socket.once('close', () => resolve())
      socket.once('error', () => undefined)
    })
  const [reply] = await exchange(port, requestText('GET /healthz'))
  assert.equal(reply?.status, 200)
})

test('a service on a name below localhost listens on this machine', async () => {
  const local = await runningService(temporary, { host: 'brand.localhost' })
  assert.equal(local.url, `http://brand.localhost:${local.port}`)
  assert.equal((await fetch(`http://localhost:${local.port}/healthz`)).status, 200)
  await local.stop()
})

test('a file that the store has lost gets 503 in the form of the API, without its location', async () => {
  const [list] = await exchange(port, requestText(`GET ${workspace}/project/guidelines/files`, [bearer]))
  const { pathname } = new URL(JSON.parse(list?.body ?? '').files[0].url)
  const folder = join(temporary.data, 'files/acme')
  for (const part of await readdir(folder)) await rm(join(folder, part), { recursive: true })
  const [reply] = await exchange(port, requestText(`GET ${pathname}`))
  assertRefused(reply, 'unavailable')
})
