import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { unpublish } from '#publishing/change-project.ts'
import { listUsage } from '#store/catalogue/usage.ts'
import { allowIssuer, sessionCookie } from '../support/people-service.ts'
import { type Answer, type Asking, sharedCookie, testService } from '../support/service.ts'
import { publishedStore } from '../support/temporary-store.ts'

const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="12"/>\n`
const guide = (project: string, visibility: string) => ({
  [`${project}/project.yaml`]: `name: Guide\nvisibility: ${visibility}\n`,
  [`${project}/pages/index.md`]: '# Guide\n\n![Mark](../files/logo/mark.svg)\n\n[Mark](../files/logo/mark.svg)\n',
  [`${project}/pages/clear.svg`]: svg(3),
  [`${project}/styles/colors.yaml`]: '- { name: Red, hex: "#ff0000" }\n',
  [`${project}/files/logo/mark.svg`]: svg(1),
  [`${project}/files/logo/hidden.svg`]: svg(4),
  [`${project}/files/files.yaml`]:
    'logo/hidden.svg: { library: false }\nlogo/mark.svg: { earlier: [old/mark.svg, "old/Mårk 2.svg"] }\n',
})
const temporary = await publishedStore(['acme/open', 'acme/closed'], {
  ...guide('open', 'public'),
  ...guide('closed', 'private'),
})
await allowIssuer(temporary, 'https://login.example')
const service = await testService(temporary)
const { ask, follow } = service

const OPEN = '/acme/open/-/current'
const CLOSED = '/acme/closed/-/current'
const MARK = `${OPEN}/files/logo/mark.svg`
const CACHING = 'public, max-age=300, stale-while-revalidate=60'
const ALL = ['/files/logo/mark.svg', '/kits/logo.zip', '/exports/tokens.css', '/exports/palette.zip']

/** A reply of a file address, whose own fields for caching differ. */
function comparable({ status, headers, text }: Answer) {
  const skipped = ['cache-control', 'date', 'access-control-allow-origin', 'access-control-expose-headers', 'vary']
  return { status, text, fields: [...headers].filter(([name]) => !skipped.includes(name)) }
}

async function fileAddress(): Promise<string> {
  const { text } = await ask('/acme/open')
  return /\/acme\/open\/-\/files\/[\w-]+\/mark\.svg/.exec(text)?.[0] ?? ''
}

test('a current address answers as the address of the file, except that caches keep it for five minutes', async () => {
  const address = await fileAddress()
  const { headers } = await ask(address)
  const etag = headers.get('etag') ?? ''
  for (const asking of [
    {},
    { method: 'HEAD' },
    { headers: { 'if-none-match': etag } },
    { headers: { 'if-none-match': '"other"' } },
    { headers: { 'if-match': '"other"' } },
    { headers: { range: 'bytes=1-5' } },
    { headers: { range: 'bytes=1-5', 'if-range': etag } },
    { headers: { range: 'bytes=1-5', 'if-range': '"other"' } },
    { headers: { range: 'bytes=5000-' } },
  ] satisfies Asking[]) {
    const current = await ask(MARK, asking)
    assert.deepEqual(comparable(current), comparable(await ask(address, asking)), JSON.stringify(asking))
    assert.equal(current.headers.get('cache-control'), current.status < 400 ? CACHING : 'no-store')
    assert.equal(current.headers.get('access-control-allow-origin'), '*')
  }
  assert.match(etag, /^"[0-9a-f]{64}"$/)
})

test('current addresses of kits and exports have the bytes and handling of the usual ones', async () => {
  for (const below of ALL.slice(1)) {
    const [current, own] = [await ask(OPEN + below), await ask(`/acme/open/-${below}`)]
    assert.deepEqual(comparable(current), comparable(own), below)
    assert.equal(current.headers.get('cache-control'), CACHING, below)
    assert.equal(current.headers.get('cache-control'), CACHING, below)
  }
})

test('the path is whole or as in files.yaml, of any published file, also at its earlier paths', async () => {
  for (const [path, text] of [
    ['/logo/mark.svg', svg(1)],
    ['/old/mark.svg', svg(1)],
    ['/files/old/mark.svg', svg(1)],
    ['/old/M%C3%A5rk%202.svg', svg(1)],
    ['/old/Ma%CC%8Ark%202.svg', svg(1)],
    ['/pages/clear.svg', svg(3)],
    ['/clear.svg', svg(3)],
    ['/logo/hidden.svg', svg(4)],
  ] as const)
    assert.equal((await ask(OPEN + path)).text, text, path)
  for (const path of [
    '/pages/old/mark.svg',
    '/none.svg',
    '/logo',
    '/kits/none.zip',
    '/exports/none.css',
    '/project.yaml',
  ])
    assert.equal((await ask(OPEN + path)).status, 404, path)
})

test('only the published guide has current addresses', async () => {
  const cookie = await sessionCookie(temporary, 'acme', { drafts: true, manages: 'all' })
  for (const place of ['/acme/open/-/draft', '/acme/open/-/manage/revision/1'])
    for (const below of ALL)
      assert.equal((await ask(`${place}/-/current${below}`, { headers: { cookie } })).status, 404, place)
})

test('no page of a guide loads or links to a current address, except to copy it', async () => {
  for (const path of ['', '/-/files', '/-/file/logo/mark.svg', '/-/use', '/-/changes', '.md', '/llms-full.txt'])
    assert.doesNotMatch(
      (await ask(`/acme/open${path}`)).text,
      /(?:href|src|srcset|action)="[^"]*\/-\/current\/|\]\(\S*\/-\/current\//,
    )
})

test('a private guide has current addresses for its readers only, and no cache may share them', async () => {
  const { token } = await temporary.issue('acme')
  const { token: narrow } = await temporary.issue('acme', { scopes: ['document.read'] })
  const link = await sharedCookie(service, temporary.folder, 'acme/closed')
  const session = await sessionCookie(temporary, 'acme', {})
  const rights: Readonly<Record<string, [number, Asking]>> = {
    nobody: [404, {}],
    link: [200, { headers: { cookie: link } }],
    session: [200, { headers: { cookie: session } }],
    token: [200, { token }],
  }
  for (const below of ALL)
    for (const [name, [expected, asking]] of Object.entries(rights)) {
      const { status, headers } = await ask(CLOSED + below, asking)
      assert.equal(status, expected, `${name} ${below}`)
      assert.equal(headers.get('cache-control'), expected === 200 ? 'private, no-cache' : 'no-store', name)
      assert.equal(headers.get('access-control-allow-origin'), null, name)
      if (expected === 200) assert.match(headers.get('vary') ?? '', /^Authorization, Cookie/)
      if (expected === 200) assert.equal(headers.get('x-robots-tag'), 'noindex')
    }
  for (const below of ALL.slice(0, 2))
    assert.equal((await ask(CLOSED + below, { token: narrow })).status, 403, 'files.read is missing')
})

test('a corrected and renamed file has its old current address at once, which is 404 as soon as it is withdrawn', async () => {
  const before = await ask(MARK)
  await rm(join(temporary.folder, 'acme/open/files/logo/mark.svg'))
  await temporary.importing('acme', {
    'open/pages/index.md': '# Guide\n',
    'open/files/brand/mark.svg': svg(2),
    'open/files/files.yaml': 'brand/mark.svg: { earlier: [logo/mark.svg, old/mark.svg] }\n',
  })
  await temporary.publish('acme/open')
  await follow()
  for (const path of ['/files/logo/mark.svg', '/old/mark.svg', '/brand/mark.svg']) {
    const { status, text, headers } = await ask(OPEN + path, {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    })
    assert.deepEqual([status, text], [200, svg(2)], path)
    assert.notEqual(headers.get('etag'), before.headers.get('etag'))
  }
  unwrap(await unpublish(temporary.store, { workspace: 'acme', project: 'open' }, new Date()))
  await follow()
  for (const below of ALL) assert.equal((await ask(OPEN + below)).status, 404, below)
})

test('a file counts as used under its present path, also if an earlier one is asked for', async () => {
  const own = await publishedStore('acme/open', guide('open', 'public'))
  const service = await testService(own)
  for (const below of ['/old/mark.svg', '/logo/mark.svg', '/kits/logo.zip', '/exports/tokens.css'])
    assert.equal((await service.ask(OPEN + below)).status, 200)
  await service.close()
  const rows = await listUsage(own.store.database, { workspace: 'acme', project: 'open' }, '')
  const seen = rows.map(({ kind, item, count }) => `${kind} ${item} ${count}`)
  assert.deepEqual(seen, ['export tokens.css 1', 'file files/logo/mark.svg 2', 'file files/logo/ 1'])
})
