import assert from 'node:assert/strict'
import test from 'node:test'
import { isOtherScheme } from '#brand/tokens/scheme.ts'

test('a path or a selector is for another scheme if one of its words says so', () => {
  const texts = ['a/dark.json', 'themeDark.css', '.night', '[data-theme=dark]', 'light-hc.json', 'high-contrast/a.json']
  const unexpected = texts.filter(text => !isOtherScheme(text))
  assert.deepEqual(unexpected, [])
  const usual = ['light.json', 'darkroom/a.json', 'knight.css', ':root:not([data-theme="dark"])', 'contrasting.csv']
  assert.deepEqual(usual.filter(isOtherScheme), [])
})
