import assert from 'node:assert/strict'
import test from 'node:test'
import { convertHtml } from '#adopt/documents/html.ts'
import { TASK } from './task.ts'

const markdown = (source: string) => convertHtml(`<main>${source}</main>`, TASK).text.trimEnd()
const lost = (source: string) =>
  convertHtml(source, TASK).notes.lost.map(({ line, what, text }) => `${line} ${what}: ${text}`)

const FORMS: Readonly<Record<string, readonly [source: string, expected: string]>> = {
  'a picture with its description': ['<p><img src="a b.svg" alt="Mark" title="Blue">', '![Mark](<a b.svg> "Blue")'],
  'a figure': ['<figure><img src=a.png><figcaption>The <b>mark</b></figcaption></figure>', '![](a.png "The mark")'],
  'a figure with a link in its caption': [
    '<figure><img src=a.png><figcaption>By <a href=b.html>Ada</a></figcaption></figure>',
    '<figure>\n\n![](a.png)\n\n<figcaption>By <a href="b.html">Ada</a></figcaption>\n</figure>',
  ],
  'a table with a header': [
    '<table><tr><th>Name<th>Hex<tr><td><p>Ink<td>#123456<br>dark</table>',
    '| Name | Hex |\n| - | - |\n| Ink | #123456<br>dark |',
  ],
  'a table whose header is only bold': [
    '<table><caption>Inks</caption><tr><td><b>Name</b><td><b>Hex</b><tr><td>Ink<td>#123456</table>',
    'Inks\n\n| Name | Hex |\n| - | - |\n| Ink | #123456 |',
  ],
  'a table with a list in a cell': [
    '<table><tr><th>Use<tr><td><ul><li>Text<li><a href=b.html>Links</a></ul></table>',
    '<table>\n<tbody>\n<tr><th>Use</th></tr>\n<tr><td><ul>\n<li>Text</li>\n<li><a href="b.html">Links</a></li>\n</ul></td></tr>\n</tbody>\n</table>',
  ],
  'a table whose cells reach over others': [
    '<table><tr><th colspan=2 class=x>Inks<tr><td>A<td>B</table>',
    '<table>\n<tbody>\n<tr><th colspan="2">Inks</th></tr>\n<tr><td>A</td><td>B</td></tr>\n</tbody>\n</table>',
  ],
  'a table for layout': ['<table role=presentation><tr><td><p>A</p><p>B</table>', 'A\n\nB'],
  definitions: ['<dl><dt>Space<dd>One x</dl>', '<dl>\n<dt>Space</dt>\n<dd>One x</dd>\n</dl>'],
  details: [
    '<details><summary>Who?</summary><p>Ask <b>Ada</b>.</details>',
    '<details>\n<summary>Who?</summary>\n\nAsk **Ada**.\n\n</details>',
  ],
  'elements that Markdown lacks': [
    '<p>H<sub>2</sub>O <kbd>Tab</kbd> <mark>new</mark>',
    'H<sub>2</sub>O <kbd>Tab</kbd> <mark>new</mark>',
  ],
  'code of Sphinx': [
    '<div class="highlight-css"><div class=highlight><pre><span>a</span> {}</pre></div></div>',
    '```css\na {}\n```',
  ],
  'code of Docusaurus': [
    '<div class="language-js codeBlock"><pre class="language-js"><code>a</code></pre></div>',
    '```js\na\n```',
  ],
  'code with numbers of lines': [
    '<table class="highlighttable"><tr><td class="linenos"><pre>1</pre><td class="code"><pre>a\n\nb</pre></table>',
    '```\na\n\nb\n```',
  ],
  'a heading with an id of its own': [
    '<h2 id="space">Clear space<a class="headerlink" href="#space">¶</a></h2>',
    '## Clear space {#space}',
  ],
  'a heading with the usual id': ['<h2 id="clear-space">Clear space</h2>', '## Clear space'],
  footnotes: [
    '<p>Blue<sup id="r1"><a href="#n1">1</a></sup>.</p><ol><li id="n1"><p>Not red. <a href="#r1">↑</a></p></li></ol>',
    'Blue[^n1].\n\n[^n1]: Not red.',
  ],
  'an admonition of Sphinx': [
    '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot</p></div>',
    '> [!WARNING]\n> Hot',
  ],
  'a macro of Confluence': [
    '<div class="confluence-information-macro confluence-information-macro-tip"><p class="title">Ask first</p><div><p>Us</p></div></div>',
    '> [!TIP]\n> **Ask first**\n>\n> Us',
  ],
  'a callout of Notion': [
    '<figure class="callout"><div><span class="icon">💡</span></div><div>Hi</div></figure>',
    '> [!NOTE]\n> Hi',
  ],
  'a task of Notion': [
    '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Done</span></li></ul>',
    '- [x] Done',
  ],
  'lists of Google Docs': [
    '<ul class="lst-kix_a-0"><li>A</ul><ul class="lst-kix_a-1"><li>B</ul><ul class="lst-kix_a-0"><li>C</ul>',
    '- A\n  - B\n- C',
  ],
  'text styled by a class': [
    '<style>.c1{font-weight:700}</style><p><span class=c1>Always </span>blue',
    '**Always** blue',
  ],
  'a redirection of Google Docs': [
    '<a href="https://www.google.com/url?q=https://a.example/b?c%3Dd&sa=D">site</a>',
    '[site](https://a.example/b?c=d)',
  ],
  'elements that Markdown lacks, outside a paragraph': [
    '<div>Press <kbd>Tab</kbd></div><p>x',
    'Press <kbd>Tab</kbd>\n\nx',
  ],
  'words that a style sheet puts apart': ['<div><span>Navy</span><span>#0052CC</span></div>', 'Navy #0052CC'],
  'names that other pages link to': [
    '<a name="ink"></a><p>Ink<dl><dt><a name="sea"></a>Sea<dd>Blue</dl>',
    '<a id="ink"></a>\n\nInk\n\n<dl>\n<dt><a id="sea"></a>Sea</dt>\n<dd>Blue</dd>\n</dl>',
  ],
  'a heading in lines': ['<h2>Brand<br>guide</h2>', '## Brand guide'],
  'a section with an id': ['<section id="space"><div><h2>Clear space</h2></div></section>', '## Clear space {#space}'],
  'pictures that load later': [
    '<p><img data-lazy-src="a.png"><noscript><img src="a.png"></noscript><img srcset="b.png 1x, c.png 2x">',
    '![](a.png)![](b.png)',
  ],
  'a menu and an open dialog': ['<menu><li>A</menu><dialog open>B</dialog>', '- A\n\nB'],
  'a film': ['<video src="f/ident.mp4" title="The film"></video>', '[The film](f/ident.mp4)'],
  'sections named like parts of a site': [
    '<section id="menu"><h2 id="cookies">Cookies</h2><p>On menus.</section>',
    '## Cookies\n\nOn menus.',
  ],
  'an address as text': ['<p>ink@brand.example', 'ink@brand.example'],
  'characters of Markdown': ['<p>2 * 3 * 4 # _a_', '2 \\* 3 \\* 4 # \\_a\\_'],
}

for (const [subject, [source, expected]] of Object.entries(FORMS))
  test(`HTML becomes Markdown of ours: ${subject}`, () => assert.equal(markdown(source), expected))

test('a page is its main content: its navigation goes, and all else around it is lost with its words', () => {
  const page = convertHtml(
    `<title>Logo | Brand</title><meta name=description content="How to use it"><header>Brand team</header>
<nav><a href=/>Home</a></nav>Loose<main><h1>Logo</h1><p>Use it.<aside><a href=/b>More</a></aside></main><footer>© Brand</footer>`,
    TASK,
  )
  assert.equal(page.text, '# Logo\n\nUse it.\n')
  assert.deepEqual(page.lines, [2, 2, 2, 2])
  assert.deepEqual(page.meta, { title: undefined, description: undefined, aliases: [] })
  const around = { path: 'site/a.html', line: 2 }
  const [converted, what] = [page.notes.converted, 'the navigation of the guide']
  assert.deepEqual(converted, [
    { ...around, what: '<nav> Home', became: what },
    { ...around, what: '<aside> More', became: what },
    {
      ...around,
      line: 1,
      what: 'description for search engines: How to use it',
      became: 'the first words of the page',
    },
  ])
  assert.deepEqual(page.notes.lost, [
    { path: 'site/a.html', line: 1, what: '<header> around the page', text: 'Brand team' },
    { ...around, what: 'text around the page', text: 'Loose' },
    { ...around, what: '<footer> around the page', text: '© Brand' },
  ])
})

test('a page says what its site is: its language, name, logos, icons, picture and navigation', () => {
  const { head, meta } = convertHtml(
    `<html lang=ja><title>Logo | Brand</title><meta property=og:site_name content=Brand><meta property=og:image content=o.png>
<meta name=description content=About><link rel="shortcut icon" href=i.ico><link rel=stylesheet href=a.css>
<header><a href=/><img src=l.svg></a></header><nav class=breadcrumbs><a href=/b>B</a></nav>
<nav><a href=/>Home</a><a href=#x>Skip</a><a href=c.html aria-label=Colours><img src=c.svg></a></nav>
<main><header><img src=m.svg></header><nav><a href=#y>In</a></nav><img src=n.svg></main>`,
    TASK,
  )
  assert.deepEqual(head, {
    lang: 'ja',
    siteName: 'Brand',
    title: 'Logo | Brand',
    description: 'About',
    logos: ['l.svg'],
    icons: ['i.ico'],
    image: 'o.png',
    nav: [
      { label: 'Home', address: '/' },
      { label: 'Colours', address: 'c.html' },
    ],
  })
  assert.equal(meta.description, 'About')
})

test('a page of several articles is all of them, without what a header says that has no heading', () => {
  const page = convertHtml('<header>Brand</header><article><p>A</article><article><p>B</article>', TASK)
  assert.equal(page.text, 'A\n\nB\n')
  const texts = page.notes.lost.map(({ text }) => text)
  assert.deepEqual(texts, ['Brand'])
})

test('a page without a heading has the title of the browser', () => {
  assert.equal(convertHtml('<title>Logo</title><p>Use it.', TASK).meta.title, 'Logo')
  const confluence =
    '<h1><span id="title-text">Team : Logo</span></h1><div id="content" class="view"><p class="title">Hint'
  assert.equal(convertHtml(confluence, TASK).meta.title, 'Logo')
})

test('what a page cannot say here is lost with its words, addresses and colours', () => {
  const source = `<main>
<iframe title="The film" src="https://video.example/1"></iframe>
<form><label>Name <input></label></form>
<svg aria-label="Mark"><use href="#north"/></svg>
<script>start()</script><!-- to do -->
<div style="background: #003da5; width: 9px">Blue</div>
<video poster="p.jpg"><source src="a.mp4"></video><brand-card label="North">Card</brand-card>
<table><tr><td style="background: url(b.png)"><b title="Note">A</b><td><!-- cell --></table><a href="#">Top</a>
<svg width="24" height="24"><path/></svg></main>`
  assert.deepEqual(lost(source), [
    '2 <iframe>: The film https://video.example/1',
    '3 <form>: Name',
    '4 <svg>: Mark',
    '5 <script>: start()',
    '5 comment: to do',
    '6 colour in a style attribute: background: #003da5 Blue',
    '7 <brand-card>: label: North',
    '8 picture in a style attribute: background: url(b.png) A',
    '8 <b>: title: Note',
    '8 comment: cell',
    '9 <svg>: a drawing of 24 × 24',
    '7 <video>: p.jpg',
    '8 link: #',
  ])
})

test('what readers never see does not arrive, and what they can open does', () => {
  const seen = (source: string) => {
    const page = convertHtml(`<main><p>A</p>${source}</main>`, TASK)
    return [page.text.replace(/^A\n\n?|\n$/g, ''), ...page.notes.lost.map(({ what, text }) => `${what}: ${text}`)]
  }
  const hidden = ['<p> that readers do not see: B']
  for (const source of [
    '<p hidden>B</p>',
    '<p style="color: red; display: none !important">B</p>',
    '<p style=visibility:hidden>B</p>',
    '<style>.x, .y { display: none }</style><p class=y>B</p>',
    '<style>p#z.x { visibility: hidden } .x .y { display: block }</style><p id=z class=x>B</p>',
  ])
    assert.deepEqual(seen(source), ['', ...hidden], source)
  assert.deepEqual(seen('<dialog>B</dialog><template><p>C</template>'), [
    '',
    '<dialog> that readers do not see: B',
    '<template> that readers do not see: C',
  ])
  for (const source of [
    '<p hidden=until-found>B</p>',
    '<button aria-controls="q b"></button><p id=b hidden>B</p>',
    '<p role=tabpanel hidden>B</p>',
    '<style>.x { display: none } .x.open { display: block }</style><p class=x>B</p>',
    '<style>.js .x { display: none }</style><p class=x>B</p>',
    '<style>@media print { .x { display: none } }</style><p class=x>B</p>',
    '<style>.x { display: none } @media (width > 9em) { .x { display: block } }</style><p class=x>B</p>',
    '<x-box><template shadowrootmode=open><slot></slot></template><p>B</p></x-box>',
    '<x-box><template shadowrootmode=open><slot name=b></slot></template><p slot=b>B</p></x-box>',
  ])
    assert.deepEqual(seen(source), ['B'], source)
})

test('a picture or drawing in the page itself is a file, and tables are given as text', () => {
  const { text, pictures, tables } = convertHtml(
    '<img src="data:image/png;base64,AAEC"><svg aria-label="Mark" viewBox="0 0 9 9"><path d="M0 0"/></svg><table><tr><th>Name<th>Hex<tr><td>Ink<td><code>#123</code></table>',
    TASK,
  )
  assert.match(text, /^!\[\]\(\/@media\/picture-1\.png\)!\[Mark\]\(\/@media\/picture-2\.svg\)/)
  const svg = '<svg aria-label="Mark" viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>'
  assert.deepEqual(pictures, [
    { name: 'picture-1.png', bytes: Buffer.from([0, 1, 2]) },
    { name: 'picture-2.svg', bytes: Buffer.from(svg) },
  ])
  assert.deepEqual(tables, [{ line: 1, header: ['Name', 'Hex'], rows: [['Ink', '#123']] }])
})

test('colours in lists, definitions and cards are tables of values, and a swatch shows its value', () => {
  const { text, tables } = convertHtml(
    `<main><ul><li style="background: #112233">Ink<li style="background:#fff"><b>Paper</b> #fff</ul>
<dl><dt>Reed<dd>#3a7f5c, RGB 58 127 92<dt>Moss<dd>#123524</dl>
<div><div><p class=swatch style="background:#036"></p><h3>Navy</h3><p>Pantone 282 C<p>CMYK 100/60/0/60</div><div><p>#f80</p><h3>Sun</h3><p>#f80 for borders</p></div></div>
<ul><li>Never #fff on #eee<li>Use #112233</ul></main>`,
    TASK,
  )
  assert.match(text, /^- Ink `#112233`\n- \*\*Paper\*\* #fff\n/)
  const rows = tables.toSorted((a, b) => a.line - b.line).map(({ header, rows }) => [header, ...rows])
  assert.deepEqual(rows, [
    [
      ['Name', 'Hex'],
      ['Ink', '#112233'],
      ['Paper', '#fff'],
    ],
    [
      ['Name', 'Hex', 'RGB'],
      ['Reed', '#3a7f5c', '58 127 92'],
      ['Moss', '#123524', ''],
    ],
    [
      ['Name', 'Hex', 'CMYK', 'Pantone'],
      ['Navy', '#036', '100/60/0/60', '282 C'],
      ['Sun', '#f80', '', ''],
    ],
  ])
})

test('a colour is named by the words before its values, or by the heading above a list or table of values', () => {
  const { tables } = convertHtml(
    `<main><div><div><span>gray 900</span> <span class=material-icons>content_copy</span><p>hex#232324<p>rgb35, 35, 36<p>cmyk0, 0, 0, 90</div>
<div>Sky (web) rgb(14, 165, 233) #0EA5E9 PANTONE: P 116-8 C</div></div><h2>Sea</h2><ul><li>PANTONE 282 C<li>Hex: #005dac</ul>
<h2>Moss</h2><table><tr><td>HEX<td>#123524<tr><td>Oklch<td>oklch(30% 0.1 145)<tr><td>RGB<td>rgb(18, 53, 36)</table></main>`,
    TASK,
  )
  const rows = tables.filter(({ header }) => header[0] === 'Name').flatMap(table => table.rows)
  assert.deepEqual(
    rows.map(([name, hex]) => [name, hex]),
    [
      ['gray 900', '#232324'],
      ['Sky (web)', '#0EA5E9'],
      ['Sea', '#005dac'],
      ['Moss', '#123524'],
    ],
  )
})

test('the only heading of the first level names a page, also behind others', () => {
  const titleOf = (main: string) => convertHtml(`<main>${main}<p>A</main>`, TASK).meta.title
  assert.equal(titleOf('<h2>Brand guide</h2><h1>Logo<a class=headerlink>¶</a></h1>'), 'Logo')
  assert.equal(titleOf('<h1>Logo</h1><h2>Use</h2>'), undefined)
})

test('the style sheets inside a page are kept on their lines, apart from its content', () => {
  const { text, sheet } = convertHtml(
    '<head>\n<style>:root { --ink: #123 }</style>\n</head>\n<body>\n<style>\nb {}\n</style>\n<p>A',
    TASK,
  )
  assert.deepEqual([text, sheet], ['A\n', '\n:root { --ink: #123 }\n\n\n\nb {}\n'])
})

for (const [subject, source, message] of [
  ['very deep', '<div>'.repeat(1_000_000), /^Error: has more than 300 elements inside each other/],
  ['very long', '<p>a'.repeat(60_000), /^Error: has more than 50000 elements/],
  ['only navigation', '<nav><a href=b.html>B</a></nav><div id=root></div>', /^Error: has no content/],
  ['only a redirection', '<meta http-equiv=refresh content="0; url=b.html">Moved', /^Error: only redirects to b\.html/],
] as const)
  test(`a page that is ${subject} is refused at once`, () => assert.throws(() => convertHtml(source, TASK), message))

test('a list of links is content where a page has little else, and a value is apart from its label', () => {
  const links = '<ul class=toc><li><a href=logo.html>Our logo</a><li><a href=type.html>Our typeface</a></ul>'
  assert.match(convertHtml(`<main><h1>Brand</h1>${links}</main>`, TASK).text, /\[Our logo\]\(logo\.html\)/)
  const long = `<p>${'How we use it. '.repeat(9)}`
  assert.doesNotMatch(convertHtml(`<main><h1>Brand</h1>${links}${long}</main>`, TASK).text, /Our logo/)
  assert.match(convertHtml('<main><h1>A</h1><div><span>rgb</span>0, 46, 102</div></main>', TASK).text, /rgb 0, 46/)
})

test('cards that say only names and values of colours become a table, and cards that say more stay', () => {
  const card = (name: string, rest: string) => `<div><b>${name}</b><p>hex<span>#${rest}</span></div>`
  const both = card('Reed', '3a7f5c') + card('Bay', '103040')
  const table = '| Name | Hex |\n| - | - |\n| Reed | #3a7f5c |\n| Bay | #103040 |'
  assert.equal(convertHtml(`<h1>Colours</h1><div>${both}</div>`, TASK).text, `# Colours\n\n${table}\n`)
  for (const more of ['<p>For water only.', '<img src=bay.png>', 'And others.'])
    assert.doesNotMatch(convertHtml(`<h1>Colours</h1><div>${both + more}</div>`, TASK).text, /\| Reed/)
})

test('the first line of a card is the name of its colour, also of one alone, and labels are no names', () => {
  const values = '<div><div>HEX</div><div>#F9F8F2</div></div><div><div>RGB</div><div>R 249 · G 248 · B 242</div></div>'
  const card = `<div><h4>Clear White</h4><i>open, neutral</i><b>#F9F8F2</b>${values}</div>`
  const names = (html: string) => convertHtml(html, TASK).tables.flatMap(({ rows }) => rows)
  assert.deepEqual(names(`<h1>Colours</h1><div>${card}</div>`), [['Clear White', '#F9F8F2', '249, 248, 242']])
  assert.deepEqual(names('<h1>A</h1><div><p>Our white is #F9F8F2 (RGB 249, 248, 242).</div>'), [])
})
