import assert from 'node:assert/strict'
import test from 'node:test'
import { fc, scale } from '../../support/random.ts'
import { type Answer, testService, URL_OF_SERVICE } from '../../support/service.ts'
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

/** A part of a reply, as described by its own header fields. */
type Part = { type: string | null; range: string | null; bytes: Buffer }

function partsOf({ headers, bytes }: Answer): Part[] {
  const boundary = /^multipart\/byteranges; boundary=([\w-]{20,})$/.exec(headers.get('content-type') ?? '')?.[1]
  assert.ok(boundary)
  const text = Buffer.from(bytes).toString('latin1')
  const [preamble, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`)
  assert.equal(preamble, '')
  assert.equal(parts.pop(), '--\r\n')
  return parts.map(part => {
    const end = part.indexOf('\r\n\r\n')
    const fields = new Headers(
      part
        .slice(2, end)
        .split('\r\n')
        .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    )
    const content = Buffer.from(part.slice(end + 4), 'latin1')
    return { type: fields.get('content-type'), range: fields.get('content-range'), bytes: content }
  })
}

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

test('several ranges are sent as multipart/byteranges, each with its position and type, and the announced length is right', async () => {
  const answer = await ask(large, { headers: { range: 'bytes=299990-, 0-99999, 200000-200000' } })
  const { status, headers, bytes } = answer
  assert.equal(status, 206)
  assert.equal(headers.get('content-length'), String(bytes.length))
  assert.equal(headers.get('content-range'), null)
  assert.equal(headers.get('etag'), etag)
  const type = 'application/octet-stream'
  assert.deepEqual(partsOf(answer), [
    { type, range: 'bytes 299990-299999/300000', bytes: Buffer.from(BYTES.subarray(299_990)) },
    { type, range: 'bytes 0-99999/300000', bytes: Buffer.from(BYTES.subarray(0, 100_000)) },
    { type, range: 'bytes 200000-200000/300000', bytes: Buffer.from(BYTES.subarray(200_000, 200_001)) },
  ])
})

test('every list of ranges gives exactly its bytes', async () => {
  const range = fc.record({ first: fc.nat(310_000), more: fc.nat(3000) })
  await fc.assert(
    fc.asyncProperty(fc.array(range, { minLength: 1, maxLength: 4 }), async ranges => {
      const field = `bytes=${ranges.map(({ first, more }) => `${first}-${first + more}`)}`
      const answer = await ask(large, { headers: { range: field } })
      const wanted = new Set(
        ranges.flatMap(({ first, more }) => Array.from({ length: more + 1 }, (_, at) => first + at)),
      )
      const there = [...wanted].filter(at => at < BYTES.length)
      assert.equal(answer.status, there.length === 0 ? 416 : 206)
      if (answer.status === 416) return
      const alone = { range: answer.headers.get('content-range'), bytes: Buffer.from(answer.bytes) }
      const parts = alone.range === null ? partsOf(answer) : [alone]
      let count = 0
      for (const { range, bytes } of parts) {
        const [start = 0, end = 0] = range?.match(/\d+/g)?.map(Number) ?? []
        assert.deepEqual(bytes, Buffer.from(BYTES.subarray(start, end + 1)))
        count += bytes.length
      }
      assert.equal(count, there.length)
    }),
    { numRuns: scale(40) },
  )
})

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
