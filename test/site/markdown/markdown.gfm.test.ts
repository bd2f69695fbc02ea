import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlText, htmlTree, sanitizedTree } from '#site/markdown/markdown.ts'
import { parsedHtml } from './parsed-html.ts'

const th = (...cells: string[]) => `<thead><tr>${cells.map(cell => `<th>${cell}</th>`).join('')}</tr></thead>`
const td = (...rows: string[][]) => {
  const made = rows.map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`)
  return `<tbody>${made.join('')}</tbody>`
}
const task = (box: string, rest: string) =>
  `<li class="task-list-item"><input type="checkbox"${box} disabled> ${rest}</li>`
const tasks = (...items: string[]) => `<ul class="contains-task-list">${items.join('')}</ul>`
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`
const p = (content: string) => `<p>${content}</p>`

/** The rules of each GFM extension (specification 0.29), in our own examples. */
const RULES: Readonly<Record<string, readonly (readonly [markdown: string, html: string])[]>> = {
  '§4.10 tables': [
    ['| Ink | Paper |\n| --- | --- |\n| red | white |', `<table>${th('Ink', 'Paper')}${td(['red', 'white'])}</table>`],
    ['Ink | Paper\n--- | ---\nred | white', `<table>${th('Ink', 'Paper')}${td(['red', 'white'])}</table>`],
    [
      'a | b | c\n:- | :-: | -:',
      '<table><thead><tr><th align="left">a</th><th align="center">b</th><th align="right">c</th></tr></thead></table>',
    ],
    [
      '| a\\|b |\n| - |\n| `c\\|d` **\\|** |',
      `<table>${th('a|b')}${td(['<code>c|d</code> <strong>|</strong>'])}</table>`,
    ],
    ['| a |\n| - |\n| b |\n> c', `<table>${th('a')}${td(['b'])}</table><blockquote>${p('c')}</blockquote>`],
    ['| a |\n| - |\n| b |\nc\n\nd', `<table>${th('a')}${td(['b'], ['c'])}</table>${p('d')}`],
    ['| a |\n| - |\nb\n===', `<table>${th('a')}${td(['b'], ['==='])}</table>`],
    ['| a | b |\n| - |\n| c |', p('| a | b |<br>| - |<br>| c |').replaceAll('<br>', '\n')],
    ['| a | b |\n| - | - |\n| c |\n| d | e | f |', `<table>${th('a', 'b')}${td(['c', ''], ['d', 'e'])}</table>`],
    ['| a |\n| - |', `<table>${th('a')}</table>`],
    ['| *a* |\n| - |\n| [b](/c) |', `<table>${th('<em>a</em>')}${td([link('/c', 'b')])}</table>`],
  ],
  '§5.3 task lists': [
    ['- [ ] ask\n- [x] draw', tasks(task('', 'ask'), task(' checked', 'draw'))],
    ['* [X] a\n  * [ ] b', tasks(task(' checked', `a${tasks(task('', 'b'))}`))],
    ['- [] a\n- [y] b\n- [ ]c', '<ul><li>[] a</li><li>[y] b</li><li>[ ]c</li></ul>'],
  ],
  '§6.5 strikethrough': [
    ['~~old~~ new', p('<del>old</del> new')],
    ['~old~ new', p('<del>old</del> new')],
    ['a ~~b\n\nc~~ d', p('a ~~b') + p('c~~ d')],
    ['a ~~~b~~~', p('a ~~~b~~~')],
    ['~~a *b*~~', p('<del>a <em>b</em></del>')],
  ],
  '§6.9 autolinks': [
    ['www.example.org', p(link('http://www.example.org', 'www.example.org'))],
    ['See www.example.org/a/b.', p(`See ${link('http://www.example.org/a/b', 'www.example.org/a/b')}.`)],
    ['https://example.org/?a=(b)&c', p(link('https://example.org/?a=(b)&#38;c'))],
    ['(https://example.org/a(b)c)', p(`(${link('https://example.org/a(b)c')})`)],
    ['(https://example.org/a))', p(`(${link('https://example.org/a')}))`)],
    ['https://example.org/a&copy;', p(`${link('https://example.org/a')}©`)],
    ['https://example.org/a<b', p(`${link('https://example.org/a')}&#60;b`)],
    [
      'http://example.org, *https://example.org/b*',
      p(`${link('http://example.org')}, <em>${link('https://example.org/b')}</em>`),
    ],
    ['https://example.org/a&b;', p(`${link('https://example.org/a')}&#38;b;`)],
    ['https://example.org/(a))+b', p(link('https://example.org/(a))+b'))],
    ['brand@example.org', p(link('mailto:brand@example.org', 'brand@example.org'))],
    ['a.b-c_d@e.f', p(link('mailto:a.b-c_d@e.f', 'a.b-c_d@e.f'))],
    ['a.b-c_d@e.f.', p(`${link('mailto:a.b-c_d@e.f', 'a.b-c_d@e.f')}.`)],
    ['a.b-c_d@e.f-', p('a.b-c_d@e.f-')],
    ['a.b-c_d@e.f_', p('a.b-c_d@e.f_')],
    ['hello@brand+x.example', p('hello@brand+x.example')],
  ],
  footnotes: [
    [
      'a[^n]\n\n[^n]: b',
      `${p(
        'a<sup><a href="#fn-n" id="user-content-fnref-n" data-footnote-ref="" aria-describedby="user-content-footnote-label">1</a></sup>',
      )}<section data-footnotes="" class="footnotes"><h2 id="user-content-footnote-label">Footnotes</h2><ol><li id="user-content-fn-n">${p(
        'b <a href="#fnref-n" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a>',
      )}</li></ol></section>`,
    ],
    ['a[^n]', p('a[^n]')],
  ],
  '§6.11 disallowed raw HTML, which is removed instead of shown': [
    ['a <title>b</title> <em>c</em>', p('a  <em>c</em>')],
    ['<blockquote>\n  <xmp>a</xmp> b\n</blockquote>', '<blockquote>a b</blockquote>'],
    ['a <iframe src="/b"></iframe> <noembed>c</noembed><noframes>d</noframes>', p('a  ')],
    ['a <textarea>b</textarea><style>c</style><script>d</script>', p('a ')],
  ],
}

for (const [rule, examples] of Object.entries(RULES)) {
  test(`GFM ${rule}: every example gives the expected HTML`, () => {
    for (const [markdown, html] of examples) {
      assert.equal(tidy(htmlText(sanitizedTree(htmlTree(markdown)))), tidy(html), markdown)
    }
  })
}

/** Without white space between elements that make blocks. */
function tidy(html: string): string {
  return htmlText(parsedHtml(html)).replace(/\s*\n\s*(?=<)|(?<=>)\s*\n\s*/g, '')
}
