import assert from 'node:assert/strict'
import test from 'node:test'
import type { LintColor } from '#delivery/lint/lint-brand.ts'
import type { BuildUse } from '#delivery/lint/use.ts'
import { problemsOf } from './judged.ts'

const COLORS: LintColor[] = [
  { id: 'vermilion', hex: '#cc3a06', cmyk: '0,85,100,10', guide: 'colour' },
  { id: 'ink', hex: '#14212b', cmyk: '85,65,50,70' },
  { id: 'screen', hex: '#00ff00' },
]

type Cmyk = BuildUse['cmyk']

function found(cmyk: Cmyk, role: BuildUse['role'] = 'ground', colors: readonly LintColor[] = COLORS): object[] {
  return problemsOf({ kind: 'build', cmyk, role }, { colors })
}

const right: [what: string, cmyk: Cmyk][] = [
  ['a build of the brand', [0, 85, 100, 10]],
  ['a build as Ghostscript rounds it', [0, 84.9609, 100, 10.0098]],
  ['half of it', [0, 42.5, 50, 5]],
  ['a third of it, in whole per cents', [0, 28, 33, 3]],
  ['a tint within one per cent a channel', [1, 43.5, 49, 6]],
  ['paper', [0, 0, 0, 0]],
  ['black alone', [0, 0, 0, 37]],
  ['a mark on all plates', [100, 100, 100, 100]],
]
for (const [what, cmyk] of right) test(`${what} is right: ${cmyk}`, () => assert.deepEqual(found(cmyk), []))

const near: [cmyk: Cmyk, total: number][] = [
  [[0, 85, 100, 0], 185],
  [[0, 83, 97, 12], 192],
  [[0, 80, 100, 16], 196],
]
for (const [cmyk, total] of near)
  test(`${cmyk} is almost a build of the brand, so the finding says what to write`, () => {
    const text = cmyk.join(',')
    const message = `${text} (${total} % of ink) is not a build of the brand: write 0,85,100,10 of "vermilion"`
    const fields = { found: text, total, nearest: 'vermilion', write: '0,85,100,10', guide: 'colour', message }
    assert.deepEqual(found(cmyk), [{ rule: 'cmyk-off', ...fields }])
  })

test('per cents are whole, as programs round them to 8 or 10 bits, unless they are between two', () => {
  const values = [
    [0, 82.9102, 97.0703, 11.9141],
    [0, 83.1373, 96.8627, 12.1569],
    [0, 27.4902, 90, 0.3],
  ] as const
  assert.deepEqual(
    values.map(cmyk => found(cmyk).map(finding => 'found' in finding && finding.found)),
    [['0,83,97,12'], ['0,83,97,12'], ['0,27.5,90,0.3']],
  )
})

test('a build in unequal steps is off, with the sum of its inks and the nearest by the largest difference of a channel', () => {
  const message = '75,68,67,90 (300 % of ink) is not a build of the brand: use one; the nearest is "ink" (85,65,50,70)'
  assert.deepEqual(found([75, 68, 67, 90]), [
    { rule: 'cmyk-off', found: '75,68,67,90', total: 300, nearest: 'ink', message },
  ])
})

test('a darker build in equal steps is not a tint', () =>
  assert.deepEqual(
    found([0, 93.5, 110, 11]).map(finding => 'rule' in finding && finding.rule),
    ['cmyk-off'],
  ))

const plates: [what: string, cmyk: Cmyk, rules: string[]][] = [
  ['in rich black', [60, 40, 40, 100], ['cmyk-off', 'black-plates']],
  ['in a tint of a build of four plates', [42.5, 32.5, 25, 35], ['black-plates']],
  ['in a build of the brand of four plates', [85, 65, 50, 70], []],
  ['in a build of three plates', [0, 85, 100, 10], []],
  ['in black alone', [0, 0, 0, 100], []],
]
for (const [what, cmyk, rules] of plates)
  test(`text ${what} gives ${rules.join(' and ') || 'nothing'}`, () =>
    assert.deepEqual(
      found(cmyk, 'text').map(finding => 'rule' in finding && finding.rule),
      rules,
    ))

test('a brand without CMYK values judges only text on four plates', () => {
  const colors = [{ id: 'screen', hex: '#00ff00' }]
  assert.deepEqual(found([60, 40, 40, 100], 'ground', colors), [])
  const message =
    'text in 60,40,40,100 is on four plates, which never meet exactly: print it only in black, or in one ink'
  assert.deepEqual(found([60, 40, 40, 100], 'text', colors), [{ rule: 'black-plates', found: '60,40,40,100', message }])
})
