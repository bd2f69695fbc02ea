import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { isStyleId } from '../../../../src/brand/ids.ts'
import type { TypeStyle } from '../../../../src/brand/type-style.ts'
import { cssString, styleDeclarations } from '../../../../src/site/library/type/css-text.ts'
import { readCssString } from './css-reader.ts'

test('whatever a text holds, a reader of CSS reads it as one string, and as that text', () => {
  const hostile = fc.constantFrom('"', '\\', '\n', '\r', '\f', '\0', '}', '*/', 'a', '0', ' ', '\u2028')
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(hostile).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(text, text => {
      assert.deepEqual(readCssString(`${cssString(text)}rest`), [text.replaceAll('\0', '\ufffd'), 'rest'])
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
  [{ casing: 'uppercase' }, ['text-transform: uppercase']],
  [{ casing: 'small-caps' }, ['font-variant-caps: small-caps']],
  [{ features: { tnum: 1, liga: 0 } }, ['font-feature-settings: "tnum" 1, "liga" 0']],
  [{ features: { 'a"\\}': 2 } }, ['font-feature-settings: "a\\"\\\\}" 2']],
]

for (const [style, declarations] of CASES)
  test(`${JSON.stringify(style)} is ${declarations.join('; ') || 'nothing'} in CSS`, () =>
    assert.deepEqual(styleDeclarations({ ...PLAIN, ...style }, undefined), declarations))

test('a family comes first', () =>
  assert.deepEqual(styleDeclarations({ ...PLAIN, size: 16 }, '"Acme Sans"'), [
    'font-family: "Acme Sans"',
    'font-size: 16px',
  ]))
