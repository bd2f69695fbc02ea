import assert from 'node:assert/strict'
import test from 'node:test'
import { parseRal } from '#brand/styles/ral.ts'
import { failed, ok } from '#platform/base/result.ts'

const ACCEPTED: readonly [number: number, written: string][] = [
  [5015, '5015 · RAL 5015 · RAL5015 · ral 5015 · RAL-5015 · RAL Classic 5015 ·  5015 '],
  [
    3022,
    'RAL 3022 Lachsrot · RAL 3022 (Lachsrot) · RAL\u00a03022 · RAL\u202f3022 Lachsrot · RAL Nr. 3022 · RAL-Nr.: 3022',
  ],
  [3022, 'RAL n° 3022 · Lachsrot RAL 3022 · Rosa salmón (RAL 3022) · RAL® 3022 Lachsrot · RAL Classic K7 3022'],
  [3022, '3022 Lachsrot / Salmon red · サーモン RAL 3022'],
]

test('a RAL Classic number may be written in each usual form, also with its name', () => {
  for (const [number, written] of ACCEPTED)
    for (const text of written.split(' · ')) assert.deepEqual(parseRal(text), ok(number), text)
})

test('a number of another RAL system is left out, with where to write it', () => {
  for (const text of 'RAL 2404040·RAL Design 240 40 40·H240L40C40·RAL 110-1·RAL P1 5015·RAL\u00a0240\u00a040\u00a040'.split(
    '·',
  )) {
    const ink = text.replace(/^RAL\s(?:Design )?/, '')
    const message = `is "${text}", which is not of RAL Classic and is left out; write it under "inks", as in inks: { RAL: "${ink}" }`
    assert.deepEqual(parseRal(text), failed({ rule: 'ral-design', message }))
  }
})

test('any other text is not a RAL number', () => {
  const others =
    '·501·0123·5015.0·5015blue·RAL 9005 / 9004·0x1397·Lachsrot 3022·Lachsrot RAL 3022 / 3020·NCS S 3022 RAL'
  for (const text of others.split('·')) {
    const message = `is "${text}"; write the four digits of a RAL Classic number, as in 5015`
    assert.deepEqual(parseRal(text), failed({ rule: 'value-invalid', message }))
  }
})
