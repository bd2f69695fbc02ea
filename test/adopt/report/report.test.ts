import assert from 'node:assert/strict'
import test from 'node:test'
import { emptyReport, proveComplete } from '#adopt/report/report.ts'

const REPORT = {
  ...emptyReport(),
  placed: [{ from: 'a.md', to: 'pages/a.md' }],
  leftOut: [{ path: 'build/', reason: 'build output' }],
}

test('a report is complete if each file is in it once, itself or in a folder that is left out whole', () => {
  proveComplete(REPORT, ['a.md', 'build/x/y.js'])
  assert.throws(() => proveComplete(REPORT, ['b.md']), /b\.md is 0 times in the report/)
  const merged = [{ from: 'a.md', into: 'styles/colors.yaml' }]
  assert.throws(() => proveComplete({ ...REPORT, merged }, ['a.md']), /a\.md is 2 times in the report/)
  const placed = [{ from: 'build/a.svg', to: 'files/a.svg' }]
  assert.throws(() => proveComplete({ ...REPORT, placed }, ['build/a.svg']), /build\/a\.svg is 2 times in the report/)
})
