import assert from 'node:assert/strict'
import test from 'node:test'
import { openWorkQueue } from '../../../src/site/search/work-queue.ts'

test('work runs in order of arrival, with other work in between', async () => {
  const inTurn = openWorkQueue(10)
  const done: string[] = []
  const first = inTurn(async () => {
    done.push('first')
    setImmediate(() => done.push('other'))
  })
  const second = inTurn(async () => done.push('second'))
  await Promise.all([first, second])
  assert.deepEqual(done, ['first', 'other', 'second'])
})

test('a full queue accepts no more work until a task ends; a failure affects only its own task', async () => {
  const inTurn = openWorkQueue(2)
  const failing = inTurn(() => Promise.reject(new Error('lost')))
  const other = inTurn(async () => 'done')
  assert.equal(
    inTurn(async () => 'too many'),
    undefined,
  )
  await assert.rejects(failing ?? Promise.resolve(), /^Error: lost$/)
  assert.equal(await other, 'done')
  assert.equal(await inTurn(async () => 'again'), 'again')
})
