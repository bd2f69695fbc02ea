import assert from 'node:assert/strict'
import test from 'node:test'
import { editorParts } from '#people/editor/library/library.ts'

test('the parts of an editor are made once', async () => {
  assert.equal(await editorParts(), await editorParts())
  assert.equal((await editorParts()).size, 8)
})
