import assert from 'node:assert/strict'
import test from 'node:test'
import { typeValues } from '#brand/type-style.ts'
import { readTypes } from '#intake/styles/types.ts'
import { problemLines, ruleIn } from '../../support/problems.ts'

test('the type styles of styles/types.yaml keep their order', () => {
  const { types, problems } = readTypes(`
- name: Heading
  family: Acme Sans
  size: 48
  leading: 1.1
  tracking: -0.02
  casing: uppercase
  spacing: 0.5
  responsive: true
  features: { tnum: 1, liga: 0, "ss 1": 2 }
- id: text
  name: Body
`)
  assert.deepEqual(problems, [])
  assert.equal(
    JSON.stringify(types.map(({ style, ...lines }) => ({ style: typeValues(style), ...lines }))),
    JSON.stringify([
      {
        style: {
          id: 'heading',
          name: 'Heading',
          family: 'Acme Sans',
          size: 48,
          leading: 1.1,
          tracking: -0.02,
          casing: 'uppercase',
          spacing: 0.5,
          responsive: true,
          features: { tnum: 1, liga: 0, 'ss 1': 2 },
        },
        line: 3,
        faceLine: 2,
        axesLine: 2,
      },
      {
        style: { id: 'text', name: 'Body', casing: 'none', responsive: false, features: {} },
        line: 11,
        faceLine: 11,
        axesLine: 11,
      },
    ]),
  )
})

const numbers: [written: string, number: number][] = [
  ['"16"', 16],
  ['016', 16],
  ['16.50', 16.5],
  ['.5', 0.5],
  ['5.', 5],
]
for (const [written, number] of numbers)
  test(`a size of ${written} is ${number} px`, () => {
    const { types, problems } = readTypes(`- {name: A, size: ${written}}`)
    assert.deepEqual([types[0]?.style.size, problems], [number, []])
  })

test('a type style may have a weight, a style, fallbacks and a sample', () => {
  const text =
    '- name: A\n  style: italic\n  weight: SemiBold\n  fallback: [Arial, sans-serif]\n  sample: Made to be sharpened\n'
  const { types, problems } = readTypes(text)
  assert.deepEqual(problems, [])
  const style = { weight: 600, style: 'italic', fallback: ['Arial', 'sans-serif'], sample: 'Made to be sharpened' }
  const values = { id: 'a', name: 'A', casing: 'none', responsive: false, features: {} }
  assert.deepEqual(types, [{ style: { ...values, ...style }, line: 1, faceLine: 3, axesLine: 1 }])
})

for (const [written, fallback] of [
  ['Georgia', ['Georgia']],
  ['Segoe UI, Arial , sans-serif', ['Segoe UI', 'Arial', 'sans-serif']],
] as const)
  test(`the fallback ${written} has ${fallback.length} families`, () =>
    assert.deepEqual(readTypes(`- {name: A, fallback: "${written}"}`).types[0]?.style.fallback, fallback))

test('a tracking and a spacing of -0 are 0', () => {
  assert.deepEqual(readTypes('- {name: A, tracking: -0, spacing: -0.0}').types[0]?.style, {
    id: 'a',
    name: 'A',
    tracking: 0,
    casing: 'none',
    spacing: 0,
    responsive: false,
    features: {},
  })
})

for (const casing of ['none', 'uppercase', 'lowercase', 'capitalize', 'small-caps'])
  test(`a casing may be ${casing}`, () =>
    assert.equal(readTypes(`- {name: A, casing: ${casing}}`).types[0]?.style.casing, casing))

const size = 'write a number of px above 0, as in 16'
const setting = 'write a whole number from 0 to 65535, 1 for on and 0 for off'
const tag = 'write one of four letters and digits, as in tnum'
const casings = 'write none, uppercase, lowercase, capitalize or small-caps'
const weight = 'write a whole number from 1 to 1000, or a name such as SemiBold'
const refused: Readonly<Record<string, string>> = {
  'size: 16px': 'value-invalid 2: "size" is "16px"; write only the number, without a unit: 16',
  'leading: 150%': 'value-invalid 2: "leading" is "150%"; write a multiple of the size above 0, as in 1.5',
  'size: 0': `value-invalid 2: "size" is "0"; ${size}`,
  'size: 1e3': `value-invalid 2: "size" is "1e3"; ${size}`,
  'size: NaN': 'value-placeholder 2: "size" is "NaN", which is no value; remove it',
  [`size: ${'1'.repeat(1000)}`]: `value-invalid 2: "size" is "${'1'.repeat(60)}…"; ${size}`,
  'size:': 'value-invalid 2: "size" has no value; write one, or remove it',
  'size: [16]': `value-invalid 2: "size" is a list; ${size}`,
  'leading: 0': 'value-invalid 2: "leading" is "0"; write a multiple of the size above 0, as in 1.5',
  'tracking: wide': 'value-invalid 2: "tracking" is "wide"; write a number of em, as in -0.02',
  'spacing: -1': 'value-invalid 2: "spacing" is "-1"; write a number of em, 0 or more, as in 0.5',
  'casing: upper': `value-invalid 2: "casing" is "upper"; ${casings}; did you mean "uppercase"?`,
  'responsive: True': 'value-invalid 2: "responsive" is "True"; write true or false; did you mean "true"?',
  'features: [tnum]':
    'value-invalid 2: "features" is a list; write OpenType tags with whole numbers, as in { tnum: 1, liga: 0 }',
  'features:': 'value-invalid 2: "features" has no value; write one, or remove it',
  'features: {tnum: on}': `value-invalid 2: the feature "tnum" is "on"; ${setting}`,
  'features: {tnum: 65536}': `value-invalid 2: the feature "tnum" is "65536"; ${setting}`,
  'features: {tnum}': 'value-invalid 2: the feature "tnum" has no value; write one, or remove it',
  'features: {tab: 1}': `value-invalid 2: "features" has the tag "tab"; ${tag}`,
  'features: {__proto__: 1}': `value-invalid 2: "features" has the tag "__proto__"; ${tag}`,
  'features: {tnum: 1, tnum: 0}': 'yaml-duplicate-key 2: "tnum" appears here and on line 2; keep one of the two',
  [`features: {${Array.from({ length: 1001 }, (_, at) => `${at + 1000}: 1`).join(', ')}}`]:
    'value-invalid 2: "features" has 1001 tags; write at most 1000',
  'axes: 100': 'value-invalid 2: "axes" is "100"; write the tags of axes with numbers, as in { SOFT: 100, WONK: 1 }',
  'axes: {SOFT: soft}': 'value-invalid 2: the axis "SOFT" is "soft"; write a number, as in 100',
  'axes: {soft1: 1}': 'value-invalid 2: "axes" has the tag "soft1"; write one of four letters and digits, as in SOFT',
  'family: ""': 'value-invalid 2: "family" is blank; write something, or remove it',
  [`family: ${'x'.repeat(201)}`]: 'value-too-long 2: "family" has more than 200 characters; shorten it',
  'weight: 0': `value-invalid 2: "weight" is "0"; ${weight}`,
  'weight: fat': `value-invalid 2: "weight" is "fat"; ${weight}`,
  'weight: SemiBold Italic': `value-invalid 2: "weight" is "SemiBold Italic"; ${weight}`,
  'style: Italic': 'value-invalid 2: "style" is "Italic"; write normal or italic; did you mean "italic"?',
  'fallback: {a: 1}': 'value-invalid 2: "fallback" is a mapping; write a value, or a list of values',
  [`fallback: [a, ${'x'.repeat(201)}]`]:
    'value-too-long 2: "fallback" has a family of more than 200 characters; shorten it',
  [`sample: ${'x'.repeat(1001)}`]: 'value-too-long 2: "sample" has more than 1,000 characters; shorten it',
  'font-family: A': 'key-unknown 2: "font-family" is not a key of a type style; did you mean "family"?',
}
for (const [field, problem] of Object.entries(refused))
  test(`a type style with ${JSON.stringify(field.slice(0, 40))} breaks ${ruleIn(problem)}`, () =>
    assert.deepEqual(problemLines(readTypes(`- name: A\n  ${field}\n`).problems), [problem]))

test('each wrong feature in styles/types.yaml is reported with its line', () => {
  const { problems } = readTypes('- name: A\n  features:\n    tnum: 1\n    liga: x\n    no: 1\n')
  const lines = problems.map(problem => problem.line)
  assert.deepEqual(lines, [4, 5])
})

test('the axes of a type style are tags with numbers, and no axes are the same as none', () => {
  const { types, problems } = readTypes('- {name: A, axes: {slnt: -7.5, SOFT: 100}}\n- {name: B, axes: {}}')
  assert.deepEqual(problems, [])
  const seen = types.map(({ style }) => style.axes)
  assert.deepEqual(seen, [{ slnt: -7.5, SOFT: 100 }, undefined])
})

test('the features of a type style have only their own properties', () => {
  const { types } = readTypes('- {name: A, features: {__proto__: 1, kern: 1}}')
  assert.deepEqual(types[0]?.style.features, { kern: 1 })
  assert.equal('kern' in {}, false)
})
