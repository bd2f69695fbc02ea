import assert from 'node:assert/strict'
import test from 'node:test'
import { applyEdits, isRightToLeft, quote } from '#platform/base/text.ts'
import { codePoint, fc, forAll } from '../../support/random.ts'

const cases: [text: string, shown: string][] = [
  ['Blue', '"Blue"'],
  ['', '""'],
  ['a "b" \\', '"a \\"b\\" \\\\"'],
  ['a\nb', '"a\\nb"'],
  ['\u001b[31m', '"\\u001b[31m"'],
  ['\u009b31m\u007f', '"\\u009b31m\\u007f"'],
  ['a\u202eb\u2028', '"a\\u202eb\\u2028"'],
  ['\ud800', '"\\ud800"'],
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
  [
    `files/${'folder/'.repeat(20)}a-rather-long-name-of-a-picture.svg`,
    '"files/folder/folder/…lder/a-rather-long-name-of-a-picture.svg"',
  ],
  ['🎨'.repeat(70), `"${'🎨'.repeat(60)}…"`],
]
for (const [text, shown] of cases) test(`a string is quoted as ${shown}`, () => assert.equal(quote(text), shown))

test('every string is quoted on one line without control or format characters', () =>
  forAll([fc.string({ unit: codePoint })], text => assert.doesNotMatch(quote(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)))

test('edits replace their parts of the text, in any order', () => {
  const edits = [
    { start: 5, end: 6, text: '' },
    { start: 0, end: 1, text: 'long ' },
    { start: 3, end: 3, text: '|' },
  ]
  assert.equal(applyEdits('abcdef', edits), 'long bc|de')
  assert.equal(applyEdits('abc', []), 'abc')
})

test('of edits that overlap, the first in the text is applied', () => {
  const at = (start: number, end: number) => ({ start, end, text: `${start}` })
  assert.equal(applyEdits('abcdef', [at(4, 6), at(2, 3), at(4, 6), at(1, 4), at(3, 5)]), 'a14')
})

test('100,000 edits are applied', () => {
  const text = 'ab'.repeat(100_000)
  const edits = Array.from({ length: 100_000 }, (_, at) => ({ start: 2 * at, end: 2 * at + 1, text: 'x' }))
  assert.equal(applyEdits(text, edits), 'xb'.repeat(100_000))
})

for (const lang of ['ar', 'ar-EG', 'he', 'fa', 'ur', 'dv', 'ckb', 'yi', 'az-Arab', 'pa-Arab'])
  test(`${lang} runs from right to left`, () => assert.equal(isRightToLeft(lang), true))

for (const lang of ['en', 'de', 'ja', 'tr', 'az', 'pa', 'ar-Latn', 'zxx', 'x-private'])
  test(`${lang} does not run from right to left`, () => {
    assert.equal(isRightToLeft(lang.startsWith('x-') ? `und-${lang}` : lang), false)
  })
