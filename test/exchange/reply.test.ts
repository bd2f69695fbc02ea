import assert from 'node:assert/strict'
import test from 'node:test'
import type { Reply } from '../../src/exchange/message.ts'
import { content, html, json, noContent, notModified, redirect, text } from '../../src/exchange/reply.ts'

const bytes = (body: string) => new TextEncoder().encode(body)
const fields = (type: string) => [
  'Content-Type',
  type,
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

/** A reply whose header fields were made for it alone. */
const own = (reply: Reply): Reply => ({ ...reply, hasOwnHeaders: true })

const REPLIES: readonly [name: string, made: Reply, reply: Reply][] = [
  [
    'JSON is sent as it is written, and kept by nobody',
    json({ a: 'é' }),
    own({ status: 200, headers: fields('application/json'), body: bytes('{"a":"é"}') }),
  ],
  [
    'a text is UTF-8',
    text('é\n', { status: 421 }),
    own({ status: 421, headers: fields('text/plain; charset=utf-8'), body: bytes('é\n') }),
  ],
  [
    'HTML is UTF-8',
    html('<p>é'),
    own({ status: 200, headers: fields('text/html; charset=utf-8'), body: bytes('<p>é') }),
  ],
  [
    'what a browser may do with it stands after the type, who may keep it before nosniff, and other fields at the end',
    content('font/woff2', bytes('f'), {
      handling: ['Content-Disposition', 'inline'],
      caching: ['Cache-Control', 'public, max-age=60', 'ETag', '"f"'],
      headers: ['Accept-Ranges', 'bytes'],
    }),
    own({
      status: 200,
      headers: [
        'Content-Type',
        'font/woff2',
        'Content-Disposition',
        'inline',
        'Cache-Control',
        'public, max-age=60',
        'ETag',
        '"f"',
        'X-Content-Type-Options',
        'nosniff',
        'Accept-Ranges',
        'bytes',
      ],
      body: bytes('f'),
    }),
  ],
  [
    'a redirect has an empty body, and is kept by nobody',
    redirect(308, '/a'),
    own({ status: 308, headers: ['Location', '/a', 'Cache-Control', 'no-store'], body: new Uint8Array() }),
  ],
  [
    'a redirect says what it is given',
    redirect(303, '/a', ['Set-Cookie', 'b']),
    own({ status: 303, headers: ['Location', '/a', 'Set-Cookie', 'b'], body: new Uint8Array() }),
  ],
  [
    'a reply without content has no body at all',
    noContent(['Allow', 'GET']),
    { status: 204, headers: ['Allow', 'GET'], body: undefined },
  ],
  [
    'what is not modified is not sent again',
    notModified(['ETag', '"a"']),
    { status: 304, headers: ['ETag', '"a"'], body: undefined },
  ],
]

for (const [name, made, reply] of REPLIES) test(name, () => assert.deepEqual(made, reply))

test('a streamed body stays as it is', () => {
  const body = { length: 0, chunks: async function* () {} }
  assert.equal(content('text/event-stream', body).body, body)
})
