import assert from 'node:assert/strict'
import test from 'node:test'
import { type TestSettings, testService } from '../../../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guidelines', { ...SMALL_BRAND, 'draft/pages/index.md': '# Draft\n' })
await temporary.publishing('other/guidelines', { 'guidelines/pages/index.md': '# Other\n' })

const STREAM = '/events/workspace/acme'

async function open(settings?: TestSettings) {
  const { token } = await temporary.issue('acme')
  return { ...(await testService(temporary, settings)), token }
}

test('a malformed address of a stream is refused before the token is read', async () => {
  const { ask } = await open()
  for (const [path, status, description] of [
    ['/events/workspace/', 400, /trailing slash/],
    [`${STREAM}/`, 400, /trailing slash/],
    [`${STREAM}/project`, 400, /: project$/],
    [`${STREAM}/project/`, 400, /trailing slash/],
    ['/events/workspace//project/x', 400, /empty segment/],
    ['/events/workspace/%zz', 400, /hexadecimal/],
    [`${STREAM}/pages`, 404, /found nothing/],
    [`${STREAM}/page/x`, 404, /found nothing/],
    [`${STREAM}/project/x/y`, 404, /found nothing/],
  ] as const) {
    const { status: found, text } = await ask(path)
    assert.equal(found, status, path)
    assert.match(JSON.parse(text).error_description, description, path)
  }
})

test('a stream makes the checks of the API in its order, with the same replies', async () => {
  const { ask, token } = await open({ rate: { requests: 100, seconds: 60 } })
  const { token: noScope } = await temporary.issue('acme', { scopes: ['styles.read'] })
  const { token: limited } = await temporary.issue('acme', { projects: ['draft'] })
  const api = { workspace: '/beta/workspace/acme/projects', project: '/beta/workspace/acme/project/nothing' }
  for (const [path, twin, asking, status] of [
    [STREAM, api.workspace, { method: 'POST' }, 405],
    [STREAM, api.workspace, {}, 401],
    [STREAM, api.workspace, { token: 'wrong' }, 401],
    [STREAM, api.workspace, { token: noScope }, 403],
    [`${STREAM}/project/guidelines`, api.workspace, { token: noScope }, 403],
    ['/events/workspace/other', api.project, { token }, 404],
    ['/events/workspace/nothing', api.project, { token }, 404],
    [`${STREAM}/project/draft`, api.project, { token }, 404],
    [`${STREAM}/project/nothing`, api.project, { token }, 404],
    [`${STREAM}/project/guidelines`, api.project, { token: limited }, 404],
  ] as const) {
    const [found, expected] = [await ask(path, asking), await ask(twin, asking)]
    assert.equal(found.status, status, path)
    assert.equal(found.text, expected.text, path)
    for (const name of ['www-authenticate', 'cache-control', 'allow'])
      assert.equal(found.headers.get(name), expected.headers.get(name), `${path} ${name}`)
    assert.equal(found.headers.has('ratelimit'), status === 403 || status === 404, path)
  }
})

test('a request beyond the limit of the workspace gets 429', async () => {
  const { ask, token } = await open({ rate: { requests: 1, seconds: 60 } })
  assert.equal((await ask(STREAM, { token, method: 'HEAD' })).status, 200)
  const { status, headers } = await ask(STREAM, { token })
  assert.deepEqual([status, headers.get('retry-after')], [429, '60'])
})

test('HEAD has the fields of a stream and opens none; OPTIONS needs no token and does not count', async () => {
  const { ask, token } = await open({ rate: { requests: 10, seconds: 60 } })
  const { status, headers, text } = await ask(`${STREAM}/project/guidelines`, { token, method: 'HEAD' })
  assert.deepEqual([status, headers.get('content-type'), text], [200, 'text/event-stream', ''])
  assert.match((await ask('/metrics')).text, /^housestyle_event_streams 0$/m)
  const options = await ask(STREAM, { method: 'OPTIONS' })
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
  assert.equal(options.headers.has('ratelimit'), false)
})

test('pages of configured origins may open streams and return with their last event', async () => {
  const { ask, token } = await open({ cors: ['https://app.example'] })
  const origin = 'https://app.example'
  const asked = { origin, 'access-control-request-method': 'GET' }
  const preflight = await ask(STREAM, { method: 'OPTIONS', headers: asked })
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'Authorization, Last-Event-ID')
  const { headers } = await ask(STREAM, {
    token,
    method: 'HEAD',
    headers: { origin, authorization: `Bearer ${token}` },
  })
  assert.equal(headers.get('access-control-allow-origin'), origin)
})
