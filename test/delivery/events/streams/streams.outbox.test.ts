import assert from 'node:assert/strict'
import test from 'node:test'
import { openOutbox } from '#delivery/events/streams/streams.ts'

const piece = new Uint8Array(1)

test('an outbox that finishes is read to its end', async () => {
  const outbox = openOutbox()
  outbox.push(piece)
  outbox.finish()
  outbox.push(piece)
  assert.equal((await Array.fromAsync(outbox.read())).length, 1)
})

test('a reader waits for bytes, and a cut ends it without the waiting ones', async () => {
  const outbox = openOutbox()
  const reading = outbox.read()
  const first = reading.next()
  outbox.push(piece)
  assert.equal((await first).value, piece)
  outbox.push(piece)
  outbox.cut()
  assert.deepEqual([(await reading.next()).done, outbox.isCut()], [true, true])
})

test('a reader that falls too far behind is cut off, and its bytes are freed', async () => {
  const outbox = openOutbox()
  for (let at = 0; at < 1000; at++) outbox.push(piece)
  assert.equal(outbox.isCut(), false)
  outbox.push(piece)
  assert.deepEqual([outbox.isCut(), outbox.isEmpty()], [true, true])
})
