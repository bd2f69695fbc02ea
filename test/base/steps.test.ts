import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { encodeInSteps, inSteps, nextTurn, sortInSteps, yieldIfDue } from '../../src/base/steps.ts'
import { codePoint, fc } from '../support/random.ts'
import { turnsDuring } from '../support/turns.ts'

test('callers get their turns one by one in call order, and other work runs in between', async () => {
  const order: string[] = []
  const other = () => {
    order.push('other')
    if (order.length < 6) setImmediate(other)
  }
  setImmediate(other)
  await Promise.all(['a', 'b', 'c'].map(name => nextTurn().then(() => order.push(name))))
  assert.deepEqual(order.slice(0, 6), ['other', 'a', 'other', 'b', 'other', 'c'])
})

test('a caller that asks again after its turn waits behind earlier callers', async () => {
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

test('a loop yields only after the time budget of its turn is used', async t => {
  const workFor = stoppedClock(t)
  await nextTurn()
  assert.equal(yieldIfDue(), undefined)
  workFor(3)
  const turn = yieldIfDue()
  assert.ok(turn)
  await turn
  assert.equal(yieldIfDue(), undefined, 'the next turn has its own budget')
})

test('loops in the same turn share its time budget', async t => {
  const workFor = stoppedClock(t)
  await nextTurn()
  assert.equal(yieldIfDue(), undefined)
  workFor(3)
  const [one, other] = [yieldIfDue(), yieldIfDue()]
  assert.ok(one && other)
  await Promise.all([one, other])
})

test('a turn without earlier work has its full time budget', async t => {
  const workFor = stoppedClock(t)
  await yieldIfDue()
  workFor(3)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(yieldIfDue(), undefined)
})

test('inSteps keeps the order of entries, and yields if they take long', async () => {
  const entries = Array.from({ length: 20 }, (_, at) => at)
  const made: [number, number][] = []
  const turns = await turnsDuring(async () => {
    const make = (entry: number, at: number): [number, number] => {
      workFor(3)
      return [entry, at]
    }
    made.push(...(await inSteps(entries, make)))
  })
  assert.deepEqual(
    made,
    entries.map(at => [at, at]),
  )
  assert.ok(turns >= 19, `${turns} turns`)
})

test('sortInSteps gives the same order as toSorted, and is stable', async () => {
  const entries = fc.array(fc.tuple(fc.nat(50), fc.nat()), { maxLength: 700 })
  const order = ([a]: [number, number], [b]: [number, number]) => a - b
  await fc.assert(
    fc.asyncProperty(entries, async some => {
      const before = [...some]
      assert.deepEqual(await sortInSteps(some, order), some.toSorted(order))
      assert.deepEqual(some, before)
    }),
  )
})

test('sortInSteps yields to other work', async () => {
  let compared = 0
  const slow = (a: number, b: number) => {
    if (compared++ % 100 === 0) workFor(3)
    return a - b
  }
  const entries = Array.from({ length: 2000 }, (_, at) => (at * 7919) % 2000)
  const turns = await turnsDuring(() => sortInSteps(entries, slow))
  assert.ok(turns >= 20, `${turns} turns`)
})

test('strings have the same bytes, encoded in steps or at once', async () => {
  const text = fc.string({ unit: codePoint })
  await fc.assert(
    fc.asyncProperty(fc.array(text), async texts => {
      assert.deepEqual(await encodeInSteps(texts), new TextEncoder().encode(texts.join('')))
    }),
  )
})

test('a string of any length and script is encoded to its last byte', async () => {
  for (const letter of ['a', 'é', '中', '😀', '\ud83d'])
    for (let length = 30; length < 300; length++) {
      const text = `${letter.repeat(length)} x، \r\n`
      const bytes = await encodeInSteps([text])
      assert.ok(Buffer.from(bytes).equals(Buffer.from(text)), `${length} × ${letter}`)
    }
})

test('a string is split only between two characters', async () => {
  for (const before of ['', 'a']) {
    const text = `${before}${'😀'.repeat(600_000)}\ud83d`
    const bytes = await encodeInSteps([text])
    assert.ok(Buffer.from(bytes).equals(Buffer.from(text)), `${before.length} characters before`)
  }
})

test('a string of several megabytes is encoded in pieces', async () => {
  const text = 'é'.repeat(3 << 20)
  const bytes = await encodeInSteps([text, 'end'])
  assert.ok(Buffer.from(bytes).equals(Buffer.from(`${text}end`)))
})

function workFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Stops the clock for a test. Returns the function that advances it. */
function stoppedClock(t: TestContext): (ms: number) => void {
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  return ms => {
    now += ms
  }
}
