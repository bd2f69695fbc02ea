import assert from 'node:assert/strict'
import test from 'node:test'
import { highlightSyntax } from '#site/markdown/forms/code-blocks.ts'
import { textOf } from '#site/markdown/hast.ts'
import { assertRendered, renderedText } from '../rendered.ts'

const BUTTON = '<button type="button" class="copy" data-copy="" aria-label="Copy the code"></button>'

test('a code block has a copy button and highlighted syntax', () => {
  assert.equal(
    renderedText('```css\n/* a < b */ c\n```'),
    `<div class="code"><pre tabindex="0"><code class="language-css"><span class="comment">/* a &#x3C; b */</span> c\n</code></pre>${BUTTON}</div>`,
  )
})

test('the amount of highlighted code on a page is limited', () => {
  const marked = renderedText(`\`\`\`js\n${'"",'.repeat(10_000)}\n\`\`\`\n\n`.repeat(3))
  assert.equal(marked.match(/<span class="string"/g)?.length, 10_000)
})

test('HTML that is not a code block, or is in a link, has no copy button', () => {
  for (const source of ['<pre>a</pre>', '<pre><code>a</code> b</pre>', '<a href="/b"><pre><code>a</code></pre></a>'])
    assert.doesNotMatch(renderedText(source), /<button/, source)
})

const chip = (color: string) =>
  `<p><code><svg class="chip" viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0h1v1H0z" fill="${color}"></path></svg>${color}</code></p>`

test('code that is a colour has a chip', () =>
  assertRendered(
    ['#fff', '#CC3A06', '#cc3a0680', 'rgb(204, 58, 6)', 'rgb(204 58 6)', 'hsl(16, 94%, 41%)'].map(
      color => [`\`${color}\``, chip(color)] as const,
    ),
  ))

test('text that is only a colour as hex has a chip, except in links', () => {
  const chipsIn = (text: string) =>
    Array.from(renderedText(text).matchAll(/class="chip".*?fill="(.*?)"/g), ([, hex]) => hex)
  for (const [text, chips] of [
    ['| Sea |\n| - |\n| #cc3a06 |', ['#cc3a06']],
    ['R: 204<br>#CC3A06', ['#CC3A06']],
    ['<span>hex</span><span>#cc3a06</span>', ['#cc3a06']],
    ['Closes #123456', []],
    ['[#123456](https://example.com)', []],
    ['#fff', []],
  ] as const)
    assert.deepEqual(chipsIn(text), chips, text)
})

test('other code and code blocks have no chip', () => {
  for (const source of ['`#ff`', '`a #cc3a06`', '`rgb(url(x))`', '`#gggggg`', '```\n#cc3a06\n```', '    #cc3a06'])
    assert.doesNotMatch(renderedText(source), /<svg class="chip"/, source)
})

test('only the first 2000 colours in code on a page have a chip', () => {
  const html = renderedText('`#cc3a06` '.repeat(3000))
  assert.equal(html.match(/class="chip"/g)?.length, 2000)
  assert.equal(html.match(/<code>/g)?.length, 3000)
})

const marks = (code: string, language: string) =>
  highlightSyntax(code, language)?.flatMap(node =>
    node.type === 'element' ? `${String(node.properties.className)} ${textOf(node)}` : [],
  )

test('code in languages common in guides is highlighted', () => {
  for (const [language, code, expected] of [
    ['css', '/* a */ .b { --c: #cc3a06; top: 1.5rem !important } @media', 'comment /* a */|key --c|key top|key @media'],
    ['html', '<a href="b">c &amp; d</a> <!-- e', 'key <a|string "b"|key >|key </a|key >|comment <!-- e'],
    ['ts', "const a = await b('c\\'d') // e", "string 'c\\'d'|comment // e"],
    ['json', '{ "a": [1, "b", true] }', 'key "a"|string "b"'],
    ['yaml', 'a: "#b" # c\nd-e: 1', 'key a|string "#b"|comment # c|key d-e'],
    ['sh', 'npm i --save $A # b', 'key --save|key $A|comment # b'],
  ] as const)
    assert.deepEqual(marks(code, language)?.join('|'), expected, language)
  for (const language of ['', 'rust', 'constructor', '__proto__'])
    assert.equal(highlightSyntax('a', language), undefined)
})

test('highlighting keeps the text of code and takes linear time', () => {
  const pieces = ['/*', '"', "'", '`', '<!--', 'a', '-', '--a', '&', '&#', '<', '=', '="', '#', '$', '1', '\\', ' ']
  for (const language of ['css', 'html', 'js', 'json', 'yaml', 'sh'])
    for (const piece of pieces) {
      const code = piece.repeat(50_000 / piece.length)
      const texts =
        highlightSyntax(code, language)?.map(node => (node.type === 'text' ? node.value : textOf(node))) ?? []
      assert.equal(texts.join('').replace(/\s+/g, ''), code.replace(/\s+/g, ''), `${language}: ${piece}`)
    }
})
