import assert from 'node:assert/strict'
import test from 'node:test'
import { inSteps, nextTurn, pacing } from '../../src/base/steps.ts'

test('of all who wait for a turn one gets it, in the order in which they came, and others are answered in between', async () => {
  const order: string[] = []
  const other = () => {
    order.push('other')
    if (order.length < 6) setImmediate(other)
  }
  setImmediate(other)
  await Promise.all(['a', 'b', 'c'].map(name => nextTurn().then(() => order.push(name))))
  assert.deepEqual(order.slice(0, 6), ['other', 'a', 'other', 'b', 'other', 'c'])
})

test('who has had a turn and asks again waits behind those who came before', async () => {
  const order: string[] = []
  const twice = async (name: string) => {
    for (let turn = 0; turn < 2; turn++) {
      await nextTurn()
      order.push(name)
    }
  }
  await Promise.all([twice('a'), twice('b')])
  assert.deepEqual(order, ['a', 'b', 'a', 'b'])
})

test('work is told to wait whenever so much of it was done', async () => {
  const pace = pacing(10)
  const waits = [4, 5, 1, 9, 1, 30, 9].map(work => pace(work) !== undefined)
  assert.deepEqual(waits, [false, false, true, false, true, true, false])
})

test('no more entries than said are made in one turn, and all of them in their order', async () => {
  const entries = Array.from({ length: 95 }, (_, at) => at)
  const turns: number[] = []
  let inThisTurn = 0
  let isDone = false
  const count = () => {
    turns.push(inThisTurn)
    inThisTurn = 0
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const made = await inSteps(entries, 10, (entry, at) => {
    inThisTurn++
    return [entry, at]
  })
  isDone = true
  assert.deepEqual(
    made,
    entries.map(at => [at, at]),
  )
  assert.deepEqual(
    turns.filter(most => most > 0),
    Array(9).fill(10),
  )
})
