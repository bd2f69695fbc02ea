import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'open/project.yaml': 'name: "<b>Open</b> & \'free\'"\nvisibility: public\n',
  'closed/project.yaml': 'name: Closed\n',
  'draft/project.yaml': 'name: Draft\nvisibility: public\n',
})
await temporary.importing('other', { 'closed/project.yaml': 'name: Closed\n' })
for (const place of ['acme/open', 'acme/closed', 'other/closed']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { token: narrow } = await temporary.issue('acme', { scopes: ['data.read', 'styles.read'] })
const { token: elsewhere } = await temporary.issue('acme', { projects: ['open'] })
const { token: other } = await temporary.issue('other')
const { ask } = await testService(temporary)

test('the url of a public project gives everyone a page that names the project, escaped', async () => {
  const { status, headers, text } = await ask('/acme/open')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  const name = '&#60;b&#62;Open&#60;/b&#62; &#38; &#39;free&#39;'
  assert.ok(text.includes(`<title>${name}</title>`) && text.includes(`<h1>${name}</h1>`))
})

test('the url of a private project gives its page to a bearer token that covers it and has document.read', async () => {
  const { status, headers, text } = await ask('/acme/closed', { token })
  assert.equal(status, 200)
  assert.match(text, /<h1>Closed<\/h1>/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.equal(headers.get('vary'), 'Authorization, Cookie')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
})

test('whoever may not see a page gets the 404 of an unknown one', async () => {
  const unknown = await ask('/acme/unknown')
  assert.equal(unknown.status, 404)
  const asked = [
    ...[ask('/acme/closed'), ask('/acme/closed', { token: 'x.y.z' }), ask('/acme/closed', { token: narrow })],
    ...[ask('/acme/closed', { token: elsewhere }), ask('/acme/closed', { token: other }), ask('/acme/draft')],
    ...[ask('/other/closed', { token }), ask('/nowhere/closed'), ask('/acme/draft', { token }), ask('/__proto__/x')],
    ...[ask('/acme'), ask('/acme/open/page'), ask('/acme//open'), ask('/%ff'), ask('/acme/closed', { method: 'POST' })],
  ]
  for (const answer of await Promise.all(asked)) {
    assert.equal(answer.text, unknown.text)
    assert.deepEqual([answer.status, ...answer.headers], [404, ...unknown.headers])
  }
})

test('HEAD is answered as GET, OPTIONS with the methods that there are, and others not at all', async () => {
  const got = await ask('/acme/open')
  const head = await ask('/acme/open', { method: 'HEAD' })
  assert.deepEqual([head.status, head.bytes.length, ...head.headers], [200, 0, ...got.headers])
  const methods = 'GET, HEAD, OPTIONS'
  const options = await ask('/acme/open', { method: 'OPTIONS' })
  assert.deepEqual([options.status, options.headers.get('allow')], [204, methods])
  const refused = await ask('/acme/open', { method: 'DELETE' })
  assert.deepEqual([refused.status, refused.headers.get('allow')], [405, methods])
  assert.equal(JSON.parse(refused.text).error, 'method_not_allowed')
})
