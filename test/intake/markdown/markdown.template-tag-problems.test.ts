import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { draftOf, lines, read } from '../reading.ts'

/** The findings about tags on a page: line and message, without the common beginning. */
function findingsOf(text: string): string[] {
  return readMarkdown(text).problems.map(({ rule, line, message }) => {
    assert.equal(rule, 'template-tag')
    return `${line} ${message.replace(' is a tag of another system, which housestyle does not replace', '')}`
  })
}

const PAGES: Readonly<Record<string, readonly [text: string, findingsOf: string[]]>> = {
  'each line with tags of another system is reported once, with the replacement': [
    '# A {{ page.title }}\n\n{% include card.html %} and {% include card.html %}\n\n- [Get it](a.zip){:.button}\n',
    [
      '1 "{{ page.title }}": write the value itself',
      '3 "{% include card.html %}": write its result in Markdown, or remove it',
      '5 "{:.button}": remove it; "theme" in project.yaml sets how pages look',
    ],
  ],
  'what to write follows from what a tag is for': [
    '{{< figure src="a.png" >}}\n\n{% callout %}\n\n{% link a.md %}\n\n{:toc}\n\n{{< youtube x >}}\n',
    [
      '1 "{{< figure src=\\"a.png\\" >}}": write a picture, as in ![what it shows](../files/logo.svg "caption")',
      '3 "{% callout %}": write a quote that begins with [!NOTE]',
      '5 "{% link a.md %}": write a relative link, as in [Logo](logo.md)',
      '7 "{:toc}": remove it',
      '9 "{{< youtube x >}}": link to it in a separate paragraph',
    ],
  ],
  'tags are found in quotes, lists, tables and HTML': [
    '> {{ a }}\n\n1. {{ b }}\n\n| a |\n|---|\n| {{ c }} |\n\n<div class="{{ d }}">\n  {% e %}\n</div>\n',
    [
      '1 "{{ a }}": write the value itself',
      '3 "{{ b }}": write the value itself',
      '7 "{{ c }}": write the value itself',
      '9 "{{ d }}": write the value itself',
      '10 "{% e %}": write its result in Markdown, or remove it',
    ],
  ],
  'MDX imports and exports are found at the start of a paragraph': [
    "import A from './a.mdx'\nexport const b = 1\n\nText that\nimport A from './a.mdx'\n",
    [
      `1 ${JSON.stringify("import A from './a.mdx'")}: replace it with the imported content, in Markdown`,
      '2 "export const b = 1": replace it with the imported content, in Markdown',
    ],
  ],
  'an indented block that contains only tags and pictures is not code': [
    'Text\n\n    {% figure %}\n    ![a](a.png)\n\nText\n\n    {% if a %} b\n',
    ['3 "{% figure %}": write a picture, as in ![what it shows](../files/logo.svg "caption")'],
  ],
  'code and hidden HTML have no tags': [
    '`{{ a }}` and ``{% b ` %}``\n\n```\n{{ c }}\n```\n\n~~~liquid\n{% d %}\n~~~\n\n    {{ e }} is code\n\n<!-- {{ f }} -->\n\n<pre>\n{{ g }}\n</pre>\n\nA <code>{{ h }}</code>\n',
    [],
  ],
}

for (const [what, [text, expected]] of Object.entries(PAGES))
  test(`in a page, ${what}`, () => {
    assert.deepEqual(findingsOf(text), expected)
  })

test('a page with many tags has ten findings, and one that counts the rest', () => {
  const lines = findingsOf('{{ a }}\n\n'.repeat(40))
  assert.equal(lines.length, 11)
  assert.equal(
    lines.at(-1),
    '21 and 30 more lines of this page have tags of other systems: write their results, or remove them',
  )
})

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
