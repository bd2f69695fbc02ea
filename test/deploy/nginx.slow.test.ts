import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { startGitServer } from '../support/git-server.ts'
import { localServer } from '../support/local-server.ts'
import { startNginx } from '../support/nginx.ts'
import { sessionCookie } from '../support/people-service.ts'
import { needs } from '../support/programs.ts'
import { formOnPage } from '../support/sent-form.ts'
import { runningService, silent } from '../support/service.ts'
import { exchange, requestText } from '../support/socket.ts'
import { publishedStore, resultOf, temporaryStore } from '../support/temporary-store.ts'
import { until } from '../support/until.ts'

const FILE = 'x'.repeat(200_000)
const limit = needs('nginx')

const temporary = await publishedStore('acme/open', {
  'open/project.yaml': 'name: For everyone\nvisibility: public\n',
  'open/files/notes.txt': FILE,
  'closed/project.yaml': 'name: For some\n',
  'closed/files/plan.txt': FILE,
})
await temporary.publish('acme/closed')
const { token } = await temporary.issue('acme')
const events: object[] = []
const log = { ...silent, info: (event: object) => events.push(event) }
const service = limit.skip ? undefined : await runningService(temporary, { trustedProxies: '127.0.0.1' }, log)
const nginx = service && (await startNginx([service.port]))
after(() => nginx?.stop())
const front = `http://127.0.0.1:${nginx?.port}`

/** The address of a project's only file. */
async function addressOf(project: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${service?.url}/beta/workspace/acme/project/${project}/files`, { headers })
  return new URL(JSON.parse(await reply.text()).files[0].url).pathname
}

async function ask(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(front + path, { headers, redirect: 'manual' })
  const text = await reply.text()
  return { status: reply.status, cache: reply.headers.get('x-cache'), headers: reply.headers, text }
}

test('nginx caches a file of a public project, and answers ranges', limit, async () => {
  const path = await addressOf('open')
  const part = { range: 'bytes=1-3' }
  const [unkept, first, second, later] = [
    await ask(path, part),
    await ask(path),
    await ask(path),
    await ask(path, part),
  ]
  for (const { status, text, headers } of [unkept, later]) {
    assert.deepEqual([status, text, headers.get('content-range')], [206, 'xxx', `bytes 1-3/${FILE.length}`])
  }
  assert.deepEqual([first.status, first.cache, first.text === FILE], [200, 'MISS', true])
  assert.deepEqual([second.status, second.cache, second.text === FILE], [200, 'HIT', true])
  assert.equal(second.headers.get('cache-control'), 'public, max-age=3600')
  const unchanged = await ask(path, { 'if-none-match': first.headers.get('etag') ?? '' })
  assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
})

test('nginx caches no file of a private project', limit, async () => {
  const path = await addressOf('closed')
  for (const _ of [1, 2, 3]) {
    const { status, cache, text } = await ask(path)
    assert.deepEqual([status, cache, text === FILE], [200, 'MISS', true])
  }
})

test('behind nginx the service sees the real client, and logs no secret', limit, async () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.2' }
  assert.equal((await ask('/beta/workspace/acme', headers)).status, 401)
  assert.deepEqual(events.at(-1), { event: 'token-refused', reason: 'no-credentials', address: '127.0.0.1' })
  const { pathname } = new URL((await resultOf(temporary.folder, ['share', 'acme/closed'])).url)
  // The service notices a link from another process within a second.
  let opened = await ask(pathname)
  for (let tries = 0; opened.status === 404 && tries < 1000; tries++) {
    await new Promise(resolve => setTimeout(resolve, 20))
    opened = await ask(pathname)
  }
  assert.equal(opened.status, 303)
  assert.equal((await ask('/acme/open')).status, 200)
  for (const path of ['/metrics', '/readyz']) assert.equal((await ask(path)).status, 404)
  const logged = await nginx?.log()
  assert.match(logged ?? '', /GET \/acme\/open /)
  assert.doesNotMatch(logged ?? '', /-\/share\//)
})

test('while no node is reachable, no log has a share link secret or a code', limit, async t => {
  const before = await startNginx([await freePort()])
  t.after(before.stop)
  const url = `http://127.0.0.1:${before.port}`
  for (const path of [
    '',
    '/-/share/secret',
    '/-/%73hare/secret',
    '/-/share/secret/oauth/token',
    '/-/share/secret/hooks/git',
    '/-/consent/1?code=secret',
  ])
    assert.equal((await fetch(`${url}/acme/closed${path}`)).status, 502)
  const long = await fetch(`${url}/acme/closed/-/share/secret`, { headers: { 'x-long': 'x'.repeat(20_000) } })
  assert.equal(long.status, 400)
  for (const path of ['/-/signed-in?code=secret&state=secret', '/oauth/authorize?state=secret'])
    assert.equal((await fetch(url + path)).status, 502)
  for (const logged of [await before.log(), await before.errors()]) {
    assert.match(logged, /GET \/acme\/closed /)
    assert.doesNotMatch(logged, /secret/)
  }
})

test('below the path of a public URL, nginx hides, limits and caches alike', limit, async t => {
  const own = await runningService(temporary, { publicUrl: 'http://brand.test/brand', trustedProxies: '127.0.0.1' })
  const before = await startNginx([own.port])
  t.after(before.stop)
  const url = `http://127.0.0.1:${before.port}`
  for (const path of ['/metrics', '/brand/metrics', '/readyz', '/brand/readyz']) {
    const reply = await fetch(url + path)
    assert.equal(reply.status, 404)
    assert.doesNotMatch(await reply.text(), /housestyle_|ready/)
  }
  const path = await addressOf('open')
  for (const cached of ['MISS', 'HIT']) {
    const reply = await fetch(`${url}/brand${path}`)
    assert.deepEqual([reply.status, reply.headers.get('x-cache')], [200, cached])
    assert.equal(await reply.text(), FILE)
  }
  const post = () => fetch(`${url}/brand/oauth/token`, { method: 'POST', body: '' })
  const replies = await Promise.all(Array.from({ length: 60 }, post))
  const statuses = replies.map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)].toSorted(), [400, 429])
  for (let at = 0; at < 60; at++) assert.equal((await fetch(`${url}/brand/acme/open/oauth/token`)).status, 404)
})

test('a file that nginx keeps is only for the host at which it was requested', limit, async t => {
  const own = await runningService(temporary, { publicUrl: 'http://brand.test', trustedProxies: '127.0.0.1' })
  const before = await startNginx([own.port])
  t.after(before.stop)
  const path = await addressOf('open')
  const statusAt = async (host: string) => {
    const request = requestText(`GET ${path}`, ['Connection: close']).replace('brand.test', host)
    return (await exchange(before.port, request, { keepOpen: true }))[0]?.status
  }
  const statuses = [await statusAt('brand.test'), await statusAt('brand.test'), await statusAt('other.test')]
  assert.deepEqual(statuses, [200, 200, 421])
})

test('every reply says that browsers must use https, also that of a location with its own fields', limit, async () => {
  for (const path of ['/acme/open', '/acme/open/-/files/x/notes.txt', '/metrics', '/hooks/git', '/beta/workspace'])
    assert.equal((await fetch(`${front}${path}`)).headers.get('strict-transport-security'), 'max-age=31536000', path)
})

test('the service itself answers a too large target or body', limit, async () => {
  const long = await ask(`/beta/${'x'.repeat(9000)}`)
  assert.deepEqual([long.status, long.headers.get('x-request-id') !== null], [414, true])
  const reply = await fetch(`${front}/oauth/token`, { method: 'POST', body: 'x'.repeat(100_000) })
  assert.equal(reply.status, 413)
  assert.equal(JSON.parse(await reply.text()).error, 'invalid_request')
})

test('requests that all nodes temporarily reject do not take a node out of rotation', limit, async t => {
  const node = () => localServer((request, response) => response.writeHead(request.url === '/busy' ? 503 : 200).end())
  const nodes = await Promise.all(Array.from({ length: 4 }, node))
  t.after(() => Promise.all(nodes.map(({ stop }) => stop())))
  const before = await startNginx(nodes.map(({ url }) => Number(new URL(url).port)))
  t.after(before.stop)
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${before.port}${path}`)).status
  for (let round = 0; round < 20; round++) {
    assert.deepEqual([await statusOf('/busy'), await statusOf('/known')], [503, 200])
  }
})

test('nginx passes files of 50 MiB on to the editor, and refuses large forms without a session', limit, async t => {
  const git = await startGitServer()
  const repository = await git.make('brand')
  await repository.commit({
    'workspace.yaml': 'name: Acme\nid: acme\n',
    'guide/project.yaml': 'name: Guide\nvisibility: public\n',
    'guide/pages/index.md': '# Hello\n',
  })
  const edited = await temporaryStore()
  const flags = { git: repository.url, edit: 'on', trustedProxies: '127.0.0.1' }
  const own = await runningService(edited, flags)
  const before = await startNginx([own.port])
  t.after(before.stop)
  const url = `http://127.0.0.1:${before.port}`
  await until(async () => (await fetch(`${url}/acme/guide`)).ok)
  const editor = await sessionCookie(edited, 'acme', { subject: 'ann', edits: 'all' })
  const reader = await sessionCookie(edited, 'acme', { subject: 'ben', manages: 'all' })
  const page = await fetch(`${url}/acme/guide/-/edit/index`, { headers: { cookie: editor } })
  const fields = formOnPage(await page.text())
  const send = async (address: string, cookie: string, body: FormData | URLSearchParams) => {
    const headers = { origin: own.url, cookie }
    const options = { method: 'POST', headers, body, redirect: 'manual' } as const
    return (await fetch(`${url}/acme/guide/${address}`, options)).status
  }
  const picture = (bytes: number) => {
    const body = new FormData()
    body.set('token', fields.get('token') ?? '')
    body.set('description', 'A bench')
    body.set('picture', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>', ' '.repeat(bytes)], 'bench.svg'))
    return body
  }
  assert.equal(await send('-/edit/-/picture', editor, picture(49 << 20)), 200)
  assert.equal(await send('-/edit/-/picture', reader, picture(49 << 20)), 403)
  assert.equal(await send('-/edit/-/picture', '', picture(49 << 20)), 413)
  assert.equal(await send('-/edit/-/picture', '', picture(10_000)), 403)
  assert.equal(await send('-/edit/-/picture', editor, picture(52 << 20)), 413)
  assert.equal(await send('-/manage', editor, picture(1 << 20)), 413)
  fields.set('/body', `# Hello\n\n${'ü'.repeat(500_000)}\n`)
  assert.equal(await send('-/edit/index', editor, fields), 303)
})

test('nginx sends a message of an agent again if a node lost or refused it, and a form only once', limit, async t => {
  let [lost, refused, answered] = [0, 0, 0]
  const breaking = await localServer((request, response) => {
    if (lost < refused) {
      lost++
      request.socket.destroy()
    } else {
      refused++
      response.writeHead(503).end()
    }
  })
  const sound = await localServer((_, response) => {
    answered++
    response.end()
  })
  const before = await startNginx([breaking, sound].map(({ url }) => Number(new URL(url).port)))
  t.after(before.stop)
  const post = async (path: string) =>
    (await fetch(`http://127.0.0.1:${before.port}${path}`, { method: 'POST', body: '{}' })).status
  for (const path of ['/mcp', '/mcp/', '/brand/mcp', '/acme/open/-/mcp', '/brand/acme/open/-/mcp/'])
    for (let times = 0; times < 4; times++) assert.equal(await post(path), 200, path)
  assert.ok(lost > 0 && refused > 0)
  const arrived = lost + refused + answered
  for (let times = 0; times < 8; times++) await post('/acme/open/-/manage')
  assert.equal(lost + refused + answered, arrived + 8)
})
