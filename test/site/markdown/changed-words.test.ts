import assert from 'node:assert/strict'
import test from 'node:test'
import { fromParse5 } from 'hast-util-from-parse5'
import { parseFragment } from 'parse5'
import { renderChanges } from '#site/markdown/changed-words.ts'
import { elementsOf } from '#site/markdown/hast.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { fc, scale } from '#test/support/random.ts'

const context = { name: 'Page', pictures: new Map() }
const changes = (before: string | undefined, after: string | undefined) => {
  const page = (text: string | undefined) => (text === undefined ? undefined : { text, context })
  return renderChanges({ before: page(before), after: page(after), address: '/acme/guide/page' }).text
}

for (const [name, before, after, expected] of [
  ['a changed word', 'The red fox.', 'The blue fox.', '<p>The <del>red</del><ins>blue</ins> fox.</p>'],
  [
    'a phrase',
    'Use the old mark on dark paper in print.',
    'Use our new mark on dark paper in print.',
    '<p>Use <del>the old</del><ins>our new</ins> mark on dark paper in print.</p>',
  ],
  [
    'bold text',
    'Keep **it** clear.',
    'Keep it clear.',
    '<p>Keep <strong><del>it</del></strong> <ins>it</ins> clear.</p>',
  ],
  [
    'a word in bold',
    'A **very big** sign',
    'A **very small** sign',
    '<p>A <strong>very <del>big</del><ins>small</ins></strong> sign</p>',
  ],
  ['a word without spaces', '赤い狐', '青い狐', '<p><del>赤い</del><ins>青い</ins>狐</p>'],
  ['a new paragraph', 'One.', 'One.\n\nTwo.', '<p>One.</p><p><ins>Two.</ins></p>'],
  ['a removed paragraph', 'One.\n\nTwo.', 'One.', '<p>One.</p><p><del>Two.</del></p>'],
  ['another text', 'One thing.', 'Nothing alike', '<p><del>One thing.</del></p><p><ins>Nothing alike</ins></p>'],
  ['a list', '- one\n- two', '- one\n- three\n- two', '<ul><li>one</li><li><ins>three</ins></li><li>two</li></ul>'],
  ['an author’s own mark', '~~Old~~ text', '~~Old~~ text here', '<p><s>Old</s> text <ins>here</ins></p>'],
  ['a new phrase', 'Welcome to it', 'Welcome, dear reader, to it', '<p>Welcome<ins>, dear reader,</ins> to it</p>'],
  ['a removed word', 'A very big sign', 'A big sign', '<p>A <del>very</del> big sign</p>'],
  [
    'code in a line',
    'Use `ab-1`.',
    'Use `ab-2`.',
    '<p>Use <del><code>ab-1</code></del><ins><code>ab-2</code></ins>.</p>',
  ],
  [
    'a word above a nested list',
    '- on screen\n  - a\n',
    '- on every screen\n  - a\n',
    '<ul><li><span>on <ins>every</ins> screen\n</span><ul>\n<li>a</li>\n</ul></li></ul>',
  ],
  [
    'a changed part of HTML without spaces',
    '<dl><dt>A</dt><dd>One</dd></dl>',
    '<dl><dt>A</dt><dd>Two</dd></dl>',
    '<dl><dt>A</dt><dd><del>One</del></dd><dd><ins>Two</ins></dd></dl>',
  ],
  [
    'words in a closed part, which it opens',
    '<details><summary>More</summary><p>One two</p></details>',
    '<details><summary>More</summary><p>One three</p></details>',
    '<details open><summary>More</summary><p>One <del>two</del><ins>three</ins></p></details>',
  ],
  [
    'a heading below the name of its page',
    '# Page\n\n## Old part',
    '# Page\n\n## New part',
    '<h4><del>Old</del><ins>New</ins> part</h4>',
  ],
  ['a wrapped line', 'One\ntwo', 'One two', '<p>One two</p>'],
  ['no text', undefined, 'New', '<p><ins>New</ins></p>'],
  ['a removed page', '[Gone](https://x.example)', undefined, '<p><a rel="noopener noreferrer"><del>Gone</del></a></p>'],
] as const)
  test(`the changes of a page mark ${name}`, () => assert.equal(changes(before, after), expected))

test('a changed cell of a table is marked in its row, and a new row as a whole', () => {
  const head = '| a | b |\n|--|--|\n'
  const text = changes(`${head}| 1 | 2 |\n`, `${head}| 1 | 3 |\n| 4 | 5 |\n`).replaceAll(/\n/g, '')
  const rows = '<tr><td>1</td><td><del>2</del><ins>3</ins></td></tr><tr><td><ins>4</ins></td><td><ins>5</ins></td></tr>'
  assert.ok(text.includes(`<tbody>${rows}</tbody>`), text)
})

test('a new column of a table is marked in each row', () => {
  const text = changes('| a |\n|--|\n| 1 |\n', '| a | b |\n|--|--|\n| 1 | 2 |\n').replaceAll(/\n/g, '')
  assert.ok(text.includes('<tr><th>a</th><th><ins>b</ins></th></tr>'), text)
  assert.ok(text.includes('<tr><td>1</td><td><ins>2</ins></td></tr>'), text)
})

test('parts in many others are compared as a whole', () => {
  const text = changes(`${'> '.repeat(200)}One two`, `${'> '.repeat(200)}One three`)
  assert.match(text, /<del>One two<\/del>[\s\S]*<ins>One three<\/ins>/)
})

test('a changed line of code keeps the rest of the code', () => {
  const text = changes('```css\na { color: red }\n```', '```css\na { color: blue }\n```')
  assert.match(text, /<pre[^>]*>.*<del>red<\/del><ins>blue<\/ins>[\s\S]*<\/pre>/)
  assert.equal(text.match(/<pre/g)?.length, 1)
})

test('unchanged blocks are folded and counted, except the first and the last', () => {
  const same = ['A', 'B', 'C', 'D', 'E'].join('\n\n')
  const folded = '<details class="same"><summary>Unchanged parts: 3</summary><p>B</p><p>C</p><p>D</p></details>'
  const seen = changes(`${same}\n\nOld end`, `${same}\n\nNew end`)
  assert.equal(seen, `<p>A</p>${folded}<p>E</p><p><del>Old</del><ins>New</ins> end</p>`)
  assert.doesNotMatch(changes('A\n\nB\n\nC\n\nOld end', 'A\n\nB\n\nC\n\nNew end'), /details/)
})

test('the change at the end of a long page is shown', () => {
  const long = 'The same words. '.repeat(100).concat('\n\n').repeat(300)
  assert.match(changes(`${long}Old end`, `${long}New end`), /<del>Old<\/del><ins>New<\/ins> end<\/p>$/)
})

test('ids are left out, and links within a page open the page', () => {
  const text = changes('# Page\n\n## One\n\n[to](#one)', '# Page\n\n## One\n\n[to](#one) it\n\n<b id="x">y</b>')
  assert.doesNotMatch(text, / id=| name=/)
  assert.match(text, /href="\/acme\/guide\/page#/)
})

test('a long rewritten page is shown up to a limit', () => {
  const text = (word: string) =>
    `${`${word} `.repeat(300)}

`.repeat(170)
  const shown = changes(text('abcde'), text('vwxyz'))
  assert.ok(shown.length < 400_000)
  assert.match(shown, /The rest of this page is not shown here/)
})

/** Pieces of Markdown and HTML, some of them hostile or unfinished. */
const PARTS = `a ¦b ¦\n\n¦**¦*¦\`¦- ¦> ¦# ¦<b>¦</b>¦<ul><li>¦<table><td>¦<script>alert(1)</script>¦~~¦<!--¦-->¦<p id=x>¦
<img src=x onerror=alert(1)>¦[x](javascript:alert(1))¦<details name=a>¦<ins onclick=x>¦</ins>¦\n\`\`\`\n¦[^1]\n\n[^1]: note¦
<svg><a href="javascript:x">¦\n| a | b |\n|--|--|\n| c | d |\n`.split('¦')

test('the changes of any two pages are balanced HTML without anything that pages may not have', () => {
  const part = fc.constantFrom(...PARTS)
  const page = fc.array(part, { maxLength: 14 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(page, page, (before, after) => {
      const html = changes(before, after)
      const elements = elementsOf(fromParse5(parseFragment(html)))
      assert.equal(elements.length, html.match(/<\w/g)?.length ?? 0)
      for (const { tagName, properties } of elements) {
        assert.doesNotMatch(tagName, /^(script|svg|style)$/)
        assert.doesNotMatch(JSON.stringify(properties), /"on|"id"|javascript/i)
      }
    }),
    { numRuns: scale(100) },
  )
})

test('without the removed words, the later page remains', () => {
  const [before, after] = [
    '# Page\n\nOne two.\n\n- a\n- b\n\nEnd here.',
    '# Page\n\nOne three.\n\n- b\n- c\n\nEnd there.',
  ]
  const words = (html: string) =>
    html
      .replaceAll(/<del>.*?<\/del>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .match(/\w+/g)
  assert.deepEqual(words(changes(before, after)), words(renderMarkdown(after, context).html.text))
})
