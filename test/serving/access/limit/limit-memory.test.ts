import assert from 'node:assert/strict'
import test from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryLimit } from '#serving/access/limit/limit-memory.ts'
import { limitSuite } from './limit-suite.ts'
import { windowSuite } from './window-suite.ts'

limitSuite({ skip: false }, memoryLimit)
windowSuite(memoryLimit)

test('workspaces without further requests are forgotten', () => {
  const limit = memoryLimit({ requests: 600, seconds: 1 })
  const before = bytesInUse()
  for (let workspace = 0; workspace < 20_000; workspace++) limit.spend(`workspace-${workspace}`, workspace)
  const kept = bytesInUse() - before
  assert.ok(kept < 6e6, `${kept} bytes are kept, more than for the 2000 workspaces of two windows`)
  limit.spend('acme', 20_000)
})

function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
