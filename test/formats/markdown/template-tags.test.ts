import assert from 'node:assert/strict'
import test from 'node:test'
import { isTagsAndPictures, templateTags } from '#formats/markdown/template-tags.ts'
import { fc, forAll } from '../../support/random.ts'

/** The template tags in Markdown, as written. */
function tagsIn(text: string): string[] {
  return templateTags(text).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`)
}

const TAGS: Readonly<Record<string, readonly [tags: string[]]>> = {
  '{% include note.html %}': [['statement {% include note.html %}']],
  '{%- if a -%} kept {%- endif -%}': [['statement {%- if a -%}', 'statement {%- endif -%}']],
  '{% include figure.html\n  src="a.png" %}': [['statement {% include figure.html\n  src="a.png" %}']],
  'Our {{ site.name }} and {{{ raw }}}': [['value {{ site.name }}', 'value {{{ raw }}}']],
  '{{< figure src="a.png" >}} {{% note %}}': [['shortcode {{< figure src="a.png" >}}', 'shortcode {{% note %}}']],
  '[Get it](a.zip){:.button }': [['attributes {:.button }']],
  '{: #id .class key="a, b"}': [['attributes {: #id .class key="a, b"}']],
  '{:toc} {::comment} {:/comment} {:/}': [
    ['{:toc}', '{::comment}', '{:/comment}', '{:/}'].map(tag => `attributes ${tag}`),
  ],
  '<a class="{{ a }}">': [['value {{ a }}']],
  "import Note from '../note.mdx'": [["module import Note from '../note.mdx'"]],
  'import "a.css";\nimport { A,\n  B } from "b"\nText': [
    ['module import "a.css";', 'module import { A,\n  B } from "b"'],
  ],
  'import * as A from "a"': [['module import * as A from "a"']],
  "export const meta = {\n  title: 'x'\n}": [["module export const meta = {\n  title: 'x'\n}"]],
  'export { default } from "./a"': [['module export { default } from "./a"']],
}

for (const [text, [tags]] of Object.entries(TAGS))
  test(`${JSON.stringify(text)} has ${tags.length === 1 ? 'one template tag' : `${tags.length} template tags`}`, () => {
    assert.deepEqual(tagsIn(text), tags)
  })

const NO_TAGS = [
  'Plain words, { braces } and 100 %}.',
  '{% never closed',
  '{{ never closed',
  '{{}} and {{ }}',
  'a tuple {:ok, value}, and a face :{',
  'import the logo from "files"',
  'Text first\nimport A from "a"',
  'export the logo as SVG',
  'export default settings to print',
  `{{ ${'far '.repeat(1000)} }}`,
]

for (const text of NO_TAGS)
  test(`${JSON.stringify(text.slice(0, 60))} has no template tag`, () => {
    assert.deepEqual(tagsIn(text), [])
  })

test('an indented block counts as text if it contains only template tags and pictures', () => {
  for (const text of [
    '    {% figure %}\n    ![a](a.png "b")\n    {% endfigure %}',
    '{{ a }} <img src="a.png"> ![a][b] ![c]',
  ])
    assert.ok(isTagsAndPictures(text), text)
  for (const text of ['    ![a](a.png)', '    {% if a %}\n    some words', '{{ a }} = 1', ''])
    assert.ok(!isTagsAndPictures(text), text)
})

test('tags are in order, within their text and not empty', async () => {
  const piece = fc.constantFrom('{', '}', '%', ':', '<', '>', ' ', '\n', 'a', '{%', '%}', '{{', '}}', 'import ', '"')
  await forAll([fc.array(piece)], pieces => {
    const text = pieces.join('')
    let last = 0
    for (const { start, end } of templateTags(text)) {
      assert.ok(start >= last && end > start && end <= text.length)
      last = end
    }
  })
})

test('finding the tags in one mebibyte of hostile text takes linear time', () => {
  const hostile = ['{%', '{{', '{:.a', '{: a=', '{{{', 'import {', 'import a,', '{{ }', '}}{{', '![', '<img ', ' ']
  for (const piece of hostile) {
    const text = piece.repeat(Math.floor((1 << 20) / piece.length))
    assert.ok(templateTags(text).length <= text.length / 4)
    assert.equal(isTagsAndPictures(`{{ a }}${text}`), /^\s+$/.test(piece))
  }
})
