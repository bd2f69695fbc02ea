import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openCaches } from '#platform/caches/caches.ts'
import { openResponseCache, type Representation } from '#serving/replies/response-cache.ts'
import { testService } from '../../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const { token } = await temporary.issue('acme')
const project = '/beta/workspace/acme/project/guidelines'

const CODINGS: readonly [acceptEncoding: string | undefined, coding: string | null][] = [
  [undefined, null],
  ['', null],
  ['identity', null],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['deflate', null],
]

function decode(bytes: Uint8Array, coding: string | null): Uint8Array {
  return coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
}

for (const [acceptEncoding, coding] of CODINGS)
  test(`the first request with Accept-Encoding ${JSON.stringify(acceptEncoding)} gets ${coding ?? 'identity'}`, async () => {
    const fresh = await testService(temporary)
    const plain = await (await testService(temporary)).ask(`${project}/styles`, { token })
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
    const first = await fresh.ask(`${project}/styles`, { token, headers })
    assert.equal(first.headers.get('content-encoding'), coding)
    assert.equal(first.headers.get('content-length'), String(first.bytes.length))
    assert.deepEqual(Buffer.from(decode(first.bytes, coding)), Buffer.from(plain.bytes))
    const again = await fresh.ask(`${project}/styles`, { token, headers })
    assert.deepEqual(again.bytes, first.bytes)
    assert.deepEqual([...again.headers], [...first.headers])
  })

test('a 200 names its caching rules, the header fields it varies by, and its revision', async () => {
  const { ask } = await testService(temporary)
  const { headers } = await ask(`${project}/page/index`, { token, headers: { 'accept-encoding': 'gzip' } })
  const { etag, 'content-length': length, 'housestyle-revision': revision, ...rest } = Object.fromEntries(headers)
  assert.match(etag ?? '', /^"[\w-]{27}-gzip-[\w-]{10}"$/)
  assert.match(length ?? '', /^\d+$/)
  assert.match(revision ?? '', /^1;snapshot="[0-9a-f]{64}"$/)
  assert.deepEqual(rest, {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
})

test('each coding of each reply has its own strong tag', async () => {
  const { ask } = await testService(temporary)
  const tags = new Set<string>()
  for (const target of ['', '/pages', '/page/index', '/page/logo', '/styles', '/files'])
    for (const coding of ['identity', 'gzip', 'br']) {
      const { headers } = await ask(project + target, { token, headers: { 'accept-encoding': coding } })
      const etag = headers.get('etag') ?? ''
      assert.match(etag, /^"/)
      tags.add(etag)
    }
  assert.equal(tags.size, 18)
})

test('If-None-Match with the tag of any coding of any process, in any form, gets 304 for every coding', async () => {
  const { ask } = await testService(temporary)
  const other = await testService(temporary)
  const asked = (coding: string, ifNoneMatch?: string) =>
    ask(`${project}/styles`, {
      token,
      headers: { 'accept-encoding': coding, ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
    })
  for (const held of ['identity', 'gzip', 'br']) {
    const { headers } = await other.ask(`${project}/styles`, { token, headers: { 'accept-encoding': held } })
    const tag = headers.get('etag') ?? ''
    for (const coding of ['identity', 'gzip', 'br'])
      for (const form of [tag, `W/${tag}`, `"other", ${tag}`, `${tag},"other"`, ` ${tag} `]) {
        const answer = await asked(coding, form)
        assert.equal(answer.status, 304)
        assert.equal(answer.bytes.length, 0)
        assert.deepEqual(Object.fromEntries(answer.headers), {
          etag: tag,
          'cache-control': 'private, no-cache',
          vary: 'Authorization, Accept-Encoding',
          'housestyle-revision': headers.get('housestyle-revision'),
        })
      }
  }
  assert.equal((await asked('br', '*')).status, 304)
  for (const other of ['"other"', 'W/"other"', '', 'styles', '**']) assert.equal((await asked('br', other)).status, 200)
})

test('after publishing, changed replies have a new tag; unchanged ones keep theirs, with the number of the new revision', async () => {
  const { ask, follow } = await testService(temporary)
  const tagsOf = async () => {
    const answers = ['/page/index', '/page/logo'].map(path => ask(project + path, { token }))
    return (await Promise.all(answers)).map(({ headers }) => headers.get('etag') ?? '')
  }
  const before = await tagsOf()
  await temporary.importing('acme', { 'guidelines/pages/logo.md': '# Another logo\n' })
  await follow()
  assert.deepEqual(await tagsOf(), before)
  await temporary.publish('acme/guidelines')
  await follow()
  const after = await tagsOf()
  assert.equal(after[0], before[0])
  assert.notEqual(after[1], before[1])
  const { status, headers } = await ask(`${project}/page/index`, {
    token,
    headers: { 'if-none-match': before[0] ?? '' },
  })
  assert.equal(status, 304)
  assert.match(headers.get('housestyle-revision') ?? '', /^2;/)
})

test('short and long replies decompress to the original, and compression is deterministic', async () => {
  const text = 'Keep clear space of half its height around the mark, and set nothing else into it. '.repeat(1300)
  for (const length of [0, 1, 4096, 4097, 100_000])
    for (const coding of ['gzip', 'br']) {
      const bytes = new TextEncoder().encode(text.slice(0, length))
      const headers = { 'accept-encoding': coding }
      const request = { method: 'GET', path: '/', query: '', headers, authorizations: 0, address: '' }
      const make = () => ({ bytes, type: [], about: [] })
      const replyOnce = () => openResponseCache(openCaches(), 'replies').reply('key', request, make)
      const [first, second] = [await replyOnce(), await replyOnce()]
      assert.deepEqual(first, second)
      assert.ok(first?.body instanceof Uint8Array)
      assert.deepEqual(new Uint8Array(decode(first.body, coding)), bytes)
    }
})

test('concurrent requests for a reply that is not prepared yet get the same bytes', async () => {
  const { ask } = await testService(temporary)
  const asking = { token, headers: { 'accept-encoding': 'br' } }
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(`${project}/files`, asking)))
  for (const { status, bytes } of answers) {
    assert.equal(status, 200)
    assert.deepEqual(bytes, answers[0]?.bytes)
  }
})

test('a reply with a lifetime is created again after it, and other replies stay', async () => {
  const prepared = openResponseCache(openCaches(), 'replies')
  const request = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '' }
  let times = 0
  const make = (about: Partial<Representation>) => (): Representation => {
    times++
    return { bytes: new Uint8Array(), type: [], about: [], ...about }
  }
  await prepared.reply('kept', request, make({}))
  await prepared.reply('passing', request, make({ keptMs: 60_000 }))
  await prepared.reply('kept', request, make({}))
  await prepared.reply('passing', request, make({ keptMs: 60_000 }))
  assert.equal(times, 2)
  while (times < 4) {
    await prepared.reply('short', request, make({ keptMs: 1 }))
    await pause(1)
  }
})
