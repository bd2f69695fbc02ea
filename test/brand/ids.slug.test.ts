import assert from 'node:assert/strict'
import test from 'node:test'
import { slug } from '#brand/ids.ts'
import { codePoint, fc } from '../support/random.ts'

const cases: [name: string, expected: string][] = [
  ['Deep Blue', 'deep-blue'],
  ['  Deep   Blue!  ', 'deep-blue'],
  ['Bleu Célèbre', 'bleu-celebre'],
  ['Bleu Ce\u0301le\u0300bre', 'bleu-celebre'],
  ['Weiß', 'weiss'],
  ['GROẞ', 'gross'],
  ['İstanbul', 'istanbul'],
  ['Ｆｕｌｌ　Ｗｉｄｔｈ', 'full-width'],
  ['ﬁne №5', 'fine-no5'],
  ['Gris 20 %', 'gris-20'],
  ['Синий', 'синии'],
  ['深蓝', '深蓝'],
  ['서울', '서울'],
  ['١٢', '١٢'],
  ['C/M/Y', 'c-m-y'],
  ['a_b.c', 'a-b-c'],
  ['★', ''],
  ['---', ''],
  ['', ''],
]
for (const [name, expected] of cases)
  test(`the slug of ${JSON.stringify(name)} is ${JSON.stringify(expected)}`, () => assert.equal(slug(name), expected))

test('the slug of the slug of any character is that slug', () => {
  const odd = []
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point)
    const once = slug(character)
    if (once !== character && slug(once) !== once) odd.push(point.toString(16))
  }
  assert.deepEqual(odd, [])
})

test('the slug of a slug is that slug, without hyphens at its ends or two in a row', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), name => {
      const once = slug(name)
      assert.equal(slug(once), once)
      assert.doesNotMatch(once, /^-|-$|--/)
    }),
  )
})
