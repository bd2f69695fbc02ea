import assert from 'node:assert/strict'
import test from 'node:test'
import { lastUse } from '#people/manage/manage-page.ts'

test('a last use of which only the hour is known is not before the thing was made', () => {
  const made = new Date('2026-03-07T12:40:00Z')
  const later = new Date('2026-03-07T13:00:00Z')
  assert.equal(lastUse(new Date('2026-03-07T12:00:00Z'), made), made)
  assert.equal(lastUse(later, made), later)
})
