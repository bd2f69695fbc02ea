import assert from 'node:assert/strict'
import test from 'node:test'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { runCommand } from '#test/support/run-command.ts'
import { runningService } from '#test/support/running.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const SOUND = {
  'workspace.yaml': 'name: Acme\nid: acme\n',
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
  'guide/styles/colors.yaml': '- name: Ink\n  hex: "#14212b"\n',
}
const BROKEN = { ...SOUND, 'guide/styles/colors.yaml': '- name: Ink\n  hex: ink\n' }
const NOTICE = 'Changes of this guide are not published, because of an error: guide/styles/colors.yaml:2'
const PAGE = '/acme/guide/-/edit/index'

const server = await startGitServer()
const repository = await server.make('brand')
await repository.commit(SOUND)
await repository.git(['config', 'http.receivepack', 'true'])
const temporary = await temporaryStore()
const { url } = await runningService(temporary, { git: repository.url, edit: 'on' })
await until(async () => (await fetch(`${url}/acme/guide`)).ok)
const cookie = await sessionCookie(temporary, 'acme', { name: 'Mia', edits: 'all' })

test('every page of the editor names the error of a guide that cannot be imported, and undoes the save that brought it', async () => {
  await repository.commit(BROKEN, { branch: 'other' })
  const message = 'Ink\n\nSave-Id: save-of-ink'
  const commit = await repository.git(['commit-tree', 'other^{tree}', '-p', 'main', '-m', message])
  await repository.git(['update-ref', 'refs/heads/main', commit])
  await pull()
  const page = await shown(text => text.includes(NOTICE))
  assert.ok(page.includes(`name="commit" value="${commit}"`))
  const body = new URLSearchParams({ token: formOnPage(page).get('token') ?? '', commit, do: 'undo' })
  const headers = { cookie, origin: url }
  const undone = await fetch(url + PAGE, { method: 'POST', body, headers, redirect: 'manual' })
  assert.equal(undone.status, 303)
  assert.equal(await repository.git(['diff', '--name-only', 'main~2', 'main']), '')
  await shown(text => !text.includes('are not published'))
})

test('the error of a commit that somebody pushed is named without a button', async () => {
  await repository.commit(BROKEN)
  await pull()
  assert.doesNotMatch(await shown(text => text.includes(NOTICE)), /name="commit"/)
})

async function shown(isExpected: (page: string) => boolean): Promise<string> {
  let page = ''
  await until(async () => {
    page = await (await fetch(url + PAGE, { headers: { cookie } })).text()
    return isExpected(page)
  })
  return page
}

async function pull(): Promise<void> {
  await runCommand(temporary.folder, ['pull', '--git', repository.url, '--publish', 'auto'])
}
