import assert from 'node:assert/strict'
import test from 'node:test'
import { COLOR_FIELDS, colorValues } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { readColors } from '#intake/styles/colors.ts'
import { problemLines, ruleIn, ruleLines } from '../../support/problems.ts'
import { fc, scale } from '../../support/random.ts'

const KEYS = keysOf(COLOR_FIELDS).join(', ')

/** The colours of a file, and its problems without their `breaks` and `missing`. */
function readWithProblems(text: string) {
  const { problems, ...rest } = readColors(text)
  return { ...rest, problems: problemLines(problems.map(({ breaks, missing, ...problem }) => problem)) }
}

test('the colours of styles/colors.yaml keep their order', () => {
  const { colors, problems } = readColors(`
- name: Blue
  hex: "#1D70B8"
  cmyk: [84, 39.50, 0, 28]
  pms: 285 C
  pms2: "0285 U"
  ral: RAL 5015
- ral: 9005
  pms: 0123
  hex: 000000
  name: Deep Black
  id: ink
- { name: Weiß, rgb: "255 255 255" }
`)
  assert.deepEqual(problems, [])
  assert.equal(
    JSON.stringify(colors.map(colorValues)),
    JSON.stringify([
      {
        id: 'blue',
        name: 'Blue',
        rgb: '29,112,184',
        cmyk: '84,39.5,0,28',
        hex: '#1d70b8',
        pms: '285 C',
        pms2: '0285 U',
        ral: 5015,
      },
      { id: 'ink', name: 'Deep Black', rgb: '0,0,0', hex: '#000000', pms: '0123', ral: 9005 },
      { id: 'weiss', name: 'Weiß', rgb: '255,255,255', hex: '#ffffff' },
    ]),
  )
})

test('inks keep the names, references and order that the author wrote, and stay out of API replies', () => {
  const { colors, problems } = readColors(
    '- { name: Red, hex: c21, inks: { TOYO: 0123, RAL: 5015, HKS: 13 K, "2": 1e3, constructor: w, __proto__: y } }\n',
  )
  assert.deepEqual(problems, [])
  const inks = Object.entries(colors[0]?.inks ?? {})
  assert.deepEqual(inks.map(([system, ink]) => `${system} ${ink}`).sort(), [
    '2 1e3',
    'HKS 13 K',
    'RAL 5015',
    'TOYO 0123',
    '__proto__ y',
    'constructor w',
  ])
  assert.deepEqual(colors.map(colorValues), [{ id: 'red', name: 'Red', rgb: '204,34,17', hex: '#cc2211' }])
})

for (const text of ['', '# none yet\n', '[]', '---\n'])
  test(`styles/colors.yaml with ${JSON.stringify(text)} has no colours`, () =>
    assert.deepEqual(readColors(text), { colors: [], lines: [], problems: [] }))

test('styles/colors.yaml may give both hex and rgb of a colour', () => {
  assert.deepEqual(readColors('- {name: A, hex: abc, rgb: [170, 187, 204]}'), {
    colors: [{ id: 'a', name: 'A', rgb: '170,187,204', hex: '#aabbcc' }],
    lines: [1],
    problems: [],
  })
})

test('a colour may have a group, a use, background colours, a proportion and a base colour', () => {
  const text = `
- name: Ink
  hex: "#14212b"
  group: Core
  use: Text and headings
  on: [paper, white]
  proportion: 54 %
- { name: Paper, hex: faf7f2, on: ink, proportion: 0.5 }
- { name: White, hex: fff, on: "ink, paper, ink" }
- { name: Ink 60, hex: "727a80", tintOf: ink }
`
  const { colors, problems } = readColors(text)
  assert.deepEqual(problems, [])
  const rests = colors.map(({ rgb: _rgb, hex: _hex, name: _name, ...rest }) => rest)
  assert.deepEqual(rests, [
    { id: 'ink', group: 'Core', use: 'Text and headings', proportion: 54, on: ['paper', 'white'] },
    { id: 'paper', proportion: 0.5, on: ['ink'] },
    { id: 'white', on: ['ink', 'paper'] },
    { id: 'ink-60', tintOf: 'ink' },
  ])
})

test('a colour may have another value on dark grounds, as hex digits or as a mapping like that of the colour', () => {
  const forms = [
    '8AB8EE',
    '"#8ab8ee"',
    '{ hex: "#8ab8ee" }',
    '{ rgb: [138, 184, 238] }',
    '{ hex: 8ab8ee, rgb: 138 184 238 }',
  ]
  const light = { id: 'a', name: 'A', rgb: '170,187,204', hex: '#aabbcc' }
  for (const form of forms) {
    const { colors, problems } = readColors(`- { name: A, hex: abc, dark: ${form} }`)
    assert.deepEqual({ colors, problems }, { colors: [{ ...light, dark: '#8ab8ee' }], problems: [] })
    assert.deepEqual(colors.map(colorValues), [light])
  }
})

const per = 'write a number of per cent, 0 to 100, as in 54'
const noColor = 'is not the id of a colour in styles/colors.yaml'
const itself = 'which is the colour itself; write another, or remove it'
const misled: Readonly<Record<string, string>> = {
  'proportion: 101': `value-invalid 6: "proportion" is "101"; ${per}`,
  'on: papr': `reference-missing 6: "on" is "papr", which ${noColor}; did you mean "paper"?`,
  'on: [paper, Night Blue]': `reference-missing 6: "on" is "Night Blue", which ${noColor}; did you mean "night-blue"?`,
  'on: "★"': `reference-missing 6: "on" is "★", which ${noColor}; correct it, or remove it`,
  'on: a': `value-invalid 6: "on" is "a", ${itself}`,
  'on: {paper: 1}': 'value-invalid 6: "on" is a mapping; write a value, or a list of values',
  [`on: [${'paper, '.repeat(101)}]`]: 'value-invalid 6: "on" has 101 entries; write at most 100',
  'tintOf: gone': `reference-missing 6: "tintOf" is "gone", which ${noColor}; correct it, or remove it`,
  'tintOf: a': `value-invalid 6: "tintOf" is "a", ${itself}`,
  'tintOf: pale':
    'value-invalid 6: "tintOf" is "pale", which is itself a tint of "paper"; write the base colour of both',
  'dark: red': 'value-invalid 6: "dark" is "red"; write # and three or six hex digits in quotes, as in "#1d70b8"',
  'dark: { hex: 8ab8ee, rgb: [1, 2, 3] }':
    'color-disagreement 6: "dark" is not one colour: "hex" is #8ab8ee, which is 138,184,238, but "rgb" is 1,2,3; keep one of them, or correct the wrong one',
  'dark: {}':
    'value-missing 6: "dark" is not one colour: it has neither "hex" nor "rgb"; write one of them, such as "#1d70b8" for "hex"',
  'dark: { hex: 8ab8ee, pms: 285 C }':
    'key-unknown 6: "dark" is not one colour: "pms" is not a key of it; the keys are hex, rgb',
  'dark: tbd': 'value-placeholder 6: "dark" is "tbd", which is no value; remove it',
  'group: ""': 'value-invalid 6: "group" is blank; write something, or remove it',
  [`group: ${'x'.repeat(201)}`]: 'value-too-long 6: "group" has more than 200 characters; shorten it',
  [`use: ${'x'.repeat(1001)}`]: 'value-too-long 6: "use" has more than 1,000 characters; shorten it',
}
for (const [fields, problem] of Object.entries(misled))
  test(`a colour with ${JSON.stringify(fields.slice(0, 40))} among others breaks ${ruleIn(problem)}, and is kept without it`, () => {
    const others =
      '- {name: Paper, hex: faf7f2}\n- {name: Night Blue, hex: "001122"}\n- {name: Pale, hex: fff, tintOf: paper}\n'
    const { colors, problems } = readColors(`${others}- name: A\n  hex: abc\n  ${fields}\n`)
    const [, id] = /is "([^"]*)"/.exec(problem) ?? []
    const isMissing = ruleIn(problem) === 'reference-missing'
    const missing = isMissing ? ` ${JSON.stringify({ missing: { path: 'styles/colors.yaml', id } })}` : ''
    assert.deepEqual(problemLines(problems), [problem + missing])
    const kept =
      fields === 'on: [paper, Night Blue]'
        ? { on: ['paper'] }
        : fields.startsWith('on: a') || fields.startsWith('on: "★"') || fields === 'on: papr'
          ? { on: [] }
          : {}
    assert.deepEqual(colors[3], { id: 'a', name: 'A', rgb: '170,187,204', hex: '#aabbcc', ...kept })
  })

test('thousands of broken references are read quickly', { timeout: 60_000 }, () => {
  const gone = Array.from({ length: 100 }, (_, at) => `gone-${at}`).join(', ')
  const lines = Array.from({ length: 300 }, (_, at) => `- {name: Colour ${at}, hex: abc, on: [${gone}]}`)
  assert.equal(readColors(lines.join('\n')).problems.length, 30_000)
})

const refused: Readonly<Record<string, string>> = {
  'hex: #1d70b8':
    'value-unquoted 2: "hex" is followed by # without quotes, which YAML reads as a comment; write "#1d70b8"',
  'pms: 285 C': 'value-missing 1: a colour has neither "hex" nor "rgb"; write one of them, such as "#1d70b8" for "hex"',
  'hex:': 'value-invalid 2: "hex" has no value; write one, or remove it',
  'hex: 1d70b8ff':
    'value-invalid 2: "hex" is "1d70b8ff"; write # and three or six hex digits in quotes, as in "#1d70b8"',
  'rgb: [29, 112]': 'value-invalid 2: "rgb" has two numbers; write three whole numbers, 0 to 255, as in "29,112,184"',
  'hex: "000"\n  cmyk: { c: 84, m: 39, y: 0, k: 28 }':
    'value-invalid 3: "cmyk" is a mapping; write four numbers, 0 to 100, as in "84,39,0,28"',
  'rgb: [1, [2], 3]': 'value-invalid 2: "rgb" has an entry that is a list; write a number',
  'rgb:\n  - 1\n  - #2\n  - 3':
    'value-unquoted 4: "rgb" has an entry that is followed by # without quotes, which YAML reads as a comment; write "#2"',
  'hex: "#1d70b8"\n  rgb: 29,112,185':
    'color-disagreement 3: "hex" is #1d70b8, which is 29,112,184, but "rgb" is 29,112,185; keep one of them, or correct the wrong one',
  'hex: abc\n  cmyk: 84,39,0': 'value-invalid 3: "cmyk" has three numbers; write four, 0 to 100, as in "84,39,0,28"',
  'hex: abc\n  pms: "285\\tC"': 'value-invalid 3: "pms" has a line break or another control character; remove it',
  [`hex: abc\n  pms2: ${'x'.repeat(201)}`]: 'value-too-long 3: "pms2" has more than 200 characters; shorten it',
  'hex: abc\n  ral: blue':
    'value-invalid 3: "ral" is "blue"; write the four digits of a RAL Classic number, as in 5015',
  'hex: abc\n  ral: RAL 240 40 40':
    'ral-design 3: "ral" is "RAL 240 40 40", which is not of RAL Classic and is left out; write it under "inks", as in inks: { RAL: "240 40 40" }',
  'hex: abc\n  inks: 13 K':
    'value-invalid 3: "inks" is "13 K"; write ink systems with their references, as in { HKS: 13 K }',
  'hex: abc\n  inks: {}': 'value-invalid 3: "inks" has 0 entries; write 1 to 50',
  'hex: abc\n  inks: { HKS: [13, K] }': 'value-invalid 3: "inks" has "HKS", which is a list; write text',
  'hex: abc\n  inks:\n    HKS: #13':
    'value-unquoted 4: "inks" has "HKS", which is followed by # without quotes, which YAML reads as a comment; write "#13"',
  'hex: abc\n  inks: { " ": 13 K }': 'value-invalid 3: "inks" has a name that is blank; write something, or remove it',
  'hex: abc\n  inks: { pms: 285 C }':
    'value-invalid 3: "inks" has "pms", which is a key of colours; write it next to "inks"',
  'hex: abc\n  HKS: 13 K': 'key-unknown 3: "HKS" is not a key of a colour; did you mean "inks"?',
  'hex: abc\n  hexx: abc': 'key-unknown 3: "hexx" is not a key of a colour; did you mean "hex"?',
  'hex: abc\n  opacity: 1': `key-unknown 3: "opacity" is not a key of a colour; the keys are ${KEYS}`,
  'hex: abc\n  __proto__: {hex: 1}': `key-unknown 3: "__proto__" is not a key of a colour; the keys are ${KEYS}`,
  'hex: abc\n  id: Deep Blue': 'id-invalid 3: "id" is "Deep Blue"; write "deep-blue"',
  'hex: abc\n  id: "★"':
    'id-invalid 3: "id" is "★"; write lower-case letters, digits and single hyphens, 200 characters at most',
}
for (const [fields, problem] of Object.entries(refused))
  test(`a colour with ${JSON.stringify(fields.slice(0, 40))} breaks ${ruleIn(problem)}`, () =>
    assert.deepEqual(readWithProblems(`- name: A\n  ${fields}\n`).problems, [problem]))

const entries: Readonly<Record<string, string>> = {
  '- hex: abc': 'value-missing 1: a colour has no "name"; write one',
  '- {name: "★", hex: abc}': 'id-invalid 1: the name "★" has no letter or digit to make an id from; give it an "id"',
  [`- name: ${'x'.repeat(201)}\n  hex: abc`]: `id-invalid 1: the name "${'x'.repeat(60)}…" makes an id longer than 200 characters; give it an "id"`,
  [`- {id: a, name: ${'x'.repeat(1001)}, hex: abc}`]:
    'value-too-long 1: "name" has more than 1,000 characters; shorten it',
  '- {name: " ", hex: abc}': 'value-invalid 1: "name" is blank; write something, or remove it',
  '- #fff': 'value-unquoted 1: a colour is followed by # without quotes, which YAML reads as a comment; write "#fff"',
  '-': 'value-invalid 1: a colour has no value; write one, or remove it',
  '- "#fff"': `value-invalid 1: a colour is "#fff"; write "key: value" lines, with the keys ${KEYS}`,
  'colors:\n  - name: A': 'value-invalid 1: the file is a mapping; write a list of entries that begin with "- name:"',
  blue: 'value-invalid 1: the file is "blue"; write a list of entries that begin with "- name:"',
  '- name: A\n  hex: {': 'yaml-syntax 2: a { is not closed; write } where the list ends',
}
for (const [text, problem] of Object.entries(entries))
  test(`styles/colors.yaml with ${JSON.stringify(text.slice(0, 40))} breaks ${ruleIn(problem)}`, () =>
    assert.deepEqual(readWithProblems(text), { colors: [], lines: [], problems: [problem] }))

test('styles/colors.yaml may not have two colours with one id', () => {
  const help = 'rename one of them, or give one a different "id"'
  assert.deepEqual(
    readWithProblems(`
- name: Deep Blue
  hex: abc
- name: deep blue!
  hex: abd
- hex: abe
  name: Navy
  id: deep-blue
`),
    {
      colors: [{ id: 'deep-blue', name: 'Deep Blue', rgb: '170,187,204', hex: '#aabbcc' }],
      lines: [2],
      problems: [
        `id-taken 4: "deep blue!" has the same id "deep-blue" as "Deep Blue" on line 2; ${help}`,
        `id-taken 8: "Navy" has the same id "deep-blue" as "Deep Blue" on line 2; ${help}`,
      ],
    },
  )
})

test('a colour of styles/colors.yaml with wrong print values is kept without them', () => {
  assert.deepEqual(readColors('- {name: A, hex: abc, ral: RAL 240 40 40, pms: 1}').colors, [
    { id: 'a', name: 'A', rgb: '170,187,204', hex: '#aabbcc', pms: '1' },
  ])
})

test('a word for no value is no value of a colour or an ink, and names and uses keep such words', () => {
  const { colors, problems } = readColors(
    '- {name: X, hex: abc, cmyk: n/a, pms: tbd, pms2: PANTONE –, ral: "-", use: none, inks: {HKS: keine, NCS: "?"}}\n- {name: B, hex: abc, inks: {HKS: 未定, DIC: 41}}\n',
  )
  assert.deepEqual(colors, [
    { id: 'x', name: 'X', rgb: '170,187,204', hex: '#aabbcc', use: 'none' },
    { id: 'b', name: 'B', rgb: '170,187,204', hex: '#aabbcc', inks: { DIC: '41' } },
  ])
  assert.deepEqual(ruleLines(problems), [...Array(6).fill('value-placeholder 1'), 'value-placeholder 2'])
  assert.equal(problems[0]?.message, '"HKS" of "inks" is "keine", which is no value; remove it')
  assert.deepEqual(ruleLines(readColors('- {name: A, hex: n/a}').problems), ['value-placeholder 1', 'value-missing 1'])
})

test('all problems with styles/colors.yaml are reported at once', () => {
  const { problems } = readColors('- nam: A\n  hex: w\n  rgb: y\n- hex: #fff\n- name: B\n  hex: abc\n- 3\n')
  assert.deepEqual(ruleLines(problems), [
    'key-unknown 1',
    'value-invalid 2',
    'value-invalid 3',
    'value-missing 4',
    'value-unquoted 4',
    'value-invalid 7',
  ])
})

test('no key of styles/colors.yaml changes a prototype', () => {
  readColors('- {name: A, hex: abc, __proto__: {polluted: 1}, constructor: {prototype: {polluted: 1}}}')
  assert.equal('polluted' in {}, false)
})

test('reading styles/colors.yaml never throws', { timeout: 300_000 }, () => {
  const pieces = [
    ...'- |\n  |\n|name: |hex: |rgb: |cmyk: |ral: |pms: |id: |#fff|"#fff"|abc|1,2,3|[1, 2, 3]|[|]'.split('|'),
    ...'{|}|""|-1|1e9|__proto__: |"\\ud800"|"\\0"'.split('|'),
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), written => {
      const { colors, problems } = readColors(written.join(''))
      for (const { rgb, hex } of colors) assert.match(`${rgb} ${hex}`, /^\d+,\d+,\d+ #[0-9a-f]{6}$/)
      for (const { message } of problems) assert.doesNotMatch(message, /\p{Cc}/u)
    }),
    { numRuns: scale(600) },
  )
})
