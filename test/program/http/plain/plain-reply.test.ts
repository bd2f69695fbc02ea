import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, withHeaders } from '#platform/exchange/message.ts'
import { isPlain, type PlainExchange, plainReply } from '#program/http/plain/plain-reply.ts'

const EXCHANGE: PlainExchange = { method: 'GET', requestId: 'id-1', keepAliveSeconds: 65 }
const reply = (status: number, body?: Uint8Array): Reply => ({ status, headers: ['ETag', '"a"'], body })

/** Returns the sent bytes, each as one character, without the date, which changes each second. */
function serialize(each: Reply, exchange: Partial<PlainExchange> = {}): string {
  const { head, body = Buffer.alloc(0) } = plainReply(each, { ...EXCHANGE, ...exchange })
  assert.match(head, /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/)
  return head.replace(/Date: [^\r]*\r\n/, '') + Buffer.from(body).toString('latin1')
}

for (const [status, length] of [
  [204, undefined],
  [304, undefined],
  [404, '0'],
] as const)
  test(`${status} without a body has ${length === undefined ? 'no length' : `the length ${length}`}`, () => {
    assert.equal(/Content-Length: (\d+)/.exec(serialize(reply(status)))?.[1], length)
  })

for (const value of ['a\r\nb: c', 'a\nb', 'a\0', 'ā'])
  test(`a field of ${JSON.stringify(value)} is not sent`, () => {
    assert.throws(() => plainReply({ status: 200, headers: ['X', value], body: undefined }, EXCHANGE))
  })

test('added fields come after the reply’s own fields, even if its own were sent before', () => {
  const shared = reply(200, new Uint8Array())
  const remaining = (text: string) => serialize(withHeaders(shared, ['RateLimit', text])).split('\r\n', 3)
  const expected = ['r=2', 'r=1'].map(text => ['HTTP/1.1 200 OK', 'ETag: "a"', `RateLimit: ${text}`])
  assert.deepEqual(['r=2', 'r=1'].map(remaining), expected)
})

test('long and streamed replies are not plain', () => {
  const streamed = { length: 1, chunks: async function* () {} }
  const seen = [undefined, new Uint8Array(128 << 10), new Uint8Array((128 << 10) + 1), streamed].map(body =>
    isPlain({ status: 200, headers: [], body }),
  )
  assert.deepEqual(seen, [true, true, false, false])
})
