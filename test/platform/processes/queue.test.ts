import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairQueue, type Queue, shareQueue, type Work } from '#platform/processes/queue.ts'

type Item = Work & { name: string }

const item = (author: string, name: string, size = 1): Item => ({ author, name, size })

/** Takes items until none may start; `running` items were taken before. */
function takeAll(queue: Queue<Item>, running?: Item[]): string[] {
  const taken: Item[] = []
  for (let next = queue.take(running ?? []); next; next = queue.take(running ?? [])) {
    taken.push(next)
    running?.push(next)
  }
  return taken.map(({ author, name }) => `${author}${name}`)
}

test('a fair queue gives each author one item before any author gets a second', () => {
  const queue = fairQueue<Item>({ maxRunning: 9, maxWaiting: 9 })
  for (const name of ['1', '2', '3']) queue.add(item('a', name))
  for (const name of ['1', '2']) queue.add(item('b', name))
  assert.deepEqual(takeAll(queue), ['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('a fair queue never exceeds the running limit of an author', () => {
  const queue = fairQueue<Item>({ maxRunning: 2, maxWaiting: 9 })
  for (const name of ['1', '2', '3']) queue.add(item('a', name))
  queue.add(item('b', '1'))
  assert.deepEqual(takeAll(queue, []), ['a1', 'b1', 'a2'])
  assert.deepEqual(takeAll(queue), ['a3'])
})

test('a fair queue never exceeds the waiting limit of an author, but always accepts one item', () => {
  const queue = fairQueue<Item>({ maxRunning: 9, maxWaiting: 10 })
  assert.equal(queue.add(item('a', '1', 100)), true)
  assert.equal(queue.add(item('a', '2')), false)
  const seen = [5, 5, 1].map(size => queue.add(item('b', '1', size)))
  assert.deepEqual(seen, [true, true, false])
})

test('items put back come before other items of their author, and all items can be cleared', () => {
  const queue = fairQueue<Item>({ maxRunning: 9, maxWaiting: 9 })
  queue.add(item('a', '3'))
  queue.putBack([item('a', '1'), item('a', '2')])
  const names = queue.clear().map(({ name }) => name)
  assert.deepEqual(names, ['1', '2', '3'])
  assert.equal(queue.take([]), undefined)
})

const sent = (network: string, name: string, size = 1): Item => ({ ...item('a', name, size), network })

test('the networks of an author take turns, and one that had none comes before others', () => {
  const queue = fairQueue<Item>({ maxRunning: 9, maxWaiting: 9 })
  for (const name of ['1', '2', '3']) queue.add(sent('x', name))
  const first = queue.take([])
  assert.equal(first?.name, '1')
  queue.add(sent('y', '4'))
  queue.add(sent('y', '5'))
  assert.deepEqual(takeAll(queue), ['a4', 'a2', 'a5', 'a3'])
})

test('waiting items of a network have their own limit, and removed ones no longer count', () => {
  const queue = fairQueue<Item>({ maxRunning: 9, maxWaiting: 3, maxWaitingPerNetwork: 2 })
  const [one, two] = [sent('x', '1'), sent('x', '2')]
  assert.deepEqual([one, two, sent('x', '3')].map(queue.add), [true, true, false])
  assert.deepEqual([sent('y', '4'), sent('y', '5')].map(queue.add), [true, false])
  assert.deepEqual([queue.remove(two), queue.remove(two)], [true, false])
  assert.equal(queue.add(sent('y', '6')), true)
  assert.deepEqual(takeAll(queue), ['a1', 'a4', 'a6'])
})

test('if an author is full, a network takes the newest place of the one that holds most, until all hold as many', () => {
  const queue = fairQueue<Item>({ maxRunning: 9, maxWaiting: 4, maxWaitingPerNetwork: 2 })
  const lost: string[] = []
  const add = (network: string, name: string) => queue.add({ ...sent(network, name), giveUp: () => lost.push(name) })
  for (const [network, name] of [
    ['w', '1'],
    ['w', '2'],
    ['x', '3'],
    ['x', '4'],
  ] as const)
    add(network, name)
  assert.deepEqual([add('y', '5'), add('z', '6'), add('y', '7'), add('v', '8')], [true, true, false, false])
  assert.deepEqual(lost, ['4', '2'])
  assert.deepEqual(takeAll(queue), ['a1', 'a3', 'a5', 'a6'])
})

test('a share queue gives others all processes except one, and takes turns', () => {
  const limits = { maxRunning: 9, maxWaiting: 9 }
  const queue = shareQueue<Item>(3, limits, limits)
  for (const name of ['1', '2', '3']) queue.add(item('open', name))
  const running: Item[] = []
  assert.deepEqual(takeAll(queue, running), ['open1', 'open2'])
  for (const name of ['4', '5']) queue.add({ ...item('kept', name), hasShare: true })
  const third = queue.take(running)
  assert.equal(third?.name, '4')
  assert.equal(queue.count(), 2)
  const names = queue.clear().map(({ name }) => name)
  assert.deepEqual(names, ['5', '3'])
})

test('a share queue of one process takes those with a share first', () => {
  const queue = shareQueue<Item>(1, { maxRunning: 1, maxWaiting: 9 }, { maxRunning: 1, maxWaiting: 9 })
  queue.add(item('open', '1'))
  queue.add({ ...item('kept', '2'), hasShare: true })
  assert.deepEqual(takeAll(queue), ['kept2', 'open1'])
})
