import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import test from 'node:test'
import { editedGuides, multipart } from '#test/support/edited-guides.ts'
import { located, locatedExif } from '#test/support/located-picture.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { silent } from '#test/support/service.ts'
import { exchange, requestText } from '#test/support/socket.ts'
import { until } from '#test/support/until.ts'

const PAGE = '---\r\ntitle: Voice # short\r\n---\r\n\r\n# Voice\r\n\r\nShort words.\r\n\r\nNo jargon.\r\n'
const PROJECT = `# Ours.
name: Guide
visibility: public
pages: [voice, plain-yaml, "plain"] # first
words:
  - { write: use, not: utilise, page: plain-yaml }
theme: { logo: files/mark.svg }
`
const COLORS = '# Ours.\n- name: Ink\n  hex: "#14212b" # dark\n  pms: 5395 C\n'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const FILES = {
  'guide/project.yaml': PROJECT,
  'guide/pages/index.md': '# Hello\n',
  'guide/pages/voice.md': PAGE,
  'guide/pages/plain.md': '+++\ntitle = "Plain"\n+++\n\nText.\n',
  'guide/pages/plain-yaml.md': '---\ntitle: Simple\n---\n\nText.\n',
  'guide/styles/colors.yaml': COLORS,
  'guide/files/mark.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h9v9z"/></svg>\n',
}

const logged: object[] = []
const log = (fields: object) => void logged.push(fields)
const { repository, temporary, url, textAt, formAt, signIn, head, file, ...guides } = await editedGuides(
  FILES,
  {},
  { ...silent, info: log },
)
await until(async () => (await fetch(`${url}/acme/guide`)).ok)
const cookie = await signIn({ name: 'Mia' })
const EDIT = '/acme/guide/-/edit'

const open = (path: string) => textAt(path, cookie)
const openForm = (address: string, attribute?: string) => formAt(`${EDIT}/${address}`, cookie, attribute)
const tokenOf = async () => (await openForm('voice')).get('token') ?? ''

function send(address: string, body: URLSearchParams | FormData, as = cookie, origin = url): Promise<Response> {
  if (!body.has('do')) body.set('do', 'save')
  return guides.send(`${EDIT}/${address}`, body, as, origin)
}

const ENDED = await signIn({ subject: 'ended', isEnded: true })
const READER = await sessionCookie(temporary, 'acme', { subject: 'reader' })

const opened = await fetch(`${url}/acme/guide/-/edit/voice`, { headers: { cookie } })
const EDITOR = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''

test('every reader of a public guide gets the link to the editor, which leads people to the sign-in', async () => {
  const page = await (await fetch(`${url}/acme/guide/voice`)).text()
  assert.match(page, /<a href="\/acme\/guide\/-\/edit\/voice" rel="nofollow">Edit this page<\/a>/)
  assert.match(await (await fetch(`${url}/acme/guide/-/colors`)).text(), /href="\/acme\/guide\/-\/edit\/-\/colors"/)
})

for (const [name, session, title, why] of [
  ['after the session', ENDED, 'Sign in to continue', 'Your session has ended'],
  ['whose browser has dropped the cookie of the session', EDITOR, 'Sign in to continue', 'Your session has ended'],
  ['without the right', READER, 'You may no longer edit this guide', 'Your rights have changed'],
] as const)
  test(`a save ${name} is refused with its whole text, and shown again to a person who may edit`, async () => {
    const before = await head()
    for (const [address, field, text] of [
      ['voice', '/body', `# Voice\n\n${'Warm <b>& "new" words. '.repeat(4000)}`],
      ['-/colors', '/items/new/name', 'Kelp'],
      ['-/project', '/name', 'Guide of ours'],
      ['-/new', 'title', 'A new page'],
    ] as const) {
      const form = await openForm(address, 'method')
      form.set(field, text)
      const refused = await send(address, form, session)
      const page = await refused.text()
      assert.equal(refused.status, 403)
      assert.ok(page.includes(title) && page.includes(why), address)
      const sent = formOnPage(page, 'method')
      assert.ok(sent.get(field) === text)
      assert.equal(sent.has('token'), false)
      assert.match(page, /<textarea rows="4" dir="auto" readonly>\n[^<]*(?:Warm &#60;b&#62;|Kelp|ours|A new page)/)
      sent.set('do', 'restore')
      assert.equal((await send(address, sent, session)).status, 403)
      assert.doesNotMatch(
        await (await send(address, sent, cookie, 'https://other.example')).text(),
        /Warm|Kelp|ours|A new/,
      )
      const again = await send(address, sent)
      assert.equal(again.status, 200)
      const restored = formOnPage(await again.text(), 'method')
      assert.ok(restored.get(field)?.replaceAll('\r', '') === text)
      assert.notEqual(restored.get('token') ?? '', '')
    }
    assert.equal(await head(), before)
  })

test('the form of a browser in which nobody has signed in is answered before its body arrives', async () => {
  const fields = [`Origin: ${url}`, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 8000000']
  const line = 'POST /acme/guide/-/edit/voice'
  const [reply] = await exchange(Number(new URL(url).port), requestText(line, fields), { keepOpen: true })
  assert.ok([303, 403].includes(reply?.status ?? 0), `${reply?.status}`)
  assert.equal(reply?.body.includes('readonly'), false)
})

test('a header that looks like the token of a proxy gets nothing kept of a form', async () => {
  const headers = { origin: url, 'x-any': 'eyJ', 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ '/body': 'Typed by nobody.' })
  const reply = await fetch(`${url}/acme/none/-/edit/voice`, { method: 'POST', body, headers, redirect: 'manual' })
  assert.equal(reply.status, 404)
  assert.doesNotMatch(await reply.text(), /Typed by nobody/)
})

test('a picture that is sent after the session is refused with the reason', async () => {
  const reply = await send('-/picture', multipart({ description: 'A mark' }), ENDED)
  assert.equal(reply.status, 403)
  assert.match(await reply.text(), /Your session has ended/)
})

test('a changed sentence is a commit of one line in the name of the person', async () => {
  const form = await openForm('voice')
  form.set('/body', (form.get('/body') ?? '').replace('Short', 'Plain'))
  form.set('summary', 'Say it plainly')
  const before = await head()
  const saved = await send('voice', form)
  assert.equal(saved.status, 303)
  assert.equal(saved.headers.get('location')?.startsWith('/acme/guide/-/edit/voice?saved='), true)
  assert.equal(await repository.git(['log', '-1', '--format=%an|%cn|%s', 'main']), 'Mia|housestyle|Say it plainly')
  assert.equal(await repository.git(['diff', '--numstat', before, 'main']), '1\t1\tguide/pages/voice.md')
  assert.equal(`${await file('guide/pages/voice.md')}\n`, PAGE.replace('Short', 'Plain'))
})

test('a form without a change makes no commit', async () => {
  const before = await head()
  for (const address of ['voice', 'plain', '-/colors', '-/types', '-/project', 'index'])
    assert.equal((await send(address, await openForm(address))).status, 303, address)
  assert.equal(await head(), before)
})

test('a changed value is one changed line, and a wrong one is told at its field before anything is saved', async () => {
  const before = await head()
  const form = await openForm('-/colors')
  form.set('/items/0/hex', '12345')
  const wrong = await send('-/colors', form)
  assert.equal(wrong.status, 422)
  assert.match(await wrong.text(), /aria-describedby="\/items\/0\/hex-problem[^"]*" aria-invalid="true" value="12345"/)
  form.set('/items/0/hex', '')
  assert.equal((await send('-/colors', form)).status, 422)
  assert.equal(await head(), before)
  form.set('/items/0/hex', '14212c')
  assert.equal((await send('-/colors', form)).status, 303)
  assert.equal(await file('guide/styles/colors.yaml'), COLORS.replace('#14212b', '#14212c').trimEnd())
})

test('a removed value needs its box', async () => {
  const form = await openForm('-/colors')
  form.set('/items/0/pms', '')
  form.append('remove', '/items/0/pms')
  assert.equal((await send('-/colors', form)).status, 303)
  assert.doesNotMatch(await file('guide/styles/colors.yaml'), /pms/)
})

test('two people who change the same sentence both see both versions, and nothing is saved before one decides', async () => {
  const [mine, theirs] = [await openForm('index'), await openForm('index')]
  theirs.set('/body', '# Good morning')
  mine.set('/body', '# Good evening')
  assert.equal((await send('index', theirs)).status, 303)
  const before = await head()
  const conflict = await send('index', mine)
  assert.equal(conflict.status, 409)
  const page = await conflict.text()
  assert.match(page, /<pre dir="auto"># Good evening\n<\/pre><\/td><td><pre dir="auto"># Good morning\n<\/pre>/)
  assert.match(page, /<input type="checkbox" name="decided" form="edit" required>/)
  assert.equal(await head(), before)
  assert.equal((await send('index', formOnPage(page))).status, 303)
  assert.equal(await file('guide/pages/index.md'), '# Good evening')
})

test('the form of a list keeps the new entry of a person through a conflict', async () => {
  const [mine, theirs] = [await openForm('-/colors'), await openForm('-/colors')]
  for (const [form, name, hex] of [
    [theirs, 'Sand', '#eeddcc'],
    [mine, 'Red', '#ee0000'],
  ] as const) {
    form.set('/items/0/hex', hex)
    form.set('/items/new/name', name)
    form.set('/items/new/hex', hex)
  }
  assert.equal((await send('-/colors', theirs)).status, 303)
  const conflict = await send('-/colors', mine)
  assert.equal(conflict.status, 409)
  const again = formOnPage(await conflict.text())
  again.set('/items/0/hex', '#ee0001')
  assert.equal((await send('-/colors', again)).status, 303)
  const saved = await file('guide/styles/colors.yaml')
  assert.match(saved, /#ee0001/)
  assert.match(saved, /name: Red\n {2}hex: "#ee0000"/)
})

test('a saved page is live once it is imported', async () => {
  const form = await openForm('voice')
  form.set('/title', 'Tone')
  const { headers } = await send('voice', form)
  await until(async () => /role="status" data-state="live"/.test(await open(headers.get('location') ?? '')))
  assert.match(await (await fetch(`${url}/acme/guide/voice`)).text(), /<title>Tone/)
})

test('a save of an earlier session changes nothing, shows its form again, and is saved the second time', async () => {
  const [form, before] = [await openForm('-/colors'), await head()]
  form.set('/items/0/use', 'For text')
  form.set('token', 'other')
  const refused = await send('-/colors', form)
  const page = await refused.text()
  assert.equal(refused.status, 403)
  assert.match(page, /role="alert">Nothing was saved: this form is from an earlier session/)
  assert.equal(await head(), before)
  const again = formOnPage(page)
  assert.equal(again.get('/items/0/use'), 'For text')
  assert.equal((await send('-/colors', again)).status, 303)
  assert.match(await file('guide/styles/colors.yaml'), /use: For text/)
  assert.equal((await send('-/colors', new URLSearchParams({ ...Object.fromEntries(again), do: 'undo' }))).status, 409)
})

test('a save is undone by one button, unless its file has changed since', async () => {
  const form = await openForm('voice')
  const text = await file('guide/pages/voice.md')
  form.set('/body', `${form.get('/body')}\r\n\r\nOne more.`)
  const { headers } = await send('voice', form)
  const address = headers.get('location') ?? ''
  const commit = new URL(address, url).searchParams.get('saved') ?? ''
  const undo = new URLSearchParams({ token: form.get('token') ?? '', commit, do: 'undo' })
  assert.equal((await send('voice', undo)).status, 303)
  assert.equal(await file('guide/pages/voice.md'), text)
  assert.match(await repository.git(['log', '-1', '--format=%an %s', 'main']), /^Mia Undo “Pages: Tone”$/)
  assert.deepEqual(logged.flatMap(line => ('paths' in line ? [line.paths] : [])).slice(-2), [
    ['pages/voice.md'],
    ['pages/voice.md'],
  ])
  const next = await openForm('voice')
  next.set('/body', `${next.get('/body')}\r\n\r\nAnother.`)
  assert.equal((await send('voice', next)).status, 303)
  assert.equal((await send('voice', undo)).status, 409)
})

test('a new page is a draft until it is saved, is a commit with its title then, and can be deleted', async () => {
  const before = await head()
  const token = await tokenOf()
  const made = await send('-/new', new URLSearchParams({ token, title: 'Our Tone', below: 'voice' }))
  const address = made.headers.get('location') ?? ''
  assert.equal(address, '/acme/guide/-/edit/voice/our-tone?title=Our+Tone')
  const page = await open(address)
  assert.match(page, /<title>Edit Our Tone/)
  assert.doesNotMatch(page, /Delete this page/)
  const draft = formOnPage(page)
  draft.set('do', 'preview')
  assert.match(await (await send('voice/our-tone', draft)).text(), /<title>Our Tone/)
  draft.set('do', 'cancel')
  assert.equal((await send('voice/our-tone', draft)).headers.get('location'), '/acme/guide/voice')
  assert.equal(await head(), before)
  assert.equal((await fetch(`${url}/acme/guide/-/edit/voice/our-tone`, { headers: { cookie } })).status, 404)
  draft.set('do', 'save')
  assert.match((await send('voice/our-tone', draft)).headers.get('location') ?? '', /voice\/our-tone\?saved=\w/)
  assert.equal(await repository.git(['log', '-1', '--format=%s', 'main']), 'Add Our Tone')
  assert.equal(await file('guide/pages/voice/our-tone.md'), '---\ntitle: Our Tone\n---\n\n# Our Tone')
  const again = await send('-/new', new URLSearchParams({ token, title: 'Our Tone', below: 'voice' }))
  assert.equal(again.status, 422)
  assert.match(
    await again.text(),
    /there is a page at this address.*<a href="\/acme\/guide\/-\/edit\/voice\/our-tone">Our Tone<\/a>/,
  )
  const own = await openForm('voice/our-tone')
  const deletion = new URLSearchParams({ token, base: own.get('base') ?? '', do: 'delete', sure: 'yes' })
  assert.equal((await send('voice/our-tone', deletion)).status, 303)
  assert.equal(await repository.git(['ls-tree', '-r', '--name-only', 'main', 'guide/pages/voice']), '')
})

test('the pictures of a new page are in its commit, and a refused page saves none of them', async () => {
  const before = await head()
  const draft = formOnPage(await open('/acme/guide/-/edit/quay?title=Quay'))
  const [photo, plain] = [false, true].map(isRemoved => located.jpeg(locatedExif({ isRemoved })))
  assert.ok(photo && plain)
  const post = (text: string, ...pictures: File[]) => {
    const body = new FormData()
    for (const [name, value] of draft) body.append(name, value)
    body.set('do', 'save')
    body.set('/body', text)
    for (const picture of pictures) body.append('pictures', picture)
    return send('quay', body)
  }
  const text = '# Quay\n\n![A quay](../files/pictures/shown.jpg)'
  const wrong = await post(text, new File([plain], 'shown.jpg'), new File(['No picture.'], 'wrong.jpg'))
  assert.equal(wrong.status, 422)
  assert.match(formOnPage(await wrong.text()).get('/body') ?? '', /A quay/)
  assert.equal(await head(), before)
  const saved = await post(text, new File([plain], 'shown.jpg'), new File([photo], 'The End.JPG'))
  assert.equal(saved.status, 303)
  assert.match(await open(saved.headers.get('location') ?? ''), /The place where the picture was taken was removed/)
  assert.equal(await repository.git(['rev-list', '--count', `${before}..main`]), '1')
  assert.equal(
    await repository.git(['diff', '--name-only', before, 'main']),
    'guide/files/pictures/shown.jpg\nguide/files/pictures/the-end.jpg\nguide/pages/quay.md',
  )
  const page =
    '---\ntitle: Quay\n---\n\n# Quay\n\n![A quay](../files/pictures/shown.jpg)\n\n![The End](../files/pictures/the-end.jpg)'
  assert.equal(await file('guide/pages/quay.md'), page)
})

test('a picture for a new page gets a free path, and is not saved yet', async () => {
  const before = await head()
  const fields = { token: await tokenOf(), description: 'A dock', picture: new File([PNG], 'Dock.png') }
  const paths: (string | undefined)[] = []
  for (const taken of ['', '&taken=files/pictures/dock.png']) {
    const reply = await send(`-/picture?page=quay-2&draft=yes${taken}`, multipart(fields))
    paths.push(markdownIn(await reply.text()))
  }
  assert.deepEqual(paths, ['![A dock](../files/pictures/dock.png)', '![A dock](../files/pictures/dock-2.png)'])
  assert.equal(await head(), before)
})

for (const [field, value, message] of [
  ['/id', 'voice', 'guide/pages/voice.md and guide/pages/plain-yaml.md have the same page id voice'],
  ['/aliases', 'voice', 'the alias &quot;voice&quot; is the id of guide/pages/voice.md'],
] as const)
  test(`a value of ${field} that another page has is refused at its field, and nothing is saved`, async () => {
    const before = await head()
    const form = await openForm('plain-yaml')
    form.set(field, value)
    const reply = await send('plain-yaml', form)
    assert.equal(reply.status, 422)
    const text = (await reply.text()).replaceAll('&#34;', '&quot;')
    const [problem = '', ...others] = text.matchAll(/<p class="problem" id="([^"]+)-problem">([^\n]*)<\/p>/g)
    assert.deepEqual([problem[1], others], [field, []])
    assert.ok(`${problem[2]}`.includes(message), problem[2])
    assert.equal(await head(), before)
  })

test('errors in other files that a change brings are named with links to them', async () => {
  const before = await head()
  const form = await openForm('voice')
  form.set('/id', 'plain-yaml')
  const text = await (await send('voice', form)).text()
  assert.match(text, /<a href="\/acme\/guide\/-\/edit\/plain-yaml" target="_blank">guide\/pages\/plain-yaml\.md:1<\/a>/)
  assert.match(text, /<p class="problem" id="\/id-problem">/)
  assert.equal(await head(), before)
})

test('a page that gets another id keeps its old address as an alias, and its place in the settings', async () => {
  const form = await openForm('plain-yaml')
  form.set('/id', 'simple')
  const { headers } = await send('plain-yaml', form)
  const saved = new URL(headers.get('location') ?? '', url)
  assert.equal(
    await file('guide/pages/plain-yaml.md'),
    '---\ntitle: Simple\naliases: [plain-yaml]\nid: simple\n---\n\nText.',
  )
  assert.equal(`${await file('guide/project.yaml')}\n`, PROJECT.replaceAll('plain-yaml', 'simple'))
  assert.equal(
    await repository.git(['diff', '--name-only', 'main~', 'main']),
    'guide/pages/plain-yaml.md\nguide/project.yaml',
  )
  await until(async () => (await fetch(`${url}/acme/guide/simple`)).ok)
  const moved = await fetch(saved, { headers: { cookie }, redirect: 'manual' })
  assert.equal(moved.headers.get('location'), `/acme/guide/-/edit/simple${saved.search}`)
  const [token, commit] = [form.get('token') ?? '', saved.searchParams.get('saved') ?? '']
  assert.equal((await send('plain-yaml', new URLSearchParams({ token, commit, do: 'undo' }))).status, 303)
  assert.equal(await file('guide/pages/plain-yaml.md'), FILES['guide/pages/plain-yaml.md'].trimEnd())
  assert.equal(`${await file('guide/project.yaml')}\n`, PROJECT)
  await until(async () => (await fetch(`${url}/acme/guide/simple`)).status === 404)
  assert.equal((await fetch(`${url}/acme/guide/plain-yaml`)).status, 200)
})

test('the undo of a new page takes its file and its address', async () => {
  const draft = formOnPage(await open('/acme/guide/-/edit/short-lived?title=Short%20lived'))
  const saved = new URL((await send('short-lived', draft)).headers.get('location') ?? '', url)
  await until(async () => (await fetch(`${url}/acme/guide/short-lived`)).ok)
  const [token, commit] = [draft.get('token') ?? '', saved.searchParams.get('saved') ?? '']
  assert.equal((await send('short-lived', new URLSearchParams({ token, commit, do: 'undo' }))).status, 303)
  assert.equal(await repository.git(['ls-tree', '-r', '--name-only', 'main', 'guide/pages/short-lived.md']), '')
  await until(async () => (await fetch(`${url}/acme/guide/short-lived`)).status === 404)
})

test('a page that is not imported yet has a preview of its own', async () => {
  const form = await openForm('voice')
  const page = new URLSearchParams({
    token: form.get('token') ?? '',
    base: '""',
    '/title': 'Tone of Voice',
    do: 'preview',
  })
  page.set('/body', '# Tone of Voice\n\nSay it.')
  const preview = await (await send('not-yet', page)).text()
  assert.match(preview, /<title>Tone of Voice/)
  assert.match(preview, /<p class="lead">Say it\.<\/p>/)
  assert.doesNotMatch(preview, /Hello/)
})

test('a picture is a commit, and the reply has the Markdown that shows it', async () => {
  const picture = new File([PNG], 'Our Bench.PNG', { type: 'image/png' })
  const fields = { token: await tokenOf(), description: 'A bench [in use]', picture }
  const reply = await send('-/picture?page=voice', multipart(fields))
  assert.equal(reply.status, 200)
  assert.match(
    await reply.text(),
    /<pre dir="auto">!\[A bench \\\[in use\\\]\]\(\.\.\/files\/pictures\/our-bench\.png\)<\/pre>/,
  )
  assert.equal(await repository.git(['cat-file', '-s', 'main:guide/files/pictures/our-bench.png']), `${PNG.length}`)
})

test('a file keeps its path when it is replaced, and one in use is not removed', async () => {
  await until(async () => (await fetch(`${url}/acme/guide/-/files`)).text().then(page => page.includes('our-bench')))
  assert.match(await (await fetch(`${url}/acme/guide/-/files`)).text(), /href="\/acme\/guide\/-\/edit\/-\/files"/)
  const token = await tokenOf()
  const sendFile = (fields: Readonly<Record<string, string | File>>, path = 'files/pictures/our-bench.png') =>
    send(`-/file/${path}`, multipart({ token, ...fields }))
  const other = new File([Buffer.concat([PNG, PNG])], 'new.png')
  assert.equal((await sendFile({ do: 'replace', file: new File(['x'], 'new.svg') })).status, 422)
  assert.equal((await sendFile({ do: 'replace', file: new File(['No picture.'], 'new.png') })).status, 422)
  const replaced = (await sendFile({ do: 'replace', file: other })).headers.get('location') ?? ''
  assert.match(replaced, /^\/acme\/guide\/-\/edit\/-\/file\/files\/pictures\/our-bench\.png\?saved=\w/)
  assert.match(await open(replaced), /<img src="[^"]+our-bench\.png".*role="status".*value="undo"/s)
  assert.equal(await repository.git(['cat-file', '-s', 'main:guide/files/pictures/our-bench.png']), `${2 * PNG.length}`)
  assert.equal((await sendFile({ do: 'remove' }, 'files/mark.svg')).status, 422)
  assert.equal((await sendFile({ do: 'remove' })).status, 303)
  assert.equal(await repository.git(['ls-tree', '-r', '--name-only', 'main', 'guide/files/pictures/our-bench.png']), '')
})

function markdownIn(page: string): string | undefined {
  return /data-markdown="([^"]*)"/.exec(page)?.[1]
}

async function sendPicture(name: string, bytes: Uint8Array): Promise<Response> {
  const fields = { token: await tokenOf(), description: 'A long bench' }
  return send('-/picture?page=voice', multipart({ ...fields, picture: new File([new Uint8Array(bytes)], name) }))
}

test('a picture of 40 MiB is saved, the page has its Markdown, and a taken name gets a number', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(40 << 20)])
  for (const [bytes, path] of [
    [large, '../files/pictures/a-long-bench.png'],
    [PNG, '../files/pictures/a-long-bench-2.png'],
  ] as const) {
    const reply = await sendPicture('image.png', bytes)
    assert.deepEqual([reply.status, markdownIn(await reply.text())], [200, `![A long bench](${path})`])
  }
  assert.equal(
    await repository.git(['cat-file', '-s', 'main:guide/files/pictures/a-long-bench.png']),
    `${large.length}`,
  )
})

test('a picture is saved without the place where it was taken, which the page says', async () => {
  const [before, after] = [false, true].map(isRemoved => located.jpeg(locatedExif({ isRemoved })))
  assert.ok(before && after)
  const reply = await (await sendPicture('quay.jpg', before)).text()
  assert.match(reply, /<p data-note>The place where the picture was taken was removed from its file\.<\/p>/)
  const path = 'files/pictures/quay.jpg'
  const sum = (bytes: Buffer) => hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
  assert.equal(await repository.git(['rev-parse', `main:guide/${path}`]), sum(after))
  await until(async () => (await fetch(`${url}/acme/guide/-/files`)).text().then(page => page.includes('quay.jpg')))
  const more = new File([Buffer.concat([before, before])], 'quay.jpg')
  const fields = { token: await tokenOf(), do: 'replace', file: more }
  const replaced = await send(`-/file/${path}`, multipart(fields))
  assert.match(await open(replaced.headers.get('location') ?? ''), /The place where the picture was taken was removed/)
  assert.equal(await repository.git(['rev-parse', `main:guide/${path}`]), sum(Buffer.concat([after, after])))
  const plain = await sendPicture('plain.jpg', after)
  assert.doesNotMatch(await plain.text(), /data-note/)
})

test('a file without a picture, or with another kind than its name says, is refused with the reason', async () => {
  for (const [name, bytes, reason] of [
    ['notes.txt', PNG, /choose a picture that ends with/],
    ['notes.png', Buffer.from('No picture.'), /choose a picture/],
    ['bench.jpg', PNG, /Nothing was saved\. The name and the content differ/],
  ] as const) {
    const wrong = await sendPicture(name, bytes)
    const page = await wrong.text()
    assert.deepEqual([wrong.status, markdownIn(page)], [422, undefined])
    assert.match(page, reason)
  }
})

test('a file that a list names is not removed, and the page leads to the form of that list', async () => {
  assert.match(
    await open('/acme/guide/-/edit/-/file/files/mark.svg'),
    /<a href="\/acme\/guide\/-\/edit\/-\/project">Settings<\/a>/,
  )
})

test('a new page may have a title in any script', async () => {
  const token = await tokenOf()
  const made = await send('-/new', new URLSearchParams({ token, title: '日本語' }))
  assert.equal(
    made.headers.get('location'),
    `/acme/guide/-/edit/${encodeURI('日本語')}?title=${encodeURIComponent('日本語')}`,
  )
})

test('a page of more than 1 MiB is refused before it is saved', async () => {
  const before = await head()
  const form = await openForm('voice')
  form.set('/body', 'x'.repeat(1_200_000))
  assert.equal((await send('voice', form)).status, 422)
  assert.equal(await head(), before)
})
