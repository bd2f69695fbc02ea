import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childMegabytes, processesIn } from '#platform/processes/process-slots.ts'

const MIB = 1 << 20

test('the number of child processes follows the memory, and is at least one', () => {
  const counts = [64, 256, 384, 512, 1024, 8192].map(megabytes => processesIn(megabytes * MIB))
  assert.deepEqual(counts, [1, 1, 2, 3, 9, 83])
})

test('a child process gets the memory that it wants, or the rest that the service leaves', () => {
  const limits = [64, 256, 512, 1024, 8192].map(megabytes => childMegabytes(576, megabytes * MIB))
  assert.deepEqual(limits, [96, 96, 352, 576, 576])
})
