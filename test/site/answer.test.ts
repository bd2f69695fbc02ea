import assert from 'node:assert/strict'
import test from 'node:test'
import { type Asking, testService, URL_OF_SERVICE } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'workspace.yaml': 'name: Acme & Co\n',
  'open/project.yaml': 'name: "<b>Open</b> & \'free\'"\nvisibility: public\n',
  'open/pages/logo.md': '---\ntitle: Logo\ndescription: What it is\n---\nText\n\n## Space\n\n## Size\n',
  'open/pages/logo/misuse.md': '# Misuse\n\n[Logo](../logo.md)\n',
  'open/pages/print/press/proofs.md': '# Proofs\n',
  'closed/project.yaml': 'name: Closed\n',
  'closed/pages/index.md': '# Welcome\n',
  'draft/project.yaml': 'name: Draft\nvisibility: public\n',
})
await temporary.importing('other', { 'closed/project.yaml': 'name: Closed\n' })
for (const place of ['acme/open', 'acme/closed', 'other/closed']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { token: narrow } = await temporary.issue('acme', { scopes: ['data.read', 'styles.read'] })
const { token: elsewhere } = await temporary.issue('acme', { projects: ['open'] })
const { token: other } = await temporary.issue('other')
const { ask } = await testService(temporary)

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test('the url of a public project gives everyone a page that names the project and its workspace, escaped', async () => {
  const { status, headers, text } = await ask('/acme/open')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  assert.equal(headers.get('vary'), 'Accept-Encoding')
  const name = '&#60;b&#62;Open&#60;/b&#62; &#38; &#39;free&#39;'
  assert.ok(text.includes(`<title>Acme &#38; Co – ${name}</title>`) && text.includes(`<h1>${name}</h1>`))
})

test('a private project gives its pages to a bearer token that covers it and has document.read, and to no cache', async () => {
  const { status, headers, text } = await ask('/acme/closed', { token })
  assert.equal(status, 200)
  assert.match(text, /Welcome/)
  assert.match(text, /<meta name="robots" content="noindex">/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.equal(headers.get('vary'), 'Authorization, Cookie, Accept-Encoding')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
})

for (const [kind, asking] of [
  ['a program', {}],
  ['a browser', BROWSER],
] satisfies [string, Asking][])
  test(`whoever may not see a page gets the 404 of an unknown one: ${kind}`, async () => {
    const unknown = await ask('/acme/unknown', asking)
    assert.equal(unknown.status, 404)
    const type = kind === 'a browser' ? 'text/html; charset=utf-8' : 'application/json'
    assert.deepEqual([unknown.headers.get('content-type'), unknown.headers.get('vary')], [type, 'Accept'])
    const asked = [
      ...['/acme/closed', '/acme/closed.md', '/acme/closed/llms.txt', '/acme/closed/-/pages', '/acme/draft'],
      ...['/nowhere/closed', '/__proto__/x', '/other', '/acme//open', '/%ff', '/acme/closed/sitemap.xml'],
    ].map(target => ask(target, asking))
    const tokens = [
      ...['x.y.z', narrow, elsewhere, other].map(wrong => ask('/acme/closed', { ...asking, token: wrong })),
      ...[ask('/other/closed', { ...asking, token }), ask('/acme/draft', { ...asking, token })],
      ask('/acme/closed', { ...asking, method: 'POST' }),
    ]
    for (const answer of await Promise.all([...asked, ...tokens])) {
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

test('a page stands at its id, in the navigation, below its parents and between its neighbours', async () => {
  const { status, text } = await ask('/acme/open/logo/misuse')
  assert.equal(status, 200)
  assert.match(text, /<title>Misuse – Acme &#38; Co – /)
  assert.match(text, /<link rel="canonical" href="http:\/\/brand\.test\/acme\/open\/logo\/misuse">/)
  assert.match(text, /<a href="\/acme\/open\/logo\/misuse" aria-current="page">Misuse<\/a>/)
  assert.match(
    text,
    /aria-label="Breadcrumb"><ol>\s*<li><a href="\/acme\/open">.*<li><a href="\/acme\/open\/logo">Logo<\/a>/s,
  )
  assert.match(
    text,
    /<a rel="prev" href="\/acme\/open\/logo">.*<a rel="next" href="\/acme\/open\/print\/press\/proofs">/s,
  )
  assert.equal((await ask('/acme/open/logo%2Fmisuse')).text, text)
})

test('a page that has its ETag is not sent again, and comes in the coding that is asked for', async () => {
  const { headers } = await ask('/acme/open/logo', { headers: { 'accept-encoding': 'br' } })
  assert.equal(headers.get('content-encoding'), 'br')
  const again = await ask('/acme/open/logo', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
})

test('an address with a slash at its end leads to the one without, whether there is anything or not', async () => {
  for (const path of ['/acme', '/acme/open', '/acme/open/logo', '/acme/closed', '/acme/unknown']) {
    const { status, headers } = await ask(`${path}/`)
    assert.deepEqual([status, headers.get('location')], [308, URL_OF_SERVICE + path])
  }
  for (const path of ['//', '//evil.example/', '/acme//']) assert.equal((await ask(path)).status, 404, path)
})

test('the home page has one address', async () => {
  const { status, headers } = await ask('/acme/closed/index', { token })
  assert.deepEqual([status, headers.get('location')], [308, `${URL_OF_SERVICE}/acme/closed`])
})

test('a browser that asks a guide for what it does not have is shown the guide, with 404; a program the error', async () => {
  const { status, headers, text } = await ask('/acme/open/gone', BROWSER)
  assert.deepEqual([status, headers.get('cache-control')], [404, 'public, no-cache'])
  assert.equal(headers.get('vary'), 'Accept-Encoding, Accept')
  assert.match(text, /This page is not here.*/s)
  const again = await ask('/acme/open/lost', {
    headers: { ...BROWSER.headers, 'if-none-match': headers.get('etag') ?? '' },
  })
  assert.deepEqual([again.status, again.text], [404, text])
  assert.match(text, /<nav class="side"/)
  assert.equal(JSON.parse((await ask('/acme/open/gone')).text).error, 'not_found')
})

test('the page of a workspace lists its public projects', async () => {
  const { status, text } = await ask('/acme')
  assert.equal(status, 200)
  assert.match(text, /<h1>Acme &#38; Co<\/h1>/)
  assert.deepEqual(text.match(/href="\/acme\/\w+"/g), ['href="/acme/open"'])
})

test('every page of a guide is there, with those that only folders lead to', async () => {
  const { text } = await ask('/acme/open/-/pages')
  assert.match(text, /<li>Print<ul>\s*<li>Press<ul>\s*<li><a href="\/acme\/open\/print\/press\/proofs">Proofs<\/a>/)
})

test('a page stands as Markdown beside itself, with front matter and whole addresses', async () => {
  const { headers, text } = await ask('/acme/open/logo.md')
  assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.equal(text, '---\ntitle: "Logo"\nid: "logo"\ndescription: "What it is"\n---\nText\n\n## Space\n\n## Size\n')
  const { text: misuse } = await ask('/acme/open/logo/misuse.md')
  assert.match(misuse, /\[Logo\]\(http:\/\/brand\.test\/acme\/open\/logo\)/)
  const home = await ask('/acme/closed.md', { token })
  assert.deepEqual([home.status, home.headers.get('x-robots-tag')], [200, 'noindex'])
  assert.equal((await ask('/acme/closed/index.md', { token })).text, home.text)
  assert.equal((await ask('/acme/open.md')).status, 404)
})

test('llms.txt lists the pages as Markdown, llms-full.txt holds them', async () => {
  const { headers, text } = await ask('/acme/open/llms.txt')
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.ok(text.startsWith("# <b>Open</b> & 'free'\n"))
  assert.ok(text.includes(`- [Logo](${URL_OF_SERVICE}/acme/open/logo.md): What it is\n`))
  const { text: whole } = await ask('/acme/open/llms-full.txt')
  assert.ok(whole.includes('title: "Logo"') && whole.includes('# Proofs\n'))
})

test('the sitemap of a project lists its pages', async () => {
  const { headers, text } = await ask('/acme/open/sitemap.xml')
  assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8')
  const places = ['', '/logo', '/logo/misuse', '/print/press/proofs']
  assert.deepEqual(
    Array.from(text.matchAll(/<loc>(.*?)<\/loc>/g), ([, address]) => address),
    places.map(place => `${URL_OF_SERVICE}/acme/open${place}`),
  )
})

test('style sheets and the script are kept for good, at addresses that name their content', async () => {
  const { text } = await ask('/acme/open')
  const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.equal(assets.length, 3)
  for (const path of assets) {
    const { status, headers } = await ask(path, { headers: { 'accept-encoding': 'gzip' } })
    assert.deepEqual([status, headers.get('content-encoding')], [200, 'gzip'])
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  }
})
