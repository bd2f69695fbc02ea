import assert from 'node:assert/strict'
import { test } from 'node:test'
import { svgSize } from '#formats/picture/svg.ts'

const CASES: [string, Record<string, string>, { width?: number; height?: number }][] = [
  ['plain numbers are pixels', { width: '10', height: '20' }, { width: 10, height: 20 }],
  ['px', { width: '10px', height: '20PX' }, { width: 10, height: 20 }],
  ['in, cm', { width: '1in', height: '2.54cm' }, { width: 96, height: 96 }],
  ['mm, pt', { width: '25.4mm', height: '72pt' }, { width: 96, height: 96 }],
  ['pc, Q', { width: '6pc', height: '101.6Q' }, { width: 96, height: 96 }],
  ['em, rem', { width: '2em', height: '1.5rem' }, { width: 32, height: 24 }],
  ['ex, ch', { width: '2ex', height: '3ch' }, { width: 16, height: 24 }],
  ['signs, exponents, white space', { width: ' +1e2 ', height: '.5E1' }, { width: 100, height: 5 }],
  ['two decimals', { width: '10.456', height: '1mm' }, { width: 10.46, height: 3.78 }],
  ['viewBox alone', { viewBox: '0 0 24 12' }, { width: 24, height: 12 }],
  ['viewBox with commas and an offset', { viewBox: '-5,-5, 24.5 ,12' }, { width: 24.5, height: 12 }],
  ['sizes win over viewBox', { width: '10', height: '10', viewBox: '0 0 24 12' }, { width: 10, height: 10 }],
  ['width alone, in proportion', { width: '48', viewBox: '0 0 24 12' }, { width: 48, height: 24 }],
  ['height alone, in proportion', { height: '6', viewBox: '0 0 24 12' }, { width: 12, height: 6 }],
  ['percentages are ignored', { width: '100%', height: '100%', viewBox: '0 0 24 12' }, { width: 24, height: 12 }],
  ['one percentage', { width: '50%', height: '50', viewBox: '0 0 2 1' }, { width: 100, height: 50 }],
  ['auto and units of the window', { width: 'auto', height: '5vh', viewBox: '0 0 2 1' }, { width: 2, height: 1 }],
  ['zero and negative values are ignored', { width: '0', height: '-5', viewBox: '0 0 2 1' }, { width: 2, height: 1 }],
  ['one size and no viewBox', { width: '10' }, { width: 10 }],
  ['no size at all', {}, {}],
  ['percentages alone', { width: '100%', height: '100%' }, {}],
  ['a viewBox without extent', { viewBox: '0 0 0 12' }, {}],
  ['a viewBox of three numbers', { viewBox: '0 0 12' }, {}],
  ['invalid numbers', { width: 'NaN', height: 'Infinity' }, {}],
  ['numbers past all measure', { width: '1e999', height: '9'.repeat(150) }, {}],
  ['less than a hundredth', { width: '0.001', height: '1e-99' }, {}],
  ['a space before the unit', { width: '10 px', height: '5' }, { height: 5 }],
  ['an entity that is not expanded', { width: '&w;', height: '5' }, { height: 5 }],
  ['a text of a million digits', { width: '1'.repeat(1e6), viewBox: `0 0 ${'1'.repeat(1e6)}` }, {}],
]

for (const [name, attributes, size] of CASES) {
  test(`the size of an SVG: ${name}`, () => assert.deepEqual(svgSize(attributes), size))
}
