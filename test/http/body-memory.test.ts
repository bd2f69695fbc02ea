import assert from 'node:assert/strict'
import test from 'node:test'
import { openBodyMemory } from '../../src/http/body-memory.ts'

test('the memory of bodies is given to those that fit', () => {
  const memory = openBodyMemory(100)
  assert.deepEqual([memory.take(60), memory.take(60), memory.take(40), memory.take(1)], [true, false, true, false])
  memory.giveBack(40)
  assert.deepEqual([memory.take(41), memory.take(40)], [false, true])
})

test('a request gives back what its body took: nothing if it has at most 64 KiB', () => {
  const memory = openBodyMemory(100_000)
  const request = { method: 'POST', path: '/', query: '', headers: {}, authorizations: 0, address: '' }
  memory.take(100_000)
  memory.release(request)
  memory.release({ ...request, body: new Uint8Array(65_536) })
  assert.equal(memory.take(1), false)
  memory.release({ ...request, body: new Uint8Array(65_537) })
  assert.deepEqual([memory.take(65_538), memory.take(65_537)], [false, true])
})
