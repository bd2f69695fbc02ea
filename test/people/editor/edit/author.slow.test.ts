import assert from 'node:assert/strict'
import test from 'node:test'
import { commitAddress } from '#publishing/authors.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { authorsOf } from '#store/catalogue/reviews.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { runCommand } from '#test/support/run-command.ts'
import { runningService } from '#test/support/running.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const server = await startGitServer()
const repository = await server.make('brand')
await repository.commit({
  'workspace.yaml': 'name: Acme\nid: acme\n',
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
})
await repository.git(['config', 'http.receivepack', 'true'])
const temporary = await temporaryStore()
const { url } = await runningService(temporary, {
  git: repository.url,
  publish: 'manual',
  edit: 'on',
  editAuthor: 'address',
})
const guide = () => findProject(temporary.store.database, 'acme', 'guide')
await until(async () => (await guide()) !== undefined)
const PAGE = '/acme/guide/-/edit/index'
const OWN = commitAddress('ada', '127.0.0.1')

test('a commit shows the verified address, and the one of the person that stays when this changes', async () => {
  await save('Welcome', { name: 'Ada', email: 'ada@acme.example' })
  assert.equal(await repository.git(['log', '-1', '--format=%an <%ae>', 'main']), 'Ada <ada@acme.example>')
  const trailer = await repository.git(['log', '-1', '--format=%(trailers:key=Saved-By,valueonly)', 'main'])
  assert.equal(trailer.trim(), OWN)
  await runCommand(temporary.folder, ['pull', '--git', repository.url, '--publish', 'manual'])
  const authors = authorsOf((await guide()) ?? assert.fail())
  assert.deepEqual(
    ['ada@acme.example', OWN].filter(author => !authors.includes(author)),
    [],
  )
})

for (const [name, shown] of [
  ['Ada\u202E<eve@acme.example>\u2066\n', 'Ada eve@acme.example'],
  ['\u200F\u061C', 'Somebody'],
] as const)
  test(`the name ${JSON.stringify(name)} is ${shown} in a commit, without characters that change its direction`, async () => {
    await save(`Words of ${shown.length}`, { name, email: 'ada@acme.example' })
    assert.equal(await repository.git(['log', '-1', '--format=%an', 'main']), shown)
  })

async function save(title: string, person: { name: string; email: string }): Promise<void> {
  const cookie = await sessionCookie(temporary, 'acme', { subject: 'ada', edits: 'all', ...person })
  const page = await (await fetch(url + PAGE, { headers: { cookie } })).text()
  const body = formOnPage(page)
  body.set('/body', `# ${title}`)
  body.set('do', 'save')
  const headers = { cookie, origin: url }
  const saved = await fetch(url + PAGE, { method: 'POST', body, headers, redirect: 'manual' })
  assert.equal(saved.status, 303)
}
