import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sendWindows } from '../../../src/http/connections/send-windows.ts'

const KIB = 1 << 10
const socket = new Socket()
const never = new AbortController().signal

/** Windows beside so many others, where the system holds `held.bytes` of every connection; `looks` counts its looks. */
async function beside(others: number) {
  const held = { bytes: 0, looks: 0 }
  let looked = Promise.withResolvers<void>()
  const windows = sendWindows(async () => {
    held.looks++
    looked.resolve()
    looked = Promise.withResolvers()
    return { queueOf: () => held.bytes, tookMs: 0 }
  })
  const open = await Promise.all(Array.from({ length: others }, () => windows.open(socket)))
  return { held, windows, window: await windows.open(socket), open, nextLook: () => looked.promise }
}

/** Whether the promise is pending after all that can happen at once. */
async function isPending(promise: Promise<void>): Promise<boolean> {
  const isOver = promise.then(() => false)
  await nextTurn()
  return Promise.race([isOver, true])
}

test('few clients are sent as much as the system takes', async () => {
  const { held, window } = await beside(31)
  held.bytes = 4096 * KIB
  for (let sent = 0; sent < 100; sent++) await window.room(64 * KIB, never)
  assert.equal(held.looks, 0)
})

test('one of many that takes nothing is sent 32 KiB and no more', async () => {
  const { held, window, nextLook } = await beside(32)
  held.bytes = 128 * KIB
  await window.room(32 * KIB, never)
  assert.equal(held.looks, 0)
  const room = window.room(32 * KIB, never)
  for (let looks = 0; looks < 3; looks++) {
    assert.ok(await isPending(room))
    await nextLook()
  }
  assert.ok(await isPending(room))
  held.bytes = 0
  await room
})

test('one of many that takes what it is sent is sent twice as much before the next look, each time', async () => {
  const { held, window } = await beside(32)
  const until = async (looks: number) => {
    let sent = 0
    for (; held.looks < looks; sent += 32) await window.room(32 * KIB, never)
    return sent - 32
  }
  assert.deepEqual([await until(1), await until(2), await until(3)], [32, 64 - 32, 128 - 32])
})

test('of many that begin or have room, two go on in each turn of the event loop', async () => {
  const { open, windows } = await beside(40)
  const going: (() => Promise<unknown>)[] = [
    ...Array.from({ length: 12 }, () => () => windows.open(socket)),
    ...open.map(window => () => window.room(KIB, never)),
  ]
  let gone = 0
  for (const go of going) void go().then(() => gone++)
  for (const wanted of [2, 4, 6]) {
    await nextTurn()
    assert.equal(gone, wanted)
  }
})

test('nobody waits whose client is gone, nor once others have ended', async () => {
  const { held, window, open } = await beside(33)
  held.bytes = 128 * KIB
  const gone = new AbortController()
  const room = window.room(128 * KIB, gone.signal)
  assert.ok(await isPending(room))
  gone.abort()
  await room
  const next = window.room(64 * KIB, never)
  assert.ok(await isPending(next))
  for (const other of open) other.close()
  await next
})
