import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { OutgoingError, type OutgoingFetch, trustedFetch, untrustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { withTrace } from '#platform/telemetry/trace-context.ts'
import { makeCertificate, OPENSSL, secureServer, trustCertificate } from '../../support/certificate.ts'
import { freePort, listeningPort } from '../../support/free-port.ts'
import { localServer } from '../../support/local-server.ts'

const fetchTrusted = trustedFetch()

/** Echoes a request as JSON, for `readEcho`. */
const echo: RequestListener = async (request, response) => {
  const body = (await request.setEncoding('utf8').toArray()).join('')
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
}

async function readEcho(asking: Promise<Response>) {
  return JSON.parse(await (await asking).text())
}

async function errorOf(asking: Promise<Response>): Promise<OutgoingError> {
  const error = await asking.then(
    () => undefined,
    error => error,
  )
  assert.ok(error instanceof OutgoingError, String(error))
  return error
}

async function assertFails(asking: Promise<Response>, code: string, message: string): Promise<void> {
  const error = await errorOf(asking)
  assert.deepEqual({ code: error.code, message: error.message }, { code, message })
}

test('GET and POST send their fields and every kind of body, without cookies and compression', async () => {
  const { url } = await localServer(echo)
  const got = await readEcho(fetchTrusted(`${url}/a?b=c#d`, { headers: { accept: 'text/x', 'user-agent': '' } }))
  const { host, ...fields } = got.headers
  assert.deepEqual(
    { ...got, headers: fields },
    {
      method: 'GET',
      url: '/a?b=c',
      headers: { accept: 'text/x', 'user-agent': '', 'accept-encoding': 'identity', connection: 'close' },
      body: '',
    },
  )
  assert.equal(`http://${host}`, url)
  for (const [body, type] of [
    ['grant=ü', 'text/plain;charset=UTF-8'],
    [new TextEncoder().encode('grant=ü'), undefined],
    [new URLSearchParams({ grant: 'ü' }), 'application/x-www-form-urlencoded;charset=UTF-8'],
  ] as const) {
    const posted = await readEcho(fetchTrusted(new URL(url), { method: 'POST', body }))
    const text = body instanceof Uint8Array ? 'grant=ü' : String(body)
    const { 'content-type': sentType, 'content-length': length, 'user-agent': agent } = posted.headers
    assert.deepEqual([posted.method, posted.body, sentType, agent], ['POST', text, type, 'housestyle'])
    assert.equal(length, String(Buffer.byteLength(text)))
  }
})

test('a reply is a standard Response with status, fields and body', async () => {
  const { url } = await localServer((request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    if (request.url === '/none') response.writeHead(204).end()
    else response.writeHead(404, 'Not Here', { 'content-type': 'application/json' }).end('{"a":"ü"}')
  })
  const reply = await fetchTrusted(url)
  assert.deepEqual([reply.status, reply.ok, reply.headers.get('content-type')], [404, false, 'application/json'])
  assert.deepEqual(reply.headers.getSetCookie(), ['a=1', 'b=2'])
  assert.deepEqual(await reply.json(), { a: 'ü' })
  const empty = await fetchTrusted(`${url}/none`)
  assert.deepEqual([empty.status, empty.body], [204, null])
})

test('a redirect is never followed: it fails, or is returned with manual', async () => {
  const asked: string[] = []
  const { url } = await localServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const message = `cannot ask ${url}/from: it answered 302, and redirects are not followed`
  await assertFails(fetchTrusted(`${url}/from?code=secret`), 'outgoing_redirected', message)
  await assertFails(fetchTrusted(`${url}/from`, { redirect: 'error' }), 'outgoing_redirected', message)
  const reply = await fetchTrusted(`${url}/from`, { redirect: 'manual' })
  assert.deepEqual([reply.status, reply.headers.get('location')], [302, '/elsewhere'])
  assert.deepEqual(asked, ['/from?code=secret', '/from', '/from'])
})

for (const [what, listener, code, why] of [
  [
    'is too large',
    (_, response) => response.end('x'.repeat(1001)),
    'outgoing_reply_too_large',
    'it answered with more than 1000 bytes',
  ],
  [
    'is compressed',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    'outgoing_reply_invalid',
    'its body has the coding gzip',
  ],
  [
    'has an invalid status',
    (_, response) => response.writeHead(600).end(),
    'outgoing_reply_invalid',
    'it answered 600',
  ],
  [
    'changes the protocol',
    (_, response) => response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end(),
    'outgoing_unreachable',
    'the connection failed (it was closed without a reply)',
  ],
  [
    'ends early',
    (_, response) => response.writeHead(200, { 'content-length': '9' }).write('x', () => response.destroy()),
    'outgoing_unreachable',
    'the connection failed (ECONNRESET)',
  ],
] as const satisfies readonly [string, RequestListener, string, string][]) {
  test(`a reply that ${what} fails with its cause`, async () => {
    const { url } = await localServer(listener)
    await assertFails(trustedFetch({ maxBytes: 1000 })(`${url}/x?token=secret`), code, `cannot ask ${url}/x: ${why}`)
  })
}

test('a reply whose body does not matter may be large, coded or without end', async () => {
  const listeners: RequestListener[] = [
    (_, response) => response.writeHead(202, { 'retry-after': '7', 'content-encoding': 'gzip' }).end('x'),
    (_, response) => response.writeHead(202, { 'retry-after': '7' }).end(Buffer.alloc(1 << 20)),
    (_, response) => response.writeHead(202, { 'retry-after': '7' }).write('x'),
  ]
  for (const listener of listeners) {
    const { url } = await localServer(listener)
    const response = await trustedFetch({ ignoresBody: true, maxBytes: 1000 })(url, { method: 'POST', body: 'x' })
    const { status, headers } = response
    assert.deepEqual([status, headers.get('retry-after'), await response.text()], [202, '7', ''])
  }
})

test('the size limit counts what arrives, so a reply without an end is cut off', async () => {
  const { promise: isClosed, resolve } = Promise.withResolvers<void>()
  const { url } = await localServer((_, response) => {
    response.once('close', resolve)
    const write = () => response.write('x'.repeat(1 << 16)) && setImmediate(write)
    response.on('drain', write)
    write()
  })
  assert.equal((await errorOf(fetchTrusted(url))).code, 'outgoing_reply_too_large')
  await isClosed
})

test('the time limit covers name, connection, fields and body', async () => {
  const hang = () => new Promise<never>(() => undefined)
  const silent = createServer()
  after(() => silent.close())
  const port = await listeningPort(silent)
  const { url: slow } = await localServer((_, response) => response.writeHead(200).write('x'))
  for (const asking of [
    trustedFetch({ maxMs: 50, resolve: hang })('https://login.example.com/keys'),
    trustedFetch({ maxMs: 50 })(`https://127.0.0.1:${port}/keys`),
    trustedFetch({ maxMs: 50 })(`http://127.0.0.1:${port}/keys`),
    trustedFetch({ maxMs: 50 })(`${slow}/keys`),
  ]) {
    const { code, message } = await errorOf(asking)
    assert.equal(code, 'outgoing_timeout')
    assert.match(message, /^cannot ask http\S+\/keys: there was no complete reply within 50 ms$/)
  }
})

test('a signal cancels a request, before and while it is under way', async () => {
  const { promise: request, resolve } = Promise.withResolvers<IncomingMessage>()
  const { url } = await localServer(resolve)
  const controller = new AbortController()
  const asking = fetchTrusted(url, { signal: controller.signal })
  const { socket } = await request
  controller.abort()
  await assertFails(asking, 'outgoing_aborted', `cannot ask ${url}/: the request was cancelled`)
  if (!socket.closed) await once(socket, 'close')
  await assertFails(
    fetchTrusted(url, { signal: controller.signal }),
    'outgoing_aborted',
    `cannot ask ${url}/: the request was cancelled`,
  )
})

test('a failed connection names its cause, and an unknown name too', async () => {
  const port = await freePort()
  const message = `cannot ask http://127.0.0.1:${port}/: the connection failed (ECONNREFUSED)`
  await assertFails(fetchTrusted(`http://127.0.0.1:${port}`), 'outgoing_unreachable', message)
  const cannot = 'cannot ask https://login.example.com/'
  const unknown = `${cannot}: its host name has no address: check its spelling, and the DNS of this machine`
  const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND'))
  await assertFails(trustedFetch({ resolve })('https://login.example.com'), 'outgoing_name_unknown', unknown)
  const again = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
  const silent = `${cannot}: DNS does not answer for its host name: check the name servers of this machine, and try again`
  const unanswered = trustedFetch({ resolve: () => Promise.reject(again) })
  await assertFails(unanswered('https://login.example.com'), 'outgoing_name_unknown', silent)
  const none = trustedFetch({ resolve: async () => [] })
  await assertFails(none('https://login.example.com'), 'outgoing_name_unknown', unknown)
})

test('the trace of the current request is passed on', async () => {
  const { url } = await localServer(echo)
  const trace = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentId: '00f067aa0ba902b7',
    isSampled: true,
    state: '',
  }
  const { headers } = await withTrace(trace, () => readEcho(fetchTrusted(url)))
  assert.equal(headers.traceparent, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')
})

const PUBLIC_URL = 'https://brand.example.com'
const strict = untrustedFetch({ allow: [], publicUrl: PUBLIC_URL })

for (const [what, fetch, address, why] of [
  ['http elsewhere', fetchTrusted, 'http://login.example.com/a?b', 'the address is not https'],
  ['http from an outsider', strict, 'http://127.0.0.1/a?b', 'the address is not https'],
  ['a file', fetchTrusted, 'file:///a?b', 'the address is not https'],
  ['a password', strict, 'https://me:secret@a.example/a?b', 'the address contains a user name or password: remove it'],
] as const satisfies readonly [string, OutgoingFetch, string, string][]) {
  test(`an address with ${what} is invalid`, async () => {
    const { protocol, host } = new URL(address)
    await assertFails(fetch(address), 'outgoing_address_invalid', `cannot ask ${protocol}//${host}/a: ${why}`)
  })
}

test('a string that is not a URL is invalid, and not repeated', async () => {
  await assertFails(strict('/keys?secret'), 'outgoing_address_invalid', 'cannot ask this address: it is not a URL')
})

/** Finds these addresses for any name, one list for each call. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const resolve = async (name: string) => {
    const addresses = answers[asked.length] ?? []
    asked.push(name)
    return addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { asked, resolve }
}

const FORBIDDEN =
  'its host is private, special or this service itself; the operator can permit networks with --outgoing-allow'

test('an outsider cannot name this machine in any notation, and no connection is made', async () => {
  const connections: unknown[] = []
  const server = createServer(socket => connections.push(socket.destroy()))
  after(() => server.close())
  const port = await listeningPort(server, { host: '::' })
  for (const host of ['127.0.0.1', '127.1', '0x7f.1', '0177.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0']) {
    const url = new URL(`https://${host}:${port}/a?secret`)
    await assertFails(strict(url), 'outgoing_address_forbidden', `cannot ask ${url.origin}/a: ${FORBIDDEN}`)
  }
  await assertFails(
    strict(`https://localhost:${port}/`),
    'outgoing_address_forbidden',
    `cannot ask https://localhost:${port}/: ${FORBIDDEN}`,
  )
  assert.deepEqual(connections, [])
})

test('a name with a public and a forbidden address is forbidden; only the cause names the address', async () => {
  const { resolve } = resolver(['8.8.8.8', '2600::1', '10.0.0.7'])
  const error = await errorOf(untrustedFetch({ allow: [], publicUrl: PUBLIC_URL }, { resolve })('https://a.example/b'))
  assert.equal(error.code, 'outgoing_address_forbidden')
  assert.equal(error.message, `cannot ask https://a.example/b: ${FORBIDDEN}`)
  assert.equal(error.cause instanceof Error && error.cause.message, 'a.example is 10.0.0.7')
})

const tls = OPENSSL
const certificate = tls.skip ? undefined : await makeCertificate('DNS:client.test', 'IP:127.0.0.1')

const LOOPBACK_2 = [{ address: '127.0.0.2', prefix: 32, family: 'ipv4' }] as const

test('the connection uses the checked address, even if the name changes its address (DNS rebinding)', tls, async () => {
  assert.ok(certificate)
  trustCertificate(certificate)
  const attacked: unknown[] = []
  const port = await secureServer(certificate, echo, { host: '127.0.0.2' })
  await secureServer(certificate, request => attacked.push(request), { port })
  const { asked, resolve } = resolver(['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1'])
  const fetch = untrustedFetch({ allow: LOOPBACK_2, publicUrl: PUBLIC_URL }, { resolve })
  const reply = await readEcho(fetch(`https://client.test:${port}/metadata.json`))
  assert.equal(reply.headers.host, `client.test:${port}`)
  assert.deepEqual(asked, ['client.test'])
  const again = await errorOf(fetch(`https://client.test:${port}/metadata.json`))
  assert.equal(again.code, 'outgoing_address_forbidden')
  assert.deepEqual(attacked, [])
})

test('if one of several addresses does not answer, the next one is asked', tls, async () => {
  assert.ok(certificate)
  trustCertificate(certificate)
  const port = await secureServer(certificate, echo)
  const { resolve } = resolver(['127.0.0.9', '127.0.0.1'])
  const reply = await trustedFetch({ resolve })(`https://client.test:${port}/`)
  assert.equal(reply.status, 200)
})

test('a certificate must be valid for the name', tls, async () => {
  assert.ok(certificate)
  const port = await secureServer(certificate, echo)
  const { resolve } = resolver(['127.0.0.1'], ['127.0.0.1'])
  const fetch = trustedFetch({ resolve })
  const trust = 'if its authority is private, the operator can name the file of its certificate in NODE_EXTRA_CA_CERTS'
  const unknown = `cannot ask https://client.test:${port}/: the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT); ${trust}`
  await assertFails(fetch(`https://client.test:${port}`), 'outgoing_unreachable', unknown)
  trustCertificate(certificate)
  const other = `cannot ask https://other.test:${port}/: the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)`
  await assertFails(fetch(`https://other.test:${port}`), 'outgoing_unreachable', other)
})

test('a process trusts NODE_EXTRA_CA_CERTS and ignores proxies in its environment', tls, async () => {
  assert.ok(certificate)
  const port = await secureServer(certificate, echo)
  const module = new URL('../../../src/platform/outgoing/outgoing-fetch.ts', import.meta.url)
  const program = `const { trustedFetch } = await import('${module}')
    const reply = await trustedFetch()('https://127.0.0.1:${port}/')
    console.log(reply.status)`
  const proxy = `http://127.0.0.1:${await freePort()}`
  const env = { NODE_EXTRA_CA_CERTS: certificate.path, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy, HTTP_PROXY: proxy }
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  assert.equal(stdout, '200\n')
})
