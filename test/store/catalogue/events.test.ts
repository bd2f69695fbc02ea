import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { publishAll } from '#publishing/publish.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const DAY_MS = 24 * 3600 * 1000
const NOW = new Date('2026-05-01T12:00:00.000Z')

test('each move of a pointer writes one event in its transaction, and a rejected command writes none', async () => {
  const { store, importing, publish } = await temporaryStore()
  const ref = { workspace: 'acme', project: 'guide' }
  await importing('acme', { 'guide/pages/index.md': '# One\n' })
  await publish('acme/guide', NOW)
  await publish('acme/guide', NOW)
  const unknown = await publishAll(store, [ref, { workspace: 'acme', project: 'none' }], {}, NOW)
  assert.equal(unknown.ok, false)
  unwrap(await unpublish(store, ref, NOW))
  unwrap(await unpublish(store, ref, NOW))
  unwrap(await remove(store, ref, NOW))
  const rows = await store.database.all('SELECT number, type, revision, published_at FROM event ORDER BY number')
  const published = NOW.getTime()
  const seen = rows.map(row => [row.type, row.revision, row.published_at])
  assert.deepEqual(seen, [
    ['published', 1, published],
    ['unpublished', 1, published],
    ['deleted', 1, published],
  ])
  for (const { number } of rows)
    assert.ok(await store.database.get('SELECT number FROM change WHERE number = ?', Number(number)))
})

test('a write deletes at most 100 events that are older than 30 days', async () => {
  const { store, importing, publish } = await temporaryStore()
  const { database } = store
  const old = (at: number) =>
    database.run(
      `INSERT INTO event (number, id, type, workspace, project, instance, created_at, revision, snapshot, published_at, happened_at)
       VALUES (?, ?, 'published', 'acme', 'guide', '', 1, 1, '', 1, ?)`,
      -at,
      `old-${at}`,
      NOW.getTime() - 30 * DAY_MS - at,
    )
  for (let at = 0; at < 151; at++) await old(at)
  const count = async () => (await database.get('SELECT COUNT(*) AS count FROM event'))?.count
  await importing('acme', { 'a/pages/index.md': '# A\n', 'b/pages/index.md': '# B\n' })
  await publish('acme/a', NOW)
  assert.equal(await count(), 52)
  await publish('acme/b', NOW)
  assert.equal(await count(), 3)
  assert.ok(await database.get("SELECT id FROM event WHERE id = 'old-0'"), 'an event of exactly 30 days stays')
})
