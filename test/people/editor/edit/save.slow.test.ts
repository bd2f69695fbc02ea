import assert from 'node:assert/strict'
import test from 'node:test'
import { endSessionsOf } from '#store/access/sessions.ts'
import { editedGuides } from '#test/support/edited-guides.ts'
import { allowIssuer } from '#test/support/people-service.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { resultOf } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const PROJECT = 'id: open\nname: Open\n# Two people must agree.\npublishing:\n  reviewers: 2\n'
const { server, repository, commit, temporary, ask, head, projects, signIn, ...guides } = await editedGuides({
  'open/project.yaml': PROJECT,
  'open/pages/index.md': '# Hello\n',
  'open/pages/voice.md': '# Voice\n\nShort words.\n',
})
await allowIssuer(temporary, 'http://127.0.0.1:9/issuer')
const editor = await signIn({ subject: 'editor', name: 'Mia' })
const manager = await signIn({ subject: 'both', name: 'Ada', manages: 'all' })
const VOICE = '/acme/open/-/edit/voice'
const openForm = (cookie: string) => guides.formAt(VOICE, cookie)
const send = (body: URLSearchParams, cookie: string) => guides.send(VOICE, body, cookie)
await until(async () => (await guides.textAt(VOICE, editor)).includes('data-edit'))

test('a save whose session ends while it waits for the host is not pushed, and its text stays in the page', async () => {
  const leaving = await signIn({ subject: 'leaving', name: 'Lea' })
  const form = await openForm(leaving)
  form.set('/body', '# Voice\n\nWritten too late.\n')
  const before = await head()
  const began = server.requests.length
  server.hang('upload-pack')
  const sent = send(form, leaving)
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
    await commit({ ...(await files()), 'open/project.yaml': `${settings}${wide}\n` })
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
      const token = (await openForm(cookie)).get('token') ?? ''
      return send(new URLSearchParams({ token, do: 'undo', commit: closed }), cookie)
    }
    const refused = await undo(editor)
    assert.ok(refused.status >= 400)
    assert.ok(
      (await refused.text()).includes('Nothing was saved. Only people who may manage this guide can change this.'),
    )
    assert.equal(await head(), closed)
    assert.equal((await undo(manager)).status, 303)
  })

test('a guide whose folder has another id now has no editor, whose files would be those of the other guide', async () => {
  const form = await openForm(editor)
  await commit({ ...(await files()), 'open/project.yaml': 'id: shut\nname: Shut\n' })
  form.set('/body', '# Voice\n\nBefore the import.\n')
  const changed = await head()
  const early = await send(form, editor)
  assert.ok(early.status >= 400, `${early.status}`)
  assert.match(await early.text(), /Nothing was saved\. The repository of this guide cannot be changed now\./)
  assert.equal(await head(), changed)
  const status = async () => (await ask(VOICE, editor)).status
  await resultOf(temporary.folder, ['pull', '--git', repository.url, '--publish', 'manual'])
  await until(async () => (await projects()).includes('shut'))
  assert.equal(await status(), 404)
  form.set('/body', '# Voice\n\nFor another guide.\n')
  const before = await head()
  assert.equal((await send(form, editor)).status, 403)
  assert.equal(await head(), before)
})

async function treeOf(texts: Readonly<Record<string, string>>): Promise<string> {
  await commit(texts, { branch: 'other' })
  return repository.git(['rev-parse', 'other^{tree}'])
}

async function files(): Promise<Record<string, string>> {
  const names = (await repository.git(['ls-tree', '-r', '--name-only', 'main'])).split('\n')
  const texts = names.map(async name => [name, `${await repository.git(['show', `main:${name}`])}\n`] as const)
  return Object.fromEntries(await Promise.all(texts))
}
