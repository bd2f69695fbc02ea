import assert from 'node:assert/strict'
import test from 'node:test'
import { addConnection, type ConnectionRecord, listLiveConnections } from '#store/access/connections.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const { store } = await temporaryStore()
const DAY_MS = 24 * 3600 * 1000

function connection(number: number, share = 'one'): ConnectionRecord {
  const createdAt = new Date(1000 * number)
  const id = `${share}-${number}`
  const expiresAt = new Date(createdAt.getTime() + DAY_MS)
  const coverage = { resource: 'https://brand.example/mcp', scope: 'document.read' }
  return { id, workspace: 'acme', client: 'c', origin: { share }, subject: 's', ...coverage, createdAt, expiresAt }
}

const add = (added: ConnectionRecord) => store.database.transaction(queries => addConnection(queries, added))

test('a share link has at most 100 connections: a further one ends the oldest', async () => {
  await add(connection(0, 'other'))
  for (let number = 1; number <= 101; number++) await add(connection(number))
  const live = await listLiveConnections(store.database, new Date(200_000))
  assert.equal(live.length, 101)
  assert.deepEqual([live[0]?.id, live.at(-2)?.id, live.at(-1)?.id], ['one-101', 'one-2', 'other-0'])
})

test('connections that ended or expired more than a day ago are deleted', async () => {
  await add(connection((3 * DAY_MS) / 1000, 'late'))
  const rows = await store.database.all('SELECT id FROM connection')
  const ids = rows.map(({ id }) => id)
  assert.deepEqual(ids, [`late-${(3 * DAY_MS) / 1000}`])
})
