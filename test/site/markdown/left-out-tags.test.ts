import assert from 'node:assert/strict'
import test from 'node:test'
import { assertRendered, frameHtml, LAZY, renderedText } from './rendered.ts'

test('lines of only tags from other systems are removed, and so are tags around other content', () =>
  assertRendered([
    ['a\n\n{% include logo.html %}\n\nb', '<p>a</p>\n<p>b</p>'],
    ['{% note %}\nKeep *this*.\n{% endnote %}', '<p>Keep <em>this</em>.</p>'],
    ['{{< note >}}\n\n- a\n- b {{ site.name }}\n\n{{< /note >}}', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    [
      'A paragraph\n{: .lead}\n\n> {% x %} b',
      '<p>A paragraph</p>\n<blockquote class="statement">\n<p>b</p>\n</blockquote>',
    ],
    ["import Tabs from '@theme/Tabs'\n\na", '<p>a</p>'],
    ['## A {{ x }}', '<h2 id="a">A¶a¶</h2>'],
    ['#{{ hex }}\n\n<p>#{{ hex }}</p>\n\n#\n\n## \n\na', '<p></p>\n\n\n<p>a</p>'],
    ['Nr. #{{ n }} is\n[here](#{{ id }})', '<p>Nr.  is\n<a href="#">here</a></p>'],
    ['<div>\n{{ content }}\n<b>c</b>\n</div>', '<div>\n<b>c</b>\n</div>'],
  ]))

test('an indented block of only tags and pictures is text', () =>
  assertRendered([
    [
      '{% row %}\n\n    {% column %}\n    ![x](a.png)\n    {% endcolumn %}\n\n{% endrow %}',
      `<figure>${frameHtml('a.png', `<img src="a.png" alt="x" ${LAZY}>`)}</figure>`,
    ],
    ['a\n\n    {% include card.html\n       title="b"\n\n       image="c.png" %}\n\nd', '<p>a</p>\n<p>d</p>'],
  ]))

test('code and strings that only resemble tags are kept', () => {
  for (const source of [
    '`{{ a }}`',
    '```\n{% a %}\n```',
    '    let a = `{{ b }}`\n    c',
    '<pre>{{ a }}</pre>',
    'a {b} {{',
    'import it',
  ])
    assert.match(renderedText(source), /\{\{|\{%|\{b\}|import it/, source)
  assert.equal(renderedText('`{{ a }}` {{ b }} c'), '<p><code>{{ a }}</code>  c</p>')
})

test('indented text in a box of HTML that it closes is text; other indented code stays', () => {
  const box = '<div>\n    <div class="x">\n\n    A <br>\n\n    B\n\n    </div>\n</div>\n\nC'
  assert.equal(renderedText(box).replace(/\s+/g, ''), '<div><div><p>A<br></p><p>B</p></div></div><p>C</p>')
  for (const code of ['<div>\n      a\n    </div>', '</code>', 'a <br>'])
    assert.match(renderedText(`Text\n\n    ${code}\n\nC`), /<pre tabindex="0"><code>/, code)
  assert.match(renderedText('```\n    </div>\n```\n'), /&#x3C;\/div>/)
})
