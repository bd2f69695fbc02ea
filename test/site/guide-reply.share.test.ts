import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { remove } from '#publishing/change-project.ts'
import { cookieOf, share, type TestService, testService } from '../support/service.ts'
import { resultOf, temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
const { folder } = temporary
const BRAND = { 'guide/project.yaml': 'name: Guide\n', 'guide/files/a.txt': 'a' }

before(async () => {
  await temporary.importing('acme', {
    ...BRAND,
    'open/project.yaml': 'visibility: public\n',
    'draft/project.yaml': 'name: Draft\n',
    'guide-2/project.yaml': 'name: Another\n',
  })
  for (const project of ['guide', 'guide-2', 'open']) await temporary.publish(`acme/${project}`)
})

async function assertUnknown({ ask }: TestService, path: string, cookie?: string): Promise<void> {
  const headers = cookie === undefined ? {} : { cookie }
  const [answer, unknown] = [await ask(path, { headers }), await ask('/nowhere/guide')]
  assert.deepEqual([answer.status, answer.text, ...answer.headers], [404, unknown.text, ...unknown.headers], path)
}

test('a share link sets a cookie only for its project and redirects to the clean address, which the cookie opens', async () => {
  const { path } = await share(folder, 'acme/guide')
  const service = await testService(temporary)
  const visited = await service.ask(path)
  assert.equal(visited.status, 303)
  const { 'set-cookie': _, ...headers } = Object.fromEntries(visited.headers)
  assert.deepEqual(headers, {
    location: '/acme/guide',
    'cache-control': 'no-store',
    'content-length': '0',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  const set = visited.headers.getSetCookie()
  assert.match(
    set[0] ?? '',
    /^housestyle_acme_guide=[0-9a-f]{16}\.\d+\.[\w-]{43}; Max-Age=25\d{5}; Path=\/acme\/guide; HttpOnly; SameSite=Lax$/,
  )
  assert.deepEqual(set.slice(1), [set[0]?.replace('/acme/guide;', '/acme/guide.md;')])
  const cookie = cookieOf(visited)
  const page = await service.ask('/acme/guide', { headers: { cookie } })
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>Guide<\/h1>/)
  assert.equal(page.headers.get('cache-control'), 'private, no-cache')
  assert.equal(page.headers.get('vary'), 'Authorization, Cookie, Accept-Encoding')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  for (const other of ['/acme/guide-2', '/acme/draft', '/acme/nope']) await assertUnknown(service, other, cookie)
  await assertUnknown(service, '/acme/guide')
})

test('a share link greets its readers on the home page, with its name, its last day, the contents and the contact', async () => {
  const pages = {
    'pages/index.md': '# Home\n',
    'pages/logo.md': '# Logo & mark\n',
    'pages/logo/misuse.md': '# Misuse\n',
  }
  const files = {
    'project.yaml': 'name: Studio guide\ncontact: brand@acme.example\n',
    'styles/colors.yaml': '- { name: Red, hex: "#f00" }\n',
  }
  for (const [id, content] of [
    ['greeted', { ...files, ...pages }],
    ['bare', {}],
  ] as const) {
    const folder = Object.fromEntries(Object.entries(content).map(([path, text]) => [`${id}/${path}`, text]))
    await temporary.importing(id, { [`${id}/project.yaml`]: 'name: Bare\n', ...folder })
    await temporary.publish(`${id}/${id}`)
  }
  const links = {
    named: await share(folder, 'greeted/greeted', '--name', 'Studio <Nord>', '--expires', '1h'),
    unnamed: await share(folder, 'greeted/greeted', '--expires', '366d'),
    bare: await share(folder, 'bare/bare', '--name', 'Nobody'),
  }
  const service = await testService(temporary)
  const open = async ({ path }: { path: string }) => {
    const visited = await service.ask(path)
    const home = visited.headers.get('location') ?? ''
    const { status, text, headers } = await service.ask(home, { headers: { cookie: cookieOf(visited) } })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.ok(!text.includes(path.split('/').at(-1) ?? ''), 'the page has no secret')
    return /<section class="welcome"[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
  }
  const day = (days: number, options: object) => {
    const date = new Date(service.clock.now + days * 86_400_000 + (days === 0 ? 3_600_000 : 0))
    return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(date)
  }
  const [named, unnamed, bare] = [await open(links.named), await open(links.unnamed), await open(links.bare)]
  assert.ok(named.includes(`For Studio &#60;Nord&#62;, until ${day(0, { day: 'numeric', month: 'long' })}`), named)
  assert.ok(unnamed.includes(`Open to you until ${day(366, { dateStyle: 'long' })}</h2>`), unnamed)
  const seen = Array.from(named.matchAll(/<a href="([^"]+)">([^<]+)</g), ([, href, text]) => [href, text])
  assert.deepEqual(seen, [
    ['mailto:brand@acme.example', 'brand@acme.example'],
    ['/greeted/greeted/logo', 'Logo &#38; mark'],
    ['/greeted/greeted/-/colors', 'Colours'],
  ])
  assert.match(bare, /For Nobody/)
  assert.doesNotMatch(bare, /<nav|<a /)
  const { token } = await temporary.issue('greeted')
  assert.doesNotMatch((await service.ask('/greeted/greeted', { token })).text, /class="welcome"/)
})

test('a share link may be used any number of times, and HEAD is answered like GET', async () => {
  const { path } = await share(folder, 'acme/guide')
  const { ask } = await testService(temporary)
  const first = await ask(path)
  for (const method of ['GET', 'HEAD', 'GET']) {
    const { status, headers } = await ask(path, { method })
    assert.deepEqual([status, ...headers], [303, ...first.headers])
  }
  assert.equal((await ask(path, { method: 'POST' })).status, 405)
})

test('below a public URL with a path, a share link redirects to an address below it, and its cookie has that path', async () => {
  const publicUrl = 'https://example.com/brand'
  const { url } = await resultOf(folder, ['share', 'acme/guide', '--public-url', publicUrl])
  assert.ok(url.startsWith(`${publicUrl}/acme/guide/-/share/`))
  const { ask } = await testService(temporary, { publicUrl })
  const visited = await ask(url.slice(publicUrl.length))
  assert.equal(visited.headers.get('location'), '/brand/acme/guide')
  const [set = ''] = visited.headers.getSetCookie()
  assert.match(set, /^__Secure-housestyle_acme_guide=.*; Path=\/brand\/acme\/guide; HttpOnly; Secure; SameSite=Lax$/)
  assert.equal((await ask('/acme/guide', { headers: { cookie: cookieOf(visited) } })).status, 200)
})

test('a link that is wrong, of another project or not a link gets the 404 of an unknown address', async () => {
  const { path } = await share(folder, 'acme/guide')
  const { path: unpublished } = await share(folder, 'acme/draft')
  const service = await testService(temporary)
  const secret = path.split('/').at(-1) ?? ''
  for (const wrong of [
    `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
    path.slice(0, -1),
    `${path}A`,
    `${path}/x`,
    `/acme/guide-2/-/share/${secret}`,
    `/other/guide/-/share/${secret}`,
    `/acme/nope/-/share/${secret}`,
    '/acme/guide/-/share',
    '/acme/guide/-/share/__proto__',
    '/acme/guide/-/share/%ff',
    `/acme/guide/-/shares/${secret}`,
    unpublished,
  ])
    await assertUnknown(service, wrong)
})

test('a link to a project that is published later opens it from then on', async () => {
  await temporary.importing('later', { 'guide/project.yaml': 'name: Later\n' })
  const { path } = await share(folder, 'later/guide')
  const service = await testService(temporary)
  await assertUnknown(service, path)
  await temporary.publish('later/guide')
  await service.follow()
  assert.equal((await service.ask(path)).status, 303)
})

test('a link and its cookie open nothing any more when the link has expired', async () => {
  const { path } = await share(folder, 'acme/guide', '--expires', '1h')
  const service = await testService(temporary)
  const cookie = cookieOf(await service.ask(path))
  service.clock.now += 3_600_000
  await assertUnknown(service, path)
  await assertUnknown(service, '/acme/guide', cookie)
})

test('a link and its cookie open nothing any more when the link is revoked, and other links keep working', async () => {
  const [gone, other] = [await share(folder, 'acme/guide'), await share(folder, 'acme/guide')]
  const service = await testService(temporary)
  const cookie = cookieOf(await service.ask(gone.path))
  await resultOf(folder, ['share', 'revoke', gone.id])
  await service.follow()
  await assertUnknown(service, gone.path)
  await assertUnknown(service, '/acme/guide', cookie)
  const cookies = `${cookie}; ${cookieOf(await service.ask(other.path))}`
  assert.equal((await service.ask('/acme/guide', { headers: { cookie: cookies } })).status, 200)
})

test('links and cookies of a deleted project open no later project of the same name', async () => {
  await temporary.publishing('brief/guide', BRAND)
  const { path } = await share(folder, 'brief/guide')
  const service = await testService(temporary)
  const cookie = cookieOf(await service.ask(path))
  unwrap(await remove(temporary.store, { workspace: 'brief', project: 'guide' }, new Date()))
  await temporary.publishing('brief/guide', BRAND)
  await service.follow()
  for (const each of [service, await testService(temporary)]) {
    await assertUnknown(each, path)
    await assertUnknown(each, '/brief/guide', cookie)
  }
  assert.deepEqual(await resultOf(folder, ['share', 'list', 'brief']), [])
})

test('a cookie opens nothing for the API', async () => {
  const { ask } = await testService(temporary)
  const cookie = cookieOf(await ask((await share(folder, 'acme/guide')).path))
  assert.equal((await ask('/beta/workspace/acme/project/guide', { headers: { cookie } })).status, 401)
})
