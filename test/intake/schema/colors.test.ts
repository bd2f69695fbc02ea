import assert from 'node:assert/strict'
import test from 'node:test'
import { COLOR_KINDS, parseCmyk } from '#intake/schema/colors.ts'
import { failed, ok } from '#platform/base/result.ts'
import { fc, forAll } from '../../support/random.ts'

const accepted: [written: string | string[], value: string][] = [
  ['84,39,0,28', '84,39,0,28'],
  ['84, 39, 0, 28', '84,39,0,28'],
  ['84 39 0 28', '84,39,0,28'],
  [['84', '39', '0', '28'], '84,39,0,28'],
  ['84.50, 39.0, .5, 100.000', '84.5,39,0.5,100'],
  ['007,00,+1,1.', '7,0,1,1'],
  ['0.0000001,0,0,0', '0.0000001,0,0,0'],
  ['33.333333333333333333,0,0,0', '33.333333333333333333,0,0,0'],
  ['90/45/25/30', '90,45,25,30'],
  ['90 % | 45 % | 25 % | 30 %', '90,45,25,30'],
  ['90%, 45%, 25%, 30%', '90,45,25,30'],
  [['90 %', '45%', '25', '30'], '90,45,25,30'],
  ['C90 M45 Y25 K30', '90,45,25,30'],
  ['C: 90 M: 45 Y: 25 K: 30', '90,45,25,30'],
  ['c90m45y25k30', '90,45,25,30'],
  ['90C 45M 25Y 30K', '90,45,25,30'],
  ['C 90.5%, M 45.25%, Y 25%, K\u00a030\u00a0%', '90.5,45.25,25,30'],
  ['cmyk(90%, 45%, 25%, 30%)', '90,45,25,30'],
  ['CMYK: 90/45/25/30', '90,45,25,30'],
  ['device-cmyk(90% 45% 25% 30%)', '90,45,25,30'],
]
for (const [written, value] of accepted)
  test(`a cmyk colour ${JSON.stringify(written)} is ${value}`, () => assert.deepEqual(parseCmyk(written), ok(value)))

const refused: [written: string | string[], reason: string][] = [
  ['', 'has no numbers; write four, 0 to 100, as in "84,39,0,28"'],
  ['84,39,0', 'has three numbers; write four, 0 to 100, as in "84,39,0,28"'],
  [['1', '2', '3', '4', '5'], 'has five numbers; write four, 0 to 100, as in "84,39,0,28"'],
  ['84,39,0,101', 'is "84,39,0,101"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  ['84,39,0,100.01', 'is "84,39,0,100.01"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  ['-0,39,0,1', 'is "-0,39,0,1"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  ['84%%,39,0,28', 'is "84%%,39,0,28"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  ['5 %3 2 1', 'is "5 %3 2 1"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  ['K84 M39 Y0 C28', 'is "K84 M39 Y0 C28"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  ['rgb(84, 39, 0, 28)', 'is "rgb(84, 39, 0, 28)"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  ['1e1,0,0,0', 'is "1e1,0,0,0"; write four numbers, 0 to 100, as in "84,39,0,28"'],
  [['', '0', '0', '0'], 'is ",0,0,0"; write four numbers, 0 to 100, as in "84,39,0,28"'],
]
for (const [written, reason] of refused)
  test(`a cmyk colour is not ${JSON.stringify(written)}`, () => assert.deepEqual(parseCmyk(written), failed(reason)))

test('inks as shares of 1 are a warning and left out, since they would print a hundredth of the colour', () => {
  const { read } = COLOR_KINDS.cmyk
  for (const [text, isWarned] of [
    ['0.9,0.45,0.25,0.3', true],
    ['0, 1, 1, .5', true],
    ['0.9% 0.45% 0.25% 0.3%', true],
    ['device-cmyk(0 1 1 0)', true],
    ['device-cmyk(0% 1% 1% 0%)', false],
    ['0,0,0,0', false],
    ['0,1,1.0,0', false],
    ['0.5,0,0,2', false],
  ] as const) {
    const cmyk = read({ kind: 'text', line: 3, text })
    assert.equal(cmyk.ok, !isWarned, text)
    if (!cmyk.ok) assert.deepEqual([cmyk.problem.rule, cmyk.problem.line], ['cmyk-fraction', 3])
  }
})

test('a cmyk colour is never rounded', async () => {
  const ink = fc.double({ min: 0.001, max: 100, noNaN: true })
  await forAll([fc.tuple(ink, ink, ink, ink)], inks => {
    assert.deepEqual(parseCmyk(inks.map(String)), ok(inks.map(String).join(',')))
  })
})
