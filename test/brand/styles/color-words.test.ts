import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colorWords } from '#brand/styles/color-words.ts'

test('a colour has the everyday words that people may use for it', () => {
  for (const [hex, words] of [
    ['#cc3a06', 'red orange'],
    ['#a8201a', 'red'],
    ['#14212b', 'dark black blue'],
    ['#dbb48a', 'orange beige'],
    ['#6b4a1f', 'dark orange brown'],
    ['#2c5a4a', 'dark green'],
    ['#1f5e94', 'blue'],
    ['#ffd100', 'yellow'],
    ['#7a2a8c', 'purple violet'],
    ['#ffffff', 'light white'],
    ['#000000', 'dark black'],
    ['#818181', 'grey gray'],
    ['#818d98', 'grey gray blue'],
  ] as const)
    assert.equal(colorWords(hex).join(' '), words, hex)
})
