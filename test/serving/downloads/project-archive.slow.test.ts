import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { needs } from '../../support/programs.ts'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const FILES = {
  'open/files/notes.txt': 'Notes.\n',
  'open/files/Notes.TXT': 'Other notes.\n',
  'open/files/CON': 'A console.\n',
  'open/files/C:evil.txt': 'A drive.\n',
  'open/files/x:ads': 'A stream.\n',
  'open/files/LPT1.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'open/files/end. ': 'An end.\n',
  'open/files/empty': '',
  'open/files/Größe/色 見本.txt': 'Size.\n',
  'open/files/x\\..\\..\\odd.txt': 'Odd.\n',
  'open/files/kit/Größe (1)/a.txt': 'A.\n',
  'open/files/kit/b.txt': 'B.\n',
  'open/files/kit.txt': 'Beside it.\n',
  'open/pages/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
}
/** The paths in the archive that differ from the file paths, because some systems could not unpack those. */
const PORTABLE: ReadonlyMap<string, string> = new Map([
  ['open/files/x\\..\\..\\odd.txt', 'open/files/x_.._.._odd.txt'],
  ['open/files/CON', 'open/files/CON_'],
  ['open/files/C:evil.txt', 'open/files/C_evil.txt'],
  ['open/files/x:ads', 'open/files/x_ads'],
  ['open/files/LPT1.svg', 'open/files/LPT1_.svg'],
  ['open/files/end. ', 'open/files/end_'],
  ['open/files/notes.txt', 'open/files/notes~2.txt'],
])

const temporary = await temporaryStore()
await temporary.importing('acme', {
  ...FILES,
  'open/project.yaml': 'name: An open one\nvisibility: public\n',
  'closed/files/plan.txt': 'A plan.\n',
  'closed/files/kit/plan.txt': 'A plan.\n',
  'empty/project.yaml': 'visibility: public\n',
})
const now = new Date('2026-03-04T05:06:08.000Z')
for (const place of ['acme/open', 'acme/closed', 'acme/empty']) await temporary.publish(place, now)
const { token } = await temporary.issue('acme')
const { token: narrow } = await temporary.issue('acme', { scopes: ['files.read'] })
const { ask, follow } = await testService(temporary)
const target = '/acme/open/-/files.zip'

/** The files of an archive by path, in archive order, as another program reads them. */
function unzip(bytes: Uint8Array): unknown {
  const path = join(temporary.folder, 'read.zip')
  writeFileSync(path, bytes)
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    print(json.dumps({i.filename: archive.read(i).decode() for i in archive.infolist()}))
`
  return JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }))
}

test('the archive of a project has all its files in a folder with its name', needs('python3'), async () => {
  const { status, headers, bytes } = await ask(target)
  assert.equal(status, 200)
  const { etag, ...fields } = Object.fromEntries(headers)
  assert.match(etag ?? '', /^"[\w-]{27}"$/)
  assert.deepEqual(fields, {
    'cache-control': 'public, no-cache',
    'content-disposition': 'attachment; filename=open.zip',
    'content-length': String(bytes.length),
    'content-type': 'application/zip',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  const wanted = Object.entries(FILES).map(([file, text]) => [PORTABLE.get(file) ?? file, text])
  assert.deepEqual(unzip(bytes), Object.fromEntries(wanted))
})

test('a client that has the archive gets 304 until something else is published', async () => {
  const { headers, bytes } = await ask(target)
  const etag = headers.get('etag') ?? ''
  const again = await ask(target)
  assert.deepEqual([again.headers.get('etag'), Buffer.compare(again.bytes, bytes)], [etag, 0])
  for (const held of [etag, `W/${etag}`, '*']) {
    const { status, headers: fields, bytes: none } = await ask(target, { headers: { 'if-none-match': held } })
    assert.deepEqual([status, fields.get('etag'), none.length], [304, etag, 0])
  }
  await temporary.publishing('acme/open', { 'open/files/notes.txt': 'Newer notes.\n' })
  await follow()
  const newer = await ask(target, { headers: { 'if-none-match': etag } })
  assert.equal(newer.status, 200)
  assert.notEqual(newer.headers.get('etag'), etag)
})

test('HEAD gives the length without creating the archive', async () => {
  const got = await ask(target)
  const head = await ask(target, { method: 'HEAD' })
  assert.deepEqual([head.status, head.bytes.length, ...head.headers], [200, 0, ...got.headers])
})

test('the archive of a private project is only for clients that may see its page', async () => {
  const closed = '/acme/closed/-/files.zip'
  const { status, headers } = await ask(closed, { token })
  assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-cache'])
  for (const [refused, expected] of [
    [{}, 404],
    [{ token: narrow }, 403],
    [{ token: 'x.y.z' }, 401],
  ] as const) {
    const answer = await ask(closed, refused)
    const unknown = await ask('/acme/nothing/-/files.zip', refused)
    assert.deepEqual([answer.status, answer.text], [expected, unknown.text])
  }
})

test('a project without files has an empty archive', async () => {
  const { status, bytes } = await ask('/acme/empty/-/files.zip')
  assert.deepEqual([status, bytes.length], [200, 22])
})

const kits: [address: string, files: Readonly<Record<string, string>>][] = [
  ['kit', { 'Größe (1)/a.txt': 'A.\n', 'b.txt': 'B.\n' }],
  ['kit/Gr%C3%B6%C3%9Fe%20%281%29', { 'a.txt': 'A.\n' }],
]

test('the archive of a folder has its files at their paths in it', needs('python3'), async () => {
  for (const [address, files] of kits) {
    const { status, headers, bytes } = await ask(`/acme/open/-/kits/${address}.zip`)
    assert.deepEqual([status, headers.get('content-length'), unzip(bytes)], [200, String(bytes.length), files])
    const told = headers.get('content-disposition') ?? ''
    assert.ok(decodeURIComponent(told).includes(decodeURIComponent(`${address.split('/').at(-1)}.zip`)), told)
  }
})

test('an archive of selected files exists only if all of them do', needs('python3'), async () => {
  const paths = ['pages/logo/mark.svg', 'files/Größe/色 見本.txt', 'pages/logo/mark.svg']
  const query = (chosen: readonly string[]) =>
    new URLSearchParams(chosen.map((path): [string, string] => ['path', path]))
  const { status, headers, bytes } = await ask(`${target}?${query(paths)}`)
  assert.deepEqual([status, headers.get('content-disposition')], [200, 'attachment; filename=open.zip'])
  const read = unzip(bytes)
  assert.deepEqual(read, {
    'open/files/Größe/色 見本.txt': 'Size.\n',
    'open/pages/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  })
  const turned = await ask(`${target}?${query(paths.slice(0, 2).toReversed())}`)
  assert.deepEqual([turned.headers.get('etag'), unzip(turned.bytes)], [headers.get('etag'), read])
  for (const more of ['files/gone.txt', 'files/Größe', '../project.yaml', ''])
    assert.equal((await ask(`${target}?${query([...paths, more])}`)).status, 404, more)
  const many = Array.from({ length: 501 }, (_, at) => `files/${at}`)
  assert.equal((await ask(`${target}?${query(many)}`)).status, 404)
})

test('each of these archives has its own ETag and length', async () => {
  const below = ['files.zip', 'files.zip?path=files/empty', 'files.zip?path=files/kit.txt', 'kits/kit.zip']
  const etags = new Set<string>()
  for (const each of below) {
    const { headers, bytes } = await ask(`/acme/open/-/${each}`)
    const etag = headers.get('etag') ?? ''
    assert.equal(headers.get('content-length'), String(bytes.length))
    assert.equal((await ask(`/acme/open/-/${each}`, { headers: { 'if-none-match': etag } })).status, 304)
    etags.add(etag)
  }
  assert.equal(etags.size, below.length)
})

test('a path other than a folder with files has no archive, even with If-None-Match', async () => {
  const below = [
    'gone',
    '',
    'kit.txt',
    'kit/',
    'kit/b.txt',
    '../pages/logo',
    '%2e%2e/pages/logo',
    'kit/../kit',
    'kit%2F..%2Fkit',
  ]
  for (const each of below)
    for (const headers of [{}, { 'if-none-match': '*' }])
      assert.equal((await ask(`/acme/open/-/kits/${each}.zip`, { headers })).status, 404, each)
})

test('the archive of a folder in a private project is only for clients that may see its page', async () => {
  const closed = '/acme/closed/-/kits/kit.zip'
  const { status, headers } = await ask(closed, { token })
  assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-cache'])
  for (const [refused, expected] of [
    [{}, 404],
    [{ token: narrow }, 403],
  ] as const) {
    const answer = await ask(closed, refused)
    const unknown = await ask('/acme/nothing/-/kits/kit.zip', refused)
    assert.deepEqual([answer.status, answer.text], [expected, unknown.text])
  }
})
