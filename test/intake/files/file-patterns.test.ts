import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { draftOf, folderFacts } from '../reading.ts'

const FILES = {
  'files/a.txt': 'a',
  'files/logos/a.txt': 'a',
  'files/logos/white/a.txt': 'a',
  'files/logos/white/small/b.txt': 'a',
  'files/white/a.txt': 'a',
  'pages/logos/white/c.txt': 'a',
  'pages/index.md': '# A\n',
}
const COVERED: readonly [key: string, covered: readonly string[]][] = [
  ['"*.txt"', ['files/a.txt']],
  ['logos/*', ['files/logos/a.txt']],
  ['logos/*/a.*', ['files/logos/white/a.txt']],
  ['logos/white/', ['files/logos/white/a.txt', 'files/logos/white/small/b.txt', 'pages/logos/white/c.txt']],
  ['files/logos/white/', ['files/logos/white/a.txt', 'files/logos/white/small/b.txt']],
  ['"**/white/*"', ['files/logos/white/a.txt', 'files/white/a.txt', 'pages/logos/white/c.txt']],
  ['logos/**/b.txt', ['files/logos/white/small/b.txt']],
  ['"pages/**"', ['pages/logos/white/c.txt']],
]

for (const [key, covered] of COVERED)
  test(`the key ${key} of files.yaml covers ${covered.join(', ')}`, async () => {
    const { files } = await draftOf({ ...FILES, 'files/files.yaml': `${key}: { licence: CC0 }\n` })
    const found = files.filter(({ licence }) => licence === 'CC0').map(({ path }) => path)
    assert.deepEqual(found, covered)
  })

golden('intake/files/file-patterns', folderFacts)
