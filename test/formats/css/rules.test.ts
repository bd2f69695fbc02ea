import assert from 'node:assert/strict'
import test from 'node:test'
import { cssBlocks } from '#formats/css/rules.ts'

const RULES: readonly (readonly [sheet: string, rules: readonly string[]])[] = [
  ['a,b{c:d}', ['a | b {c:d}']],
  ['a /* , */ , b /**/ { c : d ; }', ['a | b {c:d}']],
  [':is(a, b) > c, d[e="f,{}"] {}', [':is(a, b) > c | d[e="f,{}"] {}']],
  ['a{b:"/* c */ ; }";d:e}', ['a {b:"/* c */ ; }";d:e}']],
  ['@media print /* a */ {b{c:d}}', ['media print: b {c:d}']],
  ['@import "a";@font-face{b:c}d{e:f;&:hover{g:h}}', ['d {e:f}', 'd: &:hover {g:h}']],
]
for (const [sheet, rules] of RULES)
  test(`the rules of ${sheet} are ${rules.join(' and ')}`, () => {
    const lines = cssBlocks(sheet)
      .filter(({ name }) => name === '')
      .map(({ selectors, outer, declarations }) => {
        const values = declarations.map(({ property, value }) => `${property}:${value}`).join(';')
        return [...outer, `${selectors.join(' | ')} {${values}}`].join(': ')
      })
    assert.deepEqual(lines, rules)
  })

test('declarations and statements outside of blocks are in the first block', () => {
  const [outside, ...blocks] = cssBlocks('@import "a";b:c;@font-face{d:e}')
  assert.deepEqual(outside?.statements, [{ name: 'import', text: ' "a"' }])
  assert.deepEqual(outside?.declarations, [{ property: 'b', value: 'c', text: 'b:c' }])
  const names = blocks.map(({ name }) => name)
  assert.deepEqual(names, ['font-face'])
})
