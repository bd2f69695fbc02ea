import assert from 'node:assert/strict'
import test from 'node:test'
import { REFUSALS } from '#brand/contract/refusals.ts'
import { type Asking, testService, URL_OF_SERVICE } from '../../support/service.ts'
import { SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

/* The limit, and HEAD. Which identity gets which reply is in answer.matrix.test.ts. */

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
await temporary.importing('other', { 'guide/pages/index.md': '# Other\n' })
for (const place of ['acme/guidelines', 'acme/empty', 'other/guide']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { token: onlyProjects } = await temporary.issue('acme', { scopes: ['projects.read'] })
const { token: onlyEmpty } = await temporary.issue('acme', { projects: ['empty'] })

const { ask } = await testService(temporary)
const project = '/beta/workspace/acme/project/guidelines'

test('HEAD gets the same reply as GET, without a body, also packed and without a token', async () => {
  for (const asking of [{ token }, {}, { token, headers: { 'accept-encoding': 'br' } }] satisfies Asking[]) {
    const got = await ask(project, asking)
    const head = await ask(project, { ...asking, method: 'HEAD' })
    assert.equal(head.status, got.status)
    assert.deepEqual([...head.headers], [...got.headers])
    assert.equal(head.bytes.length, 0)
  }
})

test('the limit of the token’s workspace is checked after the token and before the scope', async () => {
  const limited = await testService(temporary, { rate: { requests: 3, seconds: 10 } })
  const { token: other } = await temporary.issue('other')
  const spend = async (asking: Asking, target = project) => (await limited.ask(target, asking)).status
  assert.equal(await spend({}), 401)
  assert.equal(await spend({ token: 'x.y.z' }), 401)
  assert.equal(await spend({ method: 'OPTIONS' }), 204)
  assert.equal(await spend({ method: 'POST', token }), 405)
  assert.equal(await spend({ token }, '/beta/nothing'), 404)
  assert.equal(await spend({ token: onlyProjects }), 403)
  assert.equal(await spend({ token: onlyEmpty }), 404)
  assert.equal(await spend({ method: 'HEAD', token }), 200)
  assert.equal(await spend({ token: onlyProjects }), 429)
  assert.equal(await spend({ token }), 429)
  assert.equal(await spend({ token: 'x.y.z' }), 401)
  assert.equal(await spend({ token: other }), 404)
  limited.clock.now += 10_000
  assert.equal(await spend({ token }), 200)
})

test('every authenticated reply contains the remaining limit; a refused request does not count', async () => {
  const { ask: spend, clock } = await testService(temporary, { rate: { requests: 2, seconds: 60 } })
  const limits = async (asking: Asking, target = project) => {
    const { headers } = await spend(target, asking)
    return [headers.get('ratelimit-policy'), headers.get('ratelimit'), headers.get('retry-after')]
  }
  assert.deepEqual(await limits({}), [null, null, null])
  assert.deepEqual(await limits({ token: 'x.y.z' }), [null, null, null])
  const fresh = await spend(project, { token })
  assert.equal(fresh.headers.get('ratelimit'), '"workspace";r=1;t=60')
  clock.now += 20_500
  const unmodified = { token, headers: { 'if-none-match': fresh.headers.get('etag') ?? '' } }
  const { status } = await spend(project, unmodified)
  assert.equal(status, 304)
  const refused = await spend(project, { token })
  const { status: late, error, description } = REFUSALS['too-many-requests']
  assert.equal(refused.status, late)
  assert.deepEqual(JSON.parse(refused.text), {
    error,
    error_description: description,
    error_uri: `${URL_OF_SERVICE}/docs#${error}`,
  })
  assert.deepEqual(Object.fromEntries(refused.headers), {
    'content-type': 'application/json',
    'content-length': String(refused.bytes.length),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'ratelimit-policy': '"workspace";q=2;w=60',
    ratelimit: '"workspace";r=0;t=40',
    'retry-after': '40',
  })
  clock.now += 39_500
  assert.deepEqual(await limits({ token }), ['"workspace";q=2;w=60', '"workspace";r=0;t=21', null])
})

test('without a limit, no reply has limit fields', async () => {
  const { headers } = await ask(project, { token })
  const unexpected = [...headers.keys()].filter(name => /ratelimit|retry/.test(name))
  assert.deepEqual(unexpected, [])
})
