import assert from 'node:assert/strict'
import test from 'node:test'
import type { Reply } from '#platform/exchange/message.ts'
import { content, html, json, noContent, notModified, redirect, text } from '#platform/exchange/reply.ts'

const bytes = (body: string) => new TextEncoder().encode(body)
const fields = (type: string) => [
  'Content-Type',
  type,
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

/** A reply with its own header fields. */
const own = (reply: Reply): Reply => ({ ...reply, hasOwnHeaders: true })

const REPLIES: readonly [name: string, made: Reply, reply: Reply][] = [
  [
    'JSON is sent unchanged and must not be stored',
    json({ a: 'é' }),
    own({ status: 200, headers: fields('application/json'), body: bytes('{"a":"é"}') }),
  ],
  [
    'plain text is UTF-8',
    text('é\n', { status: 421 }),
    own({ status: 421, headers: fields('text/plain; charset=utf-8'), body: bytes('é\n') }),
  ],
  [
    'HTML is UTF-8',
    html('<p>é'),
    own({ status: 200, headers: fields('text/html; charset=utf-8'), body: bytes('<p>é') }),
  ],
  [
    'handling fields follow the type, caching fields come before nosniff, and other fields are last',
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
    'a redirect has an empty body and must not be stored',
    redirect(308, '/a'),
    own({ status: 308, headers: ['Location', '/a', 'Cache-Control', 'no-store'], body: new Uint8Array() }),
  ],
  [
    'a redirect contains the given header fields',
    redirect(303, '/a', ['Set-Cookie', 'b']),
    own({ status: 303, headers: ['Location', '/a', 'Set-Cookie', 'b'], body: new Uint8Array() }),
  ],
  [
    'a reply without content has no body',
    noContent(['Allow', 'GET']),
    { status: 204, headers: ['Allow', 'GET'], body: undefined },
  ],
  ['a 304 has no body', notModified(['ETag', '"a"']), { status: 304, headers: ['ETag', '"a"'], body: undefined }],
]

for (const [name, made, reply] of REPLIES) test(name, () => assert.deepEqual(made, reply))

test('a streamed body is unchanged', () => {
  const body = { length: 0, chunks: async function* () {} }
  assert.equal(content('text/event-stream', body).body, body)
})
