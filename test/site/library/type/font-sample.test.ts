import assert from 'node:assert/strict'
import test from 'node:test'
import { fontSample } from '#site/library/type/font-sample.ts'

const LATIN = [0x20, 0x7e] as const
const ARABIC = [0x621, 0x64a] as const
const CYRILLIC = [0x400, 0x45f] as const
const GEORGIAN = [0x10d0, 0x10f0] as const

test('a font shows letters of the guide’s language, else Latin ones, else its own', () => {
  const short = (ranges: (readonly [number, number])[], lang?: string) => fontSample(ranges, lang).short
  assert.equal(short([LATIN, ARABIC], 'ar'), 'أبجد')
  assert.equal(short([LATIN, ARABIC], 'de'), 'Aa')
  assert.equal(short([LATIN], 'ar'), 'Aa')
  assert.equal(short([ARABIC]), 'أبجد')
  assert.equal(short([LATIN, CYRILLIC], 'sr'), 'Аа')
  assert.equal(short([GEORGIAN]), 'აბ')
  assert.equal(short([], 'ar'), 'Aa')
  assert.equal(short([[0x2190, 0x2199]]), 'Aa')
})
