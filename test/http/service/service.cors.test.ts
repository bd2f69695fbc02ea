import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, testService } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const ORIGIN = 'https://app.example.com'
const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
const { token } = await temporary.issue('acme')
const { ask } = await testService(temporary, { cors: [ORIGIN, 'http://localhost:3000'] })
const target = '/beta/workspace/acme'

function cors({ headers }: Answer): Record<string, string> {
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
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401, 404, 400, 405, 404, 304],
  )
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
