import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '#delivery/search/index-entries.ts'
import { pageSections } from '#delivery/search/page-sections.ts'
import { golden } from '../../support/golden.ts'

/** The sections of a page, or the text of its first part in excerpts. */
golden('search/page-sections', ({ markdown = '', parts }: { markdown?: string; parts?: string }) =>
  parts === undefined ? pageSections(markdown) : partsOf(parts)[0]?.text,
)

/** Hostile input: a start, a repeated piece, and an end. */
const HOSTILE: readonly (readonly [start: string, piece: string, end?: string])[] = [
  '>¦[¦*a ¦`¦`a``¦<¦# ¦#¦ #¦![¦<h1>¦\\¦[a](¦- ¦a\n-\n¦<a ¦ ¦<!--a¦<!--¦&¦_¦[^¦~¦|¦</h1>¦<h1 ¦<h1>a</h2>',
  '\0¦# a\n¦<pre>\n¦```¦色¦\ufdfa',
]
  .flatMap(list => list.split('¦'))
  .map((piece): [string, string] => ['', piece])
  .concat([
    ['a', '<!--a'],
    ['', '![](a "'],
    ['x', '<h1>'],
    ['x', '<h1>a</h2>'],
    ['x', '<h1 a'],
    ['x', '_ '],
    ['<', 'a'],
    ['a', '`'],
    ['a `', 'a'],
  ])

/** Hostile input with an end that does not match. */
const UNFIT: typeof HOSTILE = [
  ['# ', ' ', '\u2028'],
  ['# ', '\t', '\r'],
  ['# a', ' ', '\u2028#'],
  ['<a>', ' ', 'x'],
  ['```', ' ', '`'],
  ['a\n', '=', 'x'],
  ['|', ' ', 'x'],
  ['>', ' ', '\u2028'],
  ['a', '_', 'b'],
  ['a ', '_', 'b'],
]

test('any 64 KiB of Markdown is split, into no more text than it has', () => {
  for (const [start, piece, end = ''] of [...HOSTILE, ...UNFIT]) {
    const text = `${start}${piece.repeat(SIZE / piece.length)}${end}`
    const shown = pageSections(text).map(section => `${section.heading}${section.text}`.trim())
    assert.ok(shown.join('').length <= text.length, JSON.stringify([start, piece, end]))
  }
})

const SIZE = 64 << 10
