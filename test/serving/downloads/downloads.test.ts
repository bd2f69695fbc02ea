import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'

const ODD_NAMES = [
  'with space.txt',
  'Größe.txt',
  'Gro\u0308ße.txt',
  '色 見本.txt',
  "it's (new)!*.txt",
  'a"b\\c.txt',
  '50% & more.txt',
  'a#b?c=d.txt',
  'plus+and;semi,colon=.txt',
  'two..dots.txt',
  '😀.txt',
  '%2F.txt',
  '<b>.txt',
  "utf-8''x.txt",
]
/** Files that a browser could run. */
const SCRIPTS = ['a.js', 'b.mjs', 'c.cjs', 'd.JS', 'e.jsm', 'f.es6', 'g.wasm']
const PAGE = '# Files\n\n[Plan](<../files/with space.txt>) ![Mark](mark.svg)\n'
const CONTENTS = {
  ...SMALL_BRAND,
  ...Object.fromEntries(ODD_NAMES.map(name => [`guidelines/files/${name}`, `This is ${name}.\n`])),
  'private/pages/files.md': PAGE,
  'private/pages/mark.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>\n',
  'private/files/page.html': '<!doctype html><title>x</title><script>alert(1)</script>\n',
  'private/files/empty.bin': '',
  ...Object.fromEntries(SCRIPTS.map(name => [`private/files/${name}`, `alert(${JSON.stringify(name)})\n`])),
  'private/files/packed.svgz': gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  'private/files/with space.txt': 'Plan.\n',
  'private/files/copy/with space.txt': 'Plan.\n',
  'private/files/unknown.qqq': new Uint8Array([0, 1, 2, 255]),
}

const temporary = await publishedStore(['acme/guidelines', 'acme/private'], CONTENTS)
const { token } = await temporary.issue('acme')
const { ask, follow } = await testService(temporary)

type Entry = { filename: string; size: number; contentType: string; url: string }

async function filesOf(project: string): Promise<Entry[]> {
  const { text } = await ask(`/beta/workspace/acme/project/${project}/files`, { token })
  return JSON.parse(text).files
}

function targetOf(url: string): string {
  assert.ok(url.startsWith(`${URL_OF_SERVICE}/`))
  return url.slice(URL_OF_SERVICE.length)
}

async function fileNamed(project: string, filename: string): Promise<Entry & { target: string }> {
  const entry = (await filesOf(project)).find(each => each.filename === filename)
  assert.ok(entry, `${filename} is not listed`)
  return { ...entry, target: targetOf(entry.url) }
}

const all = [...(await filesOf('guidelines')), ...(await filesOf('private'))]

test('every file of the folder is listed under its own name', () => {
  const listed = all.map(({ filename }) => filename)
  for (const name of ODD_NAMES) assert.ok(listed.includes(name), name)
  assert.equal(all.length, ODD_NAMES.length + 3 + 7 + SCRIPTS.length)
})

for (const { filename, url, size, contentType } of all)
  test(`the url of ${JSON.stringify(filename)} gives the file’s exact bytes, type and length, without a token`, async () => {
    const target = targetOf(url)
    assert.match(target, /^[\w/.~%-]+$/)
    assert.equal(new URL(url).pathname, target)
    const { status, headers, bytes } = await ask(target)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), SCRIPTS.includes(filename) ? 'application/octet-stream' : contentType)
    assert.equal(headers.get('content-length'), String(size))
    const sources = Object.entries(CONTENTS).filter(([path]) => path.endsWith(`/${filename}`))
    assert.ok(sources.some(([, source]) => Buffer.from(bytes).equals(Buffer.from(source))))
    const head = await ask(target, { method: 'HEAD' })
    assert.deepEqual([head.status, head.bytes.length, [...head.headers]], [200, 0, [...headers]])
  })

test('the file addresses in the content of a page match the file list', async () => {
  const { text } = await ask('/beta/workspace/acme/project/private/page/files', { token })
  const plan = (await filesOf('private')).filter(({ filename }) => filename === 'with space.txt').at(-1)
  const { url: mark } = await fileNamed('private', 'mark.svg')
  assert.equal(JSON.parse(text).content, `# Files\n\n[Plan](<${plan?.url}>) ![Mark](${mark})\n`)
})

const DISPOSITIONS: readonly [filename: string, disposition: string][] = [
  ['pixel.png', 'inline; filename=pixel.png'],
  ['notes.txt', 'inline; filename=notes.txt'],
  ['Größe.txt', `inline; filename="Gr??e.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`],
  ['色 見本.txt', `inline; filename="? ??.txt"; filename*=UTF-8''%E8%89%B2%20%E8%A6%8B%E6%9C%AC.txt`],
  ['a"b\\c.txt', 'inline; filename="a\\"b\\\\c.txt"'],
]

for (const [filename, disposition] of DISPOSITIONS)
  test(`${JSON.stringify(filename)} is downloaded under its own name`, async () => {
    const { headers } = await ask((await fileNamed('guidelines', filename)).target)
    assert.equal(headers.get('content-disposition'), disposition)
  })

const CONFINED = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

test('files that could run scripts are sandboxed, and files that no browser shows are downloaded', async () => {
  const fields = async (filename: string) => {
    const { headers } = await ask((await fileNamed('private', filename)).target)
    return [headers.get('content-disposition')?.split(';')[0], headers.get('content-security-policy')]
  }
  assert.deepEqual(await fields('mark.svg'), ['inline', CONFINED])
  assert.deepEqual(await fields('page.html'), ['attachment', CONFINED])
  assert.deepEqual(await fields('packed.svgz'), ['attachment', CONFINED])
  assert.deepEqual(await fields('unknown.qqq'), ['attachment', null])
  assert.deepEqual(await fields('empty.bin'), ['attachment', null])
})

test('no script of a brand is sent with a type that a browser runs, whole or in part', async () => {
  for (const name of SCRIPTS) {
    const { target } = await fileNamed('private', name)
    for (const [method, range] of [
      ['GET', undefined],
      ['HEAD', undefined],
      ['GET', 'bytes=0-2'],
    ] as const) {
      const { headers } = await ask(target, { method, headers: { range } })
      const sent = ['content-type', 'x-content-type-options'].map(field => headers.get(field))
      assert.deepEqual([name, ...sent], [name, 'application/octet-stream', 'nosniff'])
      assert.match(headers.get('content-disposition') ?? '', /^attachment/)
    }
  }
  const types = SCRIPTS.flatMap(name => all.find(({ filename }) => filename === name)?.contentType ?? [])
  assert.ok(types.includes('text/javascript'), types.join(' '))
})

for (const [project, caching] of [
  ['guidelines', 'public, max-age=3600'],
  ['private', 'private, no-cache'],
] as const)
  test(`a file of a ${project === 'private' ? 'private' : 'public'} project has a strong tag and ${caching}`, async () => {
    const { target } = await fileNamed(project, project === 'private' ? 'unknown.qqq' : 'notes.txt')
    const { headers } = await ask(target)
    const etag = headers.get('etag') ?? ''
    assert.match(etag, /^"[0-9a-f]{64}"$/)
    assert.equal(headers.get('cache-control'), caching)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, bytes, headers } = await ask(target, { headers: { 'if-none-match': held } })
      assert.deepEqual([status, bytes.length], [304, 0])
      assert.deepEqual(Object.fromEntries(headers), {
        etag,
        'cache-control': caching,
        'x-content-type-options': 'nosniff',
      })
    }
    assert.equal((await ask(target, { headers: { 'if-none-match': '"x"' } })).status, 200)
  })

test('a wrong key, name, project or workspace is not found', async () => {
  const { target } = await fileNamed('guidelines', 'notes.txt')
  const [, workspace, project, , , key = '', name] = target.split('/')
  const other = key.startsWith('A') ? `B${key.slice(1)}` : `A${key.slice(1)}`
  const { target: elsewhere } = await fileNamed('guidelines', 'pixel.png')
  for (const wrong of [
    `/${workspace}/${project}/-/files/${other}/${name}`,
    `/${workspace}/${project}/-/files/${key}/other.txt`,
    `/${workspace}/private/-/files/${key}/${name}`,
    `/other/${project}/-/files/${key}/${name}`,
    `/${workspace}/${project}/-/files/${key}`,
    `${target}/x`,
    `/${workspace}/${project}/files/${key}/${name}`,
    elsewhere.replace('pixel.png', 'notes.txt'),
    `/${workspace}/${project}/-/files/__proto__/${name}`,
    `/${workspace}/${project}/-/files/${key}/..%2f${name}`,
  ])
    assert.equal((await ask(wrong)).status, 404, wrong)
})

test('a file that exists only in a draft is not found; publishing makes it found instead of the file that it replaces', async () => {
  const { target: before } = await fileNamed('guidelines', 'notes.txt')
  await temporary.importing('acme', { 'guidelines/files/notes.txt': 'Newer notes.\n' })
  await follow()
  assert.equal((await ask(before)).text, 'Notes.\n')
  const draft = await testService(temporary)
  assert.equal((await draft.ask(before)).text, 'Notes.\n')
  await temporary.publish('acme/guidelines')
  await follow()
  const { target: after } = await fileNamed('guidelines', 'notes.txt')
  assert.notEqual(after, before)
  assert.equal((await ask(after)).text, 'Newer notes.\n')
  assert.equal((await ask(before)).status, 404)
  assert.equal((await draft.ask(after)).status, 404)
})

test('the files of a project that was never published are not found, even at their right address', async () => {
  await temporary.importing('acme', { 'later/files/plan.txt': 'A plan.\n' })
  await follow()
  const published = await testService(temporary)
  await temporary.publish('acme/later')
  await published.follow()
  const { text } = await published.ask('/beta/workspace/acme/project/later/files', { token })
  const target = targetOf(JSON.parse(text).files[0].url)
  assert.equal((await published.ask(target)).status, 200)
  assert.equal((await ask(target)).status, 404)
})

test('methods other than GET, HEAD and OPTIONS are not allowed', async () => {
  const { target } = await fileNamed('guidelines', 'pixel.png')
  const { status, headers } = await ask(target, { method: 'PUT' })
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  assert.equal((await ask(target, { method: 'OPTIONS' })).status, 204)
})
