import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { crash } from '../support/crash.ts'
import { killerByTime } from '../support/killer.ts'
import { temporaryFolder } from '../support/temporary.ts'

test('a command that is killed at any moment leaves a whole store, whose service answers from one revision', {
  timeout: 300_000,
}, async t => {
  const seed = Date.now()
  t.diagnostic(`seed ${seed}`)
  const folder = await temporaryFolder()
  const options = ['--data', join(folder, 'data')]
  const { killed, replies } = await crash(folder, { options, kill: killerByTime(options) }, 25, seed)
  assert.equal(killed, 25)
  assert.ok(replies > 0)
})
