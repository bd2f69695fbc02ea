import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { crash } from '../support/crash.ts'
import { killerByTime } from '../support/killer.ts'
import { SEED, scale } from '../support/random.ts'
import { temporaryFolder } from '../support/temporary.ts'

test('a command that is killed at any moment leaves a consistent store of one revision', {
  timeout: scale(300_000),
}, async () => {
  const times = scale(12)
  const folder = await temporaryFolder()
  const options = ['--data', join(folder, 'data')]
  const { killed, replies } = await crash(folder, { options, kill: killerByTime(options) }, times, SEED)
  assert.equal(killed, times)
  assert.ok(replies > 0)
})
