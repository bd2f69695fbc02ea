import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from '../reading.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
const THINGS = {
  'pages/logo/clear.svg': SVG,
  'files/a.svg': SVG,
  'files/a.txt': 'a',
  'styles/colors.yaml': '- {name: Ink, hex: "14212b"}\n',
}

const covers: [written: string, cover: unknown][] = [
  ['clear.svg', { file: 'pages/logo/clear.svg' }],
  ['../../files/a.svg', { file: 'files/a.svg' }],
  ['/logo/clear.svg', { file: 'pages/logo/clear.svg' }],
  ['ink', { color: 'ink' }],
  ['a.svg', undefined],
  ['../../files/a.txt', undefined],
  ['../../../a.svg', undefined],
  ['https://acme.example/a.svg', undefined],
  ['"#14212b"', undefined],
]
for (const [written, cover] of covers)
  test(`the cover ${written} of page logo/misuse is ${cover ? 'found' : 'a warning, and is omitted'}`, async () => {
    const { drafts, findings } = await read({
      ...THINGS,
      'pages/logo/misuse.md': `---\ncover: ${written}\n---\n# No\n`,
    })
    assert.deepEqual(drafts[0]?.pages[0]?.cover, cover)
    assert.deepEqual(lines(findings), cover ? [] : ['pages/logo/misuse.md:2 warning cover-unknown'])
  })

test('a page may have a background colour, full width and a short name', async () => {
  const { drafts, findings } = await read({
    ...THINGS,
    'pages/index.md': '---\nground: ink\nwide: true\nnav: Start\n---\n',
    'pages/other.md': '---\nground: paper\nwide: false\n---\n',
  })
  const shown = drafts[0]?.pages.map(({ id, cover, ground, wide, nav }) => ({ id, cover, ground, wide, nav }))
  assert.deepEqual(shown, [
    { id: 'index', cover: undefined, ground: 'ink', wide: true, nav: 'Start' },
    { id: 'other', cover: undefined, ground: undefined, wide: false, nav: undefined },
  ])
  assert.deepEqual(lines(findings), ['pages/other.md:2 warning front-matter-value-unknown'])
})
