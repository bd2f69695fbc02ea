import assert from 'node:assert/strict'
import test from 'node:test'
import { compiledStylesOf, convertedFiles, namesAndHexes, stylesOf } from '#test/support/converted.ts'
import { golden } from '#test/support/golden.ts'

test('rules of a website give no colours', () => {
  const rules = Array.from({ length: 500 }, (_, at) => `.a${at}{color:#${String(at).padStart(6, '0')};--b${at}:#fff}`)
  assert.deepEqual(namesAndHexes(convertedFiles([['site.min.css', `:root{--ink:#111}${rules.join('')}`]])), [
    'ink #111111',
  ])
})

golden('adopt/conversion/style-sheets/read-sheets', stylesOf)
golden('adopt/conversion/style-sheets/compile-sheets', compiledStylesOf)
