import assert from 'node:assert/strict'
import test from 'node:test'
import { isOtherScheme, schemesOf } from '#brand/tokens/scheme.ts'

test('a path or a selector is for another scheme if one of its words says so', () => {
  const texts = ['a/dark.json', 'themeDark.css', '.night', '[data-theme=dark]', 'light-hc.json', 'high-contrast/a.json']
  const unexpected = texts.filter(text => !isOtherScheme(text))
  assert.deepEqual(unexpected, [])
  const usual = ['light.json', 'darkroom/a.json', 'knight.css', ':root:not([data-theme="dark"])', 'contrasting.csv']
  assert.deepEqual(usual.filter(isOtherScheme), [])
})

const LIGHT_DARK: readonly (readonly [value: string, schemes: readonly string[]])[] = [
  ['light-dark(#fff, #000)', ['#fff', '#000']],
  [' Light-Dark( rgb(1, 2, 3) ,rgb(from var(--a, red) r g b) ) ', ['rgb(1, 2, 3)', 'rgb(from var(--a, red) r g b)']],
  ['light-dark(/* a, (b */ white, black /* ) */)', ['white', 'black']],
  ['light-dark(url("a,b"), url(c))', ['url("a,b")', 'url(c)']],
  ['#fff', ['#fff']],
  ['light-dark(#fff)', ['light-dark(#fff)']],
  ['light-dark(a, b), light-dark(c, d)', ['light-dark(a, b), light-dark(c, d)']],
]
for (const [value, schemes] of LIGHT_DARK)
  test(`${value} has ${schemes.length === 1 ? 'one value' : 'a light and a dark value'}`, () => {
    assert.deepEqual(schemesOf(value), schemes)
  })
