import assert from 'node:assert/strict'
import test from 'node:test'
import { listProjects } from '#store/catalogue/catalogue.ts'
import { editedGuides } from '#test/support/edited-guides.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { runningService } from '#test/support/service.ts'
import { runCommand, temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const FILES = {
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
  'fonts/readme.txt': 'Ours.\n',
}
const { server, repository, commit, temporary, url, projects, head, textAt, signIn, ...guides } =
  await editedGuides(FILES)
await until(async () => (await fetch(`${url}/acme/guide`)).ok)
const cookie = await signIn({ name: 'Mia', manages: 'all' })
const PAGE = '/acme/-/edit/new'
const open = (path: string, as = cookie) => textAt(path, as)

async function send(fields: Readonly<Record<string, string>>, address = PAGE): Promise<Response> {
  const token = /name="token" value="([^"]+)"/.exec(await open(PAGE))?.[1] ?? ''
  return guides.send(address, new URLSearchParams({ token, ...fields }), cookie)
}

test('people who may edit all guides of a workspace find the form on its page, and others do not', async () => {
  assert.match(await open('/acme/-/manage'), /<a class="button" href="\/acme\/-\/edit\/new">New guide<\/a>/)
  for (const rights of [{ manages: 'all' }, { edits: ['guide'] }] as const) {
    const other = await sessionCookie(temporary, 'acme', { subject: 'other', ...rights })
    assert.doesNotMatch(await open('/acme/-/manage', other), /edit\/new/)
  }
})

test('a new guide is one commit in the name of the person, and the page says when it is live', async () => {
  const before = await head()
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
  const undo = () => send({ do: 'undo', commit }, location)
  assert.equal((await undo()).status, 303)
  assert.equal(await repository.git(['rev-parse', 'main^{tree}']), before)
  assert.ok(!(await projects()).includes('short-lived'))
  assert.equal((await fetch(`${url}/acme/short-lived`, { headers: { cookie } })).status, 404)
  assert.equal((await send({ name: 'Short lived' })).status, 303)
})

test('the undo of a new guide deletes no guide whose files have moved since', async () => {
  const location = (await send({ name: 'Moving' })).headers.get('location') ?? ''
  const saved = new URL(location, url).searchParams.get('saved') ?? ''
  await until(async () => (await projects()).includes('moving'))
  const text = await repository.git(['show', 'main:moving/project.yaml'])
  await commit({ ...FILES, 'moved/project.yaml': `${text}\n`, 'moved/pages/index.md': '# Moved\n' })
  await runCommand(temporary.folder, ['pull', '--git', repository.url])
  const before = await head()
  await send({ do: 'undo', commit: saved }, location)
  assert.equal(await head(), before)
  assert.ok((await projects()).includes('moving'))
})

test('a save of a guide that exists cannot be undone as if it had made it', async () => {
  const before = await head()
  const reply = await send({ do: 'undo', commit: before }, `${PAGE}?made=guide`)
  assert.equal(reply.status, 422)
  assert.ok((await projects()).includes('guide'))
  assert.equal(await head(), before)
})

test('a taken or wrong address and a name with signs of Markdown make nothing, and the form keeps its text', async () => {
  const before = await head()
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
  assert.equal(await head(), before)
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
