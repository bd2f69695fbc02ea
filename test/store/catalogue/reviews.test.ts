import assert from 'node:assert/strict'
import test from 'node:test'
import { parseHash } from '#brand/snapshot.ts'
import { listReviews, type ReviewRecord, saveReview } from '#store/catalogue/reviews.ts'
import { bothEngines } from '#test/support/engines.ts'

const APPROVAL: ReviewRecord = {
  workspace: 'acme',
  project: 'guide',
  reviewer: 'share:1',
  who: 'Studio 😀',
  isSignedIn: false,
  answer: 'approve',
  snapshot: parseHash('a'.repeat(64)),
  settings: 'b'.repeat(32),
  answeredAt: new Date('2026-11-24T10:00:00Z'),
}
const REQUEST: ReviewRecord = {
  ...APPROVAL,
  reviewer: 'ada',
  who: 'Ada',
  isSignedIn: true,
  answer: 'ask',
  comment: 'Line one\nline two',
  answeredAt: new Date('2026-11-24T11:00:00Z'),
}

for (const { name, skip, migrated } of await bothEngines())
  test(`${name}: the latest answer of each reviewer of a project counts, read as written`, { skip }, async () => {
    const database = await migrated()
    const save = (review: ReviewRecord) => database.transaction(queries => saveReview(queries, review))
    for (const review of [APPROVAL, REQUEST, { ...APPROVAL, project: 'other' }]) await save(review)
    const link = { by: undefined, maker: { reviewer: '', email: undefined }, endsAt: undefined }
    assert.deepEqual(await listReviews(database, APPROVAL), [REQUEST, { ...APPROVAL, link }])
    const later = { ...APPROVAL, answer: 'ask' as const, answeredAt: new Date('2026-11-24T12:00:00Z') }
    await save(later)
    assert.deepEqual(await listReviews(database, APPROVAL), [{ ...later, link }, REQUEST])
    assert.equal((await listReviews(database)).length, 3)
    await database.close()
  })
