import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from '../reading.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
const THINGS = {
  'pages/logo/clear.svg': SVG,
  'files/a.svg': SVG,
  'files/a.txt': 'a',
  'files/ident.webm': Buffer.from([0x1a, 0x45, 0xdf, 0xa3]),
  'styles/colors.yaml': '- {name: Ink, hex: "14212b"}\n- {name: Lemon, hex: "ffd84a"}\n',
}

const covers: [written: string, cover: unknown][] = [
  ['clear.svg', { file: 'pages/logo/clear.svg' }],
  ['../../files/a.svg', { file: 'files/a.svg' }],
  ['/logo/clear.svg', { file: 'pages/logo/clear.svg' }],
  ['ink', { color: 'ink' }],
  ['../../files/ident.webm', { file: 'files/ident.webm' }],
  ['{ image: ink }', { color: 'ink' }],
  [
    '{ image: clear.svg, focus: 70% 30%, fit: behind, text: light }',
    { file: 'pages/logo/clear.svg', focus: [70, 30], fit: 'behind', text: 'light' },
  ],
  ['{ image: clear.svg, focus: "12.6%, 0%" }', { file: 'pages/logo/clear.svg', focus: [13, 0] }],
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
    'pages/index.md': '---\nground: ink\nwide: true\nnav: Start\n---\n# Start\n',
    'pages/other.md': '---\nground: paper\nwide: false\n---\n# Other\n',
  })
  const shown = drafts[0]?.pages.map(({ id, cover, ground, wide, nav }) => ({ id, cover, ground, wide, nav }))
  assert.deepEqual(shown, [
    { id: 'index', cover: undefined, ground: 'ink', wide: true, nav: 'Start' },
    { id: 'other', cover: undefined, ground: undefined, wide: false, nav: undefined },
  ])
  assert.deepEqual(lines(findings), ['pages/other.md:2 warning front-matter-value-unknown'])
})

const ROWS: Readonly<Record<string, string>> = {
  'clera.svg': 'cover-unknown: did you mean "clear.svg"?',
  '../../files/b.svg': 'cover-unknown: did you mean "../../files/a.svg"?',
  '{ fit: fill }': 'cover-unknown: cover has no "image"; write one',
  '{ image: ink, foucs: 0% 0% }': 'front-matter-key-unknown: did you mean "focus"?',
  '{ image: ink, object-fit: fill }': 'front-matter-key-unknown: did you mean "fit"?',
  '{ image: ink, fit: contain }': 'front-matter-value-unknown: did you mean "whole"?',
  '{ image: ink, fit: [whole] }': 'front-matter-value-unknown: write whole, fill or behind',
  '{ image: ink, text: ligth }': 'front-matter-value-unknown: did you mean "light"?',
  '{ image: ink, focus: left top }': 'front-matter-value-unknown: did you mean "0% 0%"?',
  '{ image: ink, focus: 70 30 }': 'front-matter-value-unknown: did you mean "70% 30%"?',
  '{ image: ink, focus: 101% 0% }': 'front-matter-value-unknown: as in 70% 30%',
  '{ image: lemon, text: light }': 'cover-contrast: did you mean "dark"?',
  '{ image: ink, text: dark }': 'cover-contrast: did you mean "light"?',
}
test('a wrong value of a cover is a warning with its line and a suggestion', async () => {
  for (const [written, problem] of Object.entries(ROWS)) {
    const { findings } = await read({ ...THINGS, 'pages/logo/misuse.md': `---\ncover: ${written}\n---\n# No\n` })
    const [rule = '', advice = ''] = problem.split(/: (.*)/)
    assert.deepEqual(lines(findings), [`pages/logo/misuse.md:2 warning ${rule}`], written)
    assert.ok(findings[0]?.message.includes(advice), `${written}: ${findings[0]?.message}`)
  }
})
