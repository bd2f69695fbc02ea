import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { Slots } from '#serving/downloads/slots.ts'

const LONG = 3_600_000
const wanted = new AbortController().signal
/** Ends all waiting requests after the tests. */
const leaving = new AbortController()
after(() => leaving.abort())

/** Requests slots one after the other, and lists the names of the requests that have got one. */
function asking(slots: Slots) {
  const got: string[] = []
  const releases = new Map<string, () => void>()
  const ask = (project: string, name: string, unwanted = wanted, address = name) =>
    slots.take({ project, address }, unwanted).then(release => {
      got.push(release ? name : `${name}: none`)
      if (release) releases.set(name, release)
    })
  const settled = async () => {
    await new Promise(resolve => setImmediate(resolve))
    return got.splice(0)
  }
  return { ask, settled, free: (name: string) => releases.get(name)?.() }
}

test('projects take turns for free slots, regardless of the length of their queues', async () => {
  const { ask, settled, free } = asking(
    new Slots({ total: 1, perProject: 1, perAddress: { total: 1, perProject: 1 }, waitMs: LONG }),
  )
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name)
  for (const name of ['b1', 'b2']) void ask('b', name)
  void ask('c', 'c1')
  const order = await settled()
  while (order.length < 7) {
    free(order.at(-1) ?? '')
    order.push(...(await settled()))
  }
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  free('a4')
})

test('a request that has waited the maximum time gets no slot, and takes none later', async () => {
  const { ask, settled, free } = asking(
    new Slots({ total: 1, perProject: 1, perAddress: { total: 1, perProject: 1 }, waitMs: 20 }),
  )
  await ask('a', 'first')
  await ask('a', 'second')
  assert.deepEqual(await settled(), ['first', 'second: none'])
  free('first')
  await ask('a', 'third')
  assert.deepEqual(await settled(), ['third'])
})

test('a client that leaves stops waiting and releases its slot', async () => {
  const { ask, settled } = asking(
    new Slots({ total: 2, perProject: 2, perAddress: { total: 2, perProject: 2 }, waitMs: LONG }),
  )
  const [holding, waiting] = [new AbortController(), new AbortController()]
  void ask('a', 'holding', holding.signal)
  void ask('a', 'staying')
  void ask('a', 'waiting', waiting.signal)
  void ask('a', 'last')
  assert.deepEqual(await settled(), ['holding', 'staying'])
  waiting.abort()
  assert.deepEqual(await settled(), ['waiting: none'])
  holding.abort()
  assert.deepEqual(await settled(), ['last'])
  await ask('a', 'gone', AbortSignal.abort())
  assert.deepEqual(await settled(), ['gone: none'])
})

test('a slot granted to a client that leaves in the same tick is released', async () => {
  const { ask, settled, free } = asking(
    new Slots({ total: 1, perProject: 1, perAddress: { total: 1, perProject: 1 }, waitMs: LONG }),
  )
  const leaving = new AbortController()
  void ask('a', 'first')
  void ask('a', 'leaving', leaving.signal)
  void ask('a', 'last')
  assert.deepEqual(await settled(), ['first'])
  free('first')
  leaving.abort()
  assert.deepEqual(await settled(), ['leaving: none', 'last'])
})

test('the queue of a project is limited, and a full queue rejects at once without delaying other projects', async () => {
  const { ask, settled, free } = asking(
    new Slots({ total: 2, perProject: 1, perAddress: { total: 2, perProject: 1 }, waitMs: LONG }),
  )
  for (let at = 0; at < 10; at++) void ask('a', `a${at}`)
  void ask('b', 'b')
  assert.deepEqual(await settled(), ['a9: none', 'a0', 'b'])
  for (let at = 0; at < 9; at++) {
    free(`a${at}`)
    assert.deepEqual(await settled(), at < 8 ? [`a${at + 1}`] : [])
  }
})

test('an address may not take all slots: its further requests wait while other addresses get slots at once', async () => {
  const { ask, settled, free } = asking(
    new Slots({ total: 4, perProject: 3, perAddress: { total: 3, perProject: 2 }, waitMs: LONG }),
  )
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name, leaving.signal, 'slow')
  for (const name of ['b1', 'b2']) void ask('b', name, leaving.signal, 'slow')
  assert.deepEqual(await settled(), ['a1', 'a2', 'b1'])
  void ask('a', 'other', leaving.signal, 'other')
  assert.deepEqual(await settled(), ['other'])
  free('other')
  assert.deepEqual(await settled(), [])
  free('a1')
  assert.deepEqual(await settled(), ['b2'])
})

test('within a project, a client whose address has no slot comes before one whose address has one', async () => {
  const { ask, settled, free } = asking(
    new Slots({ total: 2, perProject: 2, perAddress: { total: 2, perProject: 2 }, waitMs: LONG }),
  )
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name, leaving.signal, 'slow')
  void ask('a', 'other', leaving.signal, 'other')
  assert.deepEqual(await settled(), ['a1', 'a2'])
  free('a1')
  assert.deepEqual(await settled(), ['other'])
  free('a2')
  assert.deepEqual(await settled(), ['a3'])
})

test('an address cannot fill the queue of a project: other addresses still find a place in it', async () => {
  const { ask, settled, free } = asking(
    new Slots({ total: 8, perProject: 3, perAddress: { total: 6, perProject: 2 }, waitMs: LONG }),
  )
  for (let at = 0; at < 30; at++) void ask('a', `slow${at}`, leaving.signal, 'slow')
  assert.equal((await settled()).filter(each => each.endsWith('none')).length, 30 - 2 - 16)
  for (const name of ['b1', 'b2']) void ask('a', name, leaving.signal)
  assert.deepEqual(await settled(), ['b1'])
  free('slow0')
  assert.deepEqual(await settled(), ['b2'])
})

test('a slot is in demand if some waiting client could take it', async () => {
  const slots = new Slots({ total: 3, perProject: 2, perAddress: { total: 2, perProject: 2 }, waitMs: LONG })
  const { ask, settled } = asking(slots)
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name, leaving.signal, 'slow')
  await settled()
  assert.deepEqual([slots.isWaitedFor('a'), slots.isWaitedFor('b')], [false, false])
  void ask('a', 'other', leaving.signal)
  await settled()
  assert.deepEqual([slots.isWaitedFor('a'), slots.isWaitedFor('b')], [true, false])
  for (const name of ['b1', 'b2']) void ask('b', name, leaving.signal)
  await settled()
  assert.deepEqual([slots.isWaitedFor('a'), slots.isWaitedFor('b')], [true, true])
})
