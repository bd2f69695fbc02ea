import assert from 'node:assert/strict'
import test from 'node:test'
import { readObjects } from '#formats/pdf/operators/objects.ts'

test('a file that cannot be read does not hide the first objects of the next one', () => {
  const read = (file: string) => readObjects(Buffer.from(file), { bytes: 1000 })
  assert.throws(() => read(`1 0 obj ${'['.repeat(200)}`), /too many lists in each other/)
  assert.equal(read('1 0 obj 5 endobj').get({ reference: 1 }), 5)
})
