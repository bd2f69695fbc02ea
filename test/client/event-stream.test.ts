import assert from 'node:assert/strict'
import test from 'node:test'
import { eventsIn } from '../../client/src/event-stream.ts'

/** The events of a stream that arrives in chunks of this many bytes. */
async function eventsOf(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
  }
  return Array.fromAsync(eventsIn(chunks()))
}

for (const [what, text, expected] of [
  ['fields', 'event: a\nid: 7\ndata: {"b":1}\n\n', [['a', '{"b":1}', '7']]],
  ['a default type', 'data:x\n\n', [['message', 'x', '']]],
  ['several lines of data', 'data: x\ndata\ndata:  y\n\n', [['message', 'x\n\n y', '']]],
  ['comments and unknown fields', ':\n\nretry: 1000\n\n:ok\nother: 1\ndata: ü\n\n', [['message', 'ü', '']]],
  [
    'the id of an earlier event',
    'id: 1\ndata: x\n\ndata: y\n\nid\ndata: z\n\n',
    [
      ['message', 'x', '1'],
      ['message', 'y', '1'],
      ['message', 'z', ''],
    ],
  ],
  ['an invalid id', 'id: 1\nid: 2\0\ndata: x\n\n', [['message', 'x', '1']]],
  ['a byte order mark', '\uFEFFdata: x\n\n', [['message', 'x', '']]],
  ['an incomplete event', 'data: x\n\ndata: y\n', [['message', 'x', '']]],
] as const) {
  test(`an event stream may have ${what}, with any line ends and chunks`, async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const size of [1, 2, 3, 1000]) {
        const events = await eventsOf(text.replaceAll('\n', end), size)
        const found = events.map(({ type, data, id }) => [type, data, id])
        assert.deepEqual(found, expected, JSON.stringify([end, size]))
      }
    }
  })
}
