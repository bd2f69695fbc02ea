import assert from 'node:assert/strict'
import test from 'node:test'
import { RefusedBody } from '#brand/contract/refusals.ts'
import { openBodyMemory } from '#program/http/body-memory.ts'
import { openRoom } from '#program/http/room.ts'
import { clientAddresses } from '#program/http/trusted-proxies.ts'

const request = { method: 'POST', path: '/', query: '', headers: {}, authorizations: 0, address: '' }

test('an address, or an IPv6 /64 network, has at most a quarter of the memory, and others have the rest', () => {
  const memory = openBodyMemory({ maxBytes: 400, clientOf: ({ address }) => address })
  const take = (address: string, bytes: number) => memory.take({ ...request, address }, bytes)
  assert.deepEqual([take('192.0.2.1', 100), take('192.0.2.1', 1), take('::ffff:192.0.2.1', 1)], [true, false, false])
  assert.deepEqual([take('2001:db8::1', 60), take('2001:db8::2', 60), take('2001:db8:0:1::1', 60)], [true, false, true])
  memory.giveBack({ ...request, address: '192.0.2.1' }, 50)
  assert.deepEqual([take('192.0.2.1', 51), take('192.0.2.1', 50)], [false, true])
})

test('people behind a trusted proxy have their own shares, and one who invents addresses has that of the nearest', () => {
  const clientOf = clientAddresses([{ address: '10.0.0.0', prefix: 8, family: 'ipv4' }])
  const memory = openBodyMemory({ maxBytes: 400, clientOf })
  const take = (address: string, forwarded: string, bytes: number) =>
    memory.take({ ...request, address, headers: { 'x-forwarded-for': forwarded } }, bytes)
  assert.deepEqual(
    [take('10.0.0.1', '192.0.2.1', 100), take('10.0.0.1', '192.0.2.2', 100), take('10.0.0.1', '192.0.2.2', 1)],
    [true, true, false],
  )
  assert.deepEqual([take('203.0.113.9', '192.0.2.3', 100), take('203.0.113.9', '192.0.2.4', 1)], [true, false])
})

test('a person has a quarter of the room for the bytes that arrive, and gives it back in the end', async () => {
  const room = openRoom(400)
  async function* chunks(...sizes: readonly number[]) {
    for (const size of sizes) yield new Uint8Array(size)
  }
  const receive = async (person: string, ...sizes: readonly number[]) => {
    using share = room.shareOf(person)
    return (await Array.fromAsync(share.counted(chunks(...sizes)))).length
  }
  assert.equal(await receive('mia', 60, 40), 2)
  await assert.rejects(receive('mia', 60, 40, 1), RefusedBody)
  using held = room.shareOf('mia')
  await Array.fromAsync(held.counted(chunks(60)))
  await assert.rejects(receive('mia', 41), RefusedBody)
  assert.equal(await receive('ada', 100), 1)
})
