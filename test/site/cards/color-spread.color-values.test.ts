import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { PRINT_KEYS } from '#brand/color.ts'

test('each print value has its own line on the tiles of a palette, except the list of inks', () => {
  const sheet = readFileSync('src/site/css/colors/spreads.css', 'utf8')
  const keys = PRINT_KEYS.filter(key => key !== 'inks')
  const rows = keys.map(key => new RegExp(`^\\.${key} \\{\\n {2}grid-row: (\\d+);`, 'm').exec(sheet)?.[1])
  assert.deepEqual(
    rows,
    keys.map((_, at) => `${at + 4}`),
  )
})
