import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { draftOf, lines, read } from '../reading.ts'

/** The findings on a page: line and message. */
function findingsOf(text: string): string[] {
  const problems = readMarkdown(text).problems.filter(({ rule }) => rule !== 'html-markdown')
  return problems.map(({ rule, line, message }) => {
    assert.equal(rule, 'layout-comment')
    return `${line} ${message}`
  })
}

const PICTURE = '![A](a.png)'

test('a layout comment before a block that it can take gives no finding', () => {
  for (const text of [
    `<!-- full -->\n\n${PICTURE}`,
    `<!-- full -->\n${PICTURE}\n${PICTURE}`,
    '<!-- full -->\n[The film](ident.webm "loop")',
    '<!-- full -->\n<video src="a.webm" controls></video>',
    '<!-- wide -->\n| a |\n|---|\n| b |',
    '<!-- wide -->\n<!-- Todo: crop -->\n<!-- columns: 2 -->\n- a\n- b',
    `<!-- split -->\n${PICTURE}\n\nText.`,
    `<!-- split -->\n${PICTURE}\n\n### Heading\n\nText.`,
    '<!-- columns: 3 -->\n\n### A\n\na\n\n### B\n\nb',
    '<!-- columns: 3 -->\n\nText.',
    '<!-- ground: ink -->\n\nText.\n\n<!-- /ground -->',
    '`<!-- full -->`\n\n```\n<!-- colums: 3 -->\n```\n\n    <!-- /ground -->',
  ])
    assert.deepEqual(findingsOf(text), [], text)
})

test('a layout comment without a fitting block is a finding with its line', () => {
  const media = 'has no effect here: it needs a picture, a video, a list, a table or a quotation after it'
  const split = 'has no effect here: it needs a picture in its own paragraph, and then text after it'
  for (const [text, finding] of [
    ['Text.\n\n<!-- full -->\n\nText.', `3 <!-- full --> ${media}`],
    ['<!-- wide -->\n\n## Heading', `1 <!-- wide --> ${media}`],
    [`${PICTURE}\n\n<!-- full -->`, `3 <!-- full --> ${media}`],
    ['<!-- full -->\n[a](b.md) and text', `1 <!-- full --> ${media}`],
    ['<!-- split -->\nText.\n\nText.', `1 <!-- split --> ${split}`],
    [`<!-- split -->\n${PICTURE}\n\n---`, `1 <!-- split --> ${split}`],
    [
      '<!-- columns: 2 -->\n\n> a',
      '1 <!-- columns: 2 --> has no effect here: it needs a list, pictures, a paragraph or a heading after it',
    ],
  ] as const)
    assert.deepEqual(findingsOf(text), [finding], text)
})

test('an unclosed, unopened or empty band is a finding with its line', () => {
  const unclosed = 'is not closed, so it has no effect: write <!-- /ground --> after the last block of the band'
  assert.deepEqual(findingsOf('<!-- ground: ink -->\n\na\n\n<!-- ground: red -->\n\nb\n\n<!-- /ground -->'), [
    `1 <!-- ground: ink --> ${unclosed}`,
  ])
  assert.deepEqual(findingsOf('a\n\n<!-- ground: ink -->\n\nb'), [`3 <!-- ground: ink --> ${unclosed}`])
  assert.deepEqual(findingsOf('a\n\n<!-- /ground -->'), [
    '3 <!-- /ground --> closes nothing: write <!-- ground: … --> with the id of a colour before the band',
  ])
  assert.deepEqual(findingsOf('<!-- ground: ink -->\n<!-- /ground -->'), [
    '1 <!-- ground: ink --> has no effect: its band is empty',
  ])
})

test('a misspelt layout comment gets a suggestion', () => {
  for (const [comment, finding] of [
    ['ful', 'is unknown, so it has no effect: did you mean <!-- full -->?'],
    ['full-width', 'is unknown, so it has no effect: did you mean <!-- full -->?'],
    ['colums: 4', 'is unknown, so it has no effect: did you mean <!-- columns: 4 -->?'],
    ['spilt', 'is unknown, so it has no effect: did you mean <!-- split -->?'],
    ['groud: ink', 'is unknown, so it has no effect: did you mean <!-- ground: ink -->?'],
    ['/grond', 'is unknown, so it has no effect: did you mean <!-- /ground -->?'],
    ['Split', 'is not written correctly, so it has no effect: write <!-- split -->'],
    ['wide: 3', 'is not written correctly, so it has no effect: write <!-- wide -->'],
    ['columns 3', 'is not written correctly, so it has no effect: write <!-- columns: 3 -->, with 2 to 6 columns'],
    ['columns: 12', 'is not written correctly, so it has no effect: write <!-- columns: 3 -->, with 2 to 6 columns'],
    [
      'ground: deep ink',
      'is not written correctly, so it has no effect: write <!-- ground: … --> with the id of a colour',
    ],
    ['/columns', 'closes nothing, since "columns" takes only what follows it: remove it'],
  ])
    assert.deepEqual(findingsOf(`a\n\n<!-- ${comment} -->\n\n- b`), [`3 <!-- ${comment} --> ${finding}`])
})

test('a layout comment in a list, a quote or a sentence, or with something on its line, is a finding', () => {
  for (const text of [
    `- a\n\n  <!-- full -->\n\n  ${PICTURE}`,
    '> <!-- full -->',
    'a <!-- full --> b',
    `<!-- full --> ${PICTURE}`,
  ])
    assert.match(findingsOf(text).join(), /^\d <!-- full --> has no effect inside other content/, text)
})

test('comments of editors and other programs give no finding', () => {
  for (const comment of [
    'Todo: a wider picture',
    'prettier-ignore',
    'more',
    '/toc',
    'hide',
    'found',
    'note: the ground is new',
    'full of mistakes, see below',
    'x',
    '',
  ])
    assert.deepEqual(findingsOf(`<!-- ${comment} -->\n\nText with <!-- ${comment} --> in it.`), [], comment)
})

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
