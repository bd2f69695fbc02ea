import assert from 'node:assert/strict'
import test from 'node:test'
import type { Use } from '#delivery/lint/use.ts'
import { EMPTY, judged } from './judged.ts'

function found(...uses: Use[]): object[] {
  return judged(uses).findings.map(({ path, message, value, ...fields }) => fields)
}

test('RGB is an error once a page, with the number of places', () =>
  assert.deepEqual(
    found(
      { kind: 'print', about: 'rgb', page: 1 },
      { kind: 'print', about: 'rgb', page: 3 },
      { kind: 'print', about: 'rgb', page: 3 },
    ),
    [
      { severity: 'error', rule: 'rgb-in-print', page: 1, count: 1 },
      { severity: 'error', rule: 'rgb-in-print', page: 3, count: 2 },
    ],
  ))

test('RGB that the version of PDF/X allows is a warning, and stays off or a note', () => {
  const use = { kind: 'print', about: 'rgb', page: 1, isAllowed: true } as const
  const levels = ['error', 'warning', 'note', 'off'] as const
  assert.deepEqual(
    levels.map(level => {
      const { findings } = judged([use], { levels: { ...EMPTY.levels, 'rgb-in-print': level } })
      return findings.map(({ severity }) => severity)
    }),
    [['warning'], ['warning'], ['note'], []],
  )
})

test('a font that is not in the file is an error once a file', () =>
  assert.deepEqual(
    found(
      { kind: 'print', about: 'font-not-embedded', name: 'Helvetica', page: 1 },
      { kind: 'print', about: 'font-not-embedded', name: 'Helvetica', page: 2 },
    ),
    [{ severity: 'error', rule: 'font-not-embedded', page: 1, found: 'Helvetica', count: 2 }],
  ))

for (const about of ['overprint', 'transparency'] as const)
  test(`${about} is a note once a file, and a warning for a brand that says so`, () => {
    const uses: Use[] = [2, 5].map(page => ({ kind: 'print', about, page }))
    const rule = `${about}-used` as const
    assert.deepEqual(found(...uses), [{ severity: 'note', rule, page: 2, count: 2 }])
    const { findings } = judged(uses, { levels: { ...EMPTY.levels, [rule]: 'warning' } })
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      ['warning'],
    )
  })
