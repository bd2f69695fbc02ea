import assert from 'node:assert/strict'
import test from 'node:test'
import { readYaml } from '#intake/yaml/yaml.ts'
import { golden } from '#test/support/golden.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { messagesOf, problemLines, ruleIn, ruleLines } from '#test/support/problems.ts'
import { fc, forAllIn } from '#test/support/random.ts'
import { readFacts } from '../reading.ts'

const text = (line: number, text: string) => ({ kind: 'text', line, text })

test('YAML is read as strings, lists and mappings, each with its line', () => {
  assert.deepEqual(readYaml('# brand\n- name: Blue\n  rgb: [29, 112,\n    184]\n- x\n'), {
    root: {
      kind: 'list',
      line: 2,
      items: [
        {
          kind: 'mapping',
          line: 2,
          entries: [
            { key: 'name', line: 2, value: text(2, 'Blue') },
            {
              key: 'rgb',
              line: 3,
              value: { kind: 'list', line: 3, items: [text(3, '29'), text(3, '112'), text(4, '184')] },
            },
          ],
        },
        text(5, 'x'),
      ],
    },
    problems: [],
  })
})

test('YAML lines are counted from its first line in the file', () => {
  assert.deepEqual(readYaml('a', 7), { root: text(7, 'a'), problems: [] })
  assert.deepEqual(readYaml('', 7), { root: { kind: 'empty', line: 7 }, problems: [] })
})

test('YAML may start with a byte order mark and have any line endings', () => {
  for (const end of ['\n', '\r\n', '\r'])
    assert.deepEqual(readYaml(`\uFEFF- a${end}- b${end}`), {
      root: { kind: 'list', line: 1, items: [text(1, 'a'), text(2, 'b')] },
      problems: [],
    })
})

const scalars: Readonly<Record<string, string>> = {
  '000000': '000000',
  '0123': '0123',
  '1e3': '1e3',
  '0x1d': '0x1d',
  '1_000': '1_000',
  true: 'true',
  null: 'null',
  '~': '~',
  '2026-01-01': '2026-01-01',
  '.inf': '.inf',
  '"#1d70b8" # blue': '#1d70b8',
  "'it''s'": "it's",
  '"a\\nb\\u00e9"': 'a\nbé',
  'one\n  two': 'one two',
  '|\n  one\n  two\n': 'one\ntwo',
  '>+\n  one\n  two\n\n': 'one two',
  'a & b * c !d': 'a & b * c !d',
  '"*a"': '*a',
  '""': '',
  '<<': '<<',
}
for (const [source, value] of Object.entries(scalars))
  test(`the YAML ${JSON.stringify(source)} is read as its visible text`, () => {
    assert.deepEqual(readYaml(`%YAML 1.1\n---\nkey: ${source}\n`).root, {
      kind: 'mapping',
      line: 3,
      entries: [{ key: 'key', line: 3, value: text(3, value) }],
    })
  })

test('a missing value in YAML has the comment written instead of it', () => {
  assert.deepEqual(readYaml('a: #fff  \nb: # note\nc:\n  #fff\nd:\n').root, {
    kind: 'mapping',
    line: 1,
    entries: [
      { key: 'a', line: 1, value: { kind: 'empty', line: 1, comment: '#fff' } },
      { key: 'b', line: 2, value: { kind: 'empty', line: 2 } },
      { key: 'c', line: 3, value: { kind: 'empty', line: 3 } },
      { key: 'd', line: 5, value: { kind: 'empty', line: 5 } },
    ],
  })
  assert.deepEqual(readYaml('- #fff\n-\n').root, {
    kind: 'list',
    line: 1,
    items: [
      { kind: 'empty', line: 1, comment: '#fff' },
      { kind: 'empty', line: 2 },
    ],
  })
})

test('YAML keys that have a meaning in JavaScript are kept unchanged', () => {
  const { root } = readYaml('__proto__: 1\nconstructor: 2\ntoString: 3\n<<: 4')
  assert.equal(root?.kind, 'mapping')
  const keys = root.entries.map(entry => entry.key)
  assert.deepEqual(keys, ['__proto__', 'constructor', 'toString', '<<'])
})

test('the first of two equal YAML keys is kept, and the second is reported', () => {
  assert.deepEqual(readYaml('a: 1\n"a": 2\n'), {
    root: { kind: 'mapping', line: 1, entries: [{ key: 'a', line: 1, value: text(1, '1') }] },
    problems: [{ rule: 'yaml-duplicate-key', line: 2, message: '"a" appears here and on line 1; keep one of the two' }],
  })
})

const quotes = 'write the value out, or put it in quotes if it is meant literally'
const second = 'a second document begins here; keep one document per file'
const unquoted = 'a value has a # outside quotes, which YAML reads as a comment; put the value in quotes'
const refused: Readonly<Record<string, string>> = {
  'a: 1\nb: *a': `yaml-alias 2: an alias (*) is not allowed; ${quotes}`,
  'a: &a 1': `yaml-alias 1: an anchor (&) is not allowed; ${quotes}`,
  '- !!binary aGk=': `yaml-alias 1: a tag (!) is not allowed; ${quotes}`,
  'a: 1\n---\nb: 2': `yaml-syntax 2: ${second}`,
  '--- a\n--- [\n--- c': `yaml-syntax 2: ${second}`,
  'a: [#fff, #000]\n': `value-unquoted 1: ${unquoted}`,
  'a:\n  - {hex: #1d70b8}\n': `value-unquoted 2: ${unquoted}`,
  'title: Logo: misuse':
    'yaml-syntax 1: a second key or list begins on this line; put a value that contains ": " in quotes',
  'a: 1\nb\nc: 2': 'yaml-syntax 2: a line is neither "key: value" nor indented as part of the value before it',
  'a:\n\tb: 1': 'yaml-syntax 2: the line is indented with a tab; indent with spaces',
  'a: @b': 'yaml-syntax 1: a value cannot start with reserved character @; correct it, or put the value in quotes',
  'a: "b': 'yaml-syntax 1: a quoted value has no closing quote; add the quote that it begins with',
  'a: "\\U00110000"':
    'yaml-syntax 1: a \\ in double quotes starts an escape sequence; use single quotes, or write \\\\',
}
for (const [source, problem] of Object.entries(refused))
  test(`the YAML ${JSON.stringify(source)} is rejected by ${ruleIn(problem)}`, () => {
    const { root, problems } = readYaml(source)
    assert.deepEqual([root, problemLines(problems)], [undefined, [problem]])
  })

test('a YAML key that is not a string is rejected', () => {
  assert.deepEqual(readYaml('? [a]\n: 1\n: 2\n').problems, [
    { rule: 'yaml-syntax', line: 1, message: 'a key of the mapping is not plain text; write a name before the colon' },
    { rule: 'yaml-syntax', line: 3, message: 'a key of the mapping is not plain text; write a name before the colon' },
  ])
})

test('at most one mistake per YAML line is reported, and at most twenty in all', () => {
  const { problems } = readYaml('- @a @b\n'.repeat(50))
  const lines = problems.map(problem => problem.line)
  const expected = Array.from({ length: 20 }, (_, index) => index + 1)
  assert.deepEqual(lines, expected)
})

test('YAML may be nested 32 levels deep, but no deeper', () => {
  const depth = 'the YAML is nested more than 32 levels deep; flatten it'
  for (const nest of [
    (levels: number) => '['.repeat(levels) + ']'.repeat(levels),
    (levels: number) => `${'- '.repeat(levels)}a`,
    (levels: number) => `${'{a: '.repeat(levels)}a${'}'.repeat(levels)}`,
    (levels: number) => Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
  ]) {
    assert.deepEqual(readYaml(nest(32)).problems, [])
    const { root, problems } = readYaml(nest(33))
    assert.equal(root, undefined)
    assert.deepEqual(messagesOf(problems), [depth])
    assert.equal(problems[0]?.rule, 'yaml-depth')
  }
})

for (const part of ['[', '{', '- ', '? ', ': ', '{a: ', '[a: ', '[[],', '{? ', '- [', 'a: [', '- {a: ['])
  test(`hostile YAML of 4 MiB of ${JSON.stringify(part)} is rejected for its depth`, { timeout: PATIENCE_MS }, () => {
    const { root, problems } = readYaml(part.repeat((4 * 1024 * 1024) / part.length))
    assert.equal(root, undefined)
    assert.deepEqual(problems, [
      { rule: 'yaml-depth', line: 1, message: 'the YAML is nested more than 32 levels deep; flatten it' },
    ])
  })

for (const part of [',', '-\n', 'a: b\n', '[],\n'])
  test(`hostile YAML of 64 KiB of ${JSON.stringify(part)} after a list is rejected`, { timeout: PATIENCE_MS }, () => {
    const { root, problems } = readYaml(`- [\n${part.repeat((64 * 1024) / part.length)}`)
    assert.equal(root, undefined)
    assert.ok(problems.length > 0)
  })

test('hostile YAML of over 2,000,000 tokens is rejected at the line of the limit', { timeout: PATIENCE_MS }, () => {
  const message = 'the YAML has more than 2,000,000 tokens; split it or shorten it'
  assert.deepEqual(readYaml(' \n'.repeat(1_000_001)), { problems: [{ rule: 'too-large', line: 1_000_001, message }] })
})

test('any hostile YAML is read or rejected, with real lines and one-line messages', { timeout: 300_000 }, async () => {
  const signs = [
    ...'-:?,[]{}#&*!|>%@`"\'\\ \n\t\rab0~\u0000\ud800\uFEFF',
    '- ',
    ': ',
    'a: ',
    '\n  ',
    '---\n',
    '...\n',
    '<<: ',
  ]
  await forAllIn(600, [fc.array(fc.constantFrom(...signs), { maxLength: 60 })], written => {
    const source = written.join('')
    const { root, problems } = readYaml(source)
    assert.equal(root !== undefined || problems.length > 0, true)
    const lines = source.split(/\r\n?|\n/).length
    for (const { line, message } of problems) {
      assert.ok(line !== null && line >= 1 && line <= lines, `${line} of ${lines}`)
      assert.doesNotMatch(message, /[\p{Cc}]/u)
      assert.ok(message.isWellFormed() && message.length < 400)
    }
  })
})

test('hostile YAML does not change stack traces elsewhere', () => {
  readYaml('- @a\n- [')
  assert.match(new Error('a').stack ?? '', /\n +at /)
})

test('a value without quotes that ends before # and a letter or digit is reported at its line', () => {
  const cut = (text: string) => readYaml(text).problems.map(({ rule, line, message }) => `${rule} ${line}: ${message}`)
  const why = 'because YAML reads a # after a space as a comment; put it in quotes, as in'
  assert.deepEqual(cut('# ours\nname: Signal #1\n'), [
    `value-cut 2: the value ends at "Signal", ${why} "Signal #1", or write a space after #`,
  ])
  assert.deepEqual(cut('- a\n- b  #Übung\n'), [
    `value-cut 2: the value ends at "b", ${why} "b  #Übung", or write a space after #`,
  ])
  for (const text of ['name: a # comment\n', 'name: "a" #1\n', 'name: a#1\n', '#name: a\n', 'name: |\n  a #1\n'])
    assert.deepEqual(cut(text), [])
  assert.deepEqual(ruleLines(readYaml('- { name: Signal #1, hex: "000" }\n').problems), ['value-unquoted 1'])
})

golden('intake/yaml/yaml.syntax', ({ text }: { text: string }) => readFacts(readYaml(text)))
