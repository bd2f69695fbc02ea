import assert from 'node:assert/strict'
import test from 'node:test'
import { editedGuides } from '#test/support/edited-guides.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { until } from '#test/support/until.ts'

const PROJECT = 'id: guide\nname: Guide\nvisibility: private\npublishing: { reviewers: 2 }\n'

const FILE_LIST = 'mark.txt: Our mark\n'

const { head, textAt, signIn, ...guides } = await editedGuides({
  'guide/project.yaml': PROJECT,
  'guide/pages/index.md': '# Hello\n',
  'guide/files/files.yaml': FILE_LIST,
  'guide/files/mark.txt': 'Mark.\n',
  'guide/files/other.txt': 'Other.\n',
  'plain/pages/index.md': '# Plain\n',
})
const editor = await signIn({ subject: 'editor' })
const manager = await signIn({ subject: 'manager', manages: 'all' })
await until(async () => (await open(editor)).includes('<form'))

const LOCKED = ['/visibility', '/revisions', '/publishing/reviewers']

test('the form of settings shows the id to everybody, and who reads the guide to people who cannot change it', async () => {
  const [forEditor, forManager] = [await open(editor), await open(manager)]
  for (const page of [forEditor, forManager]) {
    assert.match(page, /<output id="\/id" dir="auto">guide<\/output>/)
    assert.match(page, /The ID is part of all addresses of this guide, and cannot be changed here\./)
  }
  for (const name of LOCKED) {
    assert.match(forEditor, new RegExp(`<output id="${name}" dir="auto">[^<]+</output>`))
    assert.deepEqual([formOnPage(forEditor).has(name), formOnPage(forManager).has(name)], [false, true])
  }
  assert.match(forEditor, /Only people who may manage this guide can change this\./)
  assert.doesNotMatch(forManager, /Only people who may manage/)
  assert.match(await open(editor, 'plain'), /<output id="\/id" dir="auto">plain</)
})

test('a form that changes a setting which the person cannot change is refused at its field, and saves nothing', async () => {
  const before = await head()
  for (const [cookie, name, value, reason, project = 'guide'] of [
    [editor, '/id', 'other', /cannot be changed here/],
    [manager, '/id', 'other', /cannot be changed here/],
    [manager, '/id', 'other', /cannot be changed here/, 'plain'],
    [editor, '/translationOf', 'plain', /Only people who may manage/],
    [editor, '/visibility', 'public', /Only people who may manage/],
    [editor, '/revisions', 'served', /Only people who may manage/],
    [editor, '/publishing/reviewers', '1', /Only people who may manage/],
    [editor, 'remove', '/publishing/reviewers', /Only people who may manage/],
  ] as const) {
    const form = formOnPage(await open(cookie, project))
    form.set(name, value)
    form.set('sure', 'visibility publishing')
    const reply = await send(cookie, form, project)
    assert.equal(reply.status, 422, name)
    const text = await reply.text()
    assert.match(text, reason)
    const field = name === 'remove' ? value : name
    assert.ok(text.includes(`<p class="problem" id="${field}-problem">`), field)
  }
  assert.equal(await head(), before)
})

test('only people who manage all guides make a guide the translation of another, whose files it then shows', async () => {
  const before = await head()
  const rights = { edits: ['guide'], manages: ['guide'], projects: ['guide'] }
  const own = await signIn({ subject: 'own', ...rights })
  const form = formOnPage(await open(own))
  form.set('/lang', 'fr')
  form.set('/translationOf', 'plain')
  const refused = await send(own, form)
  assert.equal(refused.status, 409)
  assert.match(await refused.text(), /Only people who may manage/)
  assert.equal(await head(), before)
})

test('a person who edits changes other settings', async () => {
  const form = formOnPage(await open(editor))
  form.set('/name', 'Our guide')
  assert.equal((await send(editor, form)).status, 303)
  assert.equal(`${await file()}\n`, PROJECT.replace('name: Guide', 'name: Our guide'))
})

test('a change that lets everyone read, or asks for fewer reviews, is saved once the person agrees to all of it', async () => {
  const before = await head()
  const form = formOnPage(await open(manager))
  form.set('/visibility', 'public')
  const asked = await send(manager, form)
  const page = await asked.text()
  assert.equal(asked.status, 422)
  assert.match(page, /<p>Everyone will be able to read this guide\.<\/p>/)
  assert.match(page, /<input type="checkbox" name="sure" value="visibility" form="edit">/)
  assert.match(page, /<option value="public" selected>/)
  form.set('/publishing/reviewers', '1')
  form.set('sure', 'visibility')
  const more = await (await send(manager, form)).text()
  assert.match(more, /Drafts of this guide will need fewer reviews/)
  assert.equal(await head(), before)
  form.set('sure', /name="sure" value="([^"]*)"/.exec(more)?.[1] ?? '')
  assert.equal((await send(manager, form)).status, 303)
  assert.match(await file(), /visibility: public\npublishing: \{ reviewers: 1 \}/)
  const back = formOnPage(await open(manager))
  back.set('/visibility', 'private')
  assert.equal((await send(manager, back)).status, 303)
})

test('the path of an entry of the list of files is shown and stays, and new entries have one', async () => {
  const page = await openAt(editor, '-/files')
  assert.match(page, /<output id="\/items\/0\/path" dir="auto">mark\.txt<\/output>/)
  const form = formOnPage(page)
  assert.equal(form.has('/items/0/path'), false)
  form.set('/items/0/path', 'other.txt')
  const refused = await send(editor, form, 'guide', '-/files')
  assert.equal(refused.status, 422)
  assert.match(await refused.text(), /<p class="problem" id="\/items\/0\/path-problem">The path stays/)
  form.delete('/items/0/path')
  form.set('/items/new/path', 'other.txt')
  form.set('/items/new/description', 'Another')
  assert.equal((await send(editor, form, 'guide', '-/files')).status, 303)
  assert.equal(`${await guides.file('guide/files/files.yaml')}\n`, `${FILE_LIST}other.txt: Another\n`)
})

test('a new guide that everyone can read needs the right to manage all guides, and agreement', async () => {
  const before = await head()
  const address = '/acme/-/edit/new'
  const post = async (cookie: string, fields: Record<string, string>) => {
    const form = await textAt(address, cookie)
    const token = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? ''
    const body = new URLSearchParams({ token, name: 'Shop', visibility: 'public', ...fields })
    const reply = await guides.send(address, body, cookie)
    return { form, status: reply.status, text: await reply.text() }
  }
  const refused = await post(editor, { sure: 'visibility' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Only people who may manage all guides can make one that everyone can read\./)
  assert.doesNotMatch(refused.form, /<option value="public"/)
  const asked = await post(manager, {})
  assert.equal(asked.status, 422)
  assert.match(asked.text, /Everyone will be able to read this guide\./)
  assert.equal(await head(), before)
  assert.equal((await post(manager, { sure: 'visibility' })).status, 303)
})

function open(cookie: string, project = 'guide'): Promise<string> {
  return openAt(cookie, '-/project', project)
}

function openAt(cookie: string, address: string, project = 'guide'): Promise<string> {
  return textAt(`/acme/${project}/-/edit/${address}`, cookie)
}

function send(cookie: string, form: URLSearchParams, project = 'guide', at = '-/project'): Promise<Response> {
  form.set('do', 'save')
  return guides.send(`/acme/${project}/-/edit/${at}`, form, cookie)
}

const file = () => guides.file('guide/project.yaml')
