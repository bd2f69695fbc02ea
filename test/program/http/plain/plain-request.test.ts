import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { OTHER_FIELDS, PLAIN_FIELDS, type RequestHeaders } from '#platform/exchange/request-fields.ts'
import { openBodyMemory } from '#program/http/body-memory.ts'
import { readRequest } from '#program/http/node/read-request.ts'
import { readPlain } from '#program/http/plain/plain-request.ts'

const CURL = 'GET /beta/workspace/acme HTTP/1.1\r\nHost: brand.test\r\nUser-Agent: curl/8.14.1\r\nAccept: */*\r\n'
const TOKEN = 'Authorization: Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2ln\r\n'

/** Plain requests: those of common clients, and unusual ones that all servers read in the same way. */
const PLAIN = [
  `${CURL}${TOKEN}\r\n`,
  `${CURL}Connection: keep-alive\r\n\r\n`,
  `${CURL}CONNECTION: Keep-Alive\r\nX-Own: a\r\nX-Own: b\r\n\r\n`,
  'GET / HTTP/1.1\r\nHost:\r\n\r\n'.replace('Host:', 'Host: '),
  'HEAD /a%2Fb/c;d=e?q=%20&r=/?:@ HTTP/1.1\r\nhOsT:brand.test:80\r\nIf-None-Match:   "a", W/"b"  \r\n\r\n',
  `${CURL}If-None-Match: "a"\r\n${TOKEN}\r\n`,
  `${CURL}${TOKEN}if-none-match: W/"b" , *\r\n\r\n`,
  `${CURL}If-None-Match: \r\n${TOKEN}\r\n`,
  `${CURL}Cookie: a=b; c=d\r\nOrigin: https://other.test\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n`,
  `${CURL}__proto__: x\r\nconstructor: y\r\n\r\n`,
  // Fields that differ only in one character, of which the cache makes the same number.
  ...['a', 'b', 'a'].map(name => `GET / HTTP/1.1\r\nHost: ${name}.test\r\n\r\n`),
]

/** Changes in bytes that make a request not plain. */
const NOT_PLAIN = {
  'a second request after it': `${CURL}\r\n${CURL}\r\n`,
  'bytes after it': `${CURL}\r\nx`,
  'a missing end': CURL,
  'a line that ends with only LF': `${CURL}X: y\n\r\n`,
  'a folded line': `${CURL}X: y\r\n z\r\n\r\n`,
  'a tab': `${CURL}X:\ty\r\n\r\n`,
  'a NUL': `${CURL}X: \0\r\n\r\n`,
  'bytes that are not ASCII': `${CURL}X: \xe9\r\n\r\n`,
  'a space before a colon': `${CURL}X : y\r\n\r\n`,
  'no colon': `${CURL}X\r\n\r\n`,
  'no name': `${CURL}: y\r\n\r\n`,
  'a name that is not a token': `${CURL}X(y): z\r\n\r\n`,
  'a body with a length': `${CURL}Content-Length: 0\r\n\r\n`,
  'a body of chunks': `${CURL}Transfer-Encoding: chunked\r\n\r\n`,
  'a connection that closes': `${CURL}Connection: close\r\n\r\n`,
  'another protocol': `${CURL}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'an expectation': `${CURL}Expect: 100-continue\r\n\r\n`,
  'a trace': `${CURL}traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n\r\n`,
  'a signed assertion in a field that is read': `${CURL}Referer: eyJhbGciOiJFUzI1NiJ9.e30.c2ln\r\n\r\n`,
  'a signed assertion as its tag': `${CURL}If-None-Match: eyJhbGciOiJFUzI1NiJ9.e30.c2ln\r\n\r\n`,
  'no Host': 'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n',
  'two Hosts': `${CURL}Host: other.test\r\n\r\n`,
  'an invalid Host': 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
  'two tokens': `${CURL}${TOKEN}${TOKEN}\r\n`,
  'a field twice': `${CURL}If-None-Match: "a"\r\nif-none-match: "b"\r\n\r\n`,
  'a tag twice': `${CURL}if-none-match: "a"\r\nIf-None-Match: "b"\r\n\r\n`,
  'a tag that is not ASCII': `${CURL}If-None-Match: "\xe9"\r\n\r\n`,
  'a tag that is folded': `${CURL}If-None-Match: "a"\r\n , "b"\r\n\r\n`,
  'an incomplete tag': `${CURL}If-None-Match: "a`,
  'a tag after its empty line': `${CURL}\r\nIf-None-Match: "a"\r\n`,
  'a CR before its first line': `\r${CURL}\r\n`,
  'another method': CURL.replace('GET', 'POST').concat('\r\n'),
  'a method in lower case': CURL.replace('GET', 'get').concat('\r\n'),
  'an older protocol': CURL.replace('1.1', '1.0').concat('\r\n'),
  'a target with an authority': CURL.replace('/beta', 'http://brand.test/beta').concat('\r\n'),
  'the target *': 'GET * HTTP/1.1\r\nHost: brand.test\r\n\r\n',
  'a fragment': CURL.replace('/beta', '/#beta').concat('\r\n'),
  'two spaces in its first line': CURL.replace('GET ', 'GET  ').concat('\r\n'),
  'an empty line before it': `\r\n${CURL}\r\n`,
  'more than 8 KiB': `${CURL}X: ${'y'.repeat(8192)}\r\n\r\n`,
}

/** Requests with a CR without an LF (RFC 9112 §2.2). */
const BARE_CR = {
  'a CR in a line': `${CURL}X: y\rz\r\n\r\n`,
  'a tag that ends with only CR': `${CURL}If-None-Match: "a"\r${TOKEN}\r\n`,
  'a CR and a tag after its empty line': `${CURL}\r\r\nIf-None-Match: "a"\n`,
  'a CR before a tag': `${CURL}X: y\r\r\nIf-None-Match: "a"\r\n\r\n`,
  'a CR after a tag': `${CURL}If-None-Match: "a"\r\r\n\r\n`,
  'a CR in a tag': `${CURL}If-None-Match: "a\rb"\r\n\r\n`,
  'a CR in its first line': CURL.replace('/beta', '/\rbeta').concat('\r\n'),
  'a CR before its empty line': `${CURL}\r\r\n`,
}

const server = createServer()
before(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())

for (const text of PLAIN)
  test(`${JSON.stringify(text.slice(0, 120))} is read in the same way as by node:http`, async () => {
    const read = readPlain(Buffer.from(text, 'latin1'), '127.0.0.1')
    const { headers = {}, ...rest } = read ?? {}
    const ofNode = await throughNode(text)
    assert.ok(ofNode?.ok)
    const { headers: all, ...others } = ofNode.value
    assert.deepEqual(rest, others)
    assert.deepEqual(given(headers), given(all))
    assert.equal(Object.getPrototypeOf(headers), Object.prototype)
  })

for (const name of Object.keys(PLAIN_FIELDS))
  test(`the field ${name} of a plain request reaches handlers as it does from node:http`, async () => {
    const text = `${CURL.replace(new RegExp(`${name}: .*\r\n`, 'i'), '')}${name}: same-origin\r\n\r\n`
    const read = readPlain(Buffer.from(text, 'latin1'), '127.0.0.1')
    const ofNode = await throughNode(text)
    assert.ok(read && ofNode?.ok)
    assert.equal(Reflect.get(read.headers, name), 'same-origin')
    assert.deepEqual(given(read.headers), given(ofNode.value.headers))
  })

for (const name of OTHER_FIELDS)
  test(`a request with the field ${name}, which handlers read, is left to node:http`, () => {
    assert.equal(readPlain(Buffer.from(`${CURL}${name}: 1\r\n\r\n`, 'latin1'), '127.0.0.1'), undefined)
  })

test('neither reader gives a field that the table of fields does not have', async () => {
  const text = `${CURL}X-Unknown: a\r\nDNT: 1\r\n\r\n`
  const ofNode = await throughNode(text)
  assert.ok(ofNode?.ok)
  const expected = { host: 'brand.test', 'user-agent': 'curl/8.14.1', accept: '*/*' }
  assert.deepEqual(given(ofNode.value.headers), expected)
  assert.deepEqual(given(readPlain(Buffer.from(text, 'latin1'), '127.0.0.1')?.headers ?? {}), expected)
})

/** The fields that a request has. */
function given(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}

for (const [what, text] of Object.entries(NOT_PLAIN))
  test(`a request with ${what} is left to node:http`, () => {
    assert.equal(readPlain(Buffer.from(text, 'latin1'), '127.0.0.1'), undefined)
  })

for (const [what, text] of Object.entries(BARE_CR))
  test(`a request with ${what} is refused by both readers`, async () => {
    assert.equal(readPlain(Buffer.from(text, 'latin1'), '127.0.0.1'), undefined)
    assert.equal(await throughNode(text), undefined)
  })

test('a request with any changed bytes is read in the same way as by node:http, or left to it', async () => {
  const random = sequence(7)
  const text = `${CURL}${TOKEN}If-None-Match: "tag"\r\nConnection: keep-alive\r\n\r\n`
  for (let round = 0; round < 600; round++) {
    const at = Math.floor(random() * text.length)
    const put = Array.from({ length: round % 4 }, () => PIECES[Math.floor(random() * PIECES.length)]).join('')
    const changed = text.slice(0, at) + put + text.slice(at + 1)
    const read = readPlain(Buffer.from(changed, 'latin1'), '127.0.0.1')
    if (!read) continue
    const ofNode = await throughNode(changed)
    assert.ok(ofNode?.ok, changed)
    const { method, path, query, headers, authorizations } = ofNode.value
    assert.deepEqual([read.method, read.path, read.query, read.authorizations], [method, path, query, authorizations])
    assert.deepEqual(given(read.headers), given(headers), changed)
  }
})

/** All bytes, and the same number of pieces of requests. */
const PIECES = Array.from({ length: 256 }, (_, at) => String.fromCharCode(at)).concat(
  Array.from({ length: 64 }, () => ['\r', '\n', '\r\n', '\r\nIf-None-Match: "a"']).flat(),
)

/** Reads a request with node:http. */
async function throughNode(text: string): Promise<Awaited<ReturnType<typeof readRequest>> | undefined> {
  let read: ReturnType<typeof readRequest> | undefined
  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    read = readRequest(incoming, { digestFor: undefined, base: '', inside: path => path, bodyMemory: openBodyMemory() })
    response.setHeader('Connection', 'close').end()
  }
  server.once('request', listener)
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const socket = connect(address.port, '127.0.0.1', () => socket.write(text, 'latin1'))
  await once(socket.resume(), 'close')
  server.off('request', listener)
  return read
}

/** Numbers from 0 to 1 that are the same in each run. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
