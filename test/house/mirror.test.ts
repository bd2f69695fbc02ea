import assert from 'node:assert/strict'
import test from 'node:test'
import { findStrayTests, findUnneededEntries, findUntested } from './mirror.ts'

test('a test in the folder of a module tests a file of that module', () => {
  const files = ['src/brand/color.ts', 'src/site/search.js', 'src/settings.ts']
  const good = ['brand/color', 'brand/color.print', 'site/search', 'house', 'house/modules', 'settings']
  assert.deepEqual(
    findStrayTests(
      good.map(name => `test/${name}.test.ts`),
      files,
    ),
    [],
  )
  assert.deepEqual(findStrayTests(['test/brand/colour.test.ts'], files), [
    'test/brand/colour.test.ts matches no file of src: name it after the file that it tests',
  ])
})

const code = 'export function mixed() {}\n'
const sources = [
  { path: 'src/brand/color.ts', text: code },
  { path: 'src/brand/mixing.ts', text: code },
  { path: 'src/brand/types.ts', text: 'export type Color = { css: string }\n' },
]
const tests = ['test/brand/color.print.test.ts', 'test/site/swatch.test.ts']
const MISSING =
  'src/brand/mixing.ts has no test of the same name: write one, or list the test that covers it in COVERED_BY'

test('a file of src without a test of the same name is reported, unless it has only types or an entry', () => {
  assert.deepEqual(findUntested(sources, tests, {}), [MISSING])
  assert.deepEqual(findUntested(sources, tests, { 'src/brand/mixing.ts': 'test/site/swatch.test.ts' }), [])
  assert.deepEqual(findUntested(sources, [...tests, 'test/brand/mixing.test.ts'], {}), [])
})

for (const [path, covering, problem] of [
  ['src/brand/gone.ts', 'test/site/swatch.test.ts', /src\/brand\/gone\.ts, which does not exist/],
  [
    'src/brand/mixing.ts',
    'test/gone.test.ts',
    /test\/gone\.test\.ts for src\/brand\/mixing\.ts, but the test does not exist/,
  ],
  ['src/brand/color.ts', 'test/site/swatch.test.ts', /src\/brand\/color\.ts, which needs no entry/],
  ['src/brand/types.ts', 'test/site/swatch.test.ts', /src\/brand\/types\.ts, which needs no entry/],
] as const)
  test(`an entry for ${path} covered by ${covering} is reported`, () => {
    const found = findUnneededEntries(sources, tests, { [path]: covering })
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', problem)
  })

test('an entry for a file that needs one is accepted', () => {
  assert.deepEqual(findUnneededEntries(sources, tests, { 'src/brand/mixing.ts': 'test/site/swatch.test.ts' }), [])
})
