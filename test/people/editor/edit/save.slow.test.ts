import assert from 'node:assert/strict'
import test from 'node:test'
import { endSessionsOf } from '#store/access/sessions.ts'
import { listProjects } from '#store/catalogue/catalogue.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { allowIssuer, sessionCookie } from '#test/support/people-service.ts'
import { resultOf } from '#test/support/run-command.ts'
import { runningService } from '#test/support/running.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const server = await startGitServer()
const repository = await server.make('brand')
const PROJECT = 'id: open\nname: Open\n# Two people must agree.\npublishing:\n  reviewers: 2\n'
await repository.commit({
  'workspace.yaml': 'name: Acme\nid: acme\n',
  'open/project.yaml': PROJECT,
  'open/pages/index.md': '# Hello\n',
  'open/pages/voice.md': '# Voice\n\nShort words.\n',
})
await repository.git(['config', 'http.receivepack', 'true'])
const temporary = await temporaryStore()
const { url } = await runningService(temporary, { git: repository.url, edit: 'on' })
await until(async () => (await listProjects(temporary.store.database, 'acme')).length > 0)
await allowIssuer(temporary, 'http://127.0.0.1:9/issuer')
const editor = await sessionCookie(temporary, 'acme', { subject: 'editor', name: 'Mia', edits: 'all' })
const manager = await sessionCookie(temporary, 'acme', { subject: 'both', name: 'Ada', edits: 'all', manages: 'all' })
await until(async () => (await openPage('voice', editor)).includes('data-edit'))

test('a save whose session ends while it waits for the host is not pushed, and its text stays in the page', async () => {
  const leaving = await sessionCookie(temporary, 'acme', { subject: 'leaving', name: 'Lea', edits: 'all' })
  const form = formOnPage(await openPage('voice', leaving))
  form.set('/body', '# Voice\n\nWritten too late.\n')
  const before = await head()
  const began = server.requests.length
  server.hang('upload-pack')
  const sent = send('voice', form, leaving)
  await until(() => server.requests.length > began)
  const id = /housestyle_session_acme=([0-9a-f]+)/.exec(leaving)?.[1] ?? ''
  await temporary.store.database.transaction(queries => endSessionsOf(queries, { column: 'id', value: id }, new Date()))
  server.hang(undefined)
  const reply = await sent
  assert.equal(reply.status, 409)
  const page = await reply.text()
  assert.match(page, /Nothing was saved\. Your session or your right to edit has ended/)
  assert.match(`${formOnPage(page).get('/body')}`, /Written too late/)
  assert.equal(await head(), before)
})

for (const [name, wide] of Object.entries({
  'everyone read it': 'visibility: public',
  'programs read its earlier revisions': 'revisions: served',
  'fewer people approve it': 'publishing: { reviewers: 1 }',
}))
  test(`only a person who manages a guide undoes a save so that ${name}`, async () => {
    const settings = 'id: open\nname: Open\n'
    await repository.commit({ ...(await files()), 'open/project.yaml': `${settings}${wide}\n` })
    const strict = await files()
    const closed = await repository.git([
      'commit-tree',
      await treeOf({ ...strict, 'open/project.yaml': settings }),
      '-p',
      'main',
      '-m',
      'Close\n\nSave-Id: closing-1',
    ])
    await repository.git(['update-ref', 'refs/heads/main', closed])
    const undo = async (cookie: string) => {
      const token = formOnPage(await openPage('voice', cookie)).get('token') ?? ''
      return send('voice', new URLSearchParams({ token, do: 'undo', commit: closed }), cookie)
    }
    const refused = await undo(editor)
    assert.ok(refused.status >= 400)
    assert.ok(
      (await refused.text()).includes('Nothing was saved. Only people who may manage this guide can change this.'),
    )
    assert.equal(await head(), closed)
    assert.equal((await undo(manager)).status, 303)
  })

test('no form changes the id of a guide, not even of a person who manages all', async () => {
  const before = await head()
  const form = formOnPage(await openPage('-/project', manager))
  form.set('/id', 'other')
  const refused = await send('-/project', form, manager)
  assert.ok(refused.status >= 400, `${refused.status}`)
  assert.equal(await head(), before)
})

test('a new guide that everyone may read needs the right to manage the workspace', async () => {
  const before = await head()
  const made = async (visibility: string, cookie: string) => {
    const page = await (await fetch(`${url}/acme/-/edit/new`, { headers: { cookie } })).text()
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const body = new URLSearchParams({ token, name: `Shop ${visibility}`, visibility })
    const headers = { cookie, origin: url }
    return fetch(`${url}/acme/-/edit/new`, { method: 'POST', body, headers, redirect: 'manual' })
  }
  assert.ok((await made('public', editor)).status >= 400)
  assert.equal(await head(), before)
  assert.equal((await made('private', editor)).status, 303)
})

test('a guide whose folder has another id now has no editor, whose files would be those of the other guide', async () => {
  const form = formOnPage(await openPage('voice', editor))
  await repository.commit({ ...(await files()), 'open/project.yaml': 'id: shut\nname: Shut\n' })
  form.set('/body', '# Voice\n\nBefore the import.\n')
  const changed = await head()
  const early = await send('voice', form, editor)
  assert.ok(early.status >= 400, `${early.status}`)
  assert.match(await early.text(), /Nothing was saved\. The repository of this guide cannot be changed now\./)
  assert.equal(await head(), changed)
  const status = async () => (await fetch(`${url}/acme/open/-/edit/voice`, { headers: { cookie: editor } })).status
  const find = async () => (await listProjects(temporary.store.database, 'acme')).map(({ project }) => project)
  await resultOf(temporary.folder, ['pull', '--git', repository.url, '--publish', 'manual'])
  await until(async () => (await find()).some(project => project === 'shut'))
  assert.equal(await status(), 404)
  form.set('/body', '# Voice\n\nFor another guide.\n')
  const before = await head()
  assert.equal((await send('voice', form, editor)).status, 403)
  assert.equal(await head(), before)
})

function head(): Promise<string> {
  return repository.git(['rev-parse', 'main'])
}

async function treeOf(texts: Readonly<Record<string, string>>): Promise<string> {
  await repository.commit(texts, { branch: 'other' })
  return repository.git(['rev-parse', 'other^{tree}'])
}

async function files(): Promise<Record<string, string>> {
  const names = (await repository.git(['ls-tree', '-r', '--name-only', 'main'])).split('\n')
  const texts = names.map(async name => [name, `${await repository.git(['show', `main:${name}`])}\n`] as const)
  return Object.fromEntries(await Promise.all(texts))
}

async function openPage(page: string, cookie: string): Promise<string> {
  return (await fetch(`${url}/acme/open/-/edit/${page}`, { headers: { cookie } })).text()
}

function send(page: string, body: URLSearchParams, cookie: string): Promise<Response> {
  if (!body.has('do')) body.set('do', 'save')
  const headers = { cookie, origin: url }
  return fetch(`${url}/acme/open/-/edit/${page}`, { method: 'POST', body, headers, redirect: 'manual' })
}
