import assert from 'node:assert/strict'
import test from 'node:test'
import type { LintBrand } from '#delivery/lint/lint-brand.ts'
import type { ColorUse } from '#delivery/lint/use.ts'
import { EMPTY, judged, problemsOf } from './judged.ts'

const COLORS = [
  { id: 'blue', hex: '#1d70b8', guide: 'colours' },
  { id: 'ink', hex: '#0b0c0c' },
  { id: 'blue-again', hex: '#1d70b8' },
]
const usual = { colors: COLORS, levels: { ...EMPTY.levels, 'color-literal': 'off' } } as const
const strict = { ...usual, neutrals: 'strict' } as const
const literal = { colors: COLORS }

/** A colour as `#1d70b8` or `#1d70b880` that is written so. */
function use(hex: string, fields: Partial<ColorUse> = {}): ColorUse {
  const alpha = hex.length === 9 ? Number.parseInt(hex.slice(7), 16) / 255 : 1
  return { kind: 'color', color: { hex: hex.slice(0, 7).toLowerCase(), alpha }, written: hex, role: 'text', ...fields }
}

const RIGHT: readonly [string, ColorUse, Partial<LintBrand>][] = [
  ['a colour of the brand', use('#1d70b8'), strict],
  ['a colour of the brand in capitals', use('#1D70B8'), strict],
  ['a colour of the brand with alpha', use('#1d70b880'), strict],
  ['full transparency', use('#ff000000'), strict],
  ['white as a ground', use('#ffffff', { role: 'ground' }), usual],
  ['white as a definition', use('#ffffff', { role: 'definition' }), usual],
  ['black in text', use('#000000'), usual],
  ['a grey in a border', use('#cccccc', { role: 'border' }), usual],
  ['a grey with alpha in a shadow', use('#33333340', { role: 'shadow' }), usual],
  ['any colour, for a brand without colours', use('#ff0000'), { ...strict, colors: [] }],
]
for (const [title, color, brand] of RIGHT)
  test(`the colour is right: ${title}`, () => {
    assert.deepEqual(problemsOf(color, brand), [])
  })

const near = (found: string, write = '#1d70b8', deltaE = 0.15) => ({
  rule: 'color-near',
  found,
  nearest: 'blue',
  write,
  deltaE,
  guide: 'colours',
  message: `${found} is almost the colour "blue" (ΔE ${deltaE}): write ${write}`,
})
const offInk = (found: string, deltaE: number) => ({
  rule: 'color-off',
  found,
  nearest: 'ink',
  deltaE,
  message: `${found} is not a colour of the brand: use one; the nearest is "ink" (#0b0c0c, ΔE ${deltaE})`,
})
const farFrom = (found: string) => ({
  rule: 'color-off',
  found,
  message: `${found} is not a colour of the brand: use one`,
})
const asLiteral = {
  rule: 'color-literal',
  found: '#1D70B8',
  nearest: 'blue',
  write: 'var(--color-blue)',
  guide: 'colours',
  message: '#1D70B8 is the colour "blue": write var(--color-blue)',
}
const half = { hex: '#1d70b9', alpha: 0.5 }
const span = { start: 0, end: 7 }

const WRONG: Readonly<Record<string, readonly [ColorUse, Partial<LintBrand>, object[]]>> = {
  'a colour that is almost one': [use('#1d70b9'), usual, [near('#1d70b9')]],
  'one with two digits of alpha': [use('#1D70B980'), usual, [near('#1D70B980', '#1d70b880')]],
  'a function with alpha': [
    use('', { color: half, written: 'rgba(29, 112, 185, 50%)' }),
    usual,
    [near('rgba(29, 112, 185, 50%)', 'rgb(29 112 184 / 0.5)')],
  ],
  'alpha from elsewhere': [use('', { color: half, written: 'accent1' }), usual, [near('accent1')]],
  'a written colour on two lines': [
    use('#1d70b9', { written: 'rgb(29,\n 112, 185)' }),
    usual,
    [near('rgb(29, 112, 185)')],
  ],
  'another colour': [use('#ff0000'), usual, [farFrom('#ff0000')]],
  'another colour with alpha': [use('#ff000080'), usual, [farFrom('#ff000080')]],
  'a grey as a ground': [use('#333333', { role: 'ground' }), usual, [offInk('#333333', 11.52)]],
  'white as a ground, strictly': [use('#ffffff', { role: 'ground' }), strict, [farFrom('#ffffff')]],
  'a grey in text, strictly': [use('#333333'), strict, [offInk('#333333', 11.52)]],
  'a value that should be a variable': [use('#1D70B8', { span }), literal, [asLiteral]],
  'a value with alpha cannot be a variable': [use('#1d70b880', { span }), literal, []],
  'a definition cannot be a variable': [use('#1d70b8', { span, role: 'definition' }), literal, []],
  'a variable is one': [use('#1d70b8', { written: 'var(--x)' }), literal, []],
  'a colour in another notation cannot be a variable': [use('#1d70b8', { span, rewrite: hex => hex }), literal, []],
}
for (const [title, [color, brand, problems]] of Object.entries(WRONG))
  test(`the colour is judged: ${title}`, () => {
    assert.deepEqual(problemsOf(color, brand), problems)
  })

test('a tint or shade of a colour of the brand in an Office file is named, and one of another colour is off', () => {
  const shade = (of: string, style?: string) =>
    use('#16548a', {
      written: 'accent1 (#16548A)',
      role: 'ground',
      shade: { of, change: 'darker 25 %', ...(style && { style }) },
    })
  const messages = (color: ColorUse, brand: object) =>
    judged([color], brand).findings.map(({ rule, message }) => [rule, message])
  const end =
    'darker 25 %: accent1 (#16548A) is made of a colour of the theme; use the colour itself, or turn color-shade off'
  assert.deepEqual(messages(shade('#1d70b8', 'heading 1'), usual), [['color-shade', `Heading 1: "blue", ${end}`]])
  assert.deepEqual(messages(shade('#ffffff'), usual), [['color-shade', `#ffffff, ${end}`]])
  const seen = [shade('#ffffff'), shade('#00ff00')].map(each => messages(each, strict)[0]?.[0])
  assert.deepEqual(seen, ['color-off', 'color-off'])
})

const SCHEMES: Partial<LintBrand> = {
  colors: [
    { id: 'ink', hex: '#14212b', dark: '#8ab8ee', on: ['paper', 'sun'] },
    { id: 'paper', hex: '#faf7f2', dark: '#101820' },
    { id: 'sun', hex: '#ffcc00' },
    { id: 'night', hex: '#101820' },
  ],
}

test('the value of a colour on dark grounds is right everywhere, and what is almost it is near', () => {
  assert.deepEqual(problemsOf(use('#8ab8ee', { span }), SCHEMES), [])
  const [found] = judged([use('#8ab8ed')], SCHEMES).findings
  assert.equal(found?.message, '#8ab8ed is almost the colour "ink" (ΔE 0.16): write #8ab8ee')
})

for (const [title, color, isRight] of [
  ['the light value of a colour with another one', { hex: '#14212b' }, false],
  ['its value for dark grounds', { hex: '#8ab8ee' }, true],
  ['the light value of a colour with only one', { hex: '#ffcc00' }, true],
  ['a light value that another colour has in the dark', { hex: '#101820' }, true],
  ['a colour of another brand', { hex: '#00ff00' }, true],
  ['a light value on a ground that "on" names', { hex: '#14212b', ground: '#ffcc00' }, true],
  ['a light value on the dark value of such a ground', { hex: '#14212b', ground: '#101820' }, true],
  ['a light value on another ground', { hex: '#14212b', ground: '#00ff00' }, false],
] as const)
  test(`in code for dark pages, ${title} is ${isRight ? 'right' : 'a warning'}`, () => {
    const { findings } = judged([{ kind: 'scheme', written: color.hex.toUpperCase(), ...color }], SCHEMES)
    const message = '#14212B is the light value of "ink", in code for dark pages: write #8ab8ee'
    assert.deepEqual(
      findings.map(({ rule, severity, message, write }) => ({ rule, severity, message, write })),
      isRight ? [] : [{ rule: 'color-scheme', severity: 'warning', message, write: '#8ab8ee' }],
    )
  })

test('colours that differ only in their alpha have one finding', () => {
  const { findings } = judged([use('#ff000080'), use('#ff0000'), use('#FF0000', { role: 'ground' })], usual)
  const seen = findings.map(({ found, count }) => ({ found, count }))
  assert.deepEqual(seen, [{ found: '#ff000080', count: 3 }])
})

const EDITS: Readonly<Record<string, readonly [ColorUse, Partial<LintBrand>, boolean, string | undefined]>> = {
  'a near colour by the value': [use('#1d70b9'), usual, false, '#1d70b8'],
  'a near colour by the variable': [use('#1d70b9'), usual, true, 'var(--color-blue)'],
  'the value of a definition': [use('#1d70b9', { role: 'definition' }), usual, true, '#1d70b8'],
  'digits with alpha': [use('#1d70b980'), usual, true, '#1d70b880'],
  'one digit of alpha': [
    use('', { color: { hex: '#1177bb', alpha: 0x88 / 255 }, written: '#17B8' }),
    { ...usual, colors: [{ id: 'blue', hex: '#1277bb' }] },
    false,
    '#1277bb88',
  ],
  'a function with alpha': [
    use('', { color: half, written: 'rgb(29 112 185 / .5)' }),
    usual,
    true,
    'rgb(29 112 184 / 0.5)',
  ],
  'a function without alpha': [use('#1d70b9', { written: 'rgb(29 112 185)' }), usual, false, '#1d70b8'],
  'no function with a variable and alpha': [
    use('', { color: half, written: 'rgb(29 112 185 / var(--a))' }),
    usual,
    false,
    undefined,
  ],
  'no name with alpha': [use('', { color: half, written: 'navy' }), usual, false, undefined],
  'its own notation': [use('#1d70b9', { rewrite: hex => `0x${hex.slice(1)}` }), usual, true, '0x1d70b8'],
  'no other colour': [use('#ff0000'), usual, true, undefined],
  'no right colour': [use('#1d70b8'), usual, true, undefined],
  'a right colour by the variable, if color-literal is on': [use('#1d70b8'), literal, true, 'var(--color-blue)'],
  'no right colour if the file has no variables': [use('#1D70B8'), literal, false, undefined],
}
for (const [title, [color, brand, usesVariables, text]] of Object.entries(EDITS))
  test(`an edit replaces ${title}`, () => {
    const { edits } = judged([{ ...color, span }], brand, {
      wantsEdits: true,
      variables: usesVariables ? 'used' : 'possible',
    })
    assert.deepEqual(edits, text === undefined ? [] : [{ ...span, text }])
  })

test('no edit makes two almost right colours of a file the same, and other colours of it get theirs', () => {
  const uses = ['#1d70b9', '#1e70b8', '#1D70B9', '#0b0c0d'].map((hex, at) =>
    use(hex, { span: { start: at * 10, end: at * 10 + 7 } }),
  )
  const { edits, left } = judged(uses, usual, { wantsEdits: true })
  assert.deepEqual(edits, [{ start: 30, end: 37, text: '#0b0c0c' }])
  assert.deepEqual(left, [
    '#1d70b9 and #1e70b8 would become #1d70b8, and no longer differ, so --fix leaves them: write #1d70b8 where it is right',
  ])
})

test('an edit leaves nothing to edit', () => {
  const colors = [
    use('#1d70b9'),
    use('#1D70B980'),
    use('', { color: half, written: 'rgb(29 112 185 / .5)' }),
    use('#1d70b9', { role: 'definition' }),
  ]
  for (const color of colors)
    for (const brand of [usual, literal])
      for (const usesVariables of [false, true]) {
        const options = { wantsEdits: true, variables: usesVariables ? 'used' : 'possible' } as const
        const [edit] = judged([{ ...color, span }], brand, options).edits
        const written = edit?.text ?? ''
        const again = { ...color, span, written, color: { ...color.color, hex: '#1d70b8' } }
        assert.notEqual(written, '')
        const { edits } = judged([again], brand, options)
        assert.deepEqual(edits, [])
      }
})

test('color-literal is only found where a variable is possible', () => {
  assert.equal(judged([{ ...use('#1d70b8'), span }], literal).findings.length, 1)
  assert.deepEqual(judged([{ ...use('#1d70b8'), span }], literal, { variables: 'none' }).findings, [])
})

test('edits are for places in the text, and only if wanted', () => {
  const uses = [use('#1d70b9', { span }), use('#1d70b9')]
  assert.deepEqual(judged(uses, usual).edits, [])
  assert.deepEqual(judged(uses, usual, { wantsEdits: true }).edits, [{ ...span, text: '#1d70b8' }])
})
