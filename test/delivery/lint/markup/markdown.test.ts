import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMarkdown } from '#delivery/lint/markup/markdown.ts'
import { sourceOf } from '#delivery/lint/source.ts'

function textsOf(markdown: string): string[] {
  return [...readMarkdown(sourceOf(markdown))].map(use =>
    use.kind === 'words' ? use.text.replace(/\s+/g, ' ').trim() : use.kind,
  )
}

const CASES = [
  {
    title: 'marks do not split a word',
    markdown: 'utili**ze** _it_ ~~now~~ snake_case 2 * 3',
    texts: ['utilize it now snake_case 2 * 3'],
  },
  { title: 'code has no words', markdown: 'a `b` c\n\n```\nd\n```\n\n    e\n', texts: ['a c'] },
  {
    title: 'a link has its text, and a picture its alt text',
    markdown: '[a](b) ![c](d) [e][f] <https://g.h>\n\n[f]: i',
    texts: ['a c e /'],
  },
  {
    title: 'the title of a link or a picture has words',
    markdown: `[a](b "c d") ![e](f 'g') [h](i (j))`,
    texts: ['a e h', 'c d', 'g', 'j'],
  },
  {
    title: 'HTML has words in the attributes for alternative text, hints and labels',
    markdown: '<img src="a" alt="b &amp; c">\n\nd <i title=\'e\' data-alt="f" aria-label = "g">h</i> `<b title="i">`',
    texts: ['b & c', 'd h', 'e', 'g'],
  },
  {
    title: 'HTML in Markdown has words in the same attributes as HTML',
    markdown: '<input type="submit" value="a"> <input type="text" value="x" placeholder="b"> <option label="c">d',
    texts: ['/ / / d', 'a', 'b', 'c'],
  },
  { title: 'tags and comments are left out', markdown: 'a<b>b</b>c<!-- d --> e <code>f</code>', texts: ['abc e'] },
  {
    title: 'tags of blocks and breaks separate texts',
    markdown: '<div>a<br>b<p class="c">d</div>',
    texts: ['/ a / b / d /'],
  },
  {
    title: 'scripts and styles have no words',
    markdown: '<script>\n\na\n</script>\n\n<style>b</style>\n\nc',
    texts: ['c'],
  },
  {
    title: 'front matter has a title and a description',
    markdown: '---\ntitle: a\nlayout: b\ndescription: >\n  c\n  d\n---\ne',
    texts: ['a', '> c d', 'e'],
  },
  {
    title: 'cells, items and headings are texts',
    markdown: '# a\n- b\n- [ ] c\n\n|d|e|\n|-|-|\n|f|g|',
    texts: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  },
  { title: 'tags of template systems are left out', markdown: 'a {{ b }} c {% d %}', texts: ['a c'] },
  { title: 'a line end of old Macs ends a line', markdown: '# a\rb', texts: ['a', 'b'] },
]

for (const { title, markdown, texts } of CASES) test(title, () => assert.deepEqual(textsOf(markdown), texts))

test('text in 100 quotes and lists is unreadable, and a line of 100 signs is not', () => {
  const kindsOf = (markdown: string) => [...readMarkdown(sourceOf(markdown))].map(({ kind }) => kind)
  assert.deepEqual(kindsOf(`a\n\n${'> '.repeat(99)}b`), ['words', 'words'])
  for (const marks of ['> ', '>', '- ', '> 1. '])
    assert.deepEqual(kindsOf(`a\n\n${marks.repeat(100)}b`), ['unreadable'])
  for (const sign of ['-', '* ', '> ']) assert.deepEqual(kindsOf(`a\n\n${sign.repeat(100)}\n\nb`), ['words', 'words'])
})

for (const part of [
  '[',
  '*',
  '> ',
  '<',
  '<!--',
  '`',
  '_',
  '~~',
  '- ',
  '&',
  '![',
  '{{',
  '<a<',
  '**a_',
  '\\',
  '[a](',
  '<div>\n',
])
  test(`100,000 times ${JSON.stringify(part)} is read`, () => {
    assert.ok(textsOf(part.repeat(100_000)).length <= 100_000)
  })
