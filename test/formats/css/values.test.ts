import assert from 'node:assert/strict'
import test from 'node:test'
import { cssFamilies, cssList, fontFamilies, plainValue } from '#formats/css/values.ts'

const VALUES: readonly (readonly [read: (css: string) => string | string[], css: string, result: string | string[]])[] =
  [
    [plainValue, ' a/* b */c\n d ! Important ', 'a c d'],
    [plainValue, '(a: b) !default !global', '(a: b)'],
    [plainValue, '"/* a */ b !c"/**/', '"/* a */ b !c"'],
    [plainValue, 'if($a != b, c, d)', 'if($a != b, c, d)'],
    [cssList, 'a, b(c, d) ,[e,f],"g,h",/* i, */ url(j,k)', ['a', 'b(c, d)', '[e,f]', '"g,h"', 'url(j,k)']],
    [cssList, '', ['']],
    [cssFamilies, `"A, B", C\\2c  D/**/ E , 'F' !important`, ['A, B', 'C, D E', 'F']],
    [cssFamilies, 'var(--a, b), c', ['var(--a, b)', 'c']],
    [fontFamilies, 'italic 700 12px/1.5 "A 2 B", serif', ['A 2 B', 'serif']],
    [fontFamilies, '120% / normal A B', ['A B']],
    [fontFamilies, 'caption', []],
    [fontFamilies, '12px', []],
  ]
for (const [read, css, result] of VALUES)
  test(`${read.name} reads ${css.replaceAll('\n', ' ')}`, () => {
    assert.deepEqual(read(css), result)
  })
