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

test('a page with many addresses with spaces has ten findings', async () => {
  const { findings } = await read({ 'pages/a.md': '![x](a b.png)\n'.repeat(1000) })
  assert.equal(findings.length, 10)
})
