import assert from 'node:assert/strict'
import test from 'node:test'
import { othersKind } from '#delivery/lint/others.ts'
import { golden } from '../../support/golden.ts'

const NAMES = ['quay', 'Quay guidelines']

golden('lint/others', ({ path, start = '', names = NAMES }: { path: string; start?: string; names?: string[] }) => {
  return othersKind(path, start, names) ?? 'its own'
})

test('a long line of a sheet that is an address is its own', () => {
  assert.equal(othersKind('site/main.css', `a{background:url(${'x'.repeat(70_000)})}`, NAMES), undefined)
})
