import assert from 'node:assert/strict'
import test from 'node:test'
import { fileAnchor, listName, listOf, pageOf } from '#site/library/files/file-list.ts'

const LISTS: readonly [name: string, list: string | undefined][] = [
  ['files', 'all'],
  ['files/fonts', 'fonts'],
  ['files/all-2', 'all'],
  ['files/fonts-20', 'fonts'],
  ...[
    'files/',
    'files/fonts-',
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
  ].map((name): [string, undefined] => [name, undefined]),
]

for (const [name, list] of LISTS)
  test(`the list of files at ${JSON.stringify(name)} is ${list ?? 'none'}`, () => {
    assert.equal(listOf(name), list)
    if (list) assert.equal(listName(listOf(name) ?? 'all', pageOf(name)), name)
  })

test('the anchor of a file does not contain its name and is unique to its path', () => {
  const paths = ['files/logo.svg', 'pages/logo.svg', 'files/"><b>', 'files/ ']
  const anchors = paths.map(fileAnchor)
  for (const anchor of anchors) assert.match(anchor, /^file-[0-9a-f]{12}$/)
  assert.equal(new Set(anchors).size, paths.length)
  assert.equal(fileAnchor('files/logo.svg'), anchors[0])
})
