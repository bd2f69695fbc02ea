import assert from 'node:assert/strict'
import test from 'node:test'
import { convertMarkdown } from '#adopt/pages/convert-page.ts'

/** A dialect, its source, what the page becomes, and the rows of the report: `C` converted, `L` lost, with the line. */
type Case = readonly [what: string, source: string, text: string, ...rows: string[]]

const CONTAINERS: readonly Case[] = [
  [
    'an admonition of MkDocs with a title, code and a second paragraph',
    '!!! note "Clear *space*"\n    One\n\n    Two\n\n        code\nAfter',
    '> [!NOTE]\n> **Clear *space***\n>\n> One\n>\n> Two\n>\n>     code\n\nAfter',
    'C1 admonition of MkDocs: > [!NOTE]',
  ],
  [
    'an admonition on one line, and the next one',
    '!!! danger "Never" - **stretch** it\n!!! tip\n    Hold it',
    '> [!CAUTION]\n> **Never**\n>\n> - **stretch** it\n\n> [!TIP]\n> Hold it',
    'C1 admonition of MkDocs: > [!CAUTION]',
    'C2 admonition of MkDocs: > [!TIP]',
  ],
  [
    'a collapsible admonition with code that looks like one',
    '???+ warning\n    ```\n    !!! note\n    ```\n',
    '> [!WARNING]\n> ```\n> !!! note\n> ```\n',
    'C1 admonition of MkDocs: > [!WARNING]',
  ],
  [
    'an admonition in an admonition in a list',
    '1. Step\n\n    !!! note\n        !!! bug\n            Deep\n\n    More',
    '1. Step\n\n    > [!NOTE]\n    > > [!CAUTION]\n    > > Deep\n\n    More',
    'C3 admonition of MkDocs: > [!NOTE]',
    'C4 admonition of MkDocs: > [!CAUTION]',
  ],
  [
    'tabs of MkDocs',
    '=== "One"\n\n    1\n\n=== "Two"\n    2\n\nEnd',
    '<details name="tabs-1">\n<summary>One</summary>\n\n\n1\n\n</details>\n\n<details name="tabs-1">\n<summary>Two</summary>\n\n2\n\n</details>\n\nEnd',
    'C1 tab of MkDocs: <details name="tabs-1">',
    'C5 tab of MkDocs: <details name="tabs-1">',
  ],
  [
    'nested admonitions of Docusaurus with titles in brackets and words',
    '::::tip[Do **it**]\nA\n:::warning Now then\nB\n:::\n::::\nC',
    '> [!TIP]\n> **Do it**\n>\n> A\n> > [!WARNING]\n> > **Now then**\n> >\n> > B\n>\n\nC',
    'C1 admonition block: > [!TIP]',
    'C3 admonition block: > [!WARNING]',
  ],
  [
    'a collapsible container, and one that has no form here',
    '::: details More\nA\n:::\n:::columns\nB\n:::',
    '<details>\n<summary>More</summary>\n\nA\n\n</details>\n\n\nB\n',
    'C1 collapsible block: <details>',
    'L4 container: :::columns',
  ],
  [
    'a hint of GitBook, a shortcode of Hugo, and a tag without an end',
    '{% hint style="danger" %}\nA\n{% endhint %}\n{{< callout type="info" title="T" >}}\nB\n{{< /callout >}}\n\n{% alert "x" %}',
    '> [!CAUTION]\n> A\n\n> [!NOTE]\n> **T**\n>\n> B\n\n\n',
    'C1 admonition tag: > [!CAUTION]',
    'C4 admonition tag: > [!NOTE]',
    'L8 tag alert: {% alert "x" %}',
  ],
  [
    'callouts of Obsidian, also nested, but not those that are alerts',
    '> [!bug]- Title\n> A\n> > [!todo]\n> > B\n\n> [!note]\n> C\n\n- > [!tip] ==D==\n  > E',
    '> [!CAUTION]\n> **Title**\n>\n> A\n> > [!NOTE]\n> > B\n\n> [!note]\n> C\n\n- > [!TIP]\n  > **<mark>D</mark>**\n  >\n  > E',
    'C9 callout: [!TIP]…**',
    'C9 highlight: <mark>…</mark>',
    'C1 callout: [!CAUTION]…**',
    'C3 callout: [!NOTE]',
  ],
  [
    'shortcodes of Hugo on one line and on several, and with other names of their arguments',
    '{{< alert type="warning" >}}One{{< /alert >}} \n\nTwo\n\n{{% alert color="danger" %}}\nThree\n{{% /alert %}}\n{{< figure\n  src="a.png"\n  caption="Four"\n>}}',
    '> [!WARNING]\n> One\n\n\nTwo\n\n> [!CAUTION]\n> Three\n\n![](a.png "Four")',
    'C1 admonition tag: > [!WARNING]',
    'C5 admonition tag: > [!CAUTION]',
    'C8 tag figure: ![](a.png "Four")',
  ],
  [
    'tabs inside tabs, and tabs in colons',
    '=== "A"\n    === "B"\n        1\n=== "C"\n    2\n:::: tabs\n::: tab D\n3\n:::\n::::',
    '<details name="tabs-1">\n<summary>A</summary>\n\n<details name="tabs-2">\n<summary>B</summary>\n\n1\n\n</details>\n\n\n</details>\n\n<details name="tabs-1">\n<summary>C</summary>\n\n2\n\n</details>\n\n\n<details name="tabs-3">\n<summary>D</summary>\n\n3\n\n</details>\n\n',
    'C1 tab of MkDocs: <details name="tabs-1">',
    'C2 tab of MkDocs: <details name="tabs-2">',
    'C4 tab of MkDocs: <details name="tabs-1">',
    'C7 collapsible block: <details name="tabs-3">',
    'L6 container: :::: tabs',
  ],
  [
    'Markdown in HTML',
    '<div class="grid" markdown>\n    [**A**](a.md){ .md-button }\n    - :material-eye: b\n</div>\n<p markdown="1">*c*</p>',
    '<div class="grid" markdown>\n\n[**A**](a.md)\n- b\n\n</div>\n<p markdown="1">\n\n*c*\n\n</p>',
    'C1 Markdown in HTML: <div class="grid" markdown>',
    'C5 Markdown in HTML: <p markdown="1">',
    'L2 attribute list: { .md-button }',
    'L3 emoji or icon: :material-eye:',
  ],
  [
    'names of icons and elements for search engines, but not in code',
    '<div>\n    <meta name="a" content="b">\n    <p>A <i class="material-icons md">download</i></p>\n    <p>\n    <i class="material-icons">copy</i>\n    </p>\n</div>\n\n`<meta name="a">`',
    '<div>\n    <p>A </p>\n    <p>\n    </p>\n</div>\n\n`<meta name="a">`',
    'L3 emoji or icon: <i class="material-icons md">download</i>',
    'L5 emoji or icon: <i class="material-icons">copy</i>',
  ],
  [
    'admonitions that Jekyll includes, and code in HTML',
    '{% include callout.html type="danger" content="Never" %}\n<pre>\n!!! note\n</pre>',
    '> [!CAUTION]\n> Never\n\n<pre>\n!!! note\n</pre>',
    'C1 tag include: > [!CAUTION]\n> Never',
  ],
  [
    'an aside of Notion',
    '<aside>\n💡 Idea\n</aside>\nA\n<aside>💡 One line</aside>',
    '> [!NOTE]\n> 💡 Idea\n\nA\n> [!NOTE]\n> 💡 One line\n',
    'C1 aside of Notion: > [!NOTE]',
    'C5 aside of Notion: > [!NOTE]',
  ],
  ['code in a tag', '{% highlight css %}\n{{ a }}\n{% endhighlight %}', '```css\n{{ a }}\n```', 'C1 code tag: ```css'],
  [
    'a block of pymdownx, and a tip and an important text of Docsify',
    '/// warning | T\nA\n///\n?> B\n\n!> C',
    '> [!WARNING]\n> **T**\n>\n> A\n\n> [!TIP]\n> B\n\n> [!IMPORTANT]\n> C',
    'C1 admonition block: > [!WARNING]',
    'C4 tip of Docsify: > [!TIP]',
    'C6 important text of Docsify: > [!IMPORTANT]',
  ],
  [
    'tabs and other blocks of pymdownx',
    '/// tab | One\n1\n///\n\n/// caption\nWords\n///',
    '<details name="tabs-1">\n<summary>One</summary>\n\n1\n\n</details>\n\n\n\nWords\n',
    'C1 collapsible block: <details name="tabs-1">',
    'L5 container: /// caption',
  ],
  [
    'code is not touched',
    '```\n!!! note\n    [[A]] {{ b }}\n```\n\n    :::tip\n\n`==a==`',
    '```\n!!! note\n    [[A]] {{ b }}\n```\n\n    :::tip\n\n`==a==`',
  ],
]

const INLINES: readonly Case[] = [
  [
    'wiki links with headings and labels, also in a table',
    '[[Page]] [[Big Page#A b|text]] [[#Here]] [[a/b#^id]]\n\n| a |\n|---|\n| [[P\\|t]] |',
    '[Page](/@wiki/Page) [text](/@wiki/Big%20Page#a-b) [Here](#here) [a/b](/@wiki/a/b)\n\n| a |\n|---|\n| [t](/@wiki/P) |',
    'C1 wiki link: [Page](/@wiki/Page)',
    'C1 wiki link: [text](/@wiki/Big%20Page#a-b)',
    'C1 wiki link: [Here](#here)',
    'C1 wiki link: [a/b](/@wiki/a/b)',
    'C5 wiki link: [t](/@wiki/P)',
  ],
  [
    'embeds of pictures and notes',
    '![[a.png|200]] ![[b (1).png]] ![[c.png|Words|20x10]] ![[note]]',
    '<img src="/@wiki/a.png" width="200"> ![](/@wiki/b%20%281%29.png) <img src="/@wiki/c.png" alt="Words" width="20" height="10"> [note](/@wiki/note)',
    'C1 embed: <img src="/@wiki/a.png" width="200">',
    'C1 embed: ![](/@wiki/b%20%281%29.png)',
    'C1 embed: <img src="/@wiki/c.png" alt="Words" width="20" height="10">',
    'C1 embed: [note](/@wiki/note)',
  ],
  [
    'marks of text',
    '==a [[B]]== ++ctrl+x++ ^^c^^ H~2~O x^2^ :x: :my-icon:',
    '<mark>a [B](/@wiki/B)</mark> <kbd>ctrl</kbd>+<kbd>x</kbd> <ins>c</ins> H<sub>2</sub>O x<sup>2</sup> ❌ :my-icon:',
    'C1 wiki link: [B](/@wiki/B)',
    'C1 highlight: <mark>…</mark>',
    'C1 inserted text: <ins>…</ins>',
    'C1 keys: <kbd>ctrl</kbd>+<kbd>x</kbd>',
    'C1 emoji or icon: ❌',
    'L1 emoji or icon: :my-icon:',
    'C1 subscript: <sub>…</sub>',
    'C1 superscript: <sup>…</sup>',
  ],
  [
    'sizes of pictures',
    '![a|200](a.png) ![b](b.png =20x10) ![c](c.png "T"){width=3} ![d](d.png){: width="4" .x }',
    '<img src="a.png" alt="a" width="200"> <img src="b.png" alt="b" width="20" height="10"> <img src="c.png" alt="c" width="3" title="T"> <img src="d.png" alt="d" width="4">',
    'C1 attribute list: <img src="d.png" alt="d" width="4">',
    'C1 size of a picture: <img src="a.png" alt="a" width="200">',
    'C1 attribute list: <img src="c.png" alt="c" width="3" title="T">',
    'C1 size of a picture: <img src="b.png" alt="b" width="20" height="10">',
  ],
  [
    'attribute lists, lists of contents and comments go; ids of headings stay',
    '# A {#own}\n\n## B {.c}\n\nText ^id1\n{: .d }\n\n[TOC]\n\n%%secret%%\n',
    '# A {#own}\n\n## B \n\nText \n\n\n\n\n\n',
    'L10 comment of Obsidian: %%secret%%',
    'L6 attribute list: {: .d }',
    'L5 block id: ^id1',
    'C8 table of contents: nothing',
    'L3 attribute list: {.c}',
  ],
  [
    'ids of headings from attribute lists below or behind them, and lists of contents of kramdown',
    '# A\n{: #a .b }\n\nB\n---\n{: #b}\n\n### C {: .d #c}\n\n# D { #d .e }\n\n* Contents\n{:toc}\n\n| a |\n|---|\n| b ^id1 |',
    '# A {#a}\n\n\nB {#b}\n---\n\n\n### C {#c}\n\n# D {#d}\n\n\n\n| a |\n|---|\n| b |',
    'C10 attribute list: {#d}',
    'C13 attribute list: nothing',
    'C2 attribute list: {#a}',
    'C6 attribute list: {#b}',
    'C8 attribute list: {#c}',
    'L17 block id: ^id1',
  ],
  [
    'HTML that readers do not see, but not in code',
    'A <span hidden>b</span>\n\n<div style="display:none">\n\n*c*\n\n</div>\n\n`<p hidden>d</p>`',
    'A \n\n\n\n`<p hidden>d</p>`',
    'L1 HTML that readers do not see: <span hidden>b</span>',
    'L3 HTML that readers do not see: <div style="display:none">\n\n*c*\n\n</div>',
  ],
  [
    'what has no form is lost; code and HTML stay',
    '*[HTML]: Hyper\n\n```js title="x.js"\n```\n\n<iframe title="Film" src="https://x.example"></iframe>',
    '\n\n```js title="x.js"\n```\n\n<iframe title="Film" src="https://x.example"></iframe>',
    'L1 abbreviation: *[HTML]: Hyper',
    'L3 code syntax: ```js title="x.js"',
    'L6 html-dropped: <iframe title="Film" src="https://x.example"></iframe>',
  ],
]

const DEFINITIONS: readonly Case[] = [
  [
    'definitions become lists below their terms, also with more paragraphs',
    'A\n: One *x*\n\n    More\n\nB\n\n:   Two\n:   Three\n\n# C\n: d',
    '**A**\n- One *x*\n\n    More\n\n**B**\n\n-   Two\n-   Three\n\n# C\n- d',
    'C2 definition: **…**…-',
    'C8 definition: **…**…-',
    'C9 definition: -',
    'C12 definition: -',
  ],
]

const TAGS: readonly Case[] = [
  [
    'addresses and values',
    '[a]({{ site.baseurl }}/a) ![b]({{ "/b.png" | relative_url }}) {{ site.title }} {{ site.other }} <a href="{{ site.url }}/c">c</a>',
    '[a](/a) ![b](/b.png) Nova  <a href="/c">c</a>',
    'C1 template value: nothing',
    'C1 template value: /b.png',
    'C1 template value: Nova',
    'L1 template value: {{ site.other }}',
    'C1 template value: nothing',
  ],
  [
    'links to pages',
    '[a]({% link _docs/a b.md %}) [b]({% post_url 2026-01-02-b %}) [c]({{< ref "c.md#top" >}}) [d]({{< relref "/docs/d" >}})',
    '[a](/@site/_docs/a%20b.md) [b](/@wiki/2026-01-02-b) [c](/@wiki/c.md#top) [d](/@wiki/docs/d)',
    'C1 tag link: /@site/_docs/a%20b.md',
    'C1 tag post_url: /@wiki/2026-01-02-b',
    'C1 tag ref: /@wiki/c.md#top',
    'C1 tag relref: /@wiki/docs/d',
  ],
  [
    'pictures, films and links with their words',
    '{{< figure src="/a b.png" caption="The logo" alt="Alt" >}}\n\n{% include figure.html image_path="c.jpg" caption="Cap" credit="Jo Moss" %}\n\n{% image "d.png", "Two words" %}\n\n{% include link.html text="Go" url="/e" %}\n\n{{< youtube abc >}}\n\n{% video "f/a.mp4" %} {{< list path="/docs" >}}',
    '![Alt](/a%20b.png "The logo")\n\n![](c.jpg "Cap")\n\n![Two words](d.png)\n\n[Go](/e)\n\n<https://www.youtube.com/watch?v=abc>\n\n[a.mp4](f/a.mp4) ',
    'C1 tag figure: ![Alt](/a%20b.png "The logo")',
    'L3 tag include: Jo Moss',
    'C3 tag include: ![](c.jpg "Cap")',
    'C5 tag image: ![Two words](d.png)',
    'C7 tag include: [Go](/e)',
    'C11 tag video: [a.mp4](f/a.mp4)',
    'L11 tag list: {{< list path="/docs" >}}',
    'C9 tag youtube: <https://www.youtube.com/watch?v=abc>',
  ],
  [
    'links around content, and what a result does not say',
    '{{< button href="/x" >}}Get it{{< /button >}}\n\n{% content-ref url="a.md" %}\n[A](a.md)\n{% endcontent-ref %}\n\n{{< figure src="b.png" title="One" caption="Two" link="https://x.example/" >}}\n\n{% page-ref page="c.md" %} {% @figma/embed url="https://x.example/f" %}',
    '[Get it](/x)\n\n\n[A](a.md)\n\n\n![](b.png "Two")\n\n[c.md](c.md) [https://x.example/f](https://x.example/f)',
    'C1 tag button: [Get it](/x)',
    'C3 tag content-ref: nothing',
    'C7 tag figure: ![](b.png "Two")',
    'L7 tag figure: One',
    'L7 tag figure: https://x.example/',
    'C9 tag page-ref: [c.md](c.md)',
    'C9 tag @figma/embed: [https://x.example/f](https://x.example/f)',
  ],
  [
    'indented text in boxes of HTML, which is no code on its site',
    '<div>\n  <div>\n\n    A\n\n      B\n\n    </div>\n</div>\n\n    code',
    '<div>\n  <div>\n\nA\n\nB\n\n</div>\n</div>\n\n    code',
    'C4 indented text: text',
  ],
  [
    'links of one kind on lines after each other',
    '{% grid %}\n{% card title="A", description="First", href="/a" %}\n{% card title="B", href="/b" %}\n{% endgrid %}\n\n{% card title="C", href="/c" %}',
    '\n- [A](/a "First")\n- [B](/b)\n\n\n[C](/c)',
    'L1 tag grid: {% grid %}',
    'C2 tag card: - [A](/a "First")',
    'C3 tag card: - [B](/b)',
    'C6 tag card: [C](/c)',
  ],
  [
    'a loop that shows values goes with its text, and other values go, too',
    '{% for c in site.data.colors %}\n### {{ c.name }}\n{% for d in c %}{{ d }}{% endfor %}\n{% endfor %}\nA {{ b }} {{ "c" }}',
    '\nA  c',
    'L1 tag for: {% for c in site.data.colors %}\n### {{ c.name }}\n{% for d in c %}{{ d }}{% endfor %}\n{% endfor %}',
    'L5 template value: {{ b }}',
    'C5 template value: c',
  ],
  [
    'tags in addresses, over several lines, and alone on a line of HTML',
    '<img src="{% asset_path "a.png" %}"> [B]({{ b }})\n\n{{ table({\n  a: [\n\n    1\n  ]\n}) }}\n\n<div>\n    {% include icon.html %}\n    C\n</div>',
    '<img src="/@wiki/a.png"> B\n\n\n\n<div>\n        C\n</div>',
    'C1 tag asset_path: /@wiki/a.png',
    'L1 template value: {{ b }}',
    'L3 template value: {{ table({ a: [ 1 ] }) }}',
    'L11 tag include: {% include icon.html %}',
  ],
  [
    'indented text in tags, which is no code there',
    '{% grid %}\n{% cell %} ### A\n\n    ![](a.png)\n{% endcell %}\n{% endgrid %}\n\n- {% note %}\n\n      B\n\n  {% endnote %}\n\n{% row %}\n\n    {% cell %}\n\n        C\n    {% endcell %}\n{% endrow %}\n\n    code',
    '\n ### A\n\n![](a.png)\n\n\n\n- \n\n      B\n\n  \n\n\n\n\n\nC\n\n\n\n    code',
    'C4 indented text: text',
    'C18 indented text: text',
    'C16 indented text: text',
    'L1 tag grid: {% grid %}',
    'L2 tag cell: {% cell %}',
    'L8 tag note: {% note %}',
    'L14 tag row: {% row %}',
    'L16 tag cell: {% cell %}',
  ],
  [
    'tags around content leave it; raw text stays',
    '{% grid "two columns" %}\n\n*A*\n\n{% endgrid %}\n\n{% if x %}B{% else %}C{% endif %} {% raw %}{{ d }}{% endraw %}',
    '\n\n*A*\n\n\n\nBC {{ d }}',
    'L1 tag grid: {% grid "two columns" %}',
    'L7 tag if: {% if x %}',
    'L7 tag else: {% else %}',
    'C7 tag raw: nothing',
    'C7 tag endraw: nothing',
  ],
  [
    'addresses that Vue computes',
    '<img :src="withBase(\'/logo.svg\')" alt="Mark"> <a v-bind:href="next">On</a> `<img :src="\'b.svg\'">`',
    '<img src="/logo.svg" alt="Mark"> <a >On</a> `<img :src="\'b.svg\'">`',
    'C1 attribute of Vue: src="/logo.svg"',
    'L1 attribute of Vue: v-bind:href="next"',
  ],
  [
    'comments of Liquid',
    'A {% comment %}\nb\n{% endcomment %} C',
    'A \n\n C',
    'L1 comment of Jekyll and Liquid: {% comment %}\nb\n{% endcomment %}',
  ],
]

function convert(source: string) {
  const facts = { baseUrl: '', variables: new Map([['site.title', 'Nova']]) }
  return convertMarkdown(source, { path: 'a.md', shownPath: 'a.md', kind: 'md', facts, includes: new Map() })
}

for (const [what, source, text, ...rows] of [...CONTAINERS, ...INLINES, ...DEFINITIONS, ...TAGS])
  test(`a page keeps what it says in another dialect: ${what}`, () => {
    const page = convert(source)
    const { converted, lost } = page.notes
    const all = [
      ...converted.map(each => ({ ...each, kind: 'C', value: each.became })),
      ...lost.map(each => ({ ...each, kind: 'L', value: each.text })),
    ].map(({ kind, line, what: name, value }) => `${kind}${line} ${name}: ${value}`)
    assert.equal(page.text, text)
    assert.deepEqual(all.toSorted(), rows.toSorted())
    assert.equal(page.lines.length, text.split('\n').length)
  })

test('the report has the lines of the source, also below front matter and lines that were added', () => {
  const { notes } = convert('---\ntitle: A\n---\n!!! note "T"\n    [[B]]\n\n[[C]]')
  const seen = notes.converted.map(({ line, what }) => [line, what])
  assert.deepEqual(seen, [
    [4, 'admonition of MkDocs'],
    [5, 'wiki link'],
    [7, 'wiki link'],
  ])
})

test('a table of a page has its words, empty cells and the line of its header', () => {
  const { tables } = convert(
    '# A\n\n| Name | | Hex |\n|---|---|---|\n| **Ink** | | `#16202c` |\n|| \\| |\n\na | b\n-|-\n1 | [2](x)',
  )
  assert.deepEqual(tables, [
    {
      line: 3,
      header: ['Name', '', 'Hex'],
      rows: [
        ['Ink', '', '#16202c'],
        ['', '|'],
      ],
    },
    { line: 8, header: ['a', 'b'], rows: [['1', '2']] },
  ])
})

test('a list of names with colours is a table of values', () => {
  const { tables } = convert(
    '# A\n\n- **Reed** `#3a7f5c`\n- Moss: #123524, PMS 350 C\n- Read [more](x)\n\n1. Use #fff\n',
  )
  const rows = [
    ['Reed', '#3a7f5c', ''],
    ['Moss', '#123524', '350 C'],
  ]
  assert.deepEqual(tables, [{ line: 3, header: ['Name', 'Hex', 'Pantone'], rows }])
})

test('a table of colours is read once', () => {
  const { tables } = convert('# Colours\n\n| Name | Hex |\n| - | - |\n| Ink | #112233 |\n| Paper | #ffffff |\n')
  const rows = [
    ['Ink', '#112233'],
    ['Paper', '#ffffff'],
  ]
  assert.deepEqual(tables, [{ line: 3, header: ['Name', 'Hex'], rows }])
})

test('a table that a page has as HTML is read, too', () => {
  const { tables } = convert(
    '# A\n\n<table>\n<tr><th>Name</th><th>Hex</th></tr><tr><td class="b">Ink<td>#16202c</table>',
  )
  const rows = tables.flatMap(({ line, header, rows }) => [String(line), header, ...rows]).flat()
  const seen = rows.map(text => text.replace(/<[^>]*>/g, ''))
  assert.deepEqual(seen, ['3', 'Name', 'Hex', 'Ink', '#16202c'])
})

test('hostile pages do not stop a conversion', () => {
  const parts =
    '!!! note\n|:::tip\n|{% hint %}\n|{{ a |[[|![[a|{width=2}|![a](|> [!x]\n|<aside>|%%|==a|- [ ] :::\n'.split('|')
  for (const part of [...parts, '| a '])
    assert.equal(typeof convert(part.repeat(Math.ceil(10_000 / part.length))).text, 'string')
  assert.equal(typeof convert(`<i${' class="material-icons"'.repeat(10_000)}`).text, 'string')
})

test('a description that only search engines show is no second first sentence', () => {
  const described = (text: string, hidesDescription: boolean) => {
    const facts = { baseUrl: '', variables: new Map(), hidesDescription }
    const task = { path: 'a.md', shownPath: 'a.md', kind: 'md' as const, facts, includes: new Map() }
    return convertMarkdown(`---\ndescription: About\n---\n${text}`, task).meta.description
  }
  assert.deepEqual(
    [described('# A\n\nB', true), described('# A\n\n![b](b.png)', true), described('# A\n\nB', false)],
    [undefined, 'About', 'About'],
  )
})

test('a template may show the title of its page', () => {
  assert.equal(convert('---\ntitle: Logo\n---\n# {{ page.title }}').text, '# Logo')
})
