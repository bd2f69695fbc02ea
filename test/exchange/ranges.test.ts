import assert from 'node:assert/strict'
import test from 'node:test'
import type { RequestHeaders } from '../../src/exchange/message.ts'
import { contentRange, multipartBody, requestedRanges } from '../../src/exchange/ranges.ts'
import { codePoint, fc } from '../support/random.ts'

const ETAG = '"x"'

/** Returns ranges as `start-end`; `whole` if the request gets the whole reply. */
function rangesFor(headers: RequestHeaders, size: number, method = 'GET'): string {
  const ranges = requestedRanges({ method, headers }, ETAG, size)
  return ranges ? ranges.map(({ start, end }) => `${start}-${end}`).join() : 'whole'
}

const FORMS: readonly [range: string, size: number, ranges: string, why: string][] = [
  ['bytes=0-0', 10, '0-0', 'the first byte'],
  ['bytes=2-5', 10, '2-5', 'bytes in between'],
  ['bytes=2-', 10, '2-9', 'all bytes from a position'],
  ['bytes=-3', 10, '7-9', 'the last bytes'],
  ['bytes=-30', 10, '0-9', 'more last bytes than there are (RFC 9110 §14.1.2)'],
  ['bytes=5-99', 10, '5-9', 'an end past the end'],
  ['bytes=0-99999999999999999999999', 10, '0-9', 'an end past all numbers'],
  ['Bytes=0-0', 10, '0-0', 'the unit in another case (RFC 9110 §14.1)'],
  ['bytes=0-0,-1', 10, '0-0,9-9', 'the first and the last byte'],
  ['bytes=7-8, 1-2', 10, '7-8,1-2', 'parts in request order'],
  ['bytes=0-1 ,\t, 5-6,', 10, '0-1,5-6', 'empty elements of a list (RFC 9110 §5.6.1.2)'],
  ['bytes=0-3,2-5', 10, '0-5', 'parts that overlap'],
  ['bytes=4-5,0-3', 10, '0-5', 'parts that touch'],
  ['bytes=8-9,0-1,1-2', 10, '8-9,0-2', 'some overlapping parts'],
  ['bytes=0-0,20-30', 10, '0-0', 'an existing part and a missing one'],
  [`bytes=${'0-0,'.repeat(3000)}`, 10, '0-0', 'one byte three thousand times'],
  ['bytes=10-', 10, '', 'bytes past the end'],
  ['bytes=10-20,30-', 10, '', 'several parts past the end'],
  ['bytes=-0', 10, '', 'the last zero bytes'],
  ['bytes=99999999999999999999999-', 10, '', 'a start past all numbers'],
  ['bytes=0-', 0, '', 'the first byte of nothing'],
  ['bytes=-5', 0, 'whole', 'the last bytes of nothing'],
  ['bytes=-0', 0, '', 'the last zero bytes of nothing'],
  [`bytes=${Array.from({ length: 50 }, (_, at) => `${at * 2}-${at * 2}`)}`, 200, evens(50), 'fifty parts'],
  [`bytes=${Array.from({ length: 51 }, (_, at) => `${at * 2}-${at * 2}`)}`, 200, 'whole', 'fifty-one parts'],
  ['bytes=5-3', 10, 'whole', 'an end before the start (RFC 9110 §14.1.1)'],
  ['bytes=0-1,5-3', 10, 'whole', 'a set with one invalid range'],
  ['items=0-1', 10, 'whole', 'another unit'],
  ['bytes', 10, 'whole', 'only a unit'],
  ['bytes=', 10, 'whole', 'no range'],
  ['bytes=,', 10, 'whole', 'a list of nothing'],
  ['bytes=-', 10, 'whole', 'only a dash'],
  ['bytes=a-b', 10, 'whole', 'letters'],
  ['bytes=0x0-1', 10, 'whole', 'another notation'],
  ['bytes=--1', 10, 'whole', 'two dashes'],
  ['bytes=0 - 1', 10, 'whole', 'spaces within a range'],
  ['bytes=0-1;2-3', 10, 'whole', 'another separator'],
  ['bytes=1.5-2', 10, 'whole', 'a fraction'],
  ['bytes = 0-1', 10, 'whole', 'spaces around the sign'],
  ['bytes=0-1, bytes=2-3', 10, 'whole', 'the field sent twice'],
]

function evens(count: number): string {
  return Array.from({ length: count }, (_, at) => `${at * 2}-${at * 2}`).join()
}

for (const [range, size, ranges, why] of FORMS)
  test(`in ${size} bytes, ${why} gives ${ranges || 'no range'}: ${range.slice(0, 40)}`, () => {
    assert.equal(rangesFor({ range }, size), ranges)
  })

test('a request without a range, or with a method other than GET, gets the whole reply', () => {
  assert.equal(rangesFor({}, 10), 'whole')
  for (const method of ['HEAD', 'POST', 'OPTIONS']) assert.equal(rangesFor({ range: 'bytes=0-1' }, 10, method), 'whole')
})

for (const [ifRange, ranges] of [
  [ETAG, '0-1'],
  ['W/"x"', 'whole'],
  ['"y"', 'whole'],
  ['x', 'whole'],
  ['"x", "y"', 'whole'],
  ['*', 'whole'],
  ['', 'whole'],
  ['Sat, 29 Oct 1994 19:43:31 GMT', 'whole'],
] as const)
  test(`If-Range: ${ifRange} gives ${ranges}`, () => {
    assert.equal(rangesFor({ range: 'bytes=0-1', 'if-range': ifRange }, 10), ranges)
  })

test('Content-Range contains the range and the length, or only the length', () => {
  assert.equal(contentRange({ start: 2, end: 5 }, 10), 'bytes 2-5/10')
  assert.equal(contentRange(undefined, 10), 'bytes */10')
})

const SPEC = fc.oneof(fc.record({ first: fc.nat(40), more: fc.option(fc.nat(40)) }), fc.record({ last: fc.nat(40) }))

test('any set of ranges gives exactly the requested bytes, each only once', () => {
  fc.assert(
    fc.property(fc.array(SPEC, { minLength: 1, maxLength: 8 }), fc.nat(40), (specs, size) => {
      const texts = specs.map(spec =>
        'last' in spec ? `-${spec.last}` : `${spec.first}-${spec.more === null ? '' : spec.first + spec.more}`,
      )
      const wanted = (at: number) =>
        specs.some(spec =>
          'last' in spec
            ? at >= size - spec.last
            : at >= spec.first && (spec.more === null || at <= spec.first + spec.more),
        )
      const ranges = requestedRanges({ method: 'GET', headers: { range: `bytes=${texts}` } }, ETAG, size)
      if (!ranges) return assert.equal(size, 0)
      const given = ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at))
      const bytes = Array.from({ length: size }, (_, at) => at).filter(wanted)
      assert.deepEqual(
        given.toSorted((a, b) => a - b),
        bytes,
      )
      for (const { start } of ranges) assert.ok(!ranges.some(({ end }) => end === start - 1))
    }),
  )
})

test('no value of the Range field throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 60 }), fc.nat(100), (text, size) => {
      for (const range of [text, `bytes=${text}`])
        for (const { start, end } of requestedRanges({ method: 'GET', headers: { range } }, ETAG, size) ?? [])
          assert.ok(start >= 0 && start <= end && end < size)
    }),
  )
})

test('parts are between boundaries, each with its type and range, and the body length is right', () => {
  const ranges = [
    { start: 0, end: 1 },
    { start: 8, end: 8 },
  ]
  const { contentType, parts, end, length } = multipartBody(ranges, 10, 'text/plain', 'edge')
  assert.equal(contentType, 'multipart/byteranges; boundary=edge')
  const decoder = new TextDecoder()
  const text = parts.map(({ head, range }) => `${decoder.decode(head)}[${range.start}-${range.end}]`).join('')
  assert.equal(
    text + decoder.decode(end),
    [
      '--edge',
      'Content-Type: text/plain',
      'Content-Range: bytes 0-1/10',
      '',
      '[0-1]',
      '--edge',
      'Content-Type: text/plain',
      'Content-Range: bytes 8-8/10',
      '',
      '[8-8]',
      '--edge--',
      '',
    ].join('\r\n'),
  )
  assert.equal(length, parts.reduce((sum, { head }) => sum + head.length, end.length) + 3)
})
