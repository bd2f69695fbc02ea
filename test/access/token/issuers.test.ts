import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Issuer } from '../../../src/access/token/issuer.ts'
import { openIssuers } from '../../../src/access/token/issuers.ts'
import { failed } from '../../../src/base/result.ts'

function issuer(name: string): Issuer {
  return { issuer: name, audience: name, types: [], key: () => undefined, readClaims: () => failed('claims') }
}

test('the later of two overlapping reads wins', async () => {
  const begun: PromiseWithResolvers<Issuer>[] = []
  const begin = () => {
    const reading = Promise.withResolvers<Issuer>()
    begun.push(reading)
    return reading.promise
  }
  const opening = openIssuers(begin, [], () => undefined)
  begun[0]?.resolve(issuer('first'))
  const { current, refresh } = await opening
  const readings = [refresh(), refresh()]
  begun[2]?.resolve(issuer('third'))
  await readings[1]
  begun[1]?.resolve(issuer('second'))
  await readings[0]
  assert.deepEqual(
    current().map(each => each.issuer),
    ['third'],
  )
})

test('the same value is not a change, and a failed read keeps the known value', async () => {
  const own = issuer('own')
  let reading = async () => own
  let changes = 0
  const { current, refresh } = await openIssuers(
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
