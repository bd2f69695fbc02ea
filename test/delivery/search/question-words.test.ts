import assert from 'node:assert/strict'
import test from 'node:test'
import { isCommon, synonymsOf } from '#delivery/search/question-words.ts'

test('synonyms are the other words of a group, in any form of the word', () => {
  assert.deepEqual(synonymsOf('smallest'), ['minimum', 'min', 'least'])
  assert.deepEqual(synonymsOf('typefaces'), ['font', 'typography', 'family'])
  assert.deepEqual(synonymsOf('chisel'), [])
})

test('common words are in every question, and names of values are not', () => {
  for (const word of ['which', 'the', 'may', 'use']) assert.ok(isCommon(word), word)
  for (const word of ['ral', 'logo', 'size', 'colour', 'no', 'not', 'never']) assert.ok(!isCommon(word), word)
})
