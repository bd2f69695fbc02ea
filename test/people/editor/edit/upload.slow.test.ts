import assert from 'node:assert/strict'
import test from 'node:test'
import { editedGuides } from '#test/support/edited-guides.ts'
import { formOnPage } from '#test/support/sent-form.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
const { repository, textAt, send, file, signIn, head } = await editedGuides({
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
  'guide/files/logo/mark.svg': SVG,
})
const cookie = await signIn({ subject: 'mia', name: 'Mia' })
const address = '/acme/guide/-/edit/-/upload'
const token = formOnPage(await textAt(address, cookie), 'method').get('token') ?? ''

function sendFiles(folder: string, files: Readonly<Record<string, string>>) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ token, folder, do: 'upload' })) form.set(name, value)
  for (const [name, text] of Object.entries(files)) form.append('files', new File([text], name))
  return send(address, form, cookie)
}

test('several files of any kind are added to a folder as one commit', async () => {
  assert.match(await textAt(address, cookie), /<option value="logo"><\/option>/)
  const sent = await sendFiles('logo/print', {
    'mark.svg': SVG,
    'Notes for printers.txt': 'Use ink.',
    '.hidden: x.txt': 'x',
  })
  assert.match(sent.headers.get('location') ?? '', /^\/acme\/guide\/-\/edit\/-\/upload\?saved=\w+/)
  const added = await repository.git(['show', '--name-only', '--format=%an', 'main'])
  assert.deepEqual(added.split('\n').filter(Boolean).toSorted(), [
    'Mia',
    'guide/files/logo/print/Notes for printers.txt',
    'guide/files/logo/print/hidden_ x.txt',
    'guide/files/logo/print/mark.svg',
  ])
  assert.equal(await file('guide/files/logo/print/mark.svg'), SVG)
})

test('a file that is there, the list of files and content of another kind are refused, and nothing is saved', async () => {
  const before = await head()
  for (const [folder, files, reason] of [
    ['logo', { 'new.svg': SVG, 'mark.svg': SVG }, /<bdi>mark\.svg<\/bdi>: There is a file at files\/logo\/mark\.svg/],
    ['', { 'files.yaml': 'x: {}' }, /There is a file at files\/files\.yaml/],
    ['logo', { 'photo.png': 'No picture.' }, /<bdi>photo\.png<\/bdi>:/],
    ['logo', {}, /choose files/],
  ] as const) {
    const refused = await sendFiles(folder, files)
    assert.match(await refused.text(), reason)
    assert.deepEqual([refused.status, await head()], [422, before])
  }
})

test('files stay in the folder of all files, whatever the form says', async () => {
  assert.equal((await sendFiles('../pages/.git', { '..\\x.txt': 'x' })).status, 303)
  assert.equal(await file('guide/files/pages/git/x.txt'), 'x')
})
