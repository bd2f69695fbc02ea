import assert from 'node:assert/strict'
import test from 'node:test'
import { REVISIONS, send } from '../support/agent-client.ts'
import { sessionCookie } from '../support/people-service.ts'
import { resultOf } from '../support/run-command.ts'
import { type TestSettings, testService } from '../support/service.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const MAIN = 'acme/guidelines'

/** A service on a new store; `rows` stops it and returns the counted rows without the day. */
async function openCounted(settings: TestSettings = {}) {
  const temporary = await temporaryStore()
  await temporary.importing('acme', { ...SMALL_BRAND, 'closed/project.yaml': 'name: Closed\n' })
  for (const project of ['guidelines', 'closed']) await temporary.publish(`acme/${project}`)
  const service = await testService(temporary, settings)
  const rows = async (place = MAIN): Promise<string[]> => {
    await service.close()
    const found: Record<string, unknown>[] = await resultOf(temporary.folder, ['usage', place, '--since', '2000-01-01'])
    return found.map(({ kind, item, count }) => `${kind} ${item} ${count}`)
  }
  return { ...temporary, ...service, rows }
}

test('pages count by id, the home page as index, also as Markdown; generated pages and redirects do not count', async () => {
  const { ask, rows } = await openCounted()
  for (const path of ['', '.md', '/logo', '/logo', '/logo.md', '/logo/misuse', '/%E8%89%B2'])
    assert.equal((await ask(`/${MAIN}${path}`)).status, 200, path)
  for (const path of ['/-/colors', '/-/pages', '/-/files', '/llms.txt', '/-/theme.css'])
    assert.equal((await ask(`/${MAIN}${path}`)).status, 200, path)
  assert.equal((await ask(`/${MAIN}/index`)).status, 308)
  assert.deepEqual(await rows(), ['page logo 3', 'page index 2', 'page logo/misuse 1', 'page 色 1'])
})

test('only GET requests with the replies 200 and 206 count', async () => {
  const { ask, rows } = await openCounted()
  const home = await ask(`/${MAIN}`)
  const conditional = { 'if-none-match': home.headers.get('etag') ?? '' }
  assert.equal((await ask(`/${MAIN}`, { headers: conditional })).status, 304)
  assert.equal((await ask(`/${MAIN}`, { method: 'HEAD' })).status, 200)
  assert.equal((await ask(`/${MAIN}`, { method: 'POST' })).status, 405)
  assert.equal((await ask(`/${MAIN}/unknown`)).status, 404)
  assert.equal((await ask('/acme/closed')).status, 404)
  assert.equal((await ask(`/${MAIN}/-/exports/unknown.css`)).status, 404)
  const [file = ''] = /\/-\/files\/[\w-]+\/pixel\.png/.exec((await ask(`/${MAIN}/-/file/files/pixel.png`)).text) ?? []
  const path = `/${MAIN}${file}`
  assert.equal((await ask(path)).status, 200)
  assert.equal((await ask(path, { headers: { range: 'bytes=0-3' } })).status, 206)
  assert.equal((await ask(path, { headers: { range: 'bytes=900-' } })).status, 416)
  assert.equal((await ask(path, { method: 'HEAD' })).status, 200)
  assert.deepEqual(await rows(), ['file files/pixel.png 2', 'page index 1'])
})

test('exports count by name, and operations by id, only for projects', async () => {
  const { ask, issue, rows } = await openCounted()
  const { token } = await issue('acme')
  for (const name of ['styles.json', 'styles.json', 'colors.csv'])
    assert.equal((await ask(`/${MAIN}/-/exports/${name}`)).status, 200, name)
  const api = '/beta/workspace/acme'
  for (const path of [
    '',
    '/projects',
    '/project/guidelines',
    '/project/guidelines/styles',
    '/project/guidelines/styles',
  ])
    assert.equal((await ask(api + path, { token })).status, 200, path)
  assert.equal((await ask(`${api}/project/guidelines/styles`)).status, 401)
  assert.equal((await ask(`${api}/project/guidelines/page/unknown`, { token })).status, 404)
  assert.deepEqual(await rows(), ['api getStyles 2', 'api getProject 1', 'export styles.json 2', 'export colors.csv 1'])
})

test('searches without a result count by their words, unless a filter of files is why', async () => {
  const { ask, rows } = await openCounted()
  const search = (text: string, accept = 'text/html') =>
    ask(`/${MAIN}/-/search?q=${encodeURIComponent(text)}`, { headers: { accept } })
  for (const text of ['Zebra', ' zebra', 'logo', '']) assert.equal((await search(text)).status, 200)
  for (const text of ['ocel', 'ocelot']) assert.equal((await search(text, 'application/json')).status, 200)
  assert.equal((await ask(`/${MAIN}/-/search?q=tiger`, { method: 'HEAD' })).status, 200)
  assert.deepEqual(await rows(), ['missed zebra 2', 'missed ocelot 1'])
})

for (const revision of REVISIONS)
  test(`successful calls of agents count by tool for the projects that they read (${revision})`, async () => {
    const { service, issue, rows } = await openCounted()
    const { token } = await issue('acme')
    const call = (name: string, args: object, path?: string) =>
      send(service, path ?? '/mcp', {
        method: 'tools/call',
        params: { name, arguments: args },
        revision,
        ...(path === undefined && { token }),
      })
    await call('list_pages', { project: 'guidelines' })
    await call('list_pages', { project: 'closed' })
    await call('list_projects', {})
    await call('fetch', { id: 'page:guidelines/logo' })
    await call('get_page', { project: 'guidelines', page: 'unknown' })
    await call('search', { query: 'zebra' })
    await call('list_pages', {}, `/${MAIN}/-/mcp`)
    assert.deepEqual(await rows(), ['agent list_pages 2', 'agent fetch 1', 'agent search 1', 'missed zebra 1'])
    assert.deepEqual(await rows('acme/closed'), ['agent list_pages 1', 'agent search 1', 'missed zebra 1'])
  })

test('people and share links count in private guides; drafts do not count for anyone', async () => {
  const temporary = await openCounted()
  const { ask, folder, importing, rows } = temporary
  await importing('acme', {
    ...SMALL_BRAND,
    'closed/project.yaml': 'name: Closed\n',
    'closed/pages/index.md': '# Hi\n',
  })
  const person = await sessionCookie(temporary, 'acme', { drafts: true })
  const { url } = await resultOf(folder, ['share', 'acme/closed'])
  const [link = ''] = ((await ask(new URL(url).pathname)).headers.get('set-cookie') ?? '').split(';')
  for (const cookie of [person, link]) assert.equal((await ask('/acme/closed', { headers: { cookie } })).status, 200)
  for (const path of ['', '/-/search?q=zebra', '/-/exports/styles.json'])
    assert.equal((await ask(`/acme/closed/-/draft${path}`, { headers: { cookie: person } })).status, 200, path)
  assert.deepEqual(await rows('acme/closed'), ['page index 2'])
})

test('nothing is counted with --usage off, and a deleted project has no counts', async () => {
  const off = await openCounted({ usage: false })
  assert.equal((await off.ask(`/${MAIN}`)).status, 200)
  assert.deepEqual(await off.rows(), [])
  const on = await openCounted()
  assert.equal((await on.ask(`/${MAIN}`)).status, 200)
  assert.deepEqual(await on.rows(), ['page index 1'])
  await resultOf(on.folder, ['delete', MAIN, '--yes'])
  await on.publish('acme/closed')
  await on.importing('acme', SMALL_BRAND)
  assert.deepEqual(await resultOf(on.folder, ['usage', MAIN]), [])
})
