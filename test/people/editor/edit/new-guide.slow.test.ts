import assert from 'node:assert/strict'
import test from 'node:test'
import { listProjects } from '#store/catalogue/catalogue.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { runCommand } from '#test/support/run-command.ts'
import { runningService } from '#test/support/running.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const server = await startGitServer()
const repository = await server.make('brand')
await repository.commit({
  'workspace.yaml': 'name: Acme\nid: acme\n',
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
  'fonts/readme.txt': 'Ours.\n',
})
await repository.git(['config', 'http.receivepack', 'true'])
const temporary = await temporaryStore()
const { url } = await runningService(temporary, { git: repository.url, edit: 'on' })
await until(async () => (await fetch(`${url}/acme/guide`)).ok)
const cookie = await sessionCookie(temporary, 'acme', { name: 'Mia', edits: 'all', manages: 'all' })
const PAGE = '/acme/-/edit/new'

test('people who may edit all guides of a workspace find the form on its page; others get what everyone gets', async () => {
  assert.match(await open('/acme/-/manage'), /<a class="button" href="\/acme\/-\/edit\/new">New guide<\/a>/)
  for (const rights of [{ manages: 'all' }, { edits: ['guide'] }] as const) {
    const other = await sessionCookie(temporary, 'acme', { subject: 'other', ...rights })
    assert.equal((await fetch(url + PAGE, { headers: { cookie: other } })).status, 404)
    assert.equal((await send({ name: 'Shop' }, other)).status, 404)
    assert.doesNotMatch(await open('/acme/-/manage', other), /edit\/new/)
  }
})

test('a new guide is one commit in the name of the person, and the page says when it is live', async () => {
  const before = await repository.git(['rev-parse', 'main'])
  const saved = await send({ name: ' Zoë & Söhne ', visibility: 'public', sure: 'visibility' })
  const location = saved.headers.get('location') ?? ''
  assert.deepEqual([saved.status, location.startsWith(`${PAGE}?made=zoe-sohne&saved=`)], [303, true])
  assert.equal(
    await repository.git(['log', '--format=%an|%cn|%s', `${before}..main`]),
    'Mia|housestyle|Add Zoë & Söhne',
  )
  const files = (await repository.git(['diff', '--name-only', before, 'main'])).split('\n')
  assert.deepEqual(files.slice(0, 2), ['zoe-sohne/files/files.yaml', 'zoe-sohne/files/images/mark-white.svg'])
  assert.ok(files.every(path => path.startsWith('zoe-sohne/')))
  const project = await repository.git(['show', 'main:zoe-sohne/project.yaml'])
  assert.match(project, /^id: zoe-sohne\nname: "Zoë & Söhne guidelines"$/m)
  assert.match(project, /^visibility: public$/m)
  await until(async () => /role="status" data-state="live"/.test(await open(location)))
  assert.match(await open(location), /<a href="\/acme\/zoe-sohne">Open the guide<\/a>/)
  assert.equal((await fetch(`${url}/acme/zoe-sohne`)).status, 200)
})

test('the undo of a new guide takes its files, and what was imported of it', async () => {
  const before = await repository.git(['rev-parse', 'main^{tree}'])
  const location = (await send({ name: 'Short lived' })).headers.get('location') ?? ''
  const commit = new URL(location, url).searchParams.get('saved') ?? ''
  await until(async () => (await open('/acme/short-lived/-/edit/index')).includes('data-edit'))
  const page = await open(location)
  assert.match(page, /<button name="do" value="undo">Undo this save<\/button>/)
  const undo = () => send({ do: 'undo', commit }, cookie, url, location)
  assert.equal((await undo()).status, 303)
  assert.equal(await repository.git(['rev-parse', 'main^{tree}']), before)
  assert.ok(!(await projects()).includes('short-lived'))
  assert.equal((await fetch(`${url}/acme/short-lived`, { headers: { cookie } })).status, 404)
  assert.equal((await send({ name: 'Short lived' })).status, 303)
})

test('the undo of a new guide deletes no guide whose files have moved since', async () => {
  const location = (await send({ name: 'Moving' })).headers.get('location') ?? ''
  const commit = new URL(location, url).searchParams.get('saved') ?? ''
  await until(async () => (await projects()).includes('moving'))
  const text = await repository.git(['show', 'main:moving/project.yaml'])
  await repository.commit({
    'workspace.yaml': 'name: Acme\nid: acme\n',
    'guide/project.yaml': 'name: Guide\nvisibility: public\n',
    'guide/pages/index.md': '# Hello\n',
    'fonts/readme.txt': 'Ours.\n',
    'moved/project.yaml': `${text}\n`,
    'moved/pages/index.md': '# Moved\n',
  })
  await runCommand(temporary.folder, ['pull', '--git', repository.url])
  const head = await repository.git(['rev-parse', 'main'])
  await send({ do: 'undo', commit }, cookie, url, location)
  assert.equal(await repository.git(['rev-parse', 'main']), head)
  assert.ok((await projects()).includes('moving'))
})

test('a save of a guide that exists cannot be undone as if it had made it', async () => {
  const head = await repository.git(['rev-parse', 'main'])
  const reply = await send({ do: 'undo', commit: head }, cookie, url, `${PAGE}?made=guide`)
  assert.equal(reply.status, 422)
  assert.ok((await projects()).includes('guide'))
  assert.equal(await repository.git(['rev-parse', 'main']), head)
})

test('a taken or wrong address and a name with signs of Markdown make nothing, and the form keeps its text', async () => {
  const before = await repository.git(['rev-parse', 'main'])
  for (const [fields, problem] of [
    [{ name: 'Guide' }, 'A guide has this address already'],
    [{ name: 'Fonts' }, 'A guide has this address already'],
    [{ name: 'Shop', id: 'Shop Floor' }, 'Small letters, digits and hyphens'],
    [{ name: '*Shop*' }, 'Letters, digits, spaces'],
    [{ name: 'x'.repeat(61) }, 'Letters, digits, spaces'],
  ] as const) {
    const reply = await send(fields)
    const text = await reply.text()
    assert.equal(reply.status, 422)
    assert.match(text, new RegExp(`role="alert">${problem}`))
    assert.ok(text.includes(`value="${fields.name}"`))
  }
  assert.equal((await send({ name: 'Shop' }, cookie, 'https://other.example')).status, 403)
  assert.equal((await send({ name: 'Shop', token: 'x' })).status, 403)
  assert.equal(await repository.git(['rev-parse', 'main']), before)
})

test('a repository that is one guide says what to do instead', async () => {
  const single = await server.make('single')
  await single.commit({ 'workspace.yaml': 'id: one\n', 'project.yaml': 'id: one\n', 'pages/index.md': '# Hello\n' })
  const store = await temporaryStore()
  const service = await runningService(store, { git: single.url, edit: 'on' })
  await until(async () => (await listProjects(store.store.database, 'one')).length > 0)
  const headers = { cookie: await sessionCookie(store, 'one', { edits: 'all' }) }
  const text = await (await fetch(`${service.url}/one/-/edit/new`, { headers })).text()
  assert.match(text, /This repository is one guide/)
  assert.doesNotMatch(text, /<form method="post"/)
})

async function open(path: string, as = cookie): Promise<string> {
  return (await fetch(url + path, { headers: { cookie: as } })).text()
}

async function projects(): Promise<string[]> {
  return (await listProjects(temporary.store.database, 'acme')).map(({ project }) => `${project}`)
}

async function send(
  fields: Readonly<Record<string, string>>,
  as = cookie,
  origin = url,
  address = PAGE,
): Promise<Response> {
  const token = /name="token" value="([^"]+)"/.exec(await open(PAGE))?.[1] ?? ''
  const body = new URLSearchParams({ token, ...fields })
  return fetch(url + address, { method: 'POST', body, headers: { cookie: as, origin }, redirect: 'manual' })
}
