import assert from 'node:assert/strict'
import test from 'node:test'
import { familiesOf } from '#adopt/families.ts'
import { sourceEntry } from './source-entry.ts'

test('a font without a name has the words of its file before weights, subsets and formats as family', async () => {
  const names = ['Marsh_regular.woff2', 'Inter-400-700-cyrillic-ext.woff2', 'Avenir 85.otf', 'Reed-latin.woff2.ttf']
  const files = names.map(name => ({ entry: sourceEntry(name), to: `files/${name}` }))
  const { missing } = await familiesOf(files, [], { familyOf: async () => undefined })
  const families = Array.from(missing.values(), ({ family }) => family)
  assert.deepEqual(families, ['Marsh', 'Inter', 'Avenir 85', 'Reed'])
})
