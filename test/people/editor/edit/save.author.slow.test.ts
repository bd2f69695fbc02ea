import assert from 'node:assert/strict'
import test from 'node:test'
import { commitAddress } from '#publishing/authors.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { authorsOf } from '#store/catalogue/reviews.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { runningService } from '#test/support/service.ts'
import { runCommand, temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const server = await startGitServer()
const PAGE = '/acme/guide/-/edit/index'
const OWN = commitAddress('ada', '127.0.0.1')
const plain = await edited('plain', {})
const shown = await edited('shown', { editAuthor: 'address' })

test('a commit with the verified address has also the one that the person keeps when this changes', async () => {
  const { save, log, authors } = shown
  await save('Welcome', { name: 'Ada', email: 'ada@acme.example' })
  assert.equal(await log('%an <%ae>'), 'Ada <ada@acme.example>')
  assert.equal(await log('%(trailers:key=Saved-By,valueonly)'), OWN)
  assert.deepEqual(await authors(), ['ada@acme.example', OWN])
})

test('a commit without the verified address is still known as a change of the person who has it', async () => {
  const { save, log, authors } = plain
  await save('Welcome', { name: 'Ada', email: 'ada@acme.example' })
  assert.equal(await log('%an <%ae>'), `Ada <${OWN}>`)
  assert.doesNotMatch(await log('%B'), /ada@acme/)
  assert.deepEqual(await authors(), ['ada@acme.example', OWN])
})

for (const [name, written] of [
  ['Ada\u202E<eve@acme.example>\u2066\n', 'Ada eve@acme.example'],
  ['\u200F\u061C', 'Somebody'],
] as const)
  test(`the name ${JSON.stringify(name)} is ${written} in a commit, without characters that change its direction`, async () => {
    await shown.save(`Words of ${written.length}`, { name, email: 'ada@acme.example' })
    assert.equal(await shown.log('%an'), written)
  })

async function edited(name: string, settings: Readonly<Record<string, string>>) {
  const repository = await server.make(name)
  await repository.commit({
    'workspace.yaml': 'name: Acme\nid: acme\n',
    'guide/project.yaml': 'name: Guide\nvisibility: public\n',
    'guide/pages/index.md': '# Hello\n',
  })
  const temporary = await temporaryStore()
  const following = { git: repository.url, publish: 'manual', edit: 'on' }
  const { url } = await runningService(temporary, { ...following, ...settings })
  const guide = () => findProject(temporary.store.database, 'acme', 'guide')
  await until(async () => (await guide()) !== undefined)
  const save = async (title: string, person: { name: string; email: string }): Promise<void> => {
    const cookie = await sessionCookie(temporary, 'acme', { subject: 'ada', edits: 'all', ...person })
    const body = formOnPage(await (await fetch(url + PAGE, { headers: { cookie } })).text())
    body.set('/body', `# ${title}`)
    body.set('do', 'save')
    const headers = { cookie, origin: url }
    const saved = await fetch(url + PAGE, { method: 'POST', body, headers, redirect: 'manual' })
    assert.equal(saved.status, 303)
  }
  const log = async (format: string) => (await repository.git(['log', '-1', `--format=${format}`, 'main'])).trim()
  /** The addresses of Ada among the authors of the imported draft. */
  const authors = async () => {
    await runCommand(temporary.folder, ['pull', '--git', repository.url, '--publish', 'manual'])
    const all = authorsOf((await guide()) ?? assert.fail())
    return ['ada@acme.example', OWN].filter(address => all.includes(address))
  }
  return { save, log, authors }
}
