import assert from 'node:assert/strict'
import test from 'node:test'
import { listen } from '#program/http/server.ts'
import { post } from '../../../support/agent-client.ts'
import { type Answer, type Asking, silent, testService } from '../../../support/service.ts'
import { exchange, requestText } from '../../../support/socket.ts'
import { SMALL_BRAND, temporaryStore } from '../../../support/temporary-store.ts'

const ORIGIN = 'https://app.example.com'
const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
const { token } = await temporary.issue('acme')
const { ask } = await testService(temporary, { cors: [ORIGIN, 'http://localhost:3000'] })
const target = '/beta/workspace/acme'

function cors({ headers }: Pick<Answer, 'headers'>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

const PREFLIGHT = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
const READABLE = {
  'access-control-allow-origin': ORIGIN,
  'access-control-expose-headers': 'ETag, Retry-After, RateLimit, RateLimit-Policy, Housestyle-Revision, X-Request-Id',
}

test('a preflight of a configured origin gets the allowed methods and fields', async () => {
  const answer = await ask(target, { method: 'OPTIONS', headers: { ...PREFLIGHT, origin: ORIGIN } })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
  assert.equal(answer.headers.get('vary'), 'Origin')
  assert.deepEqual(cors(answer), {
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Authorization, If-None-Match',
    'access-control-max-age': '600',
  })
})

test('a configured origin can read every API reply, including errors', async () => {
  const headers = { origin: ORIGIN }
  const ok = await ask(target, { token, headers })
  assert.equal(ok.status, 200)
  assert.equal(ok.headers.get('vary'), 'Authorization, Accept-Encoding, Origin')
  const etag = ok.headers.get('etag') ?? ''
  const answers = [
    ok,
    await ask(target, { headers }),
    await ask('/beta/nothing', { headers }),
    await ask('/beta/', { headers }),
    await ask(target, { method: 'POST', headers }),
    await ask('/beta/workspace/other', { token, headers }),
    await ask(target, { token, headers: { ...headers, 'if-none-match': etag } }),
  ]
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(statuses, [200, 401, 404, 400, 405, 404, 304])
  for (const answer of answers) {
    assert.deepEqual(cors(answer), READABLE)
    assert.match(answer.headers.get('vary') ?? '', /\bOrigin$/)
  }
})

for (const origin of [undefined, 'https://evil.example', 'null', `${ORIGIN}.evil.example`, `${ORIGIN}:444`, '*'])
  test(`origin ${origin} gets only Vary, because replies depend on the origin`, async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await ask(target, { method, token, headers: { ...PREFLIGHT, ...(origin && { origin }) } })
      assert.equal(answer.status, method === 'GET' ? 200 : 204)
      assert.deepEqual(cors(answer), {})
      assert.match(answer.headers.get('vary') ?? '', /\bOrigin$/)
    }
  })

test('without configured origins, no reply has CORS fields', async () => {
  const { ask: askPlain } = await testService(temporary)
  const answer = await askPlain(target, { token, headers: { origin: ORIGIN } })
  assert.deepEqual(cors(answer), {})
  assert.equal(answer.headers.get('vary'), 'Authorization, Accept-Encoding')
})

test('pages of a configured origin may load files, also in parts, and read their header fields', async () => {
  await temporary.publish('acme/guidelines')
  const { ask: askNow } = await testService(temporary, { cors: [ORIGIN] })
  const { text } = await askNow('/beta/workspace/acme/project/guidelines/files', { token })
  const { files }: { files: { url: string }[] } = JSON.parse(text)
  const { pathname } = new URL(files[0]?.url ?? '')
  const preflight = await askNow(pathname, { method: 'OPTIONS', headers: { ...PREFLIGHT, origin: ORIGIN } })
  assert.equal(preflight.status, 204)
  assert.deepEqual(cors(preflight), {
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'If-None-Match, If-Range, Range',
    'access-control-max-age': '600',
  })
  for (const [headers, status] of [
    [{ origin: ORIGIN }, 200],
    [{ origin: ORIGIN, range: 'bytes=0-1' }, 206],
    [{ origin: ORIGIN, range: 'bytes=999999-' }, 416],
  ] as const) {
    const answer = await askNow(pathname, { headers })
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('vary'), 'Origin')
    assert.deepEqual(cors(answer), {
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'ETag, Accept-Ranges, Content-Disposition, Content-Length, Content-Range',
    })
  }
  assert.deepEqual(cors(await askNow(pathname, { headers: { origin: 'https://evil.example' } })), {})
  for (const path of ['/acme/guidelines', '/acme/guidelines/-/files.zip'])
    assert.deepEqual(cors(await askNow(path, { headers: { origin: ORIGIN } })), {})
})

const MESSAGE = { 'content-type': 'application/json', origin: ORIGIN }
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

test('pages of a configured origin can read that they asked too often', async () => {
  const { ask: askLimited } = await testService(temporary, {
    cors: [ORIGIN],
    ratePublic: { requests: 1, seconds: 60 },
    rate: { requests: 1, seconds: 60 },
  })
  const askTwice = async (path: string, asking: Asking) => {
    await askLimited(path, asking)
    return askLimited(path, asking)
  }
  for (const answer of [
    await askTwice('/acme/guidelines/-/mcp', { method: 'POST', body: LIST, headers: MESSAGE }),
    await askTwice('/mcp', { method: 'POST', body: LIST, token, headers: MESSAGE }),
    await askTwice(target, { token, headers: { origin: ORIGIN } }),
  ]) {
    assert.equal(answer.status, 429)
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
  }
})

test('below a path of the public URL, pages of a configured origin can read each step of a sign-in', async () => {
  const { service: below } = await testService(temporary, { cors: [ORIGIN], publicUrl: 'https://x.example/brand' })
  const resource = '/.well-known/oauth-protected-resource'
  for (const [method, path] of [
    ['POST', '/brand/acme/guidelines/-/mcp/'],
    ['POST', '/brand/mcp'],
    ['POST', '/mcp'],
    ['GET', `${resource}/brand/acme/guidelines/-/mcp`],
    ['GET', `/brand${resource}/acme/guidelines/-/mcp/`],
    ['GET', `${resource}/brand/mcp/`],
    ['GET', '/.well-known/oauth-authorization-server/brand'],
    ['POST', '/brand/oauth/token'],
    ['POST', '/oauth/revoke'],
  ] as const) {
    const asked = { origin: ORIGIN, 'access-control-request-method': method }
    const preflight = await post(below, path, { method: 'OPTIONS', headers: asked })
    assert.deepEqual([preflight.status, cors(preflight)['access-control-allow-origin']], [204, ORIGIN], path)
    const answer = await post(below, path, { method, headers: { origin: ORIGIN } })
    assert.equal(cors(answer)['access-control-allow-origin'], ORIGIN, path)
    const other = await post(below, path, { method: 'PATCH', headers: { origin: ORIGIN } })
    assert.deepEqual([other.status, cors(other)['access-control-allow-origin']], [405, ORIGIN], path)
  }
  for (const path of ['/brand/acme/guidelines', '/acme/guidelines'])
    assert.deepEqual(cors(await post(below, path, { method: 'GET', headers: { origin: ORIGIN } })), {})
})

test('pages of a configured origin can read why a server did not answer a request', async t => {
  const origins = new Set([ORIGIN])
  const server = await listen({ host: '127.0.0.1', port: 0, log: silent, observe: () => undefined, origins })
  t.after(() => server.stop())
  const fields = (from: string) => ['Connection: close', `Origin: ${from}`]
  const askFrom = async (from: string, line = 'GET /oauth/token', more: readonly string[] = [], body = '') => {
    const [reply] = await exchange(server.port, requestText(line, [...fields(from), ...more], body))
    return [reply?.status, new Map(reply?.fields).get('Access-Control-Allow-Origin')]
  }
  assert.deepEqual(await askFrom(ORIGIN), [503, ORIGIN])
  server.answerWith(() => assert.fail(), 'http://brand.test')
  const tooLong = ['Content-Length: 99999']
  assert.deepEqual(await askFrom(ORIGIN), [500, ORIGIN])
  assert.deepEqual(await askFrom(ORIGIN, 'POST /oauth/token', tooLong, 'a'.repeat(99_999)), [413, ORIGIN])
  assert.deepEqual(await askFrom('https://evil.example'), [500, undefined])
  assert.deepEqual(await askFrom(ORIGIN, 'GET /acme/guidelines'), [500, undefined])
})
