import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from '../reading.ts'

for (const written of [
  '![x](a b.png)',
  '[x](../the files/a.pdf)',
  'see [x]( my page.md#part ) and more',
  '> [x](a b.md)',
])
  test(`${written} is reported as text`, async () => {
    const { findings } = await read({ 'pages/a.md': `# A\n\n${written}\n` })
    assert.deepEqual(lines(findings), ['pages/a.md:3 warning link-space'])
    assert.match(findings[0]?.message ?? '', /: write \(\S+%20\S+\) or \(<.+>\)$/)
  })

for (const written of [
  '`![x](a b.png)`',
  '```\n![x](a b.png)\n```',
  '<!-- [x](a b.png) -->',
  '[x] (and b.md)',
  '[x](<b c.txt>)',
  '[x](c.txt "a b.png")',
  'as in [1](see the appendix)',
])
  test(`${written} is not reported as a link with a space`, async () => {
    const { findings } = await read({ 'pages/a.md': written, 'pages/b c.txt': '', 'pages/c.txt': '' })
    assert.deepEqual(lines(findings), [])
  })

const lost: [written: string, message: RegExp][] = [
  ['![x](a.svg “Our logo”)', /straight quotes, as in "Our logo"$/],
  ['> [x](<../a.svg> «Notre logo»)', /straight quotes, as in "Notre logo"$/],
  ['- ![x](a.svg "Our logo”)', /straight quotes, as in "Our logo"$/],
  ['[![x](a.svg ‘Our logo’)](a.md)', /straight quotes/],
  ['[Kit] (../files/kit.zip)', /write "\[Kit\]\(..\/files\/kit.zip\)"$/],
  ['![Kit]\u00a0(a.svg "Title")', /write "!\[Kit\]\(a.svg \\"Title\\"\)"$/],
  ['see [Kit]  (https://example.com) and', /write "\[Kit\]\(https:\/\/example.com\)"$/],
  ['[Kit](..\\files\\kit\\)', /write \/ instead, as in \(..\/files\/kit\/\)$/],
]
for (const [written, message] of lost)
  test(`${written} is reported as text, with the form of a link`, async () => {
    const { findings } = await read({ 'pages/a.md': `# A\n\n${written}\n` })
    assert.deepEqual(lines(findings), ['pages/a.md:3 warning link-space'])
    assert.match(findings[0]?.message ?? '', message)
  })

for (const written of [
  '[sic] (and so on), [x] (his/her), [1] (v2.0), [Ink] (#0000ff), [bot] (1[bot]@example.com)',
  '- [ ] (optional.md)',
  '\\[Kit\\] (c.txt)',
  '[Kit] (c.txt)\n\n[kit]: c.txt',
  '`[Kit] (c.txt)` <!-- [Kit] (c.txt) ![x](c.txt “x”) -->',
  '[x](c.txt "Our “big” logo")',
])
  test(`${written} is not reported as a lost link`, async () => {
    const { findings } = await read({ 'pages/a.md': written, 'pages/c.txt': '' })
    assert.deepEqual(lines(findings), [])
  })

test('a page with many addresses with spaces has ten findings', async () => {
  const { findings } = await read({ 'pages/a.md': '![x](a b.png)\n'.repeat(1000) })
  assert.equal(findings.length, 10)
})
