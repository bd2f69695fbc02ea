import assert from 'node:assert/strict'
import test from 'node:test'
import { auditedBy } from '#people/manage/context.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { accessTo } from '../../support/access-context.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

test('an audit line names the person who acted, also if it is about another one', async () => {
  const recorded: AccessEvent[] = []
  const { store } = await temporaryStore()
  const { record } = auditedBy({ ...accessTo(store), record: event => void recorded.push(event) }, { subject: 'ada' })
  record({ event: 'share-created', share: '1' })
  record({ event: 'connection-ended', connection: '2', subject: 'ben' })
  assert.deepEqual(recorded, [
    { event: 'share-created', share: '1', subject: 'ada' },
    { event: 'connection-ended', connection: '2', subject: 'ben', by: 'ada' },
  ])
})
