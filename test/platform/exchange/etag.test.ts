import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, isTagOf, matchedTag, meetsIfMatch } from '#platform/exchange/etag.ts'
import { golden } from '../../support/golden.ts'
import { fc, forAll } from '../../support/random.ts'

test('an entity tag is strong, and depends only on the bytes', async () => {
  assert.equal(etagOf(new TextEncoder().encode('{}')), '"RBNvo1WzZ4oRRq0W9-hknpT7T8I"')
  await forAll([fc.uint8Array(), fc.uint8Array()], (one, other) => {
    assert.match(etagOf(one), /^"[A-Za-z0-9_-]{27}"$/)
    assert.equal(etagOf(one), etagOf(Uint8Array.from(one)))
    assert.equal(etagOf(one) === etagOf(other), Buffer.compare(one, other) === 0)
  })
})

const OWN = '"a-br"'

golden(
  'exchange/if-none-match',
  ({ field }: { field?: string }) => matchedTag(field, OWN, each => isTagOf('"a"', each)) ?? 'nothing',
)

for (const [ifMatch, meets] of [
  [undefined, true],
  ['*', true],
  ['"a"', true],
  ['"b", "a"', true],
  ['W/"a"', false],
  ['"b"', false],
  ['', false],
  ['a', false],
] as const)
  test(`If-Match ${ifMatch === undefined ? '(absent)' : `of ${ifMatch}`} ${meets ? 'matches' : 'does not match'} "a"`, () => {
    assert.equal(meetsIfMatch(ifMatch, '"a"'), meets)
  })
