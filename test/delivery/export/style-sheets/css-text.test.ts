import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import {
  cssComment,
  cssString,
  familyList,
  fluidSize,
  styleDeclarations,
} from '#delivery/export/style-sheets/css-text.ts'
import { readCssString } from '../../../site/library/type/css-reader.ts'
import { codePoint, fc } from '../../../support/random.ts'

test('a CSS parser reads any escaped string as that one string', () => {
  const hostile = fc.constantFrom(
    '"',
    '\\',
    '\n',
    '\r',
    '\f',
    '\0',
    '}',
    '*/',
    '</style>',
    '#{',
    'a',
    '0',
    ' ',
    '\u2028',
  )
  const text = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(hostile).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(text, text => {
      assert.deepEqual(readCssString(`${cssString(text)}rest`), [text.replaceAll('\0', '\ufffd'), 'rest'])
      assert.doesNotMatch(cssString(text), /<|#\{/)
    }),
  )
})

const [id] = ['heading'].filter(isStyleId)
assert.ok(id)
const PLAIN: TypeStyle = { id, name: 'Heading', casing: 'none', responsive: false, features: {} }

const CASES: [style: Partial<TypeStyle>, declarations: string[]][] = [
  [{}, []],
  [
    { size: 45, leading: 1.1, tracking: -0.015, spacing: 0.5 },
    ['font-size: 45px', 'line-height: 1.1', 'letter-spacing: -0.015em', 'margin-block-end: 0.5em'],
  ],
  [{ weight: 600, style: 'italic' }, ['font-style: italic', 'font-weight: 600']],
  [{ size: 64, responsive: true }, ['font-size: clamp(37px, 25.43px + 3.21vw, 64px)']],
  [{ size: 16, responsive: true }, ['font-size: 16px']],
  [{ casing: 'uppercase' }, ['text-transform: uppercase']],
  [{ casing: 'small-caps' }, ['font-variant-caps: small-caps']],
  [{ features: { tnum: 1, liga: 0 } }, ['font-feature-settings: "tnum" 1, "liga" 0']],
  [{ axes: { SOFT: 100, slnt: -7.5 } }, ['font-variation-settings: "SOFT" 100, "slnt" -7.5']],
  [{ features: { 'a"\\}': 2 } }, ['font-feature-settings: "a\\"\\\\}" 2']],
]

for (const [style, declarations] of CASES)
  test(`${JSON.stringify(style)} has the CSS ${declarations.join('; ') || 'of an empty rule'}`, () =>
    assert.deepEqual(styleDeclarations({ ...PLAIN, ...style }, undefined), declarations))

test('font-family is the first declaration', () =>
  assert.deepEqual(styleDeclarations({ ...PLAIN, size: 16 }, '"Acme Sans"'), [
    'font-family: "Acme Sans"',
    'font-size: 16px',
  ]))

test('families are quoted, except generic families', () =>
  assert.equal(
    familyList(['Acme "Sans"', 'Arial', 'arial', 'Sans-Serif', 'ui-monospace', 'serif2', 'Arial']),
    '"Acme \\"Sans\\"", "Arial", "arial", sans-serif, ui-monospace, "serif2"',
  ))

test('a fluid size is the given size on wide screens, and at least that of running text on narrow ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4000 }), size => {
      const [, least, rest, slope, most] =
        /^clamp\((\d+)px, ([-\d.]+)px \+ ([\d.]+)vw, (\d+)px\)$/.exec(fluidSize(size)) ?? []
      if (least === undefined) return assert.ok(size <= 17 && fluidSize(size) === `${size}px`)
      const at = (screen: number) => Number(rest) + (Number(slope) * screen) / 100
      assert.equal(Number(most), size)
      assert.ok(Number(least) >= 16 && Math.abs(at(360) - Number(least)) < 0.1 && Math.abs(at(1200) - size) < 0.1)
    }),
  )
})

test('no line can end a CSS comment or the HTML element that contains it', () => {
  const hostile = fc.constantFrom(
    '*',
    '/',
    '*/',
    '**/',
    '</style>',
    '#{',
    '<!--',
    '\n',
    '\u2028',
    '\u202e',
    '\0',
    'a',
    ' ',
  )
  const line = fc.array(hostile).map(parts => parts.join(''))
  fc.assert(
    fc.property(fc.array(line), lines => {
      const comment = cssComment(lines)
      assert.equal(comment.indexOf('*/'), comment.length - 3)
      assert.doesNotMatch(comment, /<[/!]|#\{/)
      assert.equal(comment.split('\n').length, lines.length + 3)
      assert.doesNotMatch(comment, /[\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})

test('a comment contains its lines in order', () => {
  assert.equal(
    cssComment(['Acme, revision 3', 'left out: a */ b']),
    '/*\n * Acme, revision 3\n * left out: a * / b\n */\n',
  )
})
