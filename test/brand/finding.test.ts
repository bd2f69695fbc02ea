import assert from 'node:assert/strict'
import test from 'node:test'
import { RULES } from '#brand/finding.ts'

test('every rule states the problem and the fix in whole sentences', () => {
  for (const { summary, fix } of Object.values(RULES)) assert.match(`${summary}\n${fix}`, /^\S.*\.\n[A-Z].*\.$/)
})
