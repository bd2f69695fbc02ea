import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutForeignComments } from '#intake/markdown/foreign-comments.ts'
import { housestyle } from '../../program/cli/housestyle.ts'
import { folderWith } from '../../support/temporary.ts'
import { draftOf } from '../reading.ts'

/** Comments by program, in a page that has the text around them. */
const COMMENTS: readonly (readonly [program: string, comment: string])[] = [
  ['Obsidian', '%%secret%%'],
  ['Obsidian', '%%\nsecret `code` [[link]]\n\nsecret\n%%'],
  ['MDX', '{/* secret */}'],
  ['MDX', '{\n  /* secret\n  * secret */\n}'],
  ['kramdown', '{::comment}\nsecret\n\nsecret\n{:/comment}'],
  ['kramdown', '{::comment}secret{:/}'],
  ['Jekyll and Liquid', '{% comment %}secret {{ x }}{% endcomment %}'],
  ['Jekyll and Liquid', '{%- comment -%}\n\nsecret\n\n{%- endcomment -%}'],
  ['Liquid', '{% # secret %}'],
  ['Hugo', '{{/* secret */}}'],
  ['Hugo', '{{- /* secret */ -}}'],
  ['Hugo', '{{< comment >}}\nsecret\n{{< /comment >}}'],
  ['Jinja and MkDocs', '{# secret #}'],
  ['Jinja and MkDocs', '{#- secret {{ x }} -#}'],
  ['Handlebars', '{{! secret }}'],
  ['Handlebars', '{{!-- secret {{x}} --}}'],
  ['CriticMarkup', '{>>secret<<}'],
  ['ERB', '<%# secret %>'],
  ['Markdown without comments', '[//]: # (secret)'],
  ['Markdown without comments', '[//]: # "secret (twice)"'],
  ['Markdown without comments', '[comment]: <> (secret)'],
  ['MyST', '% secret\n% secret'],
]

test('comments of other programs are left out of a page, which keeps its lines', () => {
  for (const [program, comment] of COMMENTS) {
    const { text, problems } = withoutForeignComments(`# A\n\n${comment}\n\nLast`)
    assert.equal(text.replace(/\n+/g, ' '), '# A Last', comment)
    assert.equal(text.split('\n').length, comment.split('\n').length + 4, comment)
    const [{ rule, line, message } = { rule: '', line: 0, message: '' }, ...others] = problems
    assert.deepEqual([rule, line, others], ['template-tag', 3, []], comment)
    assert.match(message, new RegExp(`is a comment of ${program}, which is left out everywhere`))
  }
})

test('a line of a paragraph or of an item that begins with % is a comment of MyST, unless a number is above it', () => {
  for (const [text, kept] of [
    ['Text.\n% secret\nLast', 'Text. Last'],
    ['- a\n  % secret\n- b', '- a - b'],
    ['# A\n% secret\n\nLast', '# A Last'],
    ['About 10\n% of all', 'About 10 % of all'],
  ] as const)
    assert.equal(withoutForeignComments(text).text.replace(/\s+/g, ' '), kept, text)
})

test('code, placeholders, links and other text are not comments', () => {
  for (const text of [
    ...COMMENTS.map(([, comment]) => `\`\`\`\`\n${comment}\n\`\`\`\``),
    'Write `%% a %%`, `{/* b */}` or `{# c #}`.',
    'Dear %%FIRST_NAME%% and %%last_name%%, 100 %% of 50 %%',
    '[home]: # (Home)\n\nGo [home].',
    '# A {#a}\n\n## B {#b}\n\nText #}',
    '# A {/* #a */}\n',
    'About 10\n% of all',
    '% Title\n% Author\n\nText',
    '<!-- a comment -->',
    '{% include a.html comment="x" %}',
  ])
    assert.deepEqual(withoutForeignComments(text), { text, problems: [] })
})

test('a comment of another program is in no published content, and a warning at its line', async () => {
  const contents = { 'pages/a.md': '---\ntitle: A\n---\n\nOpen %%secret%% text.\n\n[x](b.md)\n', 'pages/b.md': 'B\n' }
  const { pages } = await draftOf(contents)
  assert.equal(pages[0]?.links[0]?.start, 'Open  text.\n\n[x]('.length + 1)
  const { stdout } = await housestyle(['check', await folderWith(contents), '--json'])
  const [finding] = JSON.parse(stdout)
  assert.deepEqual([finding.path, finding.line, finding.rule], ['pages/a.md', 5, 'template-tag'])
})
