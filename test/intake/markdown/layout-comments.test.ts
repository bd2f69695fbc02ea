import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { golden } from '#test/support/golden.ts'
import { draftOf, lines, read, readFacts } from '../reading.ts'

test('a band needs the id of a colour, and a page notes the colours of its bands', async () => {
  const contents = {
    'pages/index.md':
      '---\ntitle: A\n---\n\n<!-- ground: ink -->\n\na\n\n<!-- /ground -->\n\n<!-- ground: inc -->\nb\n\n<!-- /ground -->\n',
    'styles/colors.yaml': '- { name: Ink, hex: "000" }\n',
  }
  const { findings } = await read(contents)
  assert.deepEqual(lines(findings), ['pages/index.md:11 warning layout-comment'])
  assert.match(findings[0]?.message ?? '', /"inc" is not the id of a colour: did you mean "ink"\?$/)
  const [page] = (await draftOf(contents)).pages
  assert.deepEqual(page?.bands, ['ink'])
})

golden('intake/markdown/layout-comments', ({ text }: { text: string }) => readFacts(readMarkdown(text)))
