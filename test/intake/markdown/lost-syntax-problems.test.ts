import assert from 'node:assert/strict'
import test from 'node:test'
import { golden } from '#test/support/golden.ts'
import { folderFacts, read } from '../reading.ts'

test('a page with many lost headings has ten findings', async () => {
  assert.equal((await read({ 'pages/a.md': '##Do\n\n'.repeat(1000) })).findings.length, 10)
})

golden('intake/markdown/lost-syntax-problems', folderFacts)
