import assert from 'node:assert/strict'
import test from 'node:test'
import { isRightToLeft } from '#platform/base/text.ts'

for (const lang of ['ar', 'ar-EG', 'he', 'fa', 'ur', 'dv', 'ckb', 'yi', 'az-Arab', 'pa-Arab'])
  test(`${lang} runs from right to left`, () => assert.equal(isRightToLeft(lang), true))

for (const lang of ['en', 'de', 'ja', 'tr', 'az', 'pa', 'ar-Latn', 'zxx', 'x-private'])
  test(`${lang} does not run from right to left`, () => {
    assert.equal(isRightToLeft(lang.startsWith('x-') ? `und-${lang}` : lang), false)
  })
