import assert from 'node:assert/strict'
import test from 'node:test'
import { idleEntries, strayTests, untested } from './mirror.ts'

test('a test in the folder of a room tests a file of that room', () => {
  const files = ['src/brand/color.ts', 'src/site/search.js', 'src/settings.ts']
  const good = ['brand/color', 'brand/color.print', 'site/search', 'house', 'house/rooms', 'settings']
  assert.deepEqual(
    strayTests(
      good.map(name => `test/${name}.test.ts`),
      files,
    ),
    [],
  )
  assert.deepEqual(strayTests(['test/brand/colour.test.ts'], files), [
    'test/brand/colour.test.ts tests no file of src: give it the name of the file that it tests',
  ])
})

const code = 'export function mixed() {}\n'
const sources = [
  { path: 'src/brand/color.ts', text: code },
  { path: 'src/brand/mixing.ts', text: code },
  { path: 'src/brand/types.ts', text: 'export type Color = { css: string }\n' },
]
const tests = ['test/brand/color.print.test.ts', 'test/site/swatch.test.ts']
const MISSING = 'src/brand/mixing.ts has no test of its name: write one, or name the test that covers it in COVERED_BY'

test('a file of src without a test of its name is found, unless it has types alone or the list names it', () => {
  assert.deepEqual(untested(sources, tests, {}), [MISSING])
  assert.deepEqual(untested(sources, tests, { 'src/brand/mixing.ts': 'test/site/swatch.test.ts' }), [])
  assert.deepEqual(untested(sources, [...tests, 'test/brand/mixing.test.ts'], {}), [])
})

for (const [path, covering, said] of [
  ['src/brand/gone.ts', 'test/site/swatch.test.ts', /src\/brand\/gone\.ts, which is gone/],
  ['src/brand/mixing.ts', 'test/gone.test.ts', /test\/gone\.test\.ts, which is gone, for src\/brand\/mixing\.ts/],
  ['src/brand/color.ts', 'test/site/swatch.test.ts', /src\/brand\/color\.ts, which needs no entry/],
  ['src/brand/types.ts', 'test/site/swatch.test.ts', /src\/brand\/types\.ts, which needs no entry/],
] as const)
  test(`an entry of the list for ${path}, covered by ${covering}, is found`, () => {
    const found = idleEntries(sources, tests, { [path]: covering })
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', said)
  })

test('an entry for a file that needs one is not found', () => {
  assert.deepEqual(idleEntries(sources, tests, { 'src/brand/mixing.ts': 'test/site/swatch.test.ts' }), [])
})
