import assert from 'node:assert/strict'
import test from 'node:test'
import { isPicture } from '#brand/file.ts'
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

test('an exact path wins over a pattern, and that over a folder, key by key', async () => {
  const { files } = await draftOf({
    ...FILES,
    'styles/colors.yaml': '- { name: Ink, hex: "111111" }\n- { name: Sea, hex: "0000ff" }\n',
    'files/files.yaml': [
      'logos/white/a.txt: { title: Mark }',
      'logos/white/*: { licence: From the star, territory: Here, ground: sea }',
      'logos/**: { licence: From all, territory: There, order: 2 }',
      'logos/white/small/: { territory: Inside, minWidth: 5 }',
      'logos/white/: { ground: ink, territory: Folder, minWidth: 9, title: White }',
    ].join('\n'),
  })
  const of = (end: string) => files.find(({ path }) => path === `files/logos/${end}`)
  const { path: _, size, hash, contentType, ...mark } = of('white/a.txt') ?? assert.fail()
  assert.deepEqual(mark, {
    ground: 'sea',
    licence: 'From the star',
    minWidth: 9,
    order: 2,
    territory: 'Here',
    title: 'Mark',
  })
  const { ground, licence, minWidth, territory } = of('white/small/b.txt') ?? assert.fail()
  assert.deepEqual([ground, licence, minWidth, territory], ['ink', 'From all', 5, 'There'])
})

test('a field of a pattern applies to the files that can have it, and a variant may be covered with its original', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  const contents = { 'files/logo/a.svg': svg, 'files/logo/a.txt': 'a', 'files/logo/b*.svg': svg }
  const { files } = await draftOf({
    ...contents,
    'files/files.yaml': 'logo/: { description: Our mark, variantOf: logo/a.svg }\nlogo/b*.svg: Exactly this\n',
  })
  const found = files.map(file => [file.path, isPicture(file) && file.metadata?.description, file.variantOf])
  assert.deepEqual(found, [
    ['files/logo/a.svg', 'Our mark', undefined],
    ['files/logo/a.txt', false, 'files/logo/a.svg'],
    ['files/logo/b*.svg', 'Exactly this', 'files/logo/a.svg'],
  ])
})

golden('intake/files/file-patterns', folderFacts)
