import assert from 'node:assert/strict'
import test from 'node:test'
import { parseList } from 'structured-headers'
import { rateHeaders } from '../../src/api/rate-headers.ts'

test('the limit and what is left of it are lists of structured fields, and the wait is whole seconds', () => {
  const rate = { requests: 600, seconds: 60 }
  const [policyName, policy = '', limitName, limit = '', ...rest] = rateHeaders(rate, {
    ...{ isAllowed: true, remaining: 12, resetSeconds: 7 },
  })
  assert.deepEqual([policyName, limitName, rest], ['RateLimit-Policy', 'RateLimit', []])
  assert.deepEqual(parseList(policy), [['workspace', new Map(Object.entries({ q: 600, w: 60 }))]])
  assert.deepEqual(parseList(limit), [['workspace', new Map(Object.entries({ r: 12, t: 7 }))]])
  const refused = rateHeaders(rate, { isAllowed: false, remaining: 0, resetSeconds: 42 })
  assert.deepEqual(refused.slice(-2), ['Retry-After', '42'])
})
