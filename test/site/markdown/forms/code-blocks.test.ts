import assert from 'node:assert/strict'
import test from 'node:test'
import { highlightSyntax } from '#site/markdown/forms/code-blocks.ts'
import { textOf } from '#site/markdown/hast.ts'
import { renderedText } from '../rendered.ts'

test('the amount of highlighted code on a page is limited', () => {
  const marked = renderedText(`\`\`\`js\n${'"",'.repeat(10_000)}\n\`\`\`\n\n`.repeat(3))
  assert.equal(marked.match(/<span class="string"/g)?.length, 10_000)
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
