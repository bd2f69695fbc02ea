import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '#delivery/lint/markup/html.ts'
import { readMarkdown } from '#delivery/lint/markup/markdown.ts'
import { readSvg } from '#delivery/lint/markup/svg.ts'
import { joinPieces, splitPieces, wordsOf } from '#delivery/lint/markup/words.ts'
import { NO_SHEETS, sourceOf } from '#delivery/lint/source.ts'
import type { Use } from '#delivery/lint/use.ts'

const readers = {
  html: (text: string) => readHtml(sourceOf(text), NO_SHEETS),
  svg: (text: string) => readSvg(sourceOf(`<svg><text>${text}</text></svg>`), NO_SHEETS),
  markdown: (text: string) => readMarkdown(sourceOf(text)),
}

/** The line and column of a word in all texts that have it. */
function placesOf(uses: Iterable<Use>, word: string): string[] {
  return [...uses].flatMap(use => {
    const index = use.kind === 'words' ? use.text.indexOf(word) : -1
    const { line, column } = (use.kind === 'words' && index >= 0 && use.at?.(index)) || {}
    return line === undefined ? [] : [`${line}:${column}`]
  })
}

const PLACES = [
  { kind: 'html', text: 'a\r\n<p>b\r\nutilize', place: '3:1' },
  { kind: 'html', text: 'a\r<p>utilize', place: '2:4' },
  { kind: 'html', text: '<p>Q&amp;A utilize', place: '1:12' },
  { kind: 'html', text: '<p>&unknown; utilize', place: '1:14' },
  { kind: 'html', text: '<p>😀 e\u0301 utilize', place: '1:10' },
  { kind: 'html', text: '<p>a <b>ut<i>il</b>ize', place: '1:9' },
  { kind: 'html', text: '<p title="é &quot;x&quot; utilize">', place: '1:27' },
  { kind: 'html', text: "<p title = 'utilize'>", place: '1:13' },
  { kind: 'html', text: '<p title=utilize>', place: '1:10' },
  { kind: 'html', text: '\ufeff<title>utilize</title>', place: '1:9' },
  { kind: 'svg', text: 'a\r\n&lt; &#x1F600; utilize', place: '2:16' },
  { kind: 'svg', text: '<![CDATA[&amp; utilize]]>', place: '1:27' },
  { kind: 'svg', text: 'a<!-- c --><tspan>utilize</tspan>', place: '1:30' },
  { kind: 'markdown', text: '# a\r\n\r\n> b\r\n> utilize', place: '4:3' },
  { kind: 'markdown', text: '\ufeff# utilize', place: '1:4' },
  { kind: 'markdown', text: '&amp; \\* **a** utilize', place: '1:16' },
  { kind: 'markdown', text: '[a](b "c") *utili**ze***', place: '1:13' },
  { kind: 'markdown', text: '---\r\ntitle: "utilize"\r\nx: y\r\n---\r\n', place: '2:9' },
  { kind: 'markdown', text: '---\ntitle: a\nx: y\n---\n| a |\n| - |\n| utilize |', place: '7:3' },
] as const

for (const { kind, text, place } of PLACES)
  test(`a word in ${kind} ${JSON.stringify(text)} is at ${place}`, () => {
    assert.deepEqual(placesOf(readers[kind](text), 'utilize'), [place])
  })

test('a text without letters and digits has no words', () => {
  assert.deepEqual(wordsOf(sourceOf(' — \n')), [])
})

test('a part with one piece as written keeps its offsets in the file', () => {
  const source = sourceOf('<a> red </a>')
  const text = joinPieces(source, [{ text: ' ', start: 9, isDecoded: true }, ...splitPieces(source.text, 3, 8)])
  assert.equal(text.text, ' red ')
  assert.deepEqual(text.span?.(1, 4), { start: 4, end: 7 })
})
