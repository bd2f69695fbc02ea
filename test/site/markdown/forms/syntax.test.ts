import assert from 'node:assert/strict'
import test from 'node:test'
import { highlightSyntax } from '../../../../src/site/markdown/forms/syntax.ts'
import { textOf } from '../../../../src/site/markdown/hast.ts'

const marks = (code: string, language: string) =>
  highlightSyntax(code, language)?.flatMap(node =>
    node.type === 'element' ? `${String(node.properties.className)} ${textOf(node)}` : [],
  )

test('code in languages common in guides is highlighted', () => {
  for (const [language, code, expected] of [
    [
      'css',
      '/* a */ .b { --c: #cc3a06; top: 1.5rem !important } @media',
      'comment /* a */|key --c|number #cc3a06|key top|number 1.5rem|keyword !important|keyword @media',
    ],
    [
      'html',
      '<a href="b">c &amp; d</a> <!-- e',
      'keyword <a|key href|string "b"|keyword >|keyword &amp;|keyword </a|keyword >|comment <!-- e',
    ],
    ['ts', "const a = await b('c\\'d') // e", "keyword const|keyword await|string 'c\\'d'|comment // e"],
    ['json', '{ "a": [1, "b", true] }', 'key "a"|number 1|string "b"|keyword true'],
    ['yaml', 'a: "#b" # c\nd-e: 1', 'key a|string "#b"|comment # c|key d-e|number 1'],
    ['sh', 'npm i --save $A # b', 'keyword --save|key $A|comment # b'],
  ] as const)
    assert.deepEqual(marks(code, language)?.join('|'), expected, language)
  for (const language of ['', 'rust', 'constructor', '__proto__'])
    assert.equal(highlightSyntax('a', language), undefined)
})

test('highlighting keeps the text of code and takes linear time', () => {
  const pieces = [
    '/*',
    '"',
    "'",
    '`',
    '<!--',
    'a',
    '-',
    '--a',
    '&',
    '&#',
    '<',
    '=',
    '="',
    '#',
    '$',
    '1',
    '\\',
    ' ',
    ':',
    '"a',
    '/',
  ]
  for (const language of ['css', 'html', 'js', 'json', 'yaml', 'sh'])
    for (const piece of pieces) {
      const code = piece.repeat(50_000 / piece.length)
      const texts =
        highlightSyntax(code, language)?.map(node => (node.type === 'text' ? node.value : textOf(node))) ?? []
      assert.equal(texts.join('').replace(/\s+/g, ''), code.replace(/\s+/g, ''), `${language}: ${piece}`)
    }
})
