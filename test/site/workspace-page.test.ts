import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { servedBrand, testService } from '../support/service.ts'
import { publishedStore, temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'open/project.yaml': 'name: The open one\nvisibility: public\n',
  'closed/project.yaml': 'name: The closed one\n',
})
await temporary.importing('other', { 'guide/project.yaml': 'name: The other one\nvisibility: public\n' })
for (const place of ['acme/open', 'acme/closed', 'other/guide']) await temporary.publish(place)
const { token } = await temporary.issue('acme')
const { ask, follow } = await testService(temporary)

for (const [path, closed] of [
  ['/', 'The closed one'],
  ['/acme', 'The closed one'],
  ['/sitemap.xml', '/acme/closed/'],
] as const) {
  test(`${path} is compressed, and not sent again for its ETag`, async () => {
    const plain = await ask(path)
    const packed = await ask(path, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([packed.headers.get('content-encoding'), packed.text], ['br', plain.text])
    assert.ok(packed.bytes.length < plain.bytes.length)
    assert.deepEqual(
      [plain.headers.get('cache-control'), plain.headers.get('vary')],
      ['public, no-cache', path === '/' ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding'],
    )
    const again = await ask(path, { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
  })

  test(`${path} is the same for everyone, and has no private project`, async () => {
    const { text } = await ask(path)
    assert.ok(!text.includes(closed))
    for (const asking of [{ token }, { headers: { cookie: 'housestyle=x' } }])
      assert.deepEqual((await ask(path, asking)).text, text)
  })
}

test('the lists of projects follow each change of publications, names and visibility', async () => {
  const listed = async () => {
    const texts = await Promise.all(['/', '/acme', '/sitemap.xml'].map(async path => (await ask(path)).text))
    return ['open', 'closed', 'newer'].filter(name => texts.every(text => text.includes(`/acme/${name}`)))
  }
  assert.deepEqual(await listed(), ['open'])
  await temporary.importing('acme', { 'newer/project.yaml': 'name: Newer\nvisibility: public\n' })
  await follow()
  assert.deepEqual(await listed(), ['open'])
  await temporary.publish('acme/newer')
  await follow()
  assert.deepEqual(await listed(), ['open', 'newer'])
  await temporary.publishing('acme/newer', { 'newer/project.yaml': 'name: Newer\nvisibility: private\n' })
  await follow()
  const texts = await Promise.all(['/', '/acme', '/sitemap.xml'].map(async path => (await ask(path)).text))
  for (const text of texts) assert.ok(!text.includes('newer') && !text.includes('Newer'))
  await temporary.publishing('acme/open', { 'open/project.yaml': 'name: Of another name\nvisibility: public\n' })
  await follow()
  assert.match((await ask('/')).text, /Of another name/)
})

for (const publicUrl of ['http://brand.test', 'https://example.com/brand'])
  test(`the page at / links to the documentation and the OpenAPI document below ${publicUrl}`, async () => {
    const { ask } = await testService(temporary, { publicUrl })
    const { status, headers, text } = await ask('/', { headers: { accept: 'text/html' } })
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    const base = new URL(publicUrl).pathname.replace(/\/$/, '')
    for (const path of ['/docs', '/openapi.json']) {
      assert.ok(text.includes(`<a href="${base}${path}">`), text)
      assert.equal((await ask(base + path)).status, 200)
    }
  })

for (const [language, lang, title] of [
  ['', 'en', 'Brand guidelines'],
  ['de-CH, en;q=0.5', 'de', 'Styleguides'],
  ['ar', 'ar', 'أدلة الهوية البصرية'],
  ['fi', 'en', 'Brand guidelines'],
] as const)
  test(`the page at / is in the language that the reader prefers: “${language}” gets ${lang}`, async () => {
    const { text } = await ask('/', { headers: { 'accept-language': language } })
    assert.match(text, new RegExp(`<html lang="${lang}".*<h1[^>]*>(?:<span>)?${title}<`, 's'))
  })

test('the page at / is the same for an empty store and for one with private guides, which it does not read', async () => {
  const hidden = await publishedStore('hidden/guide', { 'guide/project.yaml': 'name: Hidden\n' })
  const { database } = hidden.store
  const { ask } = await testService(hidden)
  const read: unknown[] = []
  let queries = 0
  const { all, get } = database
  database.all = async (...query) => {
    const rows = await all(...query)
    queries++
    read.push(...rows)
    return rows
  }
  database.get = async (...query) => {
    const row = await get(...query)
    read.push(row)
    return row
  }
  const own = await ask('/')
  assert.ok(queries > 0)
  assert.deepEqual(read, [])
  const { ask: askEmpty } = await testService(await temporaryStore())
  const empty = await askEmpty('/')
  assert.deepEqual([own.status, own.text, [...own.headers]], [empty.status, empty.text, [...empty.headers]])
})

test('projects are listed at / and for a workspace, in the order of workspaces and names, at any old page', async () => {
  const store = await temporaryStore()
  const names = ['Alpha', 'Beta', 'Gamma', 'Omega']
  await store.importing(
    'many',
    Object.fromEntries(
      names.map((name, at) => [`p${names.length - at}/project.yaml`, `name: ${name}\nvisibility: public\n`]),
    ),
  )
  await store.importing('other', { 'guide/project.yaml': 'name: Other\nvisibility: public\n' })
  for (const place of [...names.map((_, at) => `many/p${at + 1}`), 'other/guide']) await store.publish(place)
  const { ask } = await testService(store)
  const listed = (text: string) => Array.from(text.matchAll(/<li><a href="([^"]+)">/g), ([, path]) => path)
  const paths = ['/many/p4', '/many/p3', '/many/p2', '/many/p1']
  const { text } = await ask('/')
  assert.deepEqual(listed(text), [...paths, '/other/guide'])
  assert.equal((await ask('/?page=2')).text, text)
  const workspace = await ask('/many')
  assert.deepEqual(listed(workspace.text), paths)
  assert.equal((await ask('/many?page=2')).text, workspace.text)
})

test('the cards of public guides have the cover or the theme and the description of their home page, at / and for a workspace', async () => {
  const store = await temporaryStore()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"/>'
  await store.importing('acme', {
    'workspace.yaml': 'name: Acme\n',
    'one/project.yaml': 'name: One\nvisibility: public\n',
    'one/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
    'one/files/cover.svg': svg,
    'one/pages/index.md': '---\ndescription: All & more.\ncover: ../files/cover.svg\nground: ink\n---\n# Welcome\n',
    'two/project.yaml': 'name: Two\nvisibility: public\nlang: de\n',
    'two/pages/index.md': '# Hallo\n',
    'three/project.yaml': 'name: Three\nvisibility: public\ntheme: { accent: sun }\n',
    'three/styles/colors.yaml': '- { name: Sun, hex: "#ffcc00" }\n',
    'three/pages/index.md': '# Hello\n',
    'closed/project.yaml': 'name: Closed\n',
    'closed/pages/index.md': '---\ndescription: Hidden text.\n---\n# Closed\n',
  })
  for (const project of ['one', 'two', 'three', 'closed']) await store.publish(`acme/${project}`)
  const { ask, follow } = await testService(store)
  for (const path of ['/', '/acme']) {
    const { text } = await ask(path)
    const cover =
      /<li><span class="face"><svg aria-hidden="true"><rect fill="#14212b"\/><\/svg><img src="([^"]+)" width="600"[^>]*><\/span><a href="\/acme\/one">One<\/a><p dir="auto">All &#38; more\.<\/p>/
    const [, address = ''] = cover.exec(text) ?? []
    assert.match(text, cover)
    assert.equal((await ask(address)).text, svg)
    assert.match(text, /<li><a href="\/acme\/two">Two<\/a>/)
    assert.match(text, /<rect fill="#ffcc00"\/><text [^>]*>T<\/text><\/svg><\/span><a href="\/acme\/three">/)
    assert.equal(text.includes('<a class="quiet" href="/acme">Acme</a>'), path === '/')
    assert.doesNotMatch(text, /Hidden text/)
    assert.match(text, /<p class="lead">Logos, colours, type and how to use them\./)
  }
  await store.publishing('acme/one', {
    'one/project.yaml': 'name: One\nvisibility: public\n',
    'one/pages/index.md': '---\ndescription: New text.\n---\n# Welcome\n',
  })
  await follow()
  for (const path of ['/', '/acme']) assert.match((await ask(path)).text, /One<\/a><p dir="auto">New text\./)
})

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><path d="M0 0h80v20H0z"/></svg>'

test('pages before the guides have the ground, corners, fonts and logo of the theme of the only workspace', async () => {
  const font = readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-SemiBold-Latin1.woff2')
  const { ask } = await servedBrand({
    'workspace.yaml':
      'name: Acme\ntheme: { logo: one/files/mark.svg, accent: "#cc3a06", ground: "#f7f4ee", corners: square, fonts: one/files/plex.woff2 }\n',
    'one/project.yaml': 'name: One\nvisibility: public\n',
    'one/files/plex.woff2': font,
    'one/files/mark.svg': LOGO,
    'two/project.yaml': 'name: Two\nvisibility: public\n',
  })
  for (const path of ['/', '/acme', '/acme/closed']) {
    const { text } = await ask(path, { headers: { accept: 'text/html' } })
    const [, sheet = ''] = /<link rel="stylesheet" href="(\/acme\/-\/theme\/[^"]+\.css)">/.exec(text) ?? []
    const [, address = ''] =
      /<link rel="preload" as="font" crossorigin href="(\/acme\/-\/font\/[^"]+)">/.exec(text) ?? []
    const css = (await ask(sheet)).text
    assert.match(css, /--ground:light-dark\(#f7f4ee,.*--corner:0[;}]/)
    assert.ok(
      css.includes(
        `@font-face{font-family:Workspace;font-weight:600 600;font-style:normal;font-display:swap;src:url("${address}")}`,
      ),
    )
    const { status, headers } = await ask(address)
    assert.deepEqual([status, headers.get('content-length')], [200, `${font.length}`])
  }
  assert.equal((await ask('/acme/-/theme/0000000000000000.css')).status, 404)
  const [, logo = ''] = /<p>.*?src="(\/acme\/-\/logo\/[^"]+)"/.exec((await ask('/acme')).text) ?? []
  assert.equal((await ask(logo)).text, LOGO)
})
