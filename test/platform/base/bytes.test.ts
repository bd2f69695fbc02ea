import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test from 'node:test'
import { equalsInConstantTime, readAll } from '#platform/base/bytes.ts'

test('secrets are equal if all of their bytes are', () => {
  for (const [one, other, isEqual] of [
    ['', '', true],
    ['a', 'a', true],
    ['ä', 'ä', true],
    ['a', 'b', false],
    ['a', 'ab', false],
    ['', 'a', false],
  ] as const)
    assert.equal(equalsInConstantTime(one, other), isEqual, `${one} and ${other}`)
})

test('chunks are read to their end, unless they have too many bytes', async () => {
  const chunks = () => Readable.from([Buffer.from('ab'), Buffer.from('c')])
  const tooMany = () => new Error('too many')
  assert.equal((await readAll(chunks(), 3, tooMany)).toString(), 'abc')
  await assert.rejects(readAll(chunks(), 2, tooMany), { message: 'too many' })
})
