import assert from 'node:assert/strict'
import test from 'node:test'
import { contentRange, requestedRange } from '#platform/exchange/ranges.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { codePoint, fc, forAll } from '../../support/random.ts'

const ETAG = '"x"'

/** Returns the range as `start-end`, or `beyond`; `whole` if the request gets the whole reply. */
function rangeFor(headers: RequestHeaders, size: number, method = 'GET'): string {
  const range = requestedRange({ method, headers }, ETAG, size) ?? 'whole'
  return typeof range === 'string' ? range : `${range.start}-${range.end}`
}

const FORMS: readonly [range: string, size: number, bytes: string, why: string][] = [
  ['bytes=0-0', 10, '0-0', 'the first byte'],
  ['bytes=2-5', 10, '2-5', 'bytes in between'],
  ['bytes=2-', 10, '2-9', 'all bytes from a position'],
  ['bytes=-3', 10, '7-9', 'the last bytes'],
  ['bytes=-30', 10, '0-9', 'more last bytes than there are (RFC 9110 §14.1.2)'],
  ['bytes=5-99', 10, '5-9', 'an end past the end'],
  ['bytes=0-99999999999999999999999', 10, '0-9', 'an end past all numbers'],
  ['Bytes=0-0', 10, '0-0', 'the unit in another case (RFC 9110 §14.1)'],
  ['bytes=0-0,-1', 10, 'whole', 'several ranges'],
  ['bytes=0-0,', 10, 'whole', 'a list of one range'],
  ['bytes= 2-5 ', 10, '2-5', 'spaces around a range'],
  ['bytes=10-', 10, 'beyond', 'bytes past the end'],
  ['bytes=-0', 10, 'beyond', 'the last zero bytes'],
  ['bytes=99999999999999999999999-', 10, 'beyond', 'a start past all numbers'],
  ['bytes=0-', 0, 'beyond', 'the first byte of nothing'],
  ['bytes=-5', 0, 'whole', 'the last bytes of nothing'],
  ['bytes=-0', 0, 'beyond', 'the last zero bytes of nothing'],
  ['bytes=5-3', 10, 'whole', 'an end before the start (RFC 9110 §14.1.1)'],
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

for (const [range, size, bytes, why] of FORMS)
  test(`in ${size} bytes, ${why} gives ${bytes}: ${range}`, () => assert.equal(rangeFor({ range }, size), bytes))

test('a request without a range, or with a method other than GET, gets the whole reply', () => {
  assert.equal(rangeFor({}, 10), 'whole')
  for (const method of ['HEAD', 'POST', 'OPTIONS']) assert.equal(rangeFor({ range: 'bytes=0-1' }, 10, method), 'whole')
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
    assert.equal(rangeFor({ range: 'bytes=0-1', 'if-range': ifRange }, 10), ranges)
  })

test('Content-Range contains the range and the length, or only the length', () => {
  assert.equal(contentRange({ start: 2, end: 5 }, 10), 'bytes 2-5/10')
  assert.equal(contentRange(undefined, 10), 'bytes */10')
})

test('no value of the Range field throws', () =>
  forAll([fc.string({ unit: codePoint, maxLength: 60 }), fc.nat(100)], (text, size) => {
    for (const field of [text, `bytes=${text}`]) {
      const range = requestedRange({ method: 'GET', headers: { range: field } }, ETAG, size)
      if (typeof range === 'object') assert.ok(range.start >= 0 && range.start <= range.end && range.end < size)
    }
  }))
