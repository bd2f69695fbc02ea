import assert from 'node:assert/strict'
import test from 'node:test'
import { quote } from '#platform/base/text.ts'
import { codePoint, fc } from '../../support/random.ts'

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

test('every string is quoted on one line without control or format characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), text =>
      assert.doesNotMatch(quote(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u),
    ),
  )
})
