import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStoreError, StoreError } from '#store/store-error.ts'

for (const [fields, code, message] of [
  [{ code: 'ENOSPC' }, 'store_full', 'the disk of /data is full, so the operation was undone: '],
  [{ errcode: 13 }, 'store_full', 'the disk of /data is full, so the operation was undone: '],
  [{ code: 'EMFILE' }, 'descriptors_exhausted', 'cannot use the store in /data: the limit of open files is reached; '],
  [{ code: 'EACCES', path: '/data/files' }, 'store_unreadable', '/data/files cannot be used (it failed): '],
  [{ errcode: 8 }, 'store_unreadable', 'a file in /data cannot be used (it failed): '],
] as const)
  test(`an error with ${JSON.stringify(fields)} is reported as ${code}`, () => {
    const cause = Object.assign(new Error('it failed'), fields)
    const explained = asStoreError(cause, '/data')
    assert.ok(explained instanceof StoreError)
    assert.deepEqual([explained.code, explained.cause], [code, cause])
    assert.ok(explained.message.startsWith(message), explained.message)
  })

test('any other error stays unchanged', () => {
  const error = new Error('a fault of the program')
  assert.equal(asStoreError(error, '/data'), error)
})
