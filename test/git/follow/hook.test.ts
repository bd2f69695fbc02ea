import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import type { RequestHeaders } from '../../../src/exchange/request-fields.ts'
import { answerHook, hookDigest } from '../../../src/git/follow/hook.ts'

const SECRET = 'sixteen letters!'
const BODY = Buffer.from('{"ref":"refs/heads/main"}')
const SIGNATURE = `sha256=${createHmac('sha256', SECRET).update(BODY).digest('hex')}`

/** Sends a webhook. Returns the status, the error, and how often it has asked for a check. */
async function send(headers: RequestHeaders, { secret = SECRET, body = BODY } = {}) {
  let asked = 0
  const digest = hookDigest(secret || undefined, headers)
  digest.update(body.subarray(0, 5))
  digest.update(body.subarray(5))
  const request = { method: 'POST', path: '/hooks/git', query: '', headers, authorizations: 0, address: '192.0.2.1' }
  const events: object[] = []
  const reply = await answerHook(
    {
      secret: secret || undefined,
      follower: {
        request: async () => {
          asked++
        },
      },
      publicUrl: 'http://brand.test',
      record: event => events.push(event),
    },
    { ...request, bodyDigest: digest.digest() },
  )
  const text = reply.body instanceof Uint8Array ? new TextDecoder().decode(reply.body) : ''
  return { status: reply.status, error: text && JSON.parse(text).error, asked, events }
}

test('a webhook with a right signature or token causes a check', async () => {
  assert.deepEqual(await send({ 'x-hub-signature-256': SIGNATURE }), {
    status: 202,
    error: undefined,
    asked: 1,
    events: [],
  })
  assert.equal((await send({ 'x-gitlab-token': SECRET })).status, 202)
})

test('any other webhook is refused with 401, and without a secret of the service with 403', async () => {
  const wrong: RequestHeaders[] = [
    {},
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': 'sha256=' },
    { 'x-hub-signature-256': SIGNATURE.replace('sha256=', 'sha1=') },
    { 'x-hub-signature-256': `${SIGNATURE.slice(0, -1)}x` },
    { 'x-hub-signature-256': SIGNATURE, 'x-gitlab-token': SECRET },
    { 'x-gitlab-token': '' },
    { 'x-gitlab-token': `${SECRET} ` },
  ]
  for (const headers of wrong.filter(each => each['x-gitlab-token'] !== SECRET)) {
    const events = [{ event: 'hook-refused', reason: 'unsigned', address: '192.0.2.1' }]
    assert.deepEqual(await send(headers), { status: 401, error: 'invalid_client', asked: 0, events })
  }
  const other = { 'x-hub-signature-256': SIGNATURE, 'x-gitlab-token': SECRET }
  assert.equal((await send(other, { body: Buffer.from('{}') })).status, 401)
  for (const headers of [{}, { 'x-hub-signature-256': SIGNATURE }, { 'x-gitlab-token': SECRET }]) {
    const { status, error, asked } = await send(headers, { secret: '' })
    assert.deepEqual([status, error, asked], [403, 'access_denied', 0])
  }
})
