import assert from 'node:assert/strict'
import test from 'node:test'
import { codePoints } from '#formats/font/characters.ts'
import { SCRIPTS, scriptsIn, scriptsOf } from '#formats/font/scripts.ts'

test('each character belongs to at most one script, and each script has its letter', () => {
  const codes = SCRIPTS.flatMap(({ ranges }) => [...codePoints(ranges)])
  assert.equal(new Set(codes).size, codes.length)
  for (const script of SCRIPTS) {
    const code = script.letter.codePointAt(0) ?? 0
    const found = scriptsOf({ count: 1, ranges: [[code, code]] })
    assert.deepEqual(found, [script])
  }
})

const texts: [text: string, scripts: string[]][] = [
  ['Äußerst scharf, über alles', ['latin']],
  ['Greek ακμή, on an English page', ['latin']],
  ['Zażółć gęślą jaźń', ['latin', 'latin-ext']],
  ['Острые инструменты', ['cyrillic']],
  ['كلمات حادة', ['arabic']],
  ['道具', []],
]
for (const [text, scripts] of texts)
  test(`the text “${text}” is in ${scripts.join(' and ') || 'no script with subsets'}`, () =>
    assert.deepEqual(
      scriptsIn(text).map(({ name }) => name),
      scripts,
    ))
