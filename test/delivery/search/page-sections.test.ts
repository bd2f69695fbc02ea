import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '#delivery/search/index-entries.ts'
import { pageSections } from '#delivery/search/page-sections.ts'
import { wordsOf } from '#delivery/search/words.ts'
import { golden } from '../../support/golden.ts'

/** The sections of a page, or the text of its first part in excerpts. */
golden('search/page-sections', ({ markdown = '', parts }: { markdown?: string; parts?: string }) =>
  parts === undefined ? pageSections(markdown) : partsOf(parts)[0]?.text,
)

/** Hostile input: a start, a repeated piece, and an end. */
const HOSTILE: readonly (readonly [start: string, piece: string, end?: string])[] = [
  '>',
  '[',
  '*a ',
  '`',
  '`a``',
  '<',
  '# ',
  '#',
  ' #',
  '![',
  '<h1>',
  '\\',
  '[a](',
  '- ',
  'a\n-\n',
  '<a ',
  ' ',
  '<!--a',
  '<!--',
  '&',
  '_',
  '[^',
  '~',
  '|',
  '</h1>',
  '<h1 ',
  '<h1>a</h2>',
  '\0',
  '# a\n',
  '<pre>\n',
  '```',
  '色',
  '\ufdfa',
]
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

test('splitting any 64 KiB of Markdown takes about as long as splitting the same amount in short pieces', () => {
  for (const [start, piece, end = ''] of [...HOSTILE, ...UNFIT]) {
    const text = (size: number) => `${start}${piece.repeat(size / piece.length)}${end}`
    const times = timesLonger([text(SIZE)], Array(SIZE / SHORT).fill(text(SHORT)))
    assert.ok(times < MAX_TIMES, `${JSON.stringify([start, piece, end])} takes ${times.toFixed(1)} times as long`)
  }
})

const SIZE = 64 << 10
const SHORT = 256
const MAX_TIMES = 5

/**
 * How many times longer one list takes than the other, by the best of several runs: other load only slows a run down.
 * Stops after the first run that is short enough.
 */
function timesLonger(texts: readonly string[], others: readonly string[]): number {
  let [time, otherTime] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let turn = 0; turn === 0 || (turn < 30 && time > MAX_TIMES * otherTime); turn++) {
    time = Math.min(time, timeOf(texts))
    otherTime = Math.min(otherTime, timeOf(others))
  }
  return time / otherTime
}

function timeOf(texts: readonly string[]): number {
  const began = performance.now()
  for (const text of texts) for (const { heading, text: plain } of pageSections(text)) wordsOf(`${heading} ${plain}`)
  return performance.now() - began
}
