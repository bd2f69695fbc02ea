import assert from 'node:assert/strict'
import test from 'node:test'
import { mostSimilar } from '#brand/similar.ts'

const KNOWN = ['a', 'guide', 'guidelines', 'packaging', 'HEADING']
for (const [written, similar] of [
  ['giude', 'guide'],
  ['PACKAGING', 'packaging'],
  ['pack', 'packaging'],
  ['A', 'a'],
  ['heding', 'HEADING'],
  ['b', undefined],
  ['unrelated', undefined],
  ['g'.repeat(60), undefined],
] as const)
  test(`the word most similar to "${written.slice(0, 10)}" is ${similar ?? 'none'}`, () => {
    assert.equal(mostSimilar(written, KNOWN), similar)
  })
