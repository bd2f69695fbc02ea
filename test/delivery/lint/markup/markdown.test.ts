import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMarkdown } from '#delivery/lint/markup/markdown.ts'
import { sourceOf } from '#delivery/lint/source.ts'

function textsOf(markdown: string): string[] {
  return [...readMarkdown(sourceOf(markdown))].map(use =>
    use.kind === 'words' ? use.text.replace(/\s+/g, ' ').trim() : use.kind,
  )
}

const CASES: Readonly<Record<string, readonly [markdown: string, texts: string[]]>> = {
  'marks do not split a word': ['utili**ze** _it_ ~~now~~ snake_case 2 * 3', ['utilize it now snake_case 2 * 3']],
  'code has no words': ['a `b` c\n\n```\nd\n```\n\n    e\n', ['a c']],
  'a link has its text, and a picture its alt text': ['[a](b) ![c](d) [e][f] <https://g.h>\n\n[f]: i', ['a c e /']],
  'the title of a link or a picture has words': [`[a](b "c d") ![e](f 'g') [h](i (j))`, ['a e h', 'c d', 'g', 'j']],
  'HTML has words in the attributes for alternative text, hints and labels': [
    '<img src="a" alt="b &amp; c">\n\nd <i title=\'e\' data-alt="f" aria-label = "g">h</i> `<b title="i">`',
    ['b & c', 'd h', 'e', 'g'],
  ],
  'HTML in Markdown has words in the same attributes as HTML': [
    '<input type="submit" value="a"> <input type="text" value="x" placeholder="b"> <option label="c">d',
    ['/ / / d', 'a', 'b', 'c'],
  ],
  'tags and comments are left out': ['a<b>b</b>c<!-- d --> e <code>f</code>', ['abc e']],
  'tags of blocks and breaks separate texts': ['<div>a<br>b<p class="c">d</div>', ['/ a / b / d /']],
  'scripts and styles have no words': ['<script>\n\na\n</script>\n\n<style>b</style>\n\nc', ['c']],
  'front matter has a title and a description': [
    '---\ntitle: a\nlayout: b\ndescription: >\n  c\n  d\n---\ne',
    ['a', '> c d', 'e'],
  ],
  'cells, items and headings are texts': [
    '# a\n- b\n- [ ] c\n\n|d|e|\n|-|-|\n|f|g|',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  ],
  'tags of template systems are left out': ['a {{ b }} c {% d %}', ['a c']],
  'a line end of old Macs ends a line': ['# a\rb', ['a', 'b']],
}

for (const [title, [markdown, texts]] of Object.entries(CASES))
  test(title, () => assert.deepEqual(textsOf(markdown), texts))

test('text in 100 quotes and lists is unreadable, and a line of 100 signs is not', () => {
  const kindsOf = (markdown: string) => [...readMarkdown(sourceOf(markdown))].map(({ kind }) => kind)
  assert.deepEqual(kindsOf(`a\n\n${'> '.repeat(99)}b`), ['words', 'words'])
  for (const marks of ['> ', '>', '- ', '> 1. '])
    assert.deepEqual(kindsOf(`a\n\n${marks.repeat(100)}b`), ['unreadable'])
  for (const sign of ['-', '* ', '> ']) assert.deepEqual(kindsOf(`a\n\n${sign.repeat(100)}\n\nb`), ['words', 'words'])
})

for (const part of ['[', '*', '> ', '<', '<!--', '`', '_', '~~', '![', '{{', '<a<', '**a_', '\\', '[a](', '<div>\n'])
  test(`100,000 times ${JSON.stringify(part)} is read`, () => {
    assert.ok(textsOf(part.repeat(100_000)).length <= 100_000)
  })
