import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Issuer } from '../../src/access/issuer.ts'
import { keepIssuers } from '../../src/access/issuers.ts'

function issuer(name: string): Issuer {
  return { issuer: name, audience: name, types: [], key: () => undefined, read: () => ({ reason: 'claims' }) }
}

test('readings come one after the other, and whoever asks while one is under way shares the next', async () => {
  const begun: PromiseWithResolvers<Issuer>[] = []
  const begin = () => {
    const reading = Promise.withResolvers<Issuer>()
    begun.push(reading)
    return reading.promise
  }
  const opening = keepIssuers(begin, [], () => undefined)
  begun[0]?.resolve(issuer('first'))
  const { current, refresh } = await opening
  const one = refresh()
  await Promise.resolve()
  const [two, three] = [refresh(), refresh()]
  assert.equal(two, three)
  assert.equal(begun.length, 2)
  begun[1]?.resolve(issuer('second'))
  await one
  assert.deepEqual(
    current().map(each => each.issuer),
    ['second'],
  )
  await new Promise(setImmediate)
  assert.equal(begun.length, 3)
  begun[2]?.resolve(issuer('third'))
  await two
  assert.deepEqual(
    current().map(each => each.issuer),
    ['third'],
  )
})

test('the same value is no change, and a reading that fails leaves what was known', async () => {
  const own = issuer('own')
  let reading = async () => own
  let changes = 0
  const { current, refresh } = await keepIssuers(
    () => reading(),
    [issuer('other')],
    () => changes++,
  )
  const known = current()
  await refresh()
  assert.deepEqual([changes, current() === known], [0, true])
  reading = async () => {
    throw new Error('gone')
  }
  await assert.rejects(refresh(), { message: 'gone' })
  assert.equal(current(), known)
  reading = async () => issuer('another')
  await refresh()
  assert.equal(changes, 1)
  assert.deepEqual(
    current().map(each => each.issuer),
    ['another', 'other'],
  )
})
