import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCode, errorMessage, OperationalError } from '#platform/base/error.ts'

test('an operational error has a code, a message and a cause', () => {
  const cause = new Error('ENOSPC: no space left on device')
  const error = new OperationalError('store_full', 'the disk is full', { cause })
  assert.deepEqual([error.code, error.message, error.cause], ['store_full', 'the disk is full', cause])
})

for (const [thrown, code, message] of [
  [Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'ENOENT', 'no such file'],
  [Object.assign(new Error('aborted'), { code: 20 }), '', 'aborted'],
  [new Error('plain'), '', 'plain'],
  ['a text', '', 'a text'],
] as const)
  test(`the code of ${String(thrown)} is "${code}" and its message "${message}"`, () => {
    assert.deepEqual([errorCode(thrown), errorMessage(thrown)], [code, message])
  })
