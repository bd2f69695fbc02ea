import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { answerHook, hookDigest } from '#publishing/git/follow/hook.ts'

const SECRET = 'sixteen letters!'
const BODY = Buffer.from('{"ref":"refs/heads/main"}')
const DIGITS = createHmac('sha256', SECRET).update(BODY).digest('hex')
const SIGNATURE = `sha256=${DIGITS}`
const OLD_SIGNATURE = `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}`
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

/** Sends a webhook. Returns the status, the error, and how often it has asked for a check. */
async function send(headers: RequestHeaders, { secret = SECRET, body = BODY, authorizations = 1 } = {}) {
  let asked = 0
  const digest = hookDigest(secret || undefined, headers)
  digest.update(body.subarray(0, 5))
  digest.update(body.subarray(5))
  const request = { method: 'POST', path: '/hooks/git', query: '', headers, authorizations, address: '192.0.2.1' }
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

test('a webhook with a right signature is accepted', async () => {
  assert.deepEqual(await send({ 'x-hub-signature-256': SIGNATURE }), {
    status: 202,
    error: undefined,
    asked: 1,
    events: [],
  })
})

const HOSTS: readonly (readonly [host: string, headers: RequestHeaders])[] = [
  ['GitHub', { 'x-hub-signature': OLD_SIGNATURE, 'x-hub-signature-256': SIGNATURE }],
  ['GitLab', { 'x-gitlab-token': SECRET }],
  ['Bitbucket', { 'x-hub-signature': SIGNATURE }],
  [
    'Gitea and Forgejo',
    {
      'x-gitea-signature': DIGITS,
      'x-gogs-signature': DIGITS,
      'x-hub-signature': OLD_SIGNATURE,
      'x-hub-signature-256': SIGNATURE,
    },
  ],
  ['Gogs', { 'x-gogs-signature': DIGITS }],
  ['Azure DevOps', { authorization: basic(`hook:${SECRET}`) }],
  ['Azure DevOps without a name', { authorization: basic(`:${SECRET}`) }],
  ['Bitbucket behind a proxy with its own password', { 'x-hub-signature': SIGNATURE, authorization: basic('a:b') }],
]

for (const [host, headers] of HOSTS)
  test(`a webhook of ${host} causes a check`, async () => {
    const { status, asked } = await send(headers)
    assert.deepEqual([status, asked], [202, 1])
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
    { 'x-hub-signature': OLD_SIGNATURE },
    { 'x-hub-signature': DIGITS },
    { 'x-hub-signature': SIGNATURE.replace('sha256=', 'md5=') },
    { 'x-hub-signature': SIGNATURE, 'x-hub-signature-256': 'sha256=0' },
    { 'x-gogs-signature': '' },
    { 'x-gogs-signature': SIGNATURE },
    { 'x-gitea-signature': DIGITS, 'x-gogs-signature': `${DIGITS}0` },
    { authorization: basic(SECRET) },
    { authorization: basic(`hook:${SECRET}:`) },
    { authorization: `Bearer ${SECRET}` },
  ]
  for (const headers of wrong.filter(each => each['x-gitlab-token'] !== SECRET)) {
    const events = [{ event: 'hook-refused', reason: 'unsigned', address: '192.0.2.1' }]
    assert.deepEqual(await send(headers), { status: 401, error: 'invalid_client', asked: 0, events })
  }
  assert.equal((await send({ authorization: basic(`:${SECRET}`) }, { authorizations: 2 })).status, 401)
  const other = { 'x-hub-signature-256': SIGNATURE, 'x-gitlab-token': SECRET }
  assert.equal((await send(other, { body: Buffer.from('{}') })).status, 401)
  for (const headers of [{}, { 'x-hub-signature-256': SIGNATURE }, { 'x-gitlab-token': SECRET }]) {
    const { status, error, asked } = await send(headers, { secret: '' })
    assert.deepEqual([status, error, asked], [403, 'access_denied', 0])
  }
})
