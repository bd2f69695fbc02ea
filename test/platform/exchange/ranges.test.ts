import assert from 'node:assert/strict'
import test from 'node:test'
import { contentRange, requestedRange } from '#platform/exchange/ranges.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { golden } from '../../support/golden.ts'
import { codePoint, fc, forAll } from '../../support/random.ts'

const ETAG = '"x"'

/** Returns the range as `start-end`, or `beyond`; `whole` if the request gets the whole reply. */
function rangeFor(headers: RequestHeaders, size: number, method = 'GET'): string {
  const range = requestedRange({ method, headers }, ETAG, size) ?? 'whole'
  return typeof range === 'string' ? range : `${range.start}-${range.end}`
}

type Case = { range: string; ifRange?: string; size: number }

golden('exchange/ranges', ({ range, ifRange, size }: Case) => rangeFor({ range, 'if-range': ifRange }, size))

test('a request without a range, or with a method other than GET, gets the whole reply', () => {
  assert.equal(rangeFor({}, 10), 'whole')
  for (const method of ['HEAD', 'POST', 'OPTIONS']) assert.equal(rangeFor({ range: 'bytes=0-1' }, 10, method), 'whole')
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
