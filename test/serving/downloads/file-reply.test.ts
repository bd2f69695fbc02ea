import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { copyFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { isHash } from '#brand/ids.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { openSmallFiles } from '#serving/downloads/file-reply.ts'
import { verifiedFiles } from '#serving/downloads/verified-files.ts'
import { openDiskFiles } from '#store/files/files-disk.ts'
import { fc, forAllIn } from '../../support/random.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const BYTES = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) >> 3)
const temporary = await publishedStore('acme/brand', { 'brand/files/large.bin': BYTES, 'brand/files/empty.txt': '' })
const { token } = await temporary.issue('acme')
const { ask } = await testService(temporary)

const { files }: { files: { filename: string; url: string }[] } = JSON.parse(
  (await ask('/beta/workspace/acme/project/brand/files', { token })).text,
)

function targetOf(name: string): string {
  return files.find(({ filename }) => filename === name)?.url.slice(URL_OF_SERVICE.length) ?? ''
}

const large = targetOf('large.bin')
const empty = targetOf('empty.txt')
const whole = await ask(large)
const etag = whole.headers.get('etag') ?? ''

test('a reply with the whole file says that ranges may be requested', () => {
  assert.equal(whole.status, 200)
  assert.equal(whole.headers.get('accept-ranges'), 'bytes')
  assert.deepEqual(Buffer.from(whole.bytes), Buffer.from(BYTES))
})

test('a range is sent with its position, its length and all header fields of the whole file', async () => {
  const { status, headers, bytes } = await ask(large, { headers: { range: 'bytes=1000-' } })
  assert.equal(status, 206)
  assert.deepEqual(Buffer.from(bytes), Buffer.from(BYTES.subarray(1000)))
  assert.deepEqual(Object.fromEntries(headers), {
    ...Object.fromEntries(whole.headers),
    'content-range': 'bytes 1000-299999/300000',
    'content-length': '299000',
  })
})

test('any range gives exactly its bytes', () =>
  forAllIn(40, [fc.nat(310_000), fc.nat(3000)], async (first, more) => {
    const { status, headers, bytes } = await ask(large, { headers: { range: `bytes=${first}-${first + more}` } })
    const wanted = BYTES.subarray(first, first + more + 1)
    assert.equal(status, wanted.length === 0 ? 416 : 206)
    if (status === 416) return
    assert.deepEqual(Buffer.from(bytes), Buffer.from(wanted))
    assert.equal(headers.get('content-range'), `bytes ${first}-${first + wanted.length - 1}/300000`)
  }))

test('a range beyond the end gets 416 with the actual length, in the common error format', async () => {
  for (const [target, size] of [
    [large, 300_000],
    [empty, 0],
  ] as const) {
    const { status, headers, text } = await ask(target, { headers: { range: 'bytes=300000-' } })
    assert.deepEqual([status, headers.get('content-range')], [416, `bytes */${size}`])
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(JSON.parse(text).error, 'invalid_request')
  }
})

const CONDITIONS: readonly [what: string, headers: Record<string, string>, status: number][] = [
  ['a range that cannot be read', { range: 'bytes=x' }, 200],
  ['another unit', { range: 'lines=0-1' }, 200],
  ['several ranges', { range: 'bytes=0-1, 5-6' }, 200],
  ['a range of what the client has', { range: 'bytes=0-1', 'if-range': etag }, 206],
  ['a range of what the client has, named weakly', { range: 'bytes=0-1', 'if-range': `W/${etag}` }, 200],
  ['a range of another version', { range: 'bytes=0-1', 'if-range': '"x"' }, 200],
  ['a range of a date', { range: 'bytes=0-1', 'if-range': 'Sat, 29 Oct 1994 19:43:31 GMT' }, 200],
  ['a range that is not there of another version', { range: 'bytes=300000-', 'if-range': '"x"' }, 200],
  ['a range of what the client has already', { range: 'bytes=0-1', 'if-none-match': etag }, 304],
  ['a range that is not there of what the client has', { range: 'bytes=300000-', 'if-none-match': etag }, 304],
  ['a version that it has to be, and is', { 'if-match': etag }, 200],
  ['a version that it has to be, and is not', { 'if-match': '"x"' }, 412],
  ['a version that it has to be, and is not, before all else', { 'if-match': '"x"', 'if-none-match': etag }, 412],
  ['a date, which files do not have', { 'if-modified-since': 'Sat, 29 Oct 2094 19:43:31 GMT' }, 200],
  ['a date before which it has to be', { 'if-unmodified-since': 'Sat, 29 Oct 1994 19:43:31 GMT' }, 200],
]

for (const [what, headers, status] of CONDITIONS)
  test(`a request with ${what} gets ${status}`, async () => {
    const answer = await ask(large, { headers })
    assert.equal(answer.status, status)
    assert.equal(answer.bytes.length, { 200: 300_000, 206: 2, 304: 0 }[status] ?? answer.bytes.length)
  })

test('HEAD has the header fields of GET for the whole file, even with a range', async () => {
  for (const range of ['bytes=0-1', 'bytes=300000-']) {
    const head = await ask(large, { method: 'HEAD', headers: { range } })
    assert.deepEqual([head.status, ...head.headers], [200, ...whole.headers])
  }
})

test('an empty file has an empty body, and so does a range of its last bytes', async () => {
  for (const headers of [{}, { range: 'bytes=-5' }]) {
    const { status, headers: fields, bytes } = await ask(empty, { headers })
    assert.deepEqual([status, fields.get('content-length'), bytes.length], [200, '0', 0])
  }
})

/** A file in a folder of files, and how often it was opened. */
async function storeFile(size: number) {
  const disk = openDiskFiles(await temporaryFolder())
  const bytes = new Uint8Array(size).fill(7)
  const name = hash('sha256', bytes)
  assert.ok(isHash(name))
  const file: BrandFile = { path: 'files/a.bin', hash: name, size, contentType: 'image/png' }
  const pieces = async function* () {
    yield bytes
  }
  await disk.put('acme', name, pieces())
  const opened: string[] = []
  const open: typeof disk.open = (workspace, ...rest) => {
    opened.push(workspace)
    return disk.open(workspace, ...rest)
  }
  const caches = openCaches(1 << 20)
  const small = openSmallFiles(verifiedFiles({ ...disk, open }, caches), caches)
  return { bytes, read: async () => small.read('acme', file), path: disk.pathOf('acme', name), opened }
}

test('a small file is opened only once for concurrent requests', async () => {
  const { bytes, read, opened } = await storeFile(5000)
  assert.deepEqual(await Promise.all([read(), read()]), [bytes, bytes])
  assert.deepEqual(await read(), bytes)
  assert.equal(opened.length, 1)
})

test('a file of more than 128 KiB is not cached, but streamed', async () => {
  const { read, opened } = await storeFile((128 << 10) + 1)
  assert.equal(await read(), undefined)
  assert.equal(opened.length, 0)
})

/** Changes to a cached file. */
const HARM: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'is removed': path => rm(path),
  'is cut off': path => truncate(path, 10),
  'has other bytes': path => writeFile(path, new Uint8Array(5000).fill(8)),
  'is replaced by another file of the same length': async path => {
    await rename(path, `${path}-moved`)
    await writeFile(path, new Uint8Array(5000).fill(8))
  },
}

for (const [what, harm] of Object.entries(HARM))
  test(`a file that ${what} is not served from memory, and neither is the new content`, async () => {
    const { read, path } = await storeFile(5000)
    await read()
    await harm(path)
    for (const _ of [1, 2])
      if (what === 'is removed') assert.equal(await read(), undefined)
      else
        await assert.rejects(read(), { code: 'store_damaged', message: /is damaged: its bytes do not have its hash/ })
  })

test('a file that was moved away and back is served again', async () => {
  const { bytes, read, path } = await storeFile(5000)
  await copyFile(path, `${path}-copy`)
  await rm(path)
  assert.equal(await read(), undefined)
  await rename(`${path}-copy`, path)
  assert.deepEqual(await read(), bytes)
})
