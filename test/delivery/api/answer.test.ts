import assert from 'node:assert/strict'
import test from 'node:test'
import { OPERATIONS, SCOPES } from '#brand/contract/operations.ts'
import { REFUSALS, type RefusalId } from '#brand/contract/refusals.ts'
import { type Answer, type Asking, testService, URL_OF_SERVICE } from '../../support/service.ts'
import { SMALL_BRAND } from '../../support/small-brand.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', SMALL_BRAND)
await temporary.importing('other', { 'guide/pages/index.md': '# Other\n', 'draft/pages/index.md': '# Draft\n' })
for (const place of ['acme/guidelines', 'acme/empty', 'other/guide']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { token: onlyProjects } = await temporary.issue('acme', { scopes: ['projects.read'] })
const { token: onlyEmpty } = await temporary.issue('acme', { projects: ['empty'] })

const { ask } = await testService(temporary)
const project = '/beta/workspace/acme/project/guidelines'
const TARGETS = ['/beta/workspace/acme', '/beta/workspace/acme/projects', project].concat(
  ['/pages', '/page/index', '/styles', '/files'].map(path => project + path),
)

function assertRefused(
  answer: Answer,
  id: RefusalId,
  headers: Readonly<Record<string, string>> = {},
  about = '',
): void {
  const { status, error, description } = REFUSALS[id]
  assert.equal(answer.status, status)
  assert.deepEqual(JSON.parse(answer.text), {
    error,
    error_description: about === '' ? description : `${description.slice(0, -1)}: ${about}`,
    error_uri: `${URL_OF_SERVICE}/docs#${error}`,
  })
  assert.deepEqual(Object.fromEntries(answer.headers), {
    'content-type': 'application/json',
    'content-length': String(answer.bytes.length),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
}

const NO_CREDENTIALS = { 'www-authenticate': 'Bearer realm="housestyle"' }
const INVALID_TOKEN = {
  'www-authenticate':
    'Bearer realm="housestyle", error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service"',
}
const ALLOW = { allow: 'GET, HEAD, OPTIONS' }

for (const target of TARGETS) {
  test(`${target} without a token gets 401 and a challenge without an error`, async () => {
    assertRefused(await ask(target), 'no-credentials', NO_CREDENTIALS)
  })

  test(`${target} with a malformed token gets 401 and an invalid_token challenge`, async () => {
    assertRefused(await ask(target, { token: 'x.y.z' }), 'invalid-token', INVALID_TOKEN)
  })

  test(`HEAD ${target} gets the same reply as GET, without a body`, async () => {
    for (const asking of [{ token }, {}, { token, headers: { 'accept-encoding': 'br' } }] satisfies Asking[]) {
      const got = await ask(target, asking)
      const head = await ask(target, { ...asking, method: 'HEAD' })
      assert.equal(head.status, got.status)
      assert.deepEqual([...head.headers], [...got.headers])
      assert.equal(head.bytes.length, 0)
    }
  })

  test(`OPTIONS ${target} gets 204 and the methods, without a token`, async () => {
    const { status, headers, bytes } = await ask(target, { method: 'OPTIONS' })
    assert.equal(status, 204)
    assert.deepEqual(Object.fromEntries(headers), ALLOW)
    assert.equal(bytes.length, 0)
  })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'])
    test(`${method} ${target} gets 405 and the supported methods`, async () => {
      assertRefused(await ask(target, { method, token }), 'method-not-allowed', ALLOW)
    })

  test(`${target} ignores an unknown query`, async () => {
    assert.deepEqual(await ask(`${target}?page=2&x=%zz&%00`, { token }), await ask(target, { token }))
  })
}

for (const [at, operation] of OPERATIONS.entries()) {
  const target = TARGETS[at] ?? ''
  test(`${operation.id} needs only ${operation.scope}: a token with all other scopes gets 403`, async () => {
    const { token: enough } = await temporary.issue('acme', { scopes: [operation.scope] })
    assert.equal((await ask(target, { token: enough })).status, 200)
    const { token: others } = await temporary.issue('acme', { scopes: SCOPES.filter(each => each !== operation.scope) })
    assertRefused(
      await ask(target, { token: others }),
      'insufficient-scope',
      { 'www-authenticate': `Bearer realm="housestyle", error="insufficient_scope", scope="${operation.scope}"` },
      operation.scope,
    )
  })
}

const MALFORMED: readonly [target: string, id: RefusalId, missing?: string][] = [
  ['/beta/', 'trailing-slash'],
  ['/beta//', 'trailing-slash'],
  ['/beta/workspace', 'missing-id', 'workspace'],
  ['/beta/workspace/', 'trailing-slash'],
  ['/beta/workspace//projects', 'empty-segment'],
  ['/beta/workspace//projects/', 'trailing-slash'],
  ['/beta/workspace/acme/', 'trailing-slash'],
  ['/beta/workspace/acme/projects/', 'trailing-slash'],
  ['/beta/workspace/acme/project', 'missing-id', 'project'],
  ['/beta/workspace/acme/project/', 'trailing-slash'],
  [`${project}/`, 'trailing-slash'],
  [`${project}/page`, 'missing-id', 'page'],
  [`${project}/page/`, 'trailing-slash'],
  [`${project}/page/logo/`, 'trailing-slash'],
  [`${project}/page//logo`, 'empty-segment'],
  [`${project}/page/%2F`, 'trailing-slash'],
  [`${project}/page/logo%2F`, 'trailing-slash'],
  [`${project}/page/%2Flogo`, 'empty-segment'],
  [`${project}/page/..`, 'parent-segment'],
  [`${project}/page/../`, 'trailing-slash'],
  [`${project}/page/%2e%2E`, 'parent-segment'],
  [`${project}/page/a%2F..%2Fb`, 'parent-segment'],
  [`${project}/page/a/../b`, 'parent-segment'],
  [`${project}/page/%00`, 'nul-in-path'],
  [`${project}/page/%00/`, 'trailing-slash'],
  [`${project}/page/%`, 'broken-encoding'],
  [`${project}/page/%g0`, 'broken-encoding'],
  [`${project}/page/%g0/..`, 'broken-encoding'],
  ['/beta/%ff', 'not-utf-8'],
  [`${project}/page/%C3`, 'not-utf-8'],
  [`${project}/page/%C0%AF`, 'not-utf-8'],
  [`${project}/page/%ED%A0%80`, 'not-utf-8'],
  [`${project}/page/\xe9`, 'not-utf-8'],
  ['/revision/1/beta/workspace/acme/project/guidelines/styles/', 'trailing-slash'],
  ['/revision/1/beta/workspace/acme/project', 'missing-id', 'project'],
]

for (const [target, id, missing] of MALFORMED)
  test(`${JSON.stringify(target)} is malformed and gets 400 with the cause ${id}, with any token and method`, async () => {
    for (const asking of [{ token }, {}, { method: 'DELETE' }, { method: 'OPTIONS' }])
      assertRefused(await ask(target, asking), id, {}, missing)
  })

test('the description of a malformed path states the cause', async () => {
  const causes = [
    [`${project}/`, /^The path has a trailing slash\./],
    ['/beta/workspace', /^The path ends before a required id\. .*: workspace$/],
    ['/beta/workspace//projects', /^The path has an empty segment/],
    [`${project}/page/..`, /^The path contains the segment "\.\."/],
    [`${project}/page/%00`, /^The path contains a NUL character/],
    [`${project}/page/%zz`, /^The path contains a "%" without two hexadecimal digits/],
    [`${project}/page/%ff`, /^The path contains bytes that are not UTF-8/],
  ] as const
  for (const [target, cause] of causes) assert.match(JSON.parse((await ask(target)).text).error_description, cause)
})

const NO_ENDPOINT = [
  '/beta/nothing',
  '/beta/workspaces',
  '/beta/workspace/acme/pages',
  `${project}/nothing`,
  `${project}/files/a`,
  `${project}/pages/index`,
  '/beta/Workspace/acme',
  '/beta/workspace/acme/project/guidelines/Pages',
]

for (const target of NO_ENDPOINT)
  test(`${target} is not an endpoint and gets 404 before the checks of method and token`, async () => {
    for (const asking of [{ token }, {}, { method: 'DELETE' }, { method: 'OPTIONS' }])
      assertRefused(await ask(target, asking), 'not-found')
  })

const NOT_THERE: readonly [what: string, target: string, token: string][] = [
  ['an unknown workspace', '/beta/workspace/nowhere', token],
  ['an unknown workspace’s projects', '/beta/workspace/nowhere/projects', token],
  ['another workspace', '/beta/workspace/other', token],
  ['another workspace’s projects', '/beta/workspace/other/projects', token],
  ['another workspace’s published project', '/beta/workspace/other/project/guide', token],
  ['another workspace’s draft', '/beta/workspace/other/project/draft', token],
  ['an unknown project', '/beta/workspace/acme/project/nothing', token],
  ['an invalid project id', '/beta/workspace/acme/project/__proto__', token],
  ['a very long project id', `/beta/workspace/acme/project/${'a'.repeat(3000)}`, token],
  ['an unpublished project', '/beta/workspace/acme/project/hidden', token],
  ['the pages of an unpublished project', '/beta/workspace/acme/project/hidden/pages', token],
  ['a page of an unpublished project', '/beta/workspace/acme/project/hidden/page/index', token],
  ['the styles of an unpublished project', '/beta/workspace/acme/project/hidden/styles', token],
  ['the files of an unpublished project', '/beta/workspace/acme/project/hidden/files', token],
  ['a project that the token does not cover', project, onlyEmpty],
  ['the styles of a project that the token does not cover', `${project}/styles`, onlyEmpty],
  ['an unknown page', `${project}/page/nothing`, token],
  ['a page in another case', `${project}/page/Logo`, token],
  ['an invalid page id', `${project}/page/a%20b%2F%F0%9F%98%80`, token],
  ['a page id that is a property of every object', `${project}/page/__proto__`, token],
  ['a page of a project without pages', '/beta/workspace/acme/project/empty/page/index', token],
]

for (const [what, target, granted] of NOT_THERE)
  test(`${what} gets the same 404 as other missing content`, async () => {
    assertRefused(await ask(target, { token: granted }), 'not-found')
    assertRefused(await ask(target, { token: granted, headers: { 'if-none-match': '*' } }), 'not-found')
  })

const TWO_FAILURES: readonly [first: string, second: string, target: string, asking: Asking, id: RefusalId][] = [
  ['a malformed path', 'a method', '/beta/workspace/', { method: 'POST' }, 'trailing-slash'],
  ['a malformed path', 'a token', '/beta/workspace/', { token: 'x' }, 'trailing-slash'],
  ['a path', 'a method', '/beta/nothing', { method: 'POST' }, 'not-found'],
  ['a path', 'a missing token', '/beta/nothing', {}, 'not-found'],
  ['a method', 'a missing token', project, { method: 'POST' }, 'method-not-allowed'],
  ['a method', 'a missing scope', project, { method: 'POST', token: onlyProjects }, 'method-not-allowed'],
  ['a missing token', 'an unknown address', '/beta/workspace/nowhere', {}, 'no-credentials'],
  ['a bad token', 'an unknown address', '/beta/workspace/nowhere', { token: 'x.y.z' }, 'invalid-token'],
  ['a missing scope', 'another workspace', '/beta/workspace/other', { token: onlyProjects }, 'insufficient-scope'],
  ['a missing scope', 'an unknown page', `${project}/page/x`, { token: onlyProjects }, 'insufficient-scope'],
  ['another workspace', 'an unknown page', '/beta/workspace/other/project/guide/page/x', { token }, 'not-found'],
]

for (const [first, second, target, asking, id] of TWO_FAILURES)
  test(`if both ${first} and ${second} are wrong, the reply is about ${first}`, async () => {
    const { status, text } = await ask(target, asking)
    assert.equal(status, REFUSALS[id].status)
    assert.ok(JSON.parse(text).error_description.startsWith(REFUSALS[id].description.slice(0, -1)))
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
  const policy = { 'ratelimit-policy': '"workspace";q=2;w=60' }
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
  const limit = { ...policy, ratelimit: '"workspace";r=0;t=40', 'retry-after': '40' }
  assertRefused(refused, 'too-many-requests', limit)
  clock.now += 39_500
  assert.deepEqual(await limits({ token }), ['"workspace";q=2;w=60', '"workspace";r=0;t=21', null])
})

test('without a limit, no reply has limit fields', async () => {
  const { headers } = await ask(project, { token })
  const unexpected = [...headers.keys()].filter(name => /ratelimit|retry/.test(name))
  assert.deepEqual(unexpected, [])
})
