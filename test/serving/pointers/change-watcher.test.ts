import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import { changeHandler, watchChanges } from '#serving/pointers/change-watcher.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import type { Database } from '#store/database/database.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

test('replaced content of each changed workspace is dropped, and failures are retried until they succeed', async () => {
  const pointers = await openPointers(temporary.store.database, openCaches())
  const dropped: string[] = []
  let isBroken = true
  const handle = changeHandler(temporary.store.database, pointers, {
    refreshAccess: async () => undefined,
    dropReplaced: async workspace => {
      if (isBroken && workspace === 'two') throw new Error('the store cannot be read')
      dropped.push(workspace)
    },
  })
  await handle()
  assert.deepEqual(dropped, [])
  for (const workspace of ['one', 'two', 'three']) await temporary.importing(workspace, { 'a/pages/index.md': '# A\n' })
  await assert.rejects(handle())
  isBroken = false
  await handle()
  await handle()
  assert.deepEqual(dropped.sort(), ['one', 'three', 'two'])
})

test('an older database is accepted once it can be written, and then everything is read again until that succeeds', async () => {
  const { database } = temporary.store
  const problems = new Set(['transaction', 'refreshAccess'])
  const failIf = (problem: string) => {
    if (problems.has(problem)) throw new Error(problem)
  }
  const standby: Database = {
    ...database,
    transaction: async (...work) => {
      failIf('transaction')
      return database.transaction(...work)
    },
  }
  const pointers = await openPointers(database, openCaches())
  const effects: string[] = []
  const handle = changeHandler(standby, pointers, {
    forgetAll: () => void effects.push('forgetAll'),
    refreshAccess: async () => {
      failIf('refreshAccess')
      effects.push('refreshAccess')
    },
    dropReplaced: async () => undefined,
  })
  const latest = pointers.version()
  await database.run('DELETE FROM change WHERE number = ?', latest)
  await assert.rejects(handle(), /transaction/)
  assert.deepEqual([effects, pointers.version()], [[], latest])
  problems.delete('transaction')
  await database.transaction(queries => recordChange(queries, undefined)) // Reuses the lost number.
  await assert.rejects(handle(), /refreshAccess/)
  problems.clear()
  await handle()
  await handle()
  assert.deepEqual(effects, ['forgetAll', 'refreshAccess'])
})

test('access is read again if the database may be another one, even if its number is the same', async () => {
  const { database } = temporary.store
  const effects: unknown[] = []
  const handle = changeHandler(database, await openPointers(database, openCaches()), {
    forgetAll: () => void effects.push('forgetAll'),
    refreshAccess: async isReplaced => void effects.push({ isReplaced }),
    dropReplaced: async () => undefined,
  })
  await handle()
  await handle(true)
  await handle()
  assert.deepEqual(effects, [{ isReplaced: true }])
})

/** A watcher whose clock and timer the test controls, and its checks of the store after the first one. */
async function watcher(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let nowMs = 1_000_000
  let isStarting = true
  const checks: PromiseWithResolvers<void>[] = []
  const reporter = { worked: () => undefined, failed: (error: unknown) => assert.fail(String(error)) }
  const { afterPause, checkNow, stop } = watchChanges(
    { ...temporary.store.database, watch: () => () => undefined },
    async () => {
      if (isStarting) return
      const check = Promise.withResolvers<void>()
      checks.push(check)
      await check.promise
    },
    { reporter: () => reporter },
    () => nowMs,
  )
  await checkNow()
  isStarting = false
  t.after(stop)
  const pass = (milliseconds: number) => {
    nowMs += milliseconds
  }
  return { afterPause, pass, tick: () => t.mock.timers.tick(100), checks }
}

test('while the event loop runs, no request waits', async t => {
  const { afterPause, pass, tick, checks } = await watcher(t)
  for (let round = 0; round < 50; round++) {
    pass(100)
    assert.equal(afterPause(), undefined)
    tick()
  }
  assert.equal(checks.length, 0)
})

for (const step of [501, 3_600_000, -30_000])
  test(`after a step of the clock by ${step} ms, all requests wait for one check, even if a timer notices it first`, async t => {
    const { afterPause, pass, tick, checks } = await watcher(t)
    pass(step)
    tick()
    const waiting = afterPause()
    assert.ok(waiting)
    tick()
    assert.equal(afterPause(), waiting)
    assert.equal(checks.length, 1)
    checks[0]?.resolve()
    await waiting
    assert.equal(afterPause(), undefined)
  })

test('a second pause during a check causes another, which requests wait for', async t => {
  const { afterPause, pass, checks } = await watcher(t)
  pass(2000)
  const first = afterPause()
  pass(2000)
  const second = afterPause()
  assert.ok(first && second && first !== second)
  checks[0]?.resolve()
  await new Promise(setImmediate)
  assert.equal(afterPause(), second)
  checks[1]?.resolve()
  await second
  assert.equal(afterPause(), undefined)
})
