import assert from 'node:assert/strict'
import test from 'node:test'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { assertRendered, renderedText } from '#test/site/markdown/rendered.ts'

test('HTML on the safe list is kept, without its style and classes', () =>
  assertRendered([
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
  ]))

test('a frame with a page of another site is removed', () =>
  assertRendered([['<iframe src="https://example.org">a</iframe>b', 'b']]))

const SCHEMES = `
  javascript:alert(1) JaVaScRiPt:alert(1) JaVa&#9;script:alert(1) java&Tab;script:alert(1)
  java&#10;script:alert(1) &#1;javascript:alert(1) &#106;avascript&colon;alert(1) data:text/html,x
  data:image/png;base64,AAAA vbscript:x blob:https://brand.example/x ms-word:ofe|u|x
  hTTps://brand.example/ ftp://brand.example/ https://brand.example/a:b HTTP://brand.example/
  mailto:brand@brand.example tel:+4930123456 //brand.example/a:b https&colon;//brand.example/
`
  .trim()
  .split(/\s+/)
const FORMS: readonly ((address: string) => string)[] = [
  address => `[a](${address})`,
  address => `[a](<${address}> "b")`,
  address => `[a][b]\n\n[b]: ${address}`,
  address => `![a](${address})`,
  address => `<a href="${address}">a</a>`,
  address => `<a href=' ${address}'>a</a>`,
  address => `<img src="${address}" alt="a">`,
  address => `<div><video src="${address}"></video></div>`,
  address => `<audio><source src="${address}"></audio>`,
  address => `<${address}>`,
]

test('check names exactly the addresses that the website leaves out, in each form of a link', () => {
  const counts = { left: 0, kept: 0 }
  for (const address of SCHEMES)
    for (const [at, form] of FORMS.entries()) {
      const text = form(address)
      if (at === FORMS.length - 1 && !/^<[a-z][a-z0-9+.-]+:[^<>\s]*>$/i.test(text)) continue
      const named = readMarkdown(text).problems.filter(({ rule }) => rule === 'link-dropped').length
      const safe = form('https://brand.example/x').replace("' ", "'")
      const isShown = addressesIn(text) >= addressesIn(safe)
      assert.equal(named, isShown ? 0 : 1, `${text}: ${renderedText(text)}`)
      counts[isShown ? 'kept' : 'left']++
    }
  assert.ok(counts.left > 100 && counts.kept > 40, JSON.stringify(counts))
})

/** The number of addresses on a page as the website shows it. */
function addressesIn(text: string): number {
  return renderedText(text).match(/ (?:href|src|srcset)="/g)?.length ?? 0
}

test('the address that the website leaves out is named at its line, with what to write', () => {
  const [problem] = readMarkdown('# A\n\n<a href="JaVa\tscript:x">a</a>').problems
  assert.deepEqual(problem, {
    rule: 'link-dropped',
    line: 3,
    message:
      'the website omits the link "JaVa\\tscript:x", because its address does not begin with https:, http:, mailto: or tel:: write such an address, or the path of a file',
  })
})

test('an address that the website leaves out with its element is not named again', () => {
  for (const text of [
    '<iframe src="javascript:x"></iframe>',
    '`[a](javascript:x)`',
    '<Card href="vbscript:x" />',
    '<constructor href="vbscript:x">',
  ])
    assert.equal(readMarkdown(text).problems.filter(({ rule }) => rule === 'link-dropped').length, 0, text)
})

test('an address that the website leaves out is named at its own line, also before HTML with links', () => {
  const text = 'A <javascript:alert(1)> b\n\n<p><a href="https://a.example">a</a></p>\n\n<a href="vbscript:x">b</a>\n'
  const found = readMarkdown(text).problems.filter(({ rule }) => rule === 'link-dropped')
  assert.deepEqual(found.map(({ line }) => line).toSorted(), [1, 5])
})

test('each link of an area in a picture is named, because the website shows none', () => {
  for (const address of ['javascript:1', 'https://a.example', 'logo.md'])
    for (const [text, line] of [
      [`# A\n\n<map name="m">\n<area href="${address}">\n</map>\n`, 4],
      [`A <AREA HREF='${address}'> b`, 1],
    ] as const) {
      const found = readMarkdown(text).problems.filter(({ rule }) => rule === 'link-dropped')
      const seen = found.map(problem => [problem.line, problem.message])
      assert.deepEqual(seen, [
        [line, `the website omits the link "${address}", as it does each <area>: write a link below the picture`],
      ])
    }
})
