import assert from 'node:assert/strict'
import test from 'node:test'
import { fileAnchor } from '#site/library/files/file-list.ts'

test('the anchor of a file does not contain its name and is unique to its path', () => {
  const paths = ['files/logo.svg', 'pages/logo.svg', 'files/"><b>', 'files/ ']
  const anchors = paths.map(fileAnchor)
  for (const anchor of anchors) assert.match(anchor, /^file-[0-9a-f]{12}$/)
  assert.equal(new Set(anchors).size, paths.length)
  assert.equal(fileAnchor('files/logo.svg'), anchors[0])
})
