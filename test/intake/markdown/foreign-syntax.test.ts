import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { golden } from '#test/support/golden.ts'
import { lines, read, readFacts } from '../reading.ts'

test('a finding has the line of the file below the front matter', async () => {
  const { findings } = await read({ 'pages/a.md': '---\ntitle: A\n---\n\n[[a]]\n' })
  assert.deepEqual(lines(findings), ['pages/a.md:5 warning template-tag'])
})

golden('intake/markdown/foreign-syntax', ({ text }: { text: string }) => readFacts(readMarkdown(text)))
