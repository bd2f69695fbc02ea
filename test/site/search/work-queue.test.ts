import assert from 'node:assert/strict'
import test from 'node:test'
import { openWorkQueue } from '../../../src/site/search/work-queue.ts'

test('work is done in the order it came, and others have their turn in between', async () => {
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

test('where so many wait no more are taken, until one is done; a failure is its own', async () => {
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
