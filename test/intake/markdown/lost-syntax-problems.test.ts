import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderFacts, read } from '../reading.ts'

test('a page with many lost headings has ten findings', async () => {
  assert.equal((await read({ 'pages/a.md': '##Do\n\n'.repeat(1000) })).findings.length, 10)
})

golden('intake/markdown/lost-syntax-problems', folderFacts)

test('a page with many addresses with spaces has ten findings', async () => {
  const { findings } = await read({ 'pages/a.md': '![x](a b.png)\n'.repeat(1000) })
  assert.equal(findings.length, 10)
})

golden('intake/markdown/lost-syntax-problems.links', folderFacts)
