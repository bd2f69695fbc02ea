import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { encodeInSteps, inSteps, nextTurn, pacing } from '../../src/base/steps.ts'
import { turnsDuring } from '../support/turns.ts'

test('callers get their turns one by one, in the order in which they asked, and other work goes on in between', async () => {
  const order: string[] = []
  const other = () => {
    order.push('other')
    if (order.length < 6) setImmediate(other)
  }
  setImmediate(other)
  await Promise.all(['a', 'b', 'c'].map(name => nextTurn().then(() => order.push(name))))
  assert.deepEqual(order.slice(0, 6), ['other', 'a', 'other', 'b', 'other', 'c'])
})

test('a caller that asks again after its turn waits behind those that asked before', async () => {
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

test('work waits for a turn whenever the bound of a turn is reached', async () => {
  const pace = pacing(10)
  const waits = [4, 5, 1, 9, 1, 30, 9].map(work => pace(work) !== undefined)
  assert.deepEqual(waits, [false, false, true, false, true, true, false])
})

test('no turn makes more entries than allowed, and all entries are made in their order', async () => {
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

test('entries that say how much work they took are made until so much was done', async () => {
  const turns = await turnsDuring(() => inSteps([1, 2, 3, 10, 4], 10, work => work, Number))
  assert.equal(turns, 1, 'a turn between the four entries that take more than 10 together and the last')
})

test('texts that are encoded in steps have the bytes that they have together', async () => {
  const text = fc.string({ unit: 'binary' })
  await fc.assert(
    fc.asyncProperty(fc.array(text), async texts => {
      assert.deepEqual(await encodeInSteps(texts), new TextEncoder().encode(texts.join('')))
    }),
  )
})

test('a text of any length and script is encoded to its last byte', async () => {
  for (const letter of ['a', 'é', '中', '😀', '\ud83d'])
    for (let length = 30; length < 300; length++) {
      const text = `${letter.repeat(length)} x، \r\n`
      const bytes = await encodeInSteps([text])
      assert.ok(Buffer.from(bytes).equals(Buffer.from(text)), `${length} × ${letter}`)
    }
})

test('a text is cut between two characters, wherever a step ends', async () => {
  for (const before of ['', 'a']) {
    const text = `${before}${'😀'.repeat(600_000)}\ud83d`
    const bytes = await encodeInSteps([text])
    assert.ok(Buffer.from(bytes).equals(Buffer.from(text)), `${before.length} characters before`)
  }
})

test('others have their turns while a long text and many short ones are encoded', async () => {
  assert.ok((await turnsDuring(() => encodeInSteps(['a'.repeat(5 << 20)]))) >= 5)
  assert.ok((await turnsDuring(() => encodeInSteps(Array(50_000).fill('a')))) >= 5)
})
