import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import { unpublish } from '../../../src/publishing/remove.ts'
import { openCompression } from '../../../src/serving/replies/compression.ts'
import { type Answer, type TestService, testService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
const SENTENCE = 'Keep clear space of half its height around the mark, and set nothing else into it.'
const words = SENTENCE.split(' ')
const text = Array.from({ length: 900 }, (_, at) => words[(at * at * 31 + at * 7) % words.length]).join(' ')
await temporary.importing('acme', { 'guide/pages/index.md': `# Guide\n\n${text}\n` })
await temporary.publish('acme/guide')
const { token } = await temporary.issue('acme')
const page = '/beta/workspace/acme/project/guide/page/index'
const headers = { 'accept-encoding': 'br' }

function opened(folder: string): Promise<TestService> {
  return testService(temporary, {}, Date.now(), folder)
}

/** Asks until the reply is another one than before. */
async function askUntilBetter({ ask }: TestService, first: Answer): Promise<Answer> {
  for (;;) {
    const answer = await ask(page, { token, headers })
    if (answer.headers.get('etag') !== first.headers.get('etag')) return answer
    await pause(5)
  }
}

async function newFolder(): Promise<string> {
  return join(await temporaryFolder(), 'cache')
}

/** A folder in which the page is kept, the file of it, and the reply with it. */
async function filledFolder() {
  const folder = await newFolder()
  const service = await opened(folder)
  const first = await service.ask(page, { token, headers })
  const best = await askUntilBetter(service, first)
  const [name = ''] = await readdir(folder)
  return { folder, file: join(folder, name), first, best }
}

test('what is asked for again is compressed better once, has a tag of its own, and is there when the service starts again', async () => {
  const { folder, file, first, best } = await filledFolder()
  assert.ok(best.bytes.length < first.bytes.length)
  assert.deepEqual(brotliDecompressSync(best.bytes), brotliDecompressSync(first.bytes))
  assert.deepEqual(new Uint8Array(await readFile(file)), best.bytes)
  const restarted = await opened(folder)
  const again = await restarted.ask(page, { token, headers })
  assert.deepEqual([...again.headers], [...best.headers])
  assert.deepEqual(again.bytes, best.bytes)
  assert.deepEqual(await readdir(folder), [file.slice(folder.length + 1)])
})

test('a client that has the reply in any of its codings, also one of another process, gets 304 for it', async () => {
  const { folder, first, best } = await filledFolder()
  const plain = await (await opened(folder)).ask(page, { token })
  for (const known of [first, best, plain])
    for (const coding of ['br', 'gzip', 'identity']) {
      const service = await opened(folder)
      const tag = known.headers.get('etag') ?? ''
      const asked = { 'accept-encoding': coding, 'if-none-match': tag }
      const { status, headers } = await service.ask(page, { token, headers: asked })
      assert.deepEqual([status, headers.get('etag')], [304, tag])
    }
})

const PLAIN = Buffer.from('{"other":"content"}')

const HOSTILE: Readonly<Record<string, (file: string, best: Answer) => Promise<void>>> = {
  'other content': file => writeFile(file, brotliCompressSync(PLAIN)),
  'bytes that are no brotli': file => writeFile(file, 'hostile'),
  nothing: file => writeFile(file, ''),
  'content that is cut off': (file, { bytes }) => writeFile(file, bytes.subarray(0, bytes.length - 5)),
  'content that goes on': (file, { bytes }) => writeFile(file, Buffer.concat([brotliDecompressSync(bytes), PLAIN])),
  'a few bytes that unpack to very many': file =>
    writeFile(file, brotliCompressSync(new Uint8Array(1 << 27), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  'a huge file': file => writeFile(file, new Uint8Array(1 << 26)),
  'a link to another file': async file => {
    await rm(file)
    await symlink(import.meta.filename, file)
  },
}

for (const [what, write] of Object.entries(HOSTILE))
  test(`${what} in place of an entry is not sent, and the reply is made again`, async () => {
    const { folder, file, first, best } = await filledFolder()
    await write(file, best)
    const service = await opened(folder)
    const again = await service.ask(page, { token, headers })
    assert.deepEqual([again.headers.get('etag'), again.bytes], [first.headers.get('etag'), first.bytes])
    const better = await askUntilBetter(service, again)
    assert.deepEqual([better.headers.get('etag'), better.bytes], [best.headers.get('etag'), best.bytes])
  })

test('the same content compressed in another way has another tag', async () => {
  const { folder, file, best } = await filledFolder()
  const params = { [constants.BROTLI_PARAM_QUALITY]: 7 }
  const other = brotliCompressSync(brotliDecompressSync(best.bytes), { params })
  await writeFile(file, other)
  const { bytes, headers: fields } = await (await opened(folder)).ask(page, { token, headers })
  assert.deepEqual(Buffer.from(bytes), other)
  assert.notEqual(fields.get('etag'), best.headers.get('etag'))
})

test('short and long replies unpack to what they were, and are compressed to the same bytes again and again', async () => {
  for (const length of [0, 1, 4096, 4097, 100_000]) {
    const bytes = new TextEncoder().encode(text.repeat(20).slice(0, length))
    for (const [coding, unpack] of [['gzip', gunzipSync] as const, ['br', brotliDecompressSync] as const]) {
      const made = [
        await openCompression().encode(bytes, coding, '"a"'),
        await openCompression().encode(bytes, coding, '"a"'),
      ]
      assert.deepEqual(made[0], made[1])
      assert.deepEqual(new Uint8Array(unpack(made[0]?.bytes ?? '')), bytes)
    }
  }
})

test('where nothing can be kept, replies are as they are otherwise', async () => {
  const { first, best } = await filledFolder()
  const service = await opened('/dev/full/cache')
  const again = await service.ask(page, { token, headers })
  assert.deepEqual(again.bytes, first.bytes)
  assert.deepEqual((await askUntilBetter(service, again)).bytes, best.bytes)
})

test('the folder may be deleted while the service answers', async () => {
  const folder = await newFolder()
  const service = await opened(folder)
  const first = await service.ask(page, { token, headers })
  await askUntilBetter(service, first)
  await rm(folder, { recursive: true })
  assert.equal((await service.ask(page, { token, headers })).status, 200)
  assert.ok(!existsSync(folder))
})

test('nothing comes from it without a right to it, nor once it is not published any more', async () => {
  const { folder } = await filledFolder()
  const service = await opened(folder)
  assert.equal((await service.ask(page, { headers })).status, 401)
  const { token: foreign } = await temporary.issue('acme', { scopes: ['styles.read'] })
  assert.equal((await service.ask(page, { token: foreign, headers })).status, 403)
  assert.equal((await service.ask(page, { token, headers })).status, 200)
  await unpublish(temporary.store, { workspace: 'acme', project: 'guide' }, new Date())
  await service.follow()
  assert.equal((await service.ask(page, { token, headers })).status, 404)
  assert.equal((await (await opened(folder)).ask(page, { token, headers })).status, 404)
})
