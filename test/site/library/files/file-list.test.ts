import assert from 'node:assert/strict'
import test from 'node:test'
import { fileAnchor, listName, listOf } from '../../../../src/site/library/files/file-list.ts'

test('every list of files has one name', () => {
  const names = ['files', 'files/all-2', 'files/fonts', 'files/pictures-20', 'files/other-9999']
  assert.deepEqual(
    names.map(name => {
      const list = listOf(name)
      return list && listName(list)
    }),
    names,
  )
  const wrong = [
    'files/',
    'files/all',
    'files/all-1',
    'files/fonts-0',
    'files/fonts-02',
    'files/fonts-10000',
    'files/Fonts',
    'files/toString',
    'files/__proto__',
    'files-2',
    'filesfonts',
    'files/fonts/2',
    'xfiles',
    'files/fonts-2\n',
    '',
  ]
  for (const name of wrong) assert.equal(listOf(name), undefined, name)
})

test('the anchor of a file does not contain its name and is unique to its path', () => {
  const paths = ['files/logo.svg', 'pages/logo.svg', 'files/"><b>', 'files/ ']
  const anchors = paths.map(fileAnchor)
  for (const anchor of anchors) assert.match(anchor, /^file-[0-9a-f]{12}$/)
  assert.equal(new Set(anchors).size, paths.length)
  assert.equal(fileAnchor('files/logo.svg'), anchors[0])
})
