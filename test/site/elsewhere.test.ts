import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sessionCookie } from '../support/people-service.ts'
import { testService } from '../support/service.ts'
import { addHosts, resultOf, temporaryStore } from '../support/temporary-store.ts'
import { browserOf } from '../support/visitor.ts'

const temporary = await temporaryStore()
const OLD = 'http://brand.test/acme/guide'
const OWN = 'http://guide.test'

before(async () => {
  await temporary.importing('acme', { 'guide/pages/logo.md': '# Logo\n', 'other/pages/logo.md': '# Other\n' })
  for (const project of ['guide', 'other']) await temporary.publish(`acme/${project}`)
  await temporary.importing('acme', { 'guide/pages/logo.md': '# New logo\n' })
  await addHosts(temporary, { 'guide.test': 'acme/guide', 'all.test': 'acme' })
})

async function setup() {
  const service = await testService(temporary)
  return { ...service, reader: browserOf(service.service), stranger: browserOf(service.service) }
}

async function link(...args: string[]): Promise<string> {
  const { url } = await resultOf(temporary.folder, [
    'share',
    'acme/guide',
    ...args,
    '--public-url',
    'http://brand.test',
  ])
  return url
}

test('a share link is at the host of its guide, also from the old address, and opens only that', async () => {
  const { reader, stranger } = await setup()
  const url = await link()
  assert.ok(url.startsWith(`${OWN}/-/share/`))
  for (const from of [url, url.replace(OWN, OLD), url.replace(OWN, 'http://all.test/guide')]) {
    const opened = await reader.follow(await reader.get(from), from)
    assert.deepEqual([opened.status, opened.url], [200, `${OWN}/`], from)
  }
  assert.equal((await reader.get(`${OWN}/logo`)).status, 200)
  const cookie = reader.cookieOf(`${OWN}/logo`)
  assert.notEqual(cookie, '')
  for (const elsewhere of [`${OLD}/logo`, 'http://all.test/guide/logo'])
    assert.equal((await stranger.get(elsewhere, { cookie })).status, 404, elsewhere)
  assert.equal((await stranger.get(`${OWN}/-/share/wrong`)).status, 404)
})

test('a link to a draft opens only the draft, below the host of its guide', async () => {
  const { reader } = await setup()
  const url = await link('--draft')
  assert.ok(url.startsWith(`${OWN}/-/draft/-/share/`))
  const opened = await reader.follow(await reader.get(url.replace(OWN, OLD)), OLD)
  assert.deepEqual([opened.status, opened.url], [200, `${OWN}/-/draft`])
  assert.match((await reader.get(`${OWN}/-/draft/logo`)).text, /New logo/)
  assert.equal((await reader.get(`${OWN}/logo`)).status, 404)
})

test('people who may see a private guide are redirected from every old address to its host', async () => {
  const { stranger } = await setup()
  const cookie = await sessionCookie(temporary, 'acme', { manages: 'all' })
  for (const [path, target] of [
    ['', '/'],
    ['/logo', '/logo'],
    ['/nowhere', '/nowhere'],
    ['/-/draft/logo', '/-/draft/logo'],
    ['/-/manage', '/-/manage'],
    ['/-/manage/history?page=2', '/-/manage/history?page=2'],
    ['/-/manage/revision/1/logo', '/-/manage/revision/1/logo'],
  ] as const) {
    const { status, headers } = await stranger.get(OLD + path, { cookie })
    assert.deepEqual([status, headers.get('location')], [308, OWN + target])
  }
  const { status, headers } = await stranger.get('http://brand.test/acme/-/manage', { cookie })
  assert.deepEqual([status, headers.get('location')], [308, 'http://all.test/-/manage'])
  assert.equal((await stranger.get('http://brand.test/acme/-/sessions', { cookie })).status, 200)
})
