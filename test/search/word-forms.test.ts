import assert from 'node:assert/strict'
import test from 'node:test'
import { isCommon, isFormOf, stemOf, synonymsOf } from '../../src/search/word-forms.ts'

for (const [word, other, isForm] of [
  ['sizes', 'size', true],
  ['smallest', 'small', true],
  ['printed', 'printer', true],
  ['writing', 'write', true],
  ['cropped', 'crop', true],
  ['companies', 'company', true],
  ['logo', 'logo', true],
  ['logo', 'logotype', false],
  ['ink', 'in', false],
  ['paper', 'page', false],
  ['mark', 'market', false],
  ['red', 'reed', false],
] as const) {
  test(`“${word}” and “${other}” are ${isForm ? '' : 'not '}forms of one word`, () => {
    assert.equal(isFormOf(word, other), isForm)
    assert.equal(isFormOf(other, word), isForm)
    if (isForm) assert.ok(other.startsWith(stemOf(word)), 'the forms of a word are found by its stem')
  })
}

test('synonyms are the other words of a group, in any form of the word', () => {
  assert.deepEqual(synonymsOf('smallest'), ['minimum', 'min', 'least'])
  assert.deepEqual(synonymsOf('typefaces'), ['font', 'typography', 'family'])
  assert.deepEqual(synonymsOf('chisel'), [])
})

test('common words are in every question, and names of values are not', () => {
  for (const word of ['which', 'the', 'may', 'use']) assert.ok(isCommon(word), word)
  for (const word of ['ral', 'logo', 'size', 'colour', 'no', 'not', 'never']) assert.ok(!isCommon(word), word)
})
