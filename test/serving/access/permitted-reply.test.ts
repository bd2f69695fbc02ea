import assert from 'node:assert/strict'
import test from 'node:test'
import { parseList, serializeList } from 'structured-headers'
import { replyHeader } from '#platform/exchange/message.ts'
import { rateHeaders } from '#serving/access/permitted-reply.ts'

const rate = { requests: 600, seconds: 60 }

for (const [sentence, allowance, left, retryAfter] of [
  [
    'an allowed reply contains the limit and the remaining requests',
    { isAllowed: true, remaining: 599, resetSeconds: 60 },
    { r: 599, t: 60 },
    undefined,
  ],
  [
    'a refusal also contains the seconds to wait',
    { isAllowed: false, remaining: 0, resetSeconds: 17 },
    { r: 0, t: 17 },
    '17',
  ],
  [
    'a refusal with a wait longer than the window, because the clock was set back, contains the window and the wait',
    { isAllowed: false, remaining: 0, resetSeconds: 90 },
    { r: 0, t: 60 },
    '90',
  ],
] as const) {
  test(`${sentence}, in lists of a string with integer parameters`, () => {
    const headers = rateHeaders(rate, allowance)
    for (const [name, parameters] of [
      ['RateLimit-Policy', { q: 600, w: 60 }],
      ['RateLimit', left],
    ] as const) {
      const text = replyHeader(headers, name.toLowerCase()) ?? ''
      const parsed = parseList(text)
      assert.deepEqual(parsed, [['workspace', new Map(Object.entries(parameters))]])
      // A decimal would parse to the same number, but look different.
      assert.equal(serializeList(parsed), text)
    }
    assert.equal(replyHeader(headers, 'retry-after'), retryAfter)
    assert.equal(headers.length, retryAfter === undefined ? 4 : 6)
  })
}
