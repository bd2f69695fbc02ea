import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, isTagOf, matchedTag, meetsIfMatch } from '#platform/exchange/etag.ts'
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

const CASES: readonly [why: string, ifNoneMatch: string | undefined, tag: string | undefined][] = [
  ['is absent', undefined, undefined],
  ['is empty', '', undefined],
  ['is the tag of the coding that would be sent', '"a-br"', '"a-br"'],
  ['is the tag of another coding of the same content', '"a"', '"a"'],
  ['is any tag', '*', '"a-br"'],
  ['is any tag between spaces', ' * ', '"a-br"'],
  ['is a weak form of the tag', 'W/"a-br"', '"a-br"'],
  ['is another tag', '"b"', undefined],
  ['lists the tag among others', '"b", "a-gzip" , "c"', '"a-gzip"'],
  ['lists several tags of the content', '"a", "a-br"', '"a-br"'],
  ['lists tags that contain commas', '"b,c","a"', '"a"'],
  ['lacks the quotes', 'a-br', undefined],
  ['has the tag in another case', '"A-BR"', undefined],
  ['contains the tag as a part of another', '"xa-br"', undefined],
  ['has an asterisk among tags', '"b", *', undefined],
  ['lacks the last quote', '"a-br', undefined],
]

for (const [why, ifNoneMatch, tag] of CASES) {
  test(`if If-None-Match ${why}, ${tag === undefined ? 'nothing matches' : `${tag} matches`}`, () => {
    const seen = matchedTag(ifNoneMatch, OWN, each => isTagOf('"a"', each))
    assert.equal(seen, tag)
  })
}

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
