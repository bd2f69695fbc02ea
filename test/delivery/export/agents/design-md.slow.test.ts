import assert from 'node:assert/strict'
import test from 'node:test'
import { lint } from '@google/design.md/linter'
import { exported, onlyText } from '../../../support/exported.ts'
import { fc, forAllIn } from '../../../support/random.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await temporaryStore()

const COLORS = `- { name: Ink, hex: "#14212b", cmyk: "85,65,50,70", pms: 5395 C, use: Text }
- { id: "123", name: "~ # Odd", hex: "#fff" }
- { name: Rot 红, hex: "#f00" }
`
test('the head of DESIGN.md lists the values that it omits', async () => {
  const made = await exported(temporary, 'design-md', {
    'pages/a.md': '```yaml\ncolors: {}\n',
    'pages/b.md': 'x\n\n<!-- never closed\n',
    'pages/c.md': `${'> '.repeat(80)}# Deep\n`,
    'pages/d.md': `# D\n\n${'word '.repeat(60_000)}`,
    'pages/e.md': '# E\n',
    'styles/colors.yaml': COLORS,
  })
  assert.deepEqual(made.leftOut, [
    'colors.primary: no colour is named primary; set the theme accent in project.yaml to the main colour',
    '2 pages (d, e): the file contains only the first 256 KiB of the pages',
    '2 pages (a, b): it has an unclosed code block, HTML block or comment',
    '1 page (c): its lists or quotes are nested too deeply',
  ])
  const text = onlyText(made)
  for (const each of made.leftOut) assert.ok(text.includes(`# left out: ${each}\n`), each)
  const { designSystem, summary } = lint(text)
  assert.equal(summary.errors, 0)
  assert.equal(designSystem.colors.size, 3)
})

test('for any names and pages, the linter finds exactly the same names and sections', async () => {
  const piece = fc.constantFrom(
    ...'"¦\'¦*/¦</style>¦{{¦---¦\n---\n¦__proto__¦😀¦\u202e'.split('¦'),
    'x'.repeat(50),
    ...'\\¦`¦```¦yaml\n¦\n## Colors\n¦#¦\n==\n¦<!--¦- ¦> ¦\n\n¦~~~yml\n¦&#121;aml¦: ¦{a}¦\n    '.split('¦'),
    ...'colors:\n  x: red\n¦1. ¦\t¦<div>\n¦|¦[a]: b\n¦red'.split('¦'),
  )
  const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map(parts => parts.join(''))
  const name = text.map(each => [...`N${each.replace(/\s+/g, ' ')}`].slice(0, 150).join('').trim())
  await forAllIn(
    60,
    [fc.array(name, { minLength: 1, maxLength: 3 }), fc.array(text, { maxLength: 3 })],
    async (names, pages) => {
      const made = await exported(temporary, 'design-md', {
        'project.yaml': `visibility: public\nname: ${JSON.stringify(names[0])}\n`,
        'styles/colors.yaml': JSON.stringify(names.map((name, at) => ({ id: `c${at}`, name, hex: '#123456' }))),
        'styles/types.yaml': JSON.stringify(names.map((family, at) => ({ id: `t${at}`, name: family, family }))),
        ...Object.fromEntries(pages.map((page, at) => [`pages/p${at}.md`, `\n${page}`])),
      })
      const { designSystem, summary, sections } = lint(onlyText(made))
      assert.equal(summary.errors, 0)
      assert.equal(designSystem.name, `Acme – ${names[0]}`)
      const expected = names.map((_, at) => `c${at}`)
      assert.deepEqual([...designSystem.colors.keys()], expected)
      assert.deepEqual(
        [...designSystem.typography.values()].map(({ fontFamily }) => fontFamily?.replace(/^"(.*)"$/, '$1').length),
        names.map(({ length }) => length),
      )
      const without = made.leftOut.map(each => Number(/^(\d+) pages? /.exec(each)?.[1] ?? 0))
      const hasPages = pages.length > without.reduce((sum, count) => sum + count, 0)
      assert.deepEqual(sections, [...(hasPages ? ['Overview'] : []), 'Colors', 'Typography'])
    },
  )
})
