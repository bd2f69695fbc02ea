import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '#delivery/search/index-entries.ts'
import { pageSections } from '#delivery/search/page-sections.ts'
import { wordsOf } from '#delivery/search/words.ts'

test('the words of a heading beyond its first 200 characters are in the text below it', () => {
  const [section] = pageSections(`# ${'a'.repeat(195)} unbroken words\n\nText`)
  assert.deepEqual(section && [section.heading.length, section.text], [200, 'unbroken words Text'])
  const [even] = pageSections(`# ${'a'.repeat(200)}\n\nText`)
  assert.equal(even?.text, 'Text')
})

test('a section has the id that its heading ends with, without the mark', () => {
  const seen = pageSections('## Größe {#min}\n\n## Gro\u0308\u00dfe').map(({ heading, id }) => [heading, id])
  assert.deepEqual(seen, [
    ['Größe', 'min'],
    ['Gro\u0308\u00dfe', 'größe'],
  ])
})

test('a line break separates words, and the marker of an alert is not a word', () => {
  const [section] = pageSections(
    '| ![Logo](a.svg)<br>On Ink |\n|---|\n| One<br />two |\n\n> [!NOTE]\n> Keep it.\n\n[!NOTE] stays.',
  )
  assert.equal(section?.text, '| Logo On Ink | One two | Keep it. [!NOTE] stays.')
})

test('U+FEFF does not split a word', () => {
  const [section] = pageSections('Wort\ufeffmarke\u00a0 hier')
  assert.equal(section?.text, 'Wort\ufeffmarke hier')
})

test('the title of a film that only says that it plays in a loop is not in the text', () => {
  const [section] = pageSections('![Film](a.webm "loop") ![Logo](a.svg "A loop of wire")')
  assert.equal(section?.text, 'Film Logo (A loop of wire)')
})

test('tags of other systems are not in the text, as on pages, except in code', () => {
  const text =
    '{% include a.html %}\n# Colour {{ name }}\n\n{{ lead }} Use it. `{{ code }}`\n{:.note}\n\n```\n{% raw %}\n```\n'
  assert.deepEqual(pageSections(text), [
    { level: 1, heading: 'Colour', id: 'colour', text: 'Use it. {{ code }} {% raw %}', line: 1 },
  ])
})

test('tags over several lines, or indented, are not in the text either', () => {
  const text = [
    '# One',
    '{{< figure',
    '  src="a.png"',
    '    alt="Hidden" >}} Seen {{ a',
    '}}.',
    '',
    '{% columns %}',
    '',
    '    {% column %}',
    '    ![The mark](a.svg)',
    '    {% endcolumn %}',
    '',
    '- Item {% include x.html',
    '      title="Hidden" %} end',
    '',
    '  > {{ quoted',
    '  > again }} Quote',
    '',
    '## Two {{ open',
    '```',
    '{{ code }}',
    '```',
    'Last {% x',
    '%}.',
  ].join('\n')
  assert.deepEqual(pageSections(text), [
    { level: 1, heading: 'One', id: 'one', text: 'Seen . The mark | Item end Quote |', line: 0 },
    { level: 2, heading: 'Two {{ open', id: 'two--open', text: '{{ code }} Last .', line: 18 },
  ])
})

test('imports and exports of MDX are not in the text', () => {
  const text =
    'import Tabs from "@theme/Tabs"\nimport {\n  Card\n} from "card"\n\nexport const size = {\n  a: 1\n}\n\nSeen.\n'
  const texts = pageSections(text).map(section => section.text)
  assert.deepEqual(texts, ['Seen.'])
  assert.equal(pageSections('Seen.\nimport it from "abroad"\n')[0]?.text, 'Seen. import it from "abroad"')
})

test('excerpts separate cells and items, unless a sentence or a colon ends before them', () => {
  for (const [markdown, text] of [
    [
      'Avoid:\n\n- Shadows\n- Bevels.\n- 余白。\n  1. One\n  2. Two\n\nText',
      'Avoid: Shadows · Bevels. 余白。 One · Two · Text',
    ],
    ['- [ ] One\n- [x] Two', 'One · Two'],
    ['| a | b. |\n|---|---|\n| c | d |\n\n- e', 'a · b. c · d · e'],
  ] as const)
    assert.equal(partsOf(markdown)[0]?.text, text)
})

test('a page is split at its headings, each with its text without markup', () => {
  const page = `Before *all*, a [link](/x "t").

# Logo

![The mark](a.svg) Keep \`it\` **clear** &amp; \\*free\\* of snake_case.

| Ink | Value |
| --- | --- |
| red | #f00 |

Misuse
of it
-----
- never
  > <b>stretch</b> it[^1][^2]

[^1]: Ever

\`\`\`sh
# no heading
\`\`\`

## Misuse of it ##
[ref]: /x
`
  assert.deepEqual(pageSections(page), [
    { level: 0, heading: '', id: '', text: 'Before all, a link.', line: 0 },
    {
      level: 1,
      heading: 'Logo',
      id: 'logo',
      text: 'The mark Keep it clear & *free* of snake_case. | Ink | Value | red | #f00 |',
      line: 2,
    },
    {
      level: 2,
      heading: 'Misuse of it',
      id: 'misuse-of-it',
      text: '| never stretch it[^2] | Ever # no heading',
      line: 10,
    },
    { level: 2, heading: 'Misuse of it', id: 'misuse-of-it-1', text: '', line: 22 },
  ])
})

test('headings are read only where Markdown has them', () => {
  for (const [text, ...headings] of [
    ['    # a'],
    ['a\n    # b'],
    ['#a'],
    ['# a #\n## b#\n### c \\#', 'a', 'b#', 'c #'],
    ['```\n# a\n~~~\n```\n# b', 'b'],
    ['~~~ x\n# a\n~~~~\n# b', 'b'],
    ['```\n# a'],
    ['<!--\n# a\n-->\n# b', 'b'],
    ['<pre>\n# a\n</pre>\n\n# b', 'b'],
    ['<div>\n# a\n\n# b', 'b'],
    ['<h2 id="x">a <i>b</i></h2><h3>c</h3>', 'a b', 'c'],
    ['> # a\n> b\n> ===', 'a', 'b'],
    ['- # a\n- b\n  ---\n- c', 'a', 'b'],
    ['- a\n---'],
    ['| a |\n| - |\nb\n==='],
    ['| a |\n| - |\n# b\nc\n===', 'b', 'c'],
    ['1. a\n\n   ## b', 'b'],
    ['a\n\n---\n\nb\n==', 'b'],
    [
      '# [a](/b) ![c](/d) `e_` *f* g_h_i ~~j~~ &copy; <b>k</b> <https://l.example>[^1]',
      'a e_ f g_h_i j © k https://l.example[^1]',
    ],
  ] as const) {
    const found = pageSections(text).filter(({ level }) => level > 0)
    const seen = found.map(({ heading }) => heading)
    assert.deepEqual(seen, headings, text)
  }
})

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
