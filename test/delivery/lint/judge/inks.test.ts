import assert from 'node:assert/strict'
import test from 'node:test'
import type { LintColor } from '#delivery/lint/lint-brand.ts'
import { problemsOf } from './judged.ts'

const COLORS: LintColor[] = [
  { id: 'red', hex: '#f9423a', pms: 'Warm Red C', guide: 'colour' },
  { id: 'orange', hex: '#dc582a', pms: '7580 C', pms2: '7580 U', ral: 2002, inks: { HKS: '8 N' } },
  { id: 'green', hex: '#4a773c', pms: '7742 C' },
  { id: 'bridge', hex: '#005eb8', pms: 'P 1-11 C', pms2: '10 C' },
  { id: 'grey', hex: '#888b8d', pms: 'Cool Gray 8' },
  { id: 'screen', hex: '#00ff00' },
]

function found(name: string, colors: readonly LintColor[] = COLORS): object[] {
  return problemsOf({ kind: 'ink', name, role: 'ground' }, { colors })
}

const right = ['PANTONE Warm Red C', 'PANTONE 7580 C', 'PANTONE 7580 U', 'RAL 2002', 'HKS 8 N', 'PANTONE Cool Gray 8']
for (const name of right) test(`the spot colour ${name} is right`, () => assert.deepEqual(found(name), []))

for (const name of ['PANTONE Cool Gray 8 C', 'PANTONE Cool Gray 8 U'])
  test(`${name} is right, because the brand names no book`, () => assert.deepEqual(found(name), []))

const renamed: [found: string, write: string, id: string][] = [
  ['PMS Warm Red', 'PANTONE Warm Red C', 'red'],
  ['Pantone 7742 CVC', 'PANTONE 7742 C', 'green'],
  ['PANTONE 7742 CV', 'PANTONE 7742 C', 'green'],
  ['PANTONE® 7580 U', 'PANTONE 7580 U', 'orange'],
  ['PANTONE 7580 CVU', 'PANTONE 7580 U', 'orange'],
  ['7742c', 'PANTONE 7742 C', 'green'],
  ['Pantone P 1-11', 'PANTONE P 1-11 C', 'bridge'],
  ['RAL2002', 'RAL 2002', 'orange'],
  ['HKS8N', 'HKS 8 N', 'orange'],
]
for (const [name, write, id] of renamed)
  test(`${name} is the ink ${write} by another name`, () => {
    const message = `${name} is the ink ${write} of the brand, but another name is another plate: write ${write}`
    const guide = id === 'red' ? { guide: 'colour' } : {}
    assert.deepEqual(found(name), [{ rule: 'spot-name', found: name, nearest: id, write, ...guide, message }])
  })

for (const name of [
  'PANTONE 1655 C',
  'PANTONE P 11-1 C',
  'PANTONE 100 C',
  'PANTONE 1 C',
  'RAL 2003',
  'HKS 8 K',
  'Gold',
])
  test(`${name} is not an ink of the brand, and no other one is named`, () => {
    const message = `${name} is not an ink of the brand: use one of its inks`
    assert.deepEqual(found(name), [{ rule: 'spot-off', found: name, message }])
  })

test('an ink for other paper is another ink', () => {
  const message = 'PANTONE 7742 U is not an ink of the brand: it has PANTONE 7742 C: coated and uncoated are two inks'
  assert.deepEqual(found('PANTONE 7742 U'), [{ rule: 'spot-off', found: 'PANTONE 7742 U', nearest: 'green', message }])
})

test('a name without a book is off if the brand has both of them', () => {
  const message = 'PMS 7580 is not an ink of the brand: it has PANTONE 7580 C and PANTONE 7580 U: write which one'
  assert.deepEqual(found('PMS 7580'), [{ rule: 'spot-off', found: 'PMS 7580', nearest: 'orange', message }])
})

test('a brand without inks judges no spot colours', () =>
  assert.deepEqual(found('PANTONE 1655 C', [{ id: 'screen', hex: '#00ff00', cmyk: '0,0,0,0' }]), []))

test('the name of an ink is shown in one short line, without controls', () => {
  const [finding] = problemsOf(
    { kind: 'ink', name: `Foil\n\u001b[31m${'x'.repeat(90)}`, role: 'text' },
    { colors: COLORS },
  )
  assert.ok(finding && 'found' in finding)
  assert.equal(finding.found, `Foil [31m${'x'.repeat(70)}…`)
})
