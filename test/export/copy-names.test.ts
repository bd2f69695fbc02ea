import assert from 'node:assert/strict'
import test from 'node:test'
import { hashOf } from '../../src/brand/snapshot.ts'
import { assignCopyNames } from '../../src/export/copy-names.ts'

test('files with the same name in any case get numbers before their extensions', () => {
  const hash = hashOf(new Uint8Array())
  const files = ['a/x.woff', 'b/X.woff', 'c/x.woff', 'x-2.woff', 'd/SHEET.css', 'LICENSE', 'e/license'].map(path => ({
    path,
    size: 1,
    contentType: 'font/woff',
    hash,
  }))
  assert.deepEqual(
    [...assignCopyNames(files, ['sheet.css']).values()],
    ['x.woff', 'X~2.woff', 'x~3.woff', 'x-2.woff', 'SHEET~2.css', 'LICENSE', 'license~2'],
  )
})
