import assert from 'node:assert/strict'
import test from 'node:test'
import { editedGuides } from '#test/support/edited-guides.ts'

const first = '---\ntitle: Voice\n---\n\n# Voice\n\nShort words.\n'
const { repository, textAt, formAt, send, file, signIn, ask } = await editedGuides({
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/voice.md': first,
  'other/project.yaml': 'name: Other\n',
  'other/pages/voice.md': '# Secret\n',
})
const cookie = await signIn({ subject: 'mia', name: 'Mia' })
const editor = '/acme/guide/-/edit/voice'
const address = '/acme/guide/-/edit/-/history/voice'
const versionsIn = (page: string) => Array.from(page.matchAll(/\?version=(\w+)/g), ([, hash]) => `${hash}`)
const fieldsIn = (page: string, name: string) =>
  Array.from(page.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g')), ([, value]) => `${value}`)

async function save(body: string, summary: string) {
  const form = await formAt(editor, cookie)
  form.set('/body', body)
  form.set('summary', summary)
  assert.equal((await send(editor, form, cookie)).status, 303)
}

test('the history of a page has who changed what, and a version of it is saved again', async () => {
  await save('# Voice\r\n\r\nPlain words.', 'Say <plain>')
  await save('# Voice\r\n\r\nLong words.', 'Say long')
  assert.ok((await textAt(editor, cookie)).includes(`<a href="${address}">History</a>`))
  const page = await textAt(address, cookie)
  assert.match(page, /<title>History of Voice/)
  assert.match(page, /<bdi>Mia<\/bdi> <bdi>Say &#60;plain&#62;<\/bdi>/)
  const [newest = '', plain = '', oldest = ''] = versionsIn(page)
  assert.match(
    await textAt(`${address}?version=${oldest}`, cookie),
    /<pre class="version">---\ntitle: .*Short words\./s,
  )
  assert.deepEqual(fieldsIn(page, 'commit'), [plain, oldest])
  const form = new URLSearchParams({
    token: fieldsIn(page, 'token')[0] ?? '',
    do: 'bring-back',
    newest,
    commit: oldest,
  })
  const restored = await send(address, form, cookie)
  assert.match(restored.headers.get('location') ?? '', /^\/acme\/guide\/-\/edit\/voice\?saved=\w+/)
  assert.equal(`${await file('guide/pages/voice.md')}\n`, first)
  const made = await repository.git(['log', '-1', '--format=%an %s', 'main'])
  assert.equal(made, 'Mia Restore an earlier version of Voice')

  await save('# Voice\r\n\r\nChanged meanwhile.', '')
  form.set('commit', plain)
  assert.match(await (await send(address, form, cookie)).text(), /Nothing was restored/)
  assert.match(await file('guide/pages/voice.md'), /Changed meanwhile/)
})

test('a history has only files of its guide, and only commits that changed them', async () => {
  for (const path of ['../../../other/-/edit/-/history/voice', '..%2f..%2fother%2fvoice', 'project.yaml', '-/x'])
    assert.equal((await ask(`/acme/guide/-/edit/-/history/${path}`, cookie)).status, 404, path)
  const elsewhere = await repository.git(['rev-parse', 'main^{tree}'])
  for (const version of [elsewhere, '--all', 'main'])
    assert.doesNotMatch(await textAt(`${address}?version=${version}`, cookie), /<pre class="version">/)
  assert.match(await textAt('/acme/guide/-/edit/-/history/-/project', cookie), /<title>History of Settings/)
  assert.doesNotMatch(await textAt(address, cookie), /Earlier versions are in git/)
})
