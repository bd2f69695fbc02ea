import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand, testService, URL_OF_SERVICE } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'workspace.yaml': 'name: Acme & Co\n',
  'open/project.yaml': 'name: "<b>Open</b> & \'free\'"\nvisibility: public\n',
  'open/pages/logo.md': '---\ntitle: Logo\ndescription: What it is\n---\nText\n\n## Space\n\n## Size\n',
  'open/pages/logo/misuse.md': '# Misuse\n\n[Logo](../logo.md)\n',
  'open/pages/print/press/proofs.md': '# Proofs\n',
  'closed/project.yaml': 'name: Closed\nlang: de-at\n',
  'closed/pages/index.md': '# Welcome\n',
  'draft/project.yaml': 'name: Draft\nvisibility: public\n',
})
await temporary.importing('other', { 'closed/project.yaml': 'name: Closed\n' })
for (const place of ['acme/open', 'acme/closed', 'other/closed']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { ask } = await testService(temporary)

const PROGRAM = { headers: { accept: 'application/json' } }
const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test('the url of a public project is a page that names the project and its workspace, escaped', async () => {
  const { status, headers, text } = await ask('/acme/open')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  assert.equal(headers.get('vary'), 'Accept-Encoding')
  const name = '&#60;b&#62;Open&#60;/b&#62; &#38; &#39;free&#39;'
  assert.ok(
    text.includes(`<title>Acme &#38; Co – ${name}</title>`) &&
      text.replaceAll('<wbr>', '').includes(`<span>${name}</span></h1>`),
  )
})

test('a guide whose name begins with the workspace name is not shown with both', async () => {
  await temporary.publishing('nova/nova', { 'nova/project.yaml': 'name: Nova guidelines\nvisibility: public\n' })
  const { ask: askAnew } = await testService(temporary)
  assert.match((await askAnew('/nova/nova')).text, /<title>Nova guidelines<\/title>/)
})

test('HEAD is answered like GET, OPTIONS with the allowed methods, and other methods with 405', async () => {
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

test('methods other than GET and HEAD are refused without making, finding or caching anything', async () => {
  const { ask: askAnew } = await testService(temporary)
  const lookups = async () => (await askAnew('/metrics')).text.match(/^housestyle_cache_(?:requests|entries).*$/gm)
  const before = await lookups()
  for (const path of ['/acme/open', '/acme/open/-/files', '/acme/open/none', '/acme', '/', '/acme/open/-/search'])
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'OPTIONS'])
      assert.equal((await askAnew(path, { method })).status, method === 'OPTIONS' ? 204 : 405, `${method} ${path}`)
  assert.deepEqual(await lookups(), before)
})

test('a page is at its id, and links to its parents and neighbours in the navigation', async () => {
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

test('a page is not sent again for its ETag, and uses the accepted content coding', async () => {
  const { headers } = await ask('/acme/open/logo', { headers: { 'accept-encoding': 'br' } })
  assert.equal(headers.get('content-encoding'), 'br')
  const again = await ask('/acme/open/logo', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
})

test('an address with a trailing slash redirects to the address without it, even if neither exists', async () => {
  for (const path of ['/acme', '/acme/open', '/acme/open/logo', '/acme/closed', '/acme/unknown']) {
    const { status, headers } = await ask(`${path}/`)
    assert.deepEqual([status, headers.get('location'), headers.get('content-length')], [308, path, '0'])
  }
  for (const path of ['//', '//evil.example/', '/acme//']) assert.equal((await ask(path)).status, 404, path)
  assert.equal((await ask('/acme/open/-/search/?q=a%26b')).headers.get('location'), '/acme/open/-/search?q=a%26b')
  const hostile = {
    '/\\evil.example/': '/%5Cevil.example',
    '/%2fevil.example/': undefined,
    '/a%0d%0ab: c/': '/a%0D%0Ab%3A%20c',
  }
  for (const [path, location = null] of Object.entries(hostile))
    assert.equal((await ask(path)).headers.get('location'), location, path)
})

test('redirects and links on a 404 page stay on the requested host, below the path of the public URL', async () => {
  const { ask } = await testService(temporary, { publicUrl: 'https://example.com/brand' })
  for (const [from, to] of [
    ['/acme/open/logo/', '/brand/acme/open/logo'],
    ['/acme/open/index', '/brand/acme/open'],
  ] as const)
    assert.equal((await ask(from)).headers.get('location'), to)
  assert.match((await ask('/nowhere', BROWSER)).text, /<a class="primary" href="\/brand\/">/)
  const { text } = await ask('/robots.txt')
  assert.match(text, /^Disallow: \/brand\/beta\/$/m)
  assert.match(text, /^Sitemap: https:\/\/example\.com\/brand\/sitemap\.xml$/m)
})

test('for an unknown address in a guide, a browser gets a page of the guide with 404, and a program the error', async () => {
  const { status, headers, text } = await ask('/acme/open/gone', BROWSER)
  assert.deepEqual([status, headers.get('cache-control')], [404, 'public, no-cache'])
  assert.match(text, /This page does not exist/)
  assert.doesNotMatch(text, /canonical|og:url/)
  assert.equal(headers.get('vary'), 'Accept-Encoding, Accept')
  const again = await ask('/acme/open/lost', {
    headers: { ...BROWSER.headers, 'if-none-match': headers.get('etag') ?? '' },
  })
  assert.deepEqual([again.status, again.text], [404, text])
  assert.match(text, /<nav class="sections"/)
  assert.equal(JSON.parse((await ask('/acme/open/gone', PROGRAM)).text).error, 'not_found')
  assert.equal(JSON.parse((await ask('/acme/closed/gone', { ...BROWSER, token })).text).error, 'not_found')
})

test('no address serves the 404 page as a regular page of the guide', async () => {
  await ask('/acme/open/gone', BROWSER)
  for (const path of ['/acme/open/-/not-here', '/acme/open/-/missing', '/acme/open/%2F'])
    assert.equal((await ask(path, BROWSER)).status, 404, path)
})

test('a client that accepts anything gets a page at page addresses, and the error at addresses for programs', async () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'image/png, */*;q=0.1' }])
    for (const path of ['/acme/open/gone', '/acme/unknown', '/acme/closed', '/nowhere/x/y', '/acme/open/-/nothing'])
      assert.match((await ask(path, { headers })).text, /^<!doctype html>/, path)
  for (const path of ['/acme/open/gone.md', '/acme/closed/llms.txt', '/nowhere', '/acme/open/-/files/key/name'])
    assert.equal(JSON.parse((await ask(path)).text).error, 'not_found', path)
  for (const accept of ['application/json', 'application/json, text/plain, */*', 'image/png'])
    assert.equal(JSON.parse((await ask('/acme/open/gone', { headers: { accept } })).text).error, 'not_found', accept)
})

test('each page is also available as Markdown, with front matter and absolute addresses', async () => {
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
  const addresses = Array.from(text.matchAll(/<loc>(.*?)<\/loc>/g), ([, address]) => address)
  const expected = places.map(place => `${URL_OF_SERVICE}/acme/open${place}`)
  assert.deepEqual(addresses, expected)
})

test('a page has one title, even if content precedes its own', async () => {
  const { ask } = await servedBrand({
    'guide/pages/below.md': '---\ndescription: About it\n---\nBefore\n\n# Title\n\nAfter\n',
    'guide/pages/other.md': '---\ntitle: Name\n---\nBefore\n\n# Title\n',
  })
  const titlesOf = async (page: string) =>
    Array.from((await ask(`/acme/guide/${page}`)).text.matchAll(/<h1[^>]*>(\w+)/g), ([, title]) => title)
  assert.deepEqual(await titlesOf('below'), ['Title'])
  assert.deepEqual(await titlesOf('other'), ['Name'])
  assert.match((await ask('/acme/guide/below')).text, /<\/h1>\s*<p class="lead">About it<\/p>.*Before.*After/s)
})
