import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const PUBLIC_URL = 'https://x.example/brand'
const temporary = await temporaryStore(PUBLIC_URL)
const contents = {
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/index.md': '# Guide\n',
  'guide/files/a.txt': 'a',
}
await temporary.importing('acme', contents)
await temporary.importing('brand', { 'own/project.yaml': 'visibility: public\n', 'own/pages/index.md': '# Own\n' })
for (const place of ['acme/guide', 'brand/own']) await temporary.publish(place)
const { ask } = await testService(temporary, { publicUrl: PUBLIC_URL })
const { token } = await temporary.issue('acme')
const PROJECT = '/beta/workspace/acme/project/guide'

const SERVED = `
  / /acme /acme/guide /acme/guide.md /acme/guide/-/files /robots.txt /sitemap.xml /docs
  /schemas/colors.json
`
  .trim()
  .split(/\s+/)
  .concat(
    ['/openapi.json', '/healthz', '/readyz', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server'],
    ['/beta/workspace/acme', PROJECT, `${PROJECT}/files`, '/beta/workspace/acme/project/none', '/beta/workspace/'],
  )

for (const path of SERVED)
  test(`a service gives the same reply to ${path} below the path of its public URL and at its own root`, async () => {
    const [below, own] = [await ask(`/brand${path}`, { token }), await ask(path, { token })]
    assert.deepEqual([below.status, below.text, ...below.headers], [own.status, own.text, ...own.headers])
    assert.equal(below.status, path.includes('none') ? 404 : path.endsWith('workspace/') ? 400 : 200)
  })

test('metrics are only at the root, where a proxy hides them', async () => {
  assert.match((await ask('/metrics')).text, /^# TYPE housestyle_/m)
  const { status, text } = await ask('/brand/metrics')
  assert.equal(status, 404)
  assert.doesNotMatch(text, /housestyle_/)
})

test('the 404 at /beta names addresses below the path of the public URL', async () => {
  for (const path of ['/brand/beta', '/beta']) {
    const { status, text } = await ask(path)
    assert.equal(status, 404)
    const { error, error_description: description } = JSON.parse(text)
    assert.equal(error, 'not_found')
    for (const address of ['/beta/workspace/{workspace}', '/openapi.json'])
      assert.ok(description.includes(`https://x.example/brand${address}`), description)
  }
})

test('the path of the public URL itself is the home page', async () => {
  assert.equal((await ask('/brand')).text, (await ask('/')).text)
})

test('the addresses in a service’s metadata are below the path of its public URL', async () => {
  const { servers, info, components, paths } = JSON.parse((await ask('/brand/openapi.json')).text)
  assert.deepEqual(servers[0].url, '/brand/beta')
  assert.equal(info.contact.url, '/brand/docs')
  assert.equal(components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl, '/brand/oauth/token')
  assert.equal(paths['/oauth/token'].servers[0].url, '/brand')
  const docs = (await ask('/brand/docs')).text
  assert.match(docs, /<pre tabindex="0"><code>https:\/\/x\.example\/brand\/beta<\/code>/)
  for (const [, path = ''] of docs.matchAll(/ href="(\/[^"]*)"/g)) {
    assert.match(path, /^\/brand\//)
    assert.equal((await ask(path)).status, 200, path)
  }
})

test('clients find the token endpoint at the RFC 8414 address for an issuer with a path', async () => {
  for (const path of [
    '/.well-known/oauth-authorization-server/brand',
    '/brand/.well-known/oauth-authorization-server',
  ]) {
    const { issuer, token_endpoint } = JSON.parse((await ask(path)).text)
    assert.deepEqual([issuer, token_endpoint], [PUBLIC_URL, `${PUBLIC_URL}/oauth/token`])
  }
})

test('the addresses in replies work with and without the path of the public URL', async () => {
  const { files } = JSON.parse((await ask(`/brand${PROJECT}/files`, { token })).text)
  const { url } = JSON.parse((await ask(`/brand${PROJECT}`, { token })).text)
  for (const address of [url, files[0].url]) {
    const { pathname } = new URL(address)
    assert.ok(pathname.startsWith('/brand/acme/guide'))
    assert.equal((await ask(pathname)).status, 200)
    assert.equal((await ask(pathname.slice('/brand'.length))).status, 200)
  }
})

test('a workspace named like the path is served below the path, and behind a proxy that removes the path', async () => {
  for (const path of ['/brand/brand/own', '/brand/own']) {
    const { status, text } = await ask(path)
    assert.equal(status, 200, path)
    assert.match(text, /<h1[^>]*>Own/)
  }
})

test('agents reach a guide of such a workspace below the path, and behind a proxy that removes it', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  for (const path of ['/brand/brand/own/-/mcp', '/brand/own/-/mcp']) {
    const { status, text } = await ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    assert.equal(status, 200, path)
    assert.match(text, /"name":"get_page"/)
    const options = await ask(path, { method: 'OPTIONS' })
    assert.equal(options.headers.get('allow'), 'POST, OPTIONS')
  }
})

test('a longer segment with the path as its prefix is not below the path', async () => {
  for (const path of ['/brands', '/brand-x/acme/guide', '/brandacme/guide']) assert.equal((await ask(path)).status, 404)
})

test('a redirect below the path stays below it', async () => {
  for (const path of ['/brand/acme/guide/', '/acme/guide/']) {
    const { status, headers } = await ask(path)
    assert.deepEqual([status, headers.get('location')], [308, '/brand/acme/guide'])
  }
})

test('all resources and links of a page below the path are below it and work', async () => {
  for (const path of ['/brand/', '/brand/acme', '/brand/acme/guide', '/brand/acme/guide/-/files', '/brand/docs']) {
    const { text } = await ask(path)
    const paths = Array.from(
      text.matchAll(/ (?:href|src|action)="(?:https:\/\/x\.example)?(\/[^"#?]*)/g),
      ([, each = '']) => each,
    )
    assert.ok(paths.length > 2, path)
    for (const each of new Set(paths)) {
      assert.match(each, /^\/brand(?:\/|$)/, path)
      assert.equal((await ask(each)).status, 200, each)
    }
  }
})

test('below the path of the public URL, the logo of a workspace is found', async () => {
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
  const files = {
    'workspace.yaml': 'theme:\n  logo: logo.svg\n',
    'logo.svg': logo,
    'guide/pages/index.md': '# Guide\n',
  }
  const themed = await temporaryStore(PUBLIC_URL)
  await themed.publishing('themed/guide', files)
  const service = await testService(themed, { publicUrl: PUBLIC_URL })
  const { text } = await service.ask('/brand/themed', { headers: { accept: 'text/html' } })
  const [address = ''] = /\/brand\/themed\/-\/logo\/[^"]+/.exec(text) ?? []
  const { status, text: found } = await service.ask(address)
  assert.deepEqual([status, found], [200, logo])
})
