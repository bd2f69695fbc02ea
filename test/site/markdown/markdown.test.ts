import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '../../../src/site/markdown/markdown.ts'
import type { Picture } from '../../../src/site/markdown/page-pictures.ts'

const PICTURES = new Map<string, Picture>([
  ['/w/p/-/files/k/logo.svg', { width: 300, height: 100, alt: 'The logo' }],
  ['/w/p/-/files/k/plain.png', { width: 40, height: 20 }],
])
const LOGO = 'src="/w/p/-/files/k/logo.svg"'
const LAZY = 'loading="lazy" decoding="async"'
const OUT = 'rel="noopener noreferrer"'

/** What the sources become, each alone on a page. */
const CASES: Readonly<Record<string, readonly (readonly [source: string, html: string])[]>> = {
  'a heading has an id and a link to itself': [
    ['## Clear *space*', '<h2 id="clear-space">Clear <em>space</em>¶clear-space¶</h2>'],
    ['### Größe & Maß: 2,5 %', '<h3 id="größe--maß-25-">Größe &#x26; Maß: 2,5 %¶größe--maß-25-¶</h3>'],
    ['# ロゴ', '<h1 id="ロゴ">ロゴ¶ロゴ¶</h1>'],
    ['## snake_case `code`', '<h2 id="snake_case-code">snake_case <code>code</code>¶snake_case-code¶</h2>'],
    ['## !', '<h2 id="section">!¶section¶</h2>'],
    ['## a\n## a\n## a-1\n## a', heads('a', 'a-1', 'a-1-1', 'a-2', ['a', 'a', 'a-1', 'a'])],
    [
      '<h2 id="old">New</h2>\n\n[a](#old)',
      `<h2 id="new"><span id="user-content-old"></span>New¶new¶</h2>\n<p><a href="#user-content-old">a</a></p>`,
    ],
    ['<a href="/x">\n<h2>a</h2>\n</a>', '<a href="/x">\n<h2 id="a">a</h2>\n</a>'],
  ],
  'a link leads where it says, and one that leaves the site says nothing of where it comes from': [
    ['[a](/w/p/logo)', '<p><a href="/w/p/logo">a</a></p>'],
    ['[a](/w/p/logo?x=1#y "T")', '<p><a href="/w/p/logo?x=1#y" title="T">a</a></p>'],
    ['[a](https://example.org)', `<p><a href="https://example.org" ${OUT}>a</a></p>`],
    ['[a](HTTPS://EXAMPLE.ORG)', `<p><a href="HTTPS://EXAMPLE.ORG" ${OUT}>a</a></p>`],
    ['[a](//example.org)', `<p><a href="//example.org" ${OUT}>a</a></p>`],
    ['[a](mailto:a@example.org)', '<p><a href="mailto:a@example.org">a</a></p>'],
    ['[a](tel:+4930)', '<p><a href="tel:+4930">a</a></p>'],
    ['<a href="https://example.org" target="_blank">a</a>', `<p><a href="https://example.org" ${OUT}>a</a></p>`],
    ['[a](#top)', '<p><a href="#top">a</a></p>'],
    ['[a](#%E0%A4%A)', '<p><a href="#%E0%A4%25A">a</a></p>'],
    ['<a name="x y">b</a> [a](<#x y>)', '<p><a name="user-content-x y">b</a> <a href="#user-content-x%20y">a</a></p>'],
  ],
  'a cell at the head of a table that is empty heads nothing': [
    ['| | a |\n|-|-|', box('Table', '<table>\n<thead>\n<tr>\n<td></td>\n<th>a</th>\n</tr>\n</thead>\n</table>')],
  ],
  'a picture of the project has its size, and its description where the page gives none': [
    [`a ![b](/w/p/-/files/k/logo.svg)`, `<p>a <img ${LOGO} alt="b" width="300" height="100" ${LAZY}></p>`],
    [
      `a ![](/w/p/-/files/k/logo.svg?v=1#x)`,
      `<p>a <img src="/w/p/-/files/k/logo.svg?v=1#x" alt="The logo" width="300" height="100" ${LAZY}></p>`,
    ],
    [
      'a ![](/w/p/-/files/k/plain.png)',
      `<p>a <img src="/w/p/-/files/k/plain.png" alt="" width="40" height="20" ${LAZY}></p>`,
    ],
    ['a ![b](missing.png)', `<p>a <img src="missing.png" alt="b" ${LAZY}></p>`],
    [`a <img ${LOGO} width="60">`, `<p>a <img ${LOGO} width="60" height="20" alt="The logo" ${LAZY}></p>`],
    [`a <img ${LOGO} height="50">`, `<p>a <img ${LOGO} height="50" width="150" alt="The logo" ${LAZY}></p>`],
    [`a <img ${LOGO} width="50%">`, `<p>a <img ${LOGO} width="50%" alt="The logo" ${LAZY}></p>`],
  ],
  'a picture that is a paragraph is a figure, with its title as the caption': [
    ['![a](b.png "The *c*")', `<figure><img src="b.png" alt="a" ${LAZY}><figcaption>The *c*</figcaption></figure>`],
    ['![a](b.png)', `<figure><img src="b.png" alt="a" ${LAZY}></figure>`],
    [
      '[![a](b.png "c")](/d)',
      `<figure><a href="/d"><img src="b.png" alt="a" ${LAZY}></a><figcaption>c</figcaption></figure>`,
    ],
    ['![a](b.png) ![c](d.png)', `<p><img src="b.png" alt="a" ${LAZY}> <img src="d.png" alt="c" ${LAZY}></p>`],
    ['> ![a](b.png)', `<blockquote>\n<figure><img src="b.png" alt="a" ${LAZY}></figure>\n</blockquote>`],
    [
      '<figure>\n\n![a](b.png)\n\n<figcaption>c</figcaption>\n</figure>',
      `<figure>\n<p><img src="b.png" alt="a" ${LAZY}></p>\n<figcaption>c</figcaption>\n</figure>`,
    ],
  ],
  'what stands elsewhere is a link to it, and is not loaded': [
    ['![A chart](https://example.org/a.png)', `<p><a href="https://example.org/a.png" ${OUT}>A chart</a></p>`],
    [
      '![](https://example.org/a.png)',
      `<p><a href="https://example.org/a.png" ${OUT}>https://example.org/a.png</a></p>`,
    ],
    ['[![Built](https://example.org/a.svg)](/b)', '<p><a href="/b"><span>Built</span></a></p>'],
    ['![a](data:image/png;base64,AA)', '<p><span>a</span></p>'],
    [
      '<video src="https://example.org/a.mp4" title="A film"></video>',
      `<p><a href="https://example.org/a.mp4" ${OUT}>A film</a></p>`,
    ],
    ['<audio></audio>', '<p><span>Sound</span></p>'],
    ['<iframe src="https://example.org">a</iframe>b', 'b'],
  ],
  'a film and a sound of the project have controls, and load when they are started': [
    [
      '<video src="/a.mp4" autoplay muted width="100">b</video>',
      '<p><video muted width="100" src="/a.mp4" controls preload="metadata"></video></p>',
    ],
    [
      '<video><source src="/a.mp4" type="video/mp4"><source src="https://e.example/b"><track src="/c.vtt" kind="captions" srclang="en"></video>',
      '<p><video controls preload="metadata"><source src="/a.mp4" type="video/mp4"><track src="/c.vtt" kind="captions" srclang="en"></video></p>',
    ],
  ],
  'a table scrolls in a box that has a name of its own': [
    [
      '| a |\n| -: |\n| b |\n\n<table><caption>Inks</caption><tr><td align="center">c</td></tr></table>',
      `${box('Table', '<table>\n<thead>\n<tr>\n<th align="right">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="right">b</td>\n</tr>\n</tbody>\n</table>')}\n${box('Table 2: Inks', '<table><caption>Inks</caption><tbody><tr><td align="center">c</td></tr></tbody></table>')}`,
    ],
  ],
  'code keeps its lines and says its language': [
    ['```js\na < b\n```', '<pre tabindex="0"><code class="language-js">a &#x3C; b\n</code></pre>'],
    ['```\n\na\n```', '<pre tabindex="0"><code>\na\n</code></pre>'],
    ['    a', '<pre tabindex="0"><code>a\n</code></pre>'],
  ],
  'the box of a task is named by the task': [
    ['- [x] Ask **her**\n- [ ]\n', list(task(' checked', 'Ask her', 'Ask <strong>her</strong>'), '<li>[ ]</li>')],
    [
      '- [ ] a\n\n  b',
      `<ul class="contains-task-list">\n<li class="task-list-item">\n<p><input type="checkbox" disabled aria-label="a"> a</p>\n<p>b</p>\n</li>\n</ul>`,
    ],
    ['a <input type="text" value="b"><input type="checkbox" aria-label="b"> c', '<p>a  c</p>'],
  ],
  'HTML that is on the safe list stays, without its style and classes': [
    [
      '<kbd>a</kbd> H<sub>2</sub>O <abbr title="b">c</abbr> <mark style="color:red" class="x">d</mark>',
      '<p><kbd>a</kbd> H<sub>2</sub>O <abbr title="b">c</abbr> <mark>d</mark></p>',
    ],
    [
      '<details open>\n<summary>a</summary>\n\n*b*\n\n</details>',
      '<details open>\n<summary>a</summary>\n<p><em>b</em></p>\n</details>',
    ],
    ['<p align="center" dir="rtl" lang="ar">a</p>', '<p align="center" dir="rtl" lang="ar">a</p>'],
    ['<font color="red">a</font> <nobr>b</nobr>', '<p>a b</p>'],
    ['a <!-- b --> c', '<p>a  c</p>'],
    ['---\ntitle: a\n---', '<hr>\n<h2 id="title-a">title: a¶title-a¶</h2>'],
  ],
}

for (const [sentence, cases] of Object.entries(CASES)) {
  test(sentence, () => {
    for (const [source, html] of cases) assert.equal(renderMarkdown(source, PICTURES).html.text, expected(html), source)
  })
}

test('footnotes are numbered, lead there and back, and have ids that no author can take', () => {
  const { html, headings } = renderMarkdown('# T[^b]\n\na[^a] b[^b]\n\n[^a]: A\n[^b]: B', PICTURES)
  const links = [...html.text.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  for (const id of links) assert.equal(html.text.split(` id="${id}"`).length, 2, id)
  assert.deepEqual(headings, [{ level: 1, id: 't', text: 'T' }])
})

test('headings are told in their order, and where a title that the page begins with ends', () => {
  const { headings, html, title } = renderMarkdown('# A\n\n> ## B\n\n<h3>C <b>d</b></h3>', PICTURES)
  assert.deepEqual(headings, [
    { level: 1, id: 'a', text: 'A' },
    { level: 2, id: 'b', text: 'B' },
    { level: 3, id: 'c-d', text: 'C d' },
  ])
  assert.match(html.text.slice(0, title?.end), /^<h1 id="a">A<a [^>]+>#<\/a><\/h1>$/)
  for (const text of ['', 'a\n\n# B', '## A', '![a](b)\n\n# B'])
    assert.notEqual(renderMarkdown(text, PICTURES).title?.isFirst, true, text)
})

test('of very many headings the first thousand are told, and all have their ids', () => {
  const { html, headings } = renderMarkdown('## A\n'.repeat(1500), PICTURES)
  assert.deepEqual([headings.length, headings.at(-1)?.id], [1000, 'a-999'])
  assert.match(html.text, /<h2 id="a-1499">/)
})

test('the title of a page ends where its element does, whatever its attributes say', () => {
  for (const text of ['<h1 title="</h1><b>">A</h1>\n\nb', '# [A](/a "</h1>")\n\nb', '\n<!-- c -->\n\n# A\n\nb']) {
    const { html, title } = renderMarkdown(text, PICTURES)
    assert.match(html.text.slice(0, title?.end), /^\s*<h1 .*<\/h1>$/, text)
    assert.equal(html.text.slice(title?.end), '\n<p>b</p>', text)
  }
})

test('the excerpt is the first paragraph as plain text, cut at a word', () => {
  const excerpt = (text: string) => renderMarkdown(text, PICTURES).excerpt
  assert.equal(
    excerpt('# A\n\n![b](c)\n\nThe [*logo*](/x)\nstands[^1] <b>alone</b>.\n\n[^1]: a'),
    'The logo stands alone.',
  )
  assert.equal(excerpt('- a'), '')
  assert.equal(excerpt('word '.repeat(100)), `${'word '.repeat(39)}word…`)
  assert.equal(excerpt('🎨'.repeat(200)), `${'🎨'.repeat(100)}…`)
})

test('a page that refers a thousand times to a long address is refused before it grows', () => {
  const text = `[a]: /${'x'.repeat(10_000)}\n\n${'[a] '.repeat(1000)}`
  assert.throws(() => renderMarkdown(text, PICTURES), RangeError)
  assert.equal(
    renderMarkdown(text.replace(/x{9950}/, ''), PICTURES).html.text.split(`="/${'x'.repeat(50)}"`).length,
    1001,
  )
})

test('what is listed of headings and labels does not grow with how deeply they stand in each other', () => {
  for (const [start, end] of [
    ['<div><h2>', '</h2></div>'],
    ['<table><caption>', '</caption></table>'],
    ['<li class="task-list-item"><input type="checkbox" disabled><div>', '</div></li>'],
  ] as const) {
    const text = `${start.repeat(40)}${'!'.repeat(20_000)} ${end.repeat(40)}`
    const { html, headings } = renderMarkdown(text, new Map())
    assert.ok(html.text.length < 60_000, `${start}: ${html.text.length}`)
    for (const heading of headings) assert.equal(heading.text, '!'.repeat(200))
  }
})

test('the first 200 characters of a heading make its id', () => {
  const { headings } = renderMarkdown(`# ${'a'.repeat(199)} b *c*\n\n# ${'é'.repeat(300)}`, new Map())
  assert.deepEqual(headings, [
    { level: 1, id: 'a'.repeat(199), text: 'a'.repeat(199) },
    { level: 1, id: 'é'.repeat(200), text: 'é'.repeat(200) },
  ])
})

/** `¶id¶` stands for the link that a heading has to itself. */
function expected(html: string): string {
  return html.replace(
    /¶([^¶]+)¶/g,
    (_, id: string) => `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`,
  )
}

function heads(...parts: [string, string, string, string, string[]]): string {
  const [, , , , texts] = parts
  return texts.map((text, at) => `<h2 id="${parts[at]}">${text}¶${parts[at]}¶</h2>`).join('\n')
}

function box(label: string, table: string): string {
  return `<div class="table" role="region" aria-label="${label}" tabindex="0">${table}</div>`
}

function list(...items: string[]): string {
  return `<ul class="contains-task-list">\n${items.join('\n')}\n</ul>`
}

function task(checked: string, name: string, content: string): string {
  return `<li class="task-list-item"><input type="checkbox"${checked} disabled aria-label="${name}"> ${content}</li>`
}
