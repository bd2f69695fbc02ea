import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openCompression } from '../../../src/serving/replies/compression.ts'
import { type Answer, type TestService, testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
const SENTENCE = 'Keep clear space of half its height around the mark, and set nothing else into it.'
const words = SENTENCE.split(' ')
const text = Array.from({ length: 900 }, (_, at) => words[(at * at * 31 + at * 7) % words.length]).join(' ')
await temporary.publishing('acme/guide', { 'guide/pages/index.md': `# Guide\n\n${text}\n` })
const { token } = await temporary.issue('acme')
const page = '/beta/workspace/acme/project/guide/page/index'
const headers = { 'accept-encoding': 'br' }

/** Repeats the request until the reply differs from an earlier one. */
async function askUntilBetter({ ask }: TestService, first: Answer): Promise<Answer> {
  for (;;) {
    const answer = await ask(page, { token, headers })
    if (answer.headers.get('etag') !== first.headers.get('etag')) return answer
    await pause(5)
  }
}

test('a reply that is requested again is compressed better, once, and gets its own tag', async () => {
  const service = await testService(temporary)
  const first = await service.ask(page, { token, headers })
  const best = await askUntilBetter(service, first)
  assert.ok(best.bytes.length < first.bytes.length)
  assert.deepEqual(brotliDecompressSync(best.bytes), brotliDecompressSync(first.bytes))
  const again = await service.ask(page, { token, headers })
  assert.deepEqual([...again.headers], [...best.headers])
})

test('a client that has the reply in any coding, even from another process, gets 304', async () => {
  const other = await testService(temporary)
  const first = await other.ask(page, { token, headers })
  const best = await askUntilBetter(other, first)
  const plain = await other.ask(page, { token })
  for (const known of [first, best, plain])
    for (const coding of ['br', 'gzip', 'identity']) {
      const service = await testService(temporary)
      const tag = known.headers.get('etag') ?? ''
      const asked = { 'accept-encoding': coding, 'if-none-match': tag }
      const { status, headers } = await service.ask(page, { token, headers: asked })
      assert.deepEqual([status, headers.get('etag')], [304, tag])
    }
})

test('short and long replies decompress to the original, and compression is deterministic', async () => {
  for (const length of [0, 1, 4096, 4097, 100_000]) {
    const bytes = new TextEncoder().encode(text.repeat(20).slice(0, length))
    for (const [coding, unpack] of [['gzip', gunzipSync] as const, ['br', brotliDecompressSync] as const]) {
      const made = [await openCompression().encode(bytes, coding), await openCompression().encode(bytes, coding)]
      assert.deepEqual(made[0], made[1])
      assert.deepEqual(new Uint8Array(unpack(made[0]?.bytes ?? '')), bytes)
    }
  }
})
