import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withContentLock } from '#store/content-lock.ts'
import { openLocks } from '#store/database/locks.ts'
import { temporaryFolder } from '../support/temporary.ts'

const { signal } = new AbortController()

test('imports and copies run concurrently; a gc waits for them, and fails with a reason if they take too long', async () => {
  const locks = openLocks(await temporaryFolder())
  const waitMessages: string[] = []
  const gc = (maxWaitMs: number, work: () => Promise<string>) =>
    withContentLock(
      locks,
      'exclusive',
      { command: 'gc', signal, maxWaitMs, waiting: text => waitMessages.push(text) },
      work,
    )
  const shared = <Value>(work: () => Promise<Value>) =>
    withContentLock(locks, 'shared', { command: 'import', signal, maxWaitMs: 0 }, work)
  const { promise, resolve } = Promise.withResolvers<string>()
  const import1 = shared(() => promise)
  assert.equal(await shared(async () => 'beside'), 'beside')
  await assert.rejects(
    gc(0, async () => ''),
    {
      code: 'store_in_use',
      message: 'cannot gc now: an import, a copy, a backup, a doctor or a gc is under way; try again when it is done',
    },
  )
  const waiting = gc(60_000, async () => 'freed')
  while (waitMessages.length === 0) await sleep(5)
  resolve('imported')
  assert.deepEqual([await import1, await waiting], ['imported', 'freed'])
  const waited = 'an import, a copy, a backup, a doctor or a gc is under way: gc waits for it'
  assert.deepEqual(waitMessages, [waited])
})
