import assert from 'node:assert/strict'
import test from 'node:test'
import { editedGuides } from '#test/support/edited-guides.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { runCommand } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const SOUND = {
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
  'guide/styles/colors.yaml': '- name: Ink\n  hex: "#14212b"\n',
}
const BROKEN = { ...SOUND, 'guide/styles/colors.yaml': '- name: Ink\n  hex: ink\n' }
const NOTICE = 'Changes of this guide are not published, because of an error: guide/styles/colors.yaml:2'
const PAGE = '/acme/guide/-/edit/index'

const { repository, commit, temporary, url, textAt, signIn, send } = await editedGuides(SOUND)
await until(async () => (await fetch(`${url}/acme/guide`)).ok)
const cookie = await signIn({ name: 'Mia' })

test('every page of the editor names the error of a guide that cannot be imported, and undoes the save that brought it', async () => {
  await commit(BROKEN, { branch: 'other' })
  const message = 'Ink\n\nSave-Id: save-of-ink'
  const broken = await repository.git(['commit-tree', 'other^{tree}', '-p', 'main', '-m', message])
  await repository.git(['update-ref', 'refs/heads/main', broken])
  await pull()
  const page = await shown(text => text.includes(NOTICE))
  assert.ok(page.includes(`name="commit" value="${broken}"`))
  const body = new URLSearchParams({ token: formOnPage(page).get('token') ?? '', commit: broken, do: 'undo' })
  assert.equal((await send(PAGE, body, cookie)).status, 303)
  assert.equal(await repository.git(['diff', '--name-only', 'main~2', 'main']), '')
  await shown(text => !text.includes('are not published'))
})

test('the error of a commit that somebody pushed is named without a button', async () => {
  await commit(BROKEN)
  await pull()
  assert.doesNotMatch(await shown(text => text.includes(NOTICE)), /name="commit"/)
})

async function shown(isExpected: (page: string) => boolean): Promise<string> {
  let page = ''
  await until(async () => {
    page = await textAt(PAGE, cookie)
    return isExpected(page)
  })
  return page
}

async function pull(): Promise<void> {
  await runCommand(temporary.folder, ['pull', '--git', repository.url, '--publish', 'auto'])
}
