import assert from 'node:assert/strict'
import test from 'node:test'
import { PRINT_KEYS } from '#brand/color.ts'
import { openAssets } from '#site/assets.ts'

const assets = openAssets('')
const [base, sheet] = [assets.path('site.css'), assets.path('pages.css')].map(path =>
  new TextDecoder().decode(assets.find(path)?.bytes),
)

test('each print value has its own line on the tiles of a palette, except the list of inks', () => {
  const keys = PRINT_KEYS.filter(key => key !== 'inks')
  const rows = keys.map(key => new RegExp(`\\.${key}\\{grid-row:(\\d+)\\}`).exec(sheet ?? '')?.[1])
  const expected = keys.map((_, at) => `${at + 4}`)
  assert.deepEqual(rows, expected)
})

test('a style sheet has a rule for each length of words, and number of columns', () => {
  for (const rule of ['.word-26{--word:26}.word-28{', '.columns-6{--columns:6}'])
    assert.ok(`${base}${sheet}`.includes(rule), rule)
})
