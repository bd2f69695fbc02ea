import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { forEachOf, once, serial, settleAll, withTimeout } from '#platform/base/promise.ts'

test('once runs work once for all callers, and again after a failure', async () => {
  let times = 0
  const work = once(async () => {
    times++
    if (times === 1) throw new Error('the first time')
    return times
  })
  await assert.rejects(work())
  assert.deepEqual(await Promise.all([work(), work()]), [2, 2])
})

test('settleAll passes on a rejection after all other promises have settled', async () => {
  let isDone = false
  const slow = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
    isDone = true
  })
  await assert.rejects(settleAll([Promise.reject(new Error('one')), slow]), /one/)
  assert.ok(isDone)
})

test('forEachOf works on some items at a time', async () => {
  const running = new Set<number>()
  let most = 0
  const done: number[] = []
  await forEachOf([1, 2, 3, 4, 5], 2, async item => {
    running.add(item)
    most = Math.max(most, running.size)
    await turn()
    running.delete(item)
    done.push(item)
  })
  assert.equal(most, 2)
  assert.deepEqual(done, [1, 2, 3, 4, 5])
})

test('forEachOf begins no item after an error, closes their source, and throws when running work has ended', async () => {
  const arrival = Promise.withResolvers<void>()
  const work = Promise.withResolvers<void>()
  const failure = Promise.withResolvers<void>()
  const log: string[] = []
  const items = async function* () {
    try {
      yield* [1, 2]
      await arrival.promise
      yield* [3, 4, 5]
    } finally {
      log.push('closed')
    }
  }
  const all = forEachOf(items(), 4, async item => {
    log.push(`${item} begins`)
    await (item === 1 ? failure : work).promise
    log.push(`${item} ends`)
  })
  const failed = assert.rejects(all, /one/).then(() => log.push('failed'))
  await turn()
  failure.reject(new Error('one'))
  await turn()
  arrival.resolve()
  await turn()
  assert.deepEqual(log, ['1 begins', '2 begins', 'closed'])
  work.resolve()
  await failed
  assert.deepEqual(log.slice(3), ['2 ends', 'failed'])
})

test('forEachOf throws the error of the items', async () => {
  const items = async function* () {
    yield 1
    throw new Error('the disk')
  }
  await assert.rejects(
    forEachOf(items(), 2, async () => undefined),
    /the disk/,
  )
})

test('withTimeout does not wait for late work, and passes on a timely value or error', async () => {
  assert.equal(await withTimeout(1, new Promise(() => undefined), () => 'late'), 'late')
  assert.equal(await withTimeout(60_000, Promise.resolve('in time'), () => 'late'), 'in time')
  await assert.rejects(
    withTimeout(60_000, Promise.reject(new Error('thrown')), () => 'late'),
    /thrown/,
  )
})

test('serial runs tasks one at a time in the order of the calls, even after a failure', async () => {
  const inTurn = serial()
  const log: string[] = []
  const piece = (name: string, isFailing: boolean) => async () => {
    log.push(`${name} begins`)
    await turn()
    log.push(`${name} ends`)
    if (isFailing) throw new Error(name)
    return name
  }
  const [first, second, third] = [inTurn(piece('a', false)), inTurn(piece('b', true)), inTurn(piece('c', false))]
  assert.equal(await first, 'a')
  await assert.rejects(second, /b/)
  assert.equal(await third, 'c')
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})
