import assert from 'node:assert/strict'
import test from 'node:test'
import { editedGuides } from '#test/support/edited-guides.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { runningService } from '#test/support/service.ts'
import { until } from '#test/support/until.ts'

const MARK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
const guideFiles = (folder: string, visibility: string) => ({
  [`${folder}/project.yaml`]: `name: ${folder}\nvisibility: ${visibility}\n`,
  [`${folder}/pages/index.md`]: '# Hello\n',
  [`${folder}/pages/voice.md`]: '---\ntitle: Voice\n---\n\n# Voice\n\nShort words.\n',
  [`${folder}/files/mark.svg`]: MARK,
})

const { server, repository, temporary, url, head, textAt, formAt, signIn, ...guides } = await editedGuides({
  ...guideFiles('open', 'public'),
  ...guideFiles('closed', 'private'),
})
await until(async () => (await fetch(`${url}/acme/open`)).ok)
const plain = await runningService(temporary)
const editor = await signIn({ subject: 'editor', name: 'Mia' })
const openForm = (page: string) => formAt(`/acme/open/-/edit/${page}`, editor)
const send = (page: string, body: URLSearchParams, guide = 'open') =>
  guides.send(`/acme/${guide}/-/edit/${page}`, body, editor)

const PAGES = [
  'voice',
  'index',
  '-/colors',
  '-/new',
  '-/picture?page=voice',
  '-/file/files/mark.svg',
  '-/history/voice',
  '-/upload',
]

test('without --edit, every address of the editor is that of an unknown page, also for editors', async () => {
  const replyOf = async (path: string, method = 'GET') => {
    const body = method === 'POST' ? { body: new URLSearchParams({ do: 'save' }) } : {}
    const headers = { cookie: editor, origin: plain.url }
    const reply = await fetch(plain.url + path, { method, headers, redirect: 'manual', ...body })
    return [reply.status, await reply.text()]
  }
  for (const page of PAGES)
    for (const method of ['GET', 'POST'])
      assert.deepEqual(
        await replyOf(`/acme/open/-/edit/${page}`, method),
        await replyOf(`/acme/open/-/unknown/${page}`, method),
        `${method} ${page}`,
      )
  assert.doesNotMatch(await (await fetch(`${plain.url}/acme/open/voice`)).text(), /-\/edit/)
})

test('other methods are refused', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    assert.equal((await fetch(`${url}/acme/open/-/edit/voice`, { method, headers: { cookie: editor } })).status, 405)
})

test('an address outside the pages, lists and files of a guide is unknown', async () => {
  for (const page of [
    'nothing Voice .git/config ..%2fclosed %2e%2e/%2e%2e/workspace voice.md a//b - -/x -/workspace',
    '-/file/pages/voice.md -/file/project.yaml -/file/files/%2e%2e/project.yaml',
    '-/file/files/../../closed/files/mark.svg -/file/files/nothing.svg -/file/.git/config voice%00 %5c..',
  ].flatMap(list => list.split(' ')))
    assert.equal((await fetch(`${url}/acme/open/-/edit/${page}`, { headers: { cookie: editor } })).status, 404, page)
})

test('an address with a backslash is no way to another site', async () => {
  for (const path of ['/%5cevil.example/-/edit', '/\\evil.example/-/edit/new', '//evil.example/-/edit']) {
    const reply = await fetch(url + path, { redirect: 'manual' })
    assert.doesNotMatch(reply.headers.get('location') ?? '', /^(?:https?:)?[/\\]{2}/)
  }
})

test('a list, the settings and the home page cannot be deleted', async () => {
  const before = await head()
  for (const page of ['-/project', 'index']) {
    const form = await openForm(page)
    form.set('do', 'delete')
    form.set('sure', 'yes')
    assert.equal((await send(page, form)).status, 403)
  }
  assert.equal(await head(), before)
})

test('a summary is one line of a commit without other trailers', async () => {
  const form = await openForm('voice')
  form.set('/body', `${form.get('/body')}\n\nMore.`)
  form.set('summary', 'One\r\n\r\nSave-Id: other\u0000\nCo-authored-by: x <x@y.example>')
  assert.equal((await send('voice', form)).status, 303)
  const [subject = '', ...trailers] = (await repository.git(['log', '-1', '--format=%B', 'main'])).split('\n\n')
  assert.equal(subject, 'One Save-Id: other Co-authored-by: x <x@y.example>')
  assert.match(trailers.join('|').trim(), /^Save-Id: [\w-]+$/)
})

test('only saves of the same guide are undone, and a refusal names no file of another guide', async () => {
  const form = await openForm('voice')
  const elsewhere = await formAt('/acme/closed/-/edit/voice', editor)
  elsewhere.set('/body', '# Secret')
  assert.equal((await send('voice', elsewhere, 'closed')).status, 303)
  const saved = await head()
  const tree = await repository.git(['rev-parse', 'main^{tree}'])
  const ours = await repository.git(['commit-tree', tree, '-p', saved, '-m', 'By hand'])
  const merge = await repository.git([
    'commit-tree',
    tree,
    '-p',
    ours,
    '-p',
    `${saved}~1`,
    '-m',
    'M\n\nSave-Id: abcdefgh',
  ])
  await repository.git(['update-ref', 'refs/heads/main', merge])
  for (const commit of [saved, ours, merge, `${saved}~1`, 'HEAD', '--all', '']) {
    const undo = new URLSearchParams({ token: form.get('token') ?? '', do: 'undo', commit })
    const reply = await send('voice', undo)
    assert.equal(reply.status, 409, commit)
    assert.doesNotMatch(await reply.text(), /closed\/pages|Secret/)
  }
  assert.equal(await head(), merge)
})

test('a save that changes nothing offers no undo of the commit of somebody else', async () => {
  const { headers } = await send('voice', await openForm('voice'))
  const address = headers.get('location') ?? ''
  assert.match(address, /\?saved=&/)
  assert.doesNotMatch(await textAt(address, editor), /value="undo"/)
})

test('a page that somebody deleted meanwhile shows the text of the person, and is written by the next save', async () => {
  assert.equal((await send('gone', await openForm('gone?title=Gone'))).status, 303)
  const [mine, theirs] = [await openForm('gone'), await openForm('gone')]
  theirs.set('do', 'delete')
  theirs.set('sure', 'yes')
  assert.equal((await send('gone', theirs)).status, 303)
  mine.set('/body', '# Still wanted')
  const conflict = await send('gone', mine)
  assert.equal(conflict.status, 409)
  assert.equal((await send('gone', formOnPage(await conflict.text()))).status, 303)
  assert.match(await repository.git(['show', 'main:open/pages/gone.md']), /# Still wanted/)
})

test('a host that is away leaves the text of the person in the page', async () => {
  const form = await openForm('voice')
  form.set('/body', '# Kept text')
  server.answer(response => void response.writeHead(503).end())
  const reply = await send('voice', form)
  server.answer(undefined)
  assert.equal(reply.status, 409)
  const page = await reply.text()
  assert.equal(formOnPage(page).get('/body'), '# Kept text')
  assert.match(page, /The git host does not answer\. Save again in a minute/)
})

test('hostile forms get a reply, and show nothing unescaped', async () => {
  const before = await head()
  const form = await openForm('-/colors')
  const token = form.get('token') ?? ''
  const many = new URLSearchParams({ token, do: 'save', base: '""' })
  for (let at = 0; at < 100_000; at++) many.append(`/items/${at}/<img src=x>`, 'x')
  const long = '- name: A\n'.repeat(2000)
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi', (each, at) => `${each}: &${each} [${`*${'abcdefghi'[at]},`.repeat(9)}]`).join('\n')}\n`
  const forms = [
    many,
    new URLSearchParams({ token, do: 'save', base: JSON.stringify(bomb) }),
    new URLSearchParams({ token, do: 'save', base: JSON.stringify(long), '/items/0/name': '<img src=x>' }),
    new URLSearchParams({ token, do: 'save', base: JSON.stringify(long.repeat(100)) }),
    new URLSearchParams({ token, do: 'save', base: '[1]' }),
    new URLSearchParams({ token, do: 'undo', commit: '"><img src=x>' }),
    new URLSearchParams({ token, do: 'save', base: '""', '/items/new/custom': `a:${' '.repeat(1_000_000)}b` }),
  ]
  for (const body of forms) {
    const reply = await send('-/colors', body)
    assert.ok(reply.status < 500, `${reply.status}`)
    assert.doesNotMatch(await reply.text(), /<img src=x/)
  }
  const query = new URLSearchParams({ saved: '"><img src=x>', at: 'x', page: '../"><img src=x>', return: '//evil' })
  for (const page of ['voice', '-/picture', '-/new']) {
    const reply = await fetch(`${url}/acme/open/-/edit/${page}?${query}`, { headers: { cookie: editor } })
    assert.equal(reply.status, 200)
    assert.doesNotMatch(await reply.text(), /<img src=x|\/\/evil/)
  }
  const wrong = new URLSearchParams({ token, title: 'Colors', below: '-' })
  assert.equal((await send('-/new', wrong)).status, 422)
  wrong.set('below', '../../closed/pages')
  assert.equal((await send('-/new', wrong)).status, 422)
  assert.equal(await head(), before)
})
