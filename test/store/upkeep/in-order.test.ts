import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { inOrder } from '#store/upkeep/in-order.ts'

test('work runs concurrently within its slots, and its results have the order of the items', async () => {
  let used = 0
  let most = 0
  const slotsOf = (item: number) => (item === 9 ? 5 : 1)
  const work = async (item: number) => {
    used += slotsOf(item)
    if (item === 9) assert.equal(used, 5)
    else most = Math.max(most, used)
    for (let turns = item % 4; turns >= 0; turns--) await turn()
    used -= slotsOf(item)
    return item
  }
  const items = Array.from({ length: 20 }, (_, index) => index)
  const results = await Array.fromAsync(inOrder(items, work, { slots: 3, slotsOf }))
  assert.deepEqual([results, most], [items, 3])
})

test('the first error in the order of the items is thrown once all running work has ended', async () => {
  let underWay = 0
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    underWay++
    for (let turns = 10 - item; turns > 0; turns--) await turn()
    underWay--
    if (item >= 2) throw new Error(`error of ${item}`)
  }
  await assert.rejects(Array.fromAsync(inOrder([1, 2, 3, 4, 5, 6], work, { slots: 3 })), { message: 'error of 2' })
  assert.deepEqual([underWay, begun], [0, [1, 2, 3, 4]])
  const failing = (async function* () {
    yield 2
    throw new Error('of the items')
  })()
  await assert.rejects(Array.fromAsync(inOrder(failing, work, { slots: 3 })), { message: 'error of 2' })
})
