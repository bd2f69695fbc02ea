import assert from 'node:assert/strict'
import test from 'node:test'
import type { Scope } from '#brand/contract/operations.ts'
import { REFUSALS } from '#brand/contract/refusals.ts'
import { type Answer, sharedCookie, testService, URL_OF_SERVICE } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'open/project.yaml': 'visibility: public\n',
  'open/pages/index.md': '# Open\n',
  'open/styles/colors.yaml': '- { name: Red, hex: ff0000 }\n',
  'guide/pages/index.md': '# Hidden\n',
  'guide/styles/colors.yaml': '- { name: Red, hex: ff0000 }\n',
  'guide/files/a.txt': 'a',
  'guide/files/kit/b.txt': 'b',
})
// Its addresses look like API paths without /beta.
await temporary.importing('workspace', { 'acme/project.yaml': 'visibility: public\n', 'acme/pages/index.md': '# Hi\n' })
for (const place of ['acme/open', 'acme/guide', 'workspace/acme']) await temporary.publish(place)
const { ask } = await testService(temporary)
const { token } = await temporary.issue('acme')
const { description } = REFUSALS['not-found']
const HINT = ` The API is below ${URL_OF_SERVICE}/beta: write /beta before /workspace.`
const FIRST_ADDRESS = ` The API begins at ${URL_OF_SERVICE}/beta/workspace/{workspace}, and ${URL_OF_SERVICE}/openapi.json describes it.`

function assertNotFound(answer: Answer, hint: string, path: string): void {
  assert.equal(answer.status, 404, path)
  assert.deepEqual(JSON.parse(answer.text), {
    error: 'not_found',
    error_description: description + hint,
    error_uri: `${URL_OF_SERVICE}/docs#not_found`,
  })
}

const NOWHERE = ['/none', '/acme/nothing', '/acme/open/nothing', '/acme/guide/nothing', '/acme/open/-/none', '/betas']

for (const authorization of [`Bearer ${token}`, 'Bearer x', 'bearer x', 'Bearer']) {
  test(`requests with "${authorization.slice(0, 10)}" get errors in JSON for any Accept`, async () => {
    for (const path of NOWHERE)
      for (const accept of [undefined, '*/*', 'text/html', 'text/html,application/xhtml+xml;q=0.9'])
        assertNotFound(await ask(path, { headers: { authorization, accept } }), '', path)
  })

  test(`"${authorization.slice(0, 10)}" at /beta gets a 404 that names the first address of the API`, async () =>
    assertNotFound(await ask('/beta', { headers: { authorization, accept: 'text/html' } }), FIRST_ADDRESS, '/beta'))

  test(`requests with "${authorization.slice(0, 10)}" to an API path without /beta get an error that names the prefix`, async () => {
    for (const path of ['/nowhere', '/acme/projects', '/acme/project/open', '/acme/project/guide/page/logo%2Fx'])
      assertNotFound(await ask(`/workspace${path}`, { headers: { authorization } }), HINT, path)
  })
}

test('a request with a token gets the same page as one without', async () => {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/html' }
  for (const path of ['/acme/open', '/acme/guide', '/workspace/acme']) {
    const { status, headers: fields } = await ask(path, { headers })
    assert.deepEqual([status, fields.get('content-type')], [200, 'text/html; charset=utf-8'], path)
  }
})

test('a browser without a token gets a page for an unknown address', async () => {
  const { status, headers } = await ask('/workspace/nowhere', { headers: { accept: 'text/html' } })
  assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'])
})

const EXPORTS_OF_SCOPES: readonly [scopes: readonly Scope[], paths: readonly string[]][] = [
  [[], ['', '/-/changes', '/-/exports/nothing.json', '/llms.txt']],
  [
    ['styles.read'],
    'tokens.json tokens.css theme.css palette.ase palette-1.gpl styles.json DESIGN.md palette.zip office.zip'
      .split(' ')
      .map(file => `/-/exports/${file}`),
  ],
  [
    ['files.read'],
    [
      '/-/exports/fonts.css',
      '/-/exports/fonts.zip',
      '/-/files.zip',
      '/-/files.zip?path=files/a.txt',
      '/-/kits/kit.zip',
    ],
  ],
  [['styles.read', 'files.read'], ['/-/exports/skill.zip']],
]

test('exports and archives of a private guide need the scopes of their content; a 403 names missing ones', async () => {
  // The clock is stopped, and a token must not be from the future.
  const { ask } = await testService(temporary)
  const { token: narrow } = await temporary.issue('acme', { scopes: ['document.read'] })
  for (const [scopes, paths] of EXPORTS_OF_SCOPES) {
    const { token: enough } = await temporary.issue('acme', { scopes: ['document.read', ...scopes] })
    for (const path of paths)
      for (const project of ['guide', 'unknown'])
        for (const method of ['GET', 'HEAD']) {
          const refused = await ask(`/acme/${project}${path}`, {
            token: narrow,
            method,
            headers: { 'if-none-match': '*' },
          })
          const allowed = await ask(`/acme/${project}${path}`, { token: enough, method })
          assert.equal(allowed.status === 403, false, path)
          if (scopes.length === 0) assert.equal(refused.status === 403, false, path)
          else assertScopesMissing(refused, scopes, method)
        }
  }
  const { token: styles } = await temporary.issue('acme', { scopes: ['document.read', 'styles.read'] })
  assertScopesMissing(await ask('/acme/guide/-/exports/skill.zip', { token: styles }), ['files.read'], 'GET')
  assert.equal((await ask('/acme/guide/-/exports/styles.json', { token: styles })).status, 200)
})

function assertScopesMissing({ status, headers, text }: Answer, scopes: readonly string[], method: string): void {
  assert.equal(status, 403)
  const challenge = `Bearer realm="housestyle", error="insufficient_scope", scope="${scopes.join(' ')}"`
  assert.deepEqual([headers.get('www-authenticate'), headers.get('cache-control')], [challenge, 'no-store'])
  if (method === 'GET')
    assert.deepEqual(JSON.parse(text), {
      error: 'access_denied',
      error_description: `${REFUSALS['insufficient-scope'].description.slice(0, -1)}: ${scopes.join(', ')}`,
      error_uri: `${URL_OF_SERVICE}/docs#access_denied`,
    })
}

const DOWNLOADS =
  '-/exports/styles.json -/exports/palette.zip -/current/exports/theme.css -/current/a.txt -/files.zip -/kits/kit.zip -/book.pdf'

test('downloads of a private guide refuse an invalid token with 401, as the API does, also of unknown guides', async () => {
  const { token: fresh } = await temporary.issue('acme')
  const fromApi = await ask('/beta/workspace/acme', { token: 'x.y.z' })
  assert.equal(fromApi.status, 401)
  const hasChallenge = /error="invalid_token"/.test(fromApi.headers.get('www-authenticate') ?? '')
  assert.deepEqual([hasChallenge, fromApi.headers.get('cache-control')], [true, 'no-store'])
  for (const path of DOWNLOADS.split(' '))
    for (const project of ['acme/guide', 'acme/unknown', 'unknown/guide'])
      for (const authorization of ['Bearer x.y.z', 'bearer', `Bearer ${fresh}x`])
        for (const accept of ['*/*', 'text/html']) {
          const refused = await ask(`/${project}/${path}`, { headers: { authorization, accept } })
          assert.deepEqual(
            [refused.status, refused.text, ...refused.headers],
            [401, fromApi.text, ...fromApi.headers],
            path,
          )
        }
})

test('a token without document.read gets a 403 from downloads that names all missing scopes, and a 404 from pages', async () => {
  const { ask } = await testService(temporary)
  const { token: none } = await temporary.issue('acme', { scopes: ['data.read'] })
  for (const project of ['guide', 'unknown']) {
    const refused = await ask(`/acme/${project}/-/exports/skill.zip`, { token: none })
    assertScopesMissing(refused, ['document.read', 'styles.read', 'files.read'], 'GET')
    assert.equal((await ask(`/acme/${project}`, { token: none })).status, 404)
  }
})

test('downloads answer a token of another workspace as the API does: 403 without a scope, counted, and else 404', async () => {
  const { ask } = await testService(temporary, { rate: { requests: 100, seconds: 60 } })
  const { token: other } = await temporary.issue('workspace')
  const { token: narrow } = await temporary.issue('workspace', { scopes: ['data.read'] })
  const fromApi = await ask('/beta/workspace/acme/project/guide/styles', { token: other })
  assert.equal(fromApi.status, 404)
  assert.equal((await ask('/beta/workspace/acme/project/guide/styles', { token: narrow })).status, 403)
  for (const [at, path] of DOWNLOADS.split(' ').entries())
    for (const [more, project] of ['acme/guide', 'acme/unknown', 'unknown/guide'].entries()) {
      const refused = await ask(`/${project}/${path}`, { token: other })
      assert.deepEqual([refused.status, refused.text], [404, fromApi.text], path)
      assert.equal(refused.headers.get('ratelimit'), `"workspace";r=${97 - 6 * at - 2 * more};t=60`)
      const scopeless = await ask(`/${project}/${path}`, { token: narrow })
      assert.equal(scopeless.status, 403)
      assert.match(JSON.parse(scopeless.text).error_description, /: document\.read/)
    }
  assert.equal((await ask('/acme/guide', { token: narrow })).status, 404)
})

test('without a token, downloads of a private guide are not found, also with the credentials of a proxy in front', async () => {
  for (const path of DOWNLOADS.split(' '))
    for (const authorization of [undefined, 'Basic YTpi'])
      assert.equal((await ask(`/acme/guide/${path}`, { headers: { authorization } })).status, 404, path)
})

test('a public guide gives the same export to every token, also an invalid one, so that caches may share it', async () => {
  const { token: none } = await temporary.issue('acme', { scopes: ['data.read'] })
  const path = '/acme/open/-/exports/styles.json'
  const plain = await ask(path)
  for (const token of ['x.y.z', none]) {
    const answer = await ask(path, { token })
    assert.deepEqual([answer.status, answer.text, ...answer.headers], [200, plain.text, ...plain.headers])
  }
})

test('a public guide and a share link give exports without a token, and their requests are not counted', async () => {
  const limited = await testService(temporary, { rate: { requests: 1, seconds: 60 } })
  const cookie = await sharedCookie(limited, temporary.folder, 'acme/guide')
  const { token: narrow } = await temporary.issue('acme', { scopes: ['document.read'] })
  const file = '-/exports/styles.json'
  for (let times = 0; times < 3; times++)
    for (const { status, headers } of [
      await limited.ask(`/acme/guide/${file}`, { headers: { cookie } }),
      await limited.ask(`/acme/open/${file}`),
      await limited.ask(`/acme/open/${file}`, { token: narrow }),
    ])
      assert.deepEqual([status, headers.get('ratelimit')], [200, null])
})

test('requests to the website with a token count against the limit of its workspace, as those to the API', async () => {
  const limited = await testService(temporary, { rate: { requests: 6, seconds: 60 } })
  const { token: narrow } = await temporary.issue('acme', { scopes: ['document.read'] })
  const paths = ['/acme/guide', '/acme/unknown', '/acme/guide/-/files.zip', '/acme/guide/-/search']
  const etag = (await limited.ask('/acme/guide', { token })).headers.get('etag') ?? ''
  const headersOf = async (path: string, headers = {}) => {
    const answer = await limited.ask(path, { token: narrow, headers })
    return [answer.status, answer.headers.get('ratelimit-policy'), answer.headers.get('ratelimit')]
  }
  const seen: unknown[] = []
  for (const path of paths) seen.push(await headersOf(path))
  seen.push(await headersOf('/acme/guide', { 'if-none-match': etag }))
  const policy = '"workspace";q=6;w=60'
  const expected = [200, 404, 403, 200, 304].map((status, at) => [status, policy, `"workspace";r=${4 - at};t=60`])
  assert.deepEqual(seen, expected)
  const asFromApi = await limited.ask('/beta/workspace/acme', { token })
  assert.equal(asFromApi.status, 429)
  for (const path of paths) {
    const refused = await limited.ask(path, { token: narrow })
    const found = [refused.status, refused.text, [...refused.headers]]
    assert.deepEqual(found, [429, asFromApi.text, [...asFromApi.headers]])
  }
  assert.equal((await limited.ask('/acme/guide', { token, method: 'OPTIONS' })).status, 204)
  assert.equal((await limited.ask('/acme/guide', { token: 'x.y.z' })).status, 404)
  limited.clock.now += 61_000
  assert.equal((await limited.ask('/acme/guide', { token: narrow })).status, 200)
})
