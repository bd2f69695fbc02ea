import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childMegabytes, openSlots, processesIn } from '#platform/processes/process-slots.ts'

const MIB = 1 << 20

test('the number of child processes follows the memory, and is at least one', () => {
  const counts = [64, 256, 384, 512, 1024, 8192].map(megabytes => processesIn(megabytes * MIB))
  assert.deepEqual(counts, [1, 1, 2, 3, 9, 83])
})

test('a child process gets the memory that it wants, or the rest that the service leaves', () => {
  const limits = [64, 256, 512, 1024, 8192].map(megabytes => childMegabytes(576, megabytes * MIB))
  assert.deepEqual(limits, [96, 96, 352, 576, 576])
})

test('a free place goes to the pool that waits longest, once each', () => {
  const slots = openSlots(1)
  slots.take()
  const woken: string[] = []
  const wakes = ['a', 'b'].map(name => () => {
    woken.push(name)
    slots.take()
  })
  for (const wake of [...wakes, ...wakes]) slots.wait(wake)
  slots.wakeNext()
  assert.deepEqual([woken, slots.isFree(), slots.isFull(0)], [[], false, true])
  for (const expected of [['a'], ['a', 'b'], ['a', 'b']]) {
    slots.leave()
    slots.wakeNext()
    assert.deepEqual(woken, expected)
  }
  assert.deepEqual([slots.isFree(), slots.isFull(0), slots.isFull(1)], [true, false, true])
})
