import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { golden } from '#test/support/golden.ts'
import { draftOf, lines, read, readFacts } from '../reading.ts'

test('a tag of another system on a page is a warning with the line in the file, and the text is unchanged', async () => {
  const contents = { 'pages/a.md': '---\ntitle: A\n---\n\n{% include a.html %}\n' }
  assert.deepEqual(lines((await read(contents)).findings), ['pages/a.md:5 warning template-tag'])
  const [page] = (await draftOf(contents)).pages
  const [same] = (await draftOf({ 'pages/a.md': '---\ntitle: B\n---\n\n{% include a.html %}\n' })).pages
  assert.equal(page?.content, same?.content)
})

test('rules: turns the finding off', async () => {
  const contents = { 'pages/a.md': '{{ a }}\n', 'project.yaml': 'rules: { template-tag: off }\n' }
  assert.deepEqual((await read(contents)).findings, [])
})

golden('intake/markdown/markdown.template-tag-problems', ({ text }: { text: string }) => readFacts(readMarkdown(text)))
