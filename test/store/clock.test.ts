import assert from 'node:assert/strict'
import test from 'node:test'
import { clockDifference, openClock } from '#store/clock.ts'

test('a store on this machine uses the clock of the machine', async () => {
  const clock = await openClock({}, () => 1000)
  assert.deepEqual([clock.now(), clock.date().getTime(), clock.offsetMs()], [1000, 1000, 0])
})

test('a shared store uses the clock of its database, even after one of the two clocks was set', async () => {
  let [machine, database] = [1_000_000, 1_030_000]
  const clock = await openClock({ timeOfDay: async () => database }, () => machine)
  assert.deepEqual([clock.now(), clock.offsetMs()], [1_030_000, 30_000])
  machine += 40_000
  database += 10_000
  await clock.refresh()
  assert.deepEqual([clock.now(), clock.offsetMs()], [1_040_000, 0])
})

test('the quickest of several slow answers sets the clock, as of the middle of its round trip', async () => {
  let machine = 0
  const delays = [900, 100, 400]
  const timeOfDay = async () => {
    const delay = delays.shift() ?? assert.fail()
    const time = machine + delay / 4 + 5000
    machine += delay
    return time
  }
  const clock = await openClock({ timeOfDay }, () => machine)
  assert.equal(clock.offsetMs(), 4975)
})

test('a database that does not answer leaves the clock unchanged', async () => {
  let isDown = false
  const timeOfDay = async () => (isDown ? Promise.reject(new Error('away')) : 500)
  const clock = await openClock({ timeOfDay }, () => 0)
  isDown = true
  await assert.rejects(clock.refresh(), /away/)
  assert.equal(clock.now(), 500)
})

test('a clock difference is reported if it exceeds the leeway of tokens', () => {
  assert.deepEqual([0, 5000, -5000, 5001, -30_400].map(clockDifference), [
    undefined,
    undefined,
    undefined,
    '5 s behind the database clock',
    '30 s ahead of the database clock',
  ])
})
