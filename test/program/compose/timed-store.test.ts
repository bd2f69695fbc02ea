import assert from 'node:assert/strict'
import test from 'node:test'
import { isHash } from '#brand/ids.ts'
import { timedStore, timerOf } from '#program/compose/timed-store.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

function recordTimes() {
  const notes: string[] = []
  const countEngine = (engine: string, operation: string, isOk: boolean, milliseconds: number) =>
    void notes.push(`${engine} ${operation} ${isOk ? 'ok' : 'failed'} ${milliseconds}`)
  let now = 0
  return { notes, timing: { metrics: { countEngine }, ticks: () => now++ } }
}

test('queries, transactions and opened files are recorded with their engine, even if they fail', async () => {
  const { store } = await temporaryStore()
  const { notes, timing } = recordTimes()
  const { database, files } = timedStore(store, { database: 'sqlite', files: 'disk' }, timing)
  assert.deepEqual({ ...(await database.get('SELECT ? AS one', 1)) }, { one: 1 })
  await assert.rejects(async () => database.all('SELECT nothing FROM nowhere'))
  assert.equal(await database.transaction(({ run }) => run('DELETE FROM workspace')), 0)
  await assert.rejects(
    database.transaction(() => {
      throw new Error('the work fails')
    }),
  )
  const hash = 'a'.repeat(64)
  assert.ok(isHash(hash))
  assert.equal(await files.open('acme', hash), undefined)
  assert.deepEqual(notes, [
    'sqlite query ok 1',
    'sqlite query failed 1',
    'sqlite transaction ok 1',
    'sqlite transaction failed 1',
    'disk open ok 1',
  ])
})

test('an immediate value stays immediate', () => {
  const { notes, timing } = recordTimes()
  const timer = timerOf('sqlite', timing)
  assert.equal(
    timer('query', () => 5),
    5,
  )
  assert.deepEqual(notes, ['sqlite query ok 1'])
})
