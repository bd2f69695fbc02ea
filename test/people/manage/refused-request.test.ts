import assert from 'node:assert/strict'
import test from 'node:test'
import { formOf, peopleService, sessionCookie } from '../../support/people-service.ts'
import { resultOf } from '../../support/run-command.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# Home\n' })
await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n\nNew.\n' })
const { ask, logged } = await peopleService(temporary)
const manager = await sessionCookie(temporary, 'acme', { manages: 'all', subject: 'manager' })
const reader = await sessionCookie(temporary, 'acme', { subject: 'reader' })
const ended = await sessionCookie(temporary, 'acme', { manages: 'all', isEnded: true })
const link = await resultOf(temporary.folder, ['share', 'acme/guide', '--draft'])
const linkCookie =
  (await ask(new URL(link.url).pathname)).headers
    .getSetCookie()
    .find(each => each.startsWith('housestyle'))
    ?.split(';')[0] ?? ''
const MANAGE = '/acme/guide/-/manage'
const REVIEW = '/acme/guide/-/draft/-/changes'

const inputOf = async (address: string, cookie: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec((await ask(address, { headers: { cookie } })).text)?.[1] ?? ''

/** Sends a form, and returns its status with the new audit lines. */
async function sent(address: string, cookie: string, fields: Record<string, string>, headers = {}) {
  const token = await inputOf(address, cookie, 'token')
  logged.length = 0
  const { status } = await ask(address, formOf({ token, ...fields }, { cookie, ...headers }))
  return [status, ...logged]
}

const line = (reason: string, fields: object, event = 'form-refused') => ({
  event,
  message: event,
  reason,
  operation: 'manage',
  workspace: 'acme',
  project: 'guide',
  address: '127.0.0.1',
  ...fields,
})

test('a refused form of a manager leaves a line that says who, where and why', async () => {
  const subject = 'manager'
  const publish = { do: 'publish', draft: 'sha256:old', note: '' }
  for (const [fields, headers, status, reason] of [
    [publish, { origin: 'https://evil.example' }, 403, 'cross-site'],
    [publish, { 'sec-fetch-site': 'cross-site' }, 403, 'cross-site'],
    [{ ...publish, token: 'other' }, {}, 403, 'session'],
    [publish, {}, 422, 'content'],
    [{ do: 'nothing' }, {}, 400, 'content'],
    [{ do: 'dismiss', id: 'none' }, {}, 409, 'changed'],
    [{ do: 'end-share', id: 'none' }, {}, 422, 'content'],
  ] as const)
    assert.deepEqual(await sent(MANAGE, manager, fields, headers), [status, line(reason, { subject })], reason)
})

test('a refused answer to a draft leaves a line with its person or its link', async () => {
  const review = { operation: 'review' }
  const draft = await inputOf(REVIEW, manager, 'draft')
  const byLink = { ...review, share: link.id }
  assert.deepEqual(await sent(REVIEW, linkCookie, { do: 'approve', draft }), [403, line('rights', byLink)])
  assert.deepEqual(await sent(REVIEW, linkCookie, { do: 'ask', draft, comment: 'Larger', token: 'other' }), [
    403,
    line('session', byLink),
  ])
  await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n\nNewer.\n' })
  assert.deepEqual(await sent(REVIEW, manager, { do: 'ask', draft, comment: 'Larger' }), [
    409,
    line('changed', { ...review, subject: 'manager' }),
  ])
})

test('a person without the right leaves a line for a page and for a form, and an ended session for a form', async () => {
  const get = async (address: string, cookie: string) => {
    logged.length = 0
    return [(await ask(address, { headers: { cookie } })).status, ...logged]
  }
  const subject = 'reader'
  const refused = (fields: object) => line('rights', { subject, ...fields }, 'page-refused')
  assert.deepEqual(await get(MANAGE, reader), [404, refused({})])
  assert.deepEqual(await get(`${MANAGE}/usage`, reader), [404, refused({})])
  assert.deepEqual(await get(REVIEW, reader), [404, refused({ operation: 'review' })])
  assert.deepEqual(await sent(MANAGE, reader, { do: 'publish' }), [404, line('rights', { subject })])
  assert.deepEqual(await sent(MANAGE, ended, { do: 'publish' }), [404, line('session', {})])
})

test('a visitor who is not signed in leaves no line by opening a page, nor do people who may', async () => {
  logged.length = 0
  for (const cookie of ['', 'other=1', ended, linkCookie, manager]) await ask(MANAGE, { headers: { cookie } })
  assert.deepEqual(logged, [])
})

test('a refused form for a workspace names it', async () => {
  const { project: _, ...expected } = line('content', { subject: 'manager' })
  assert.deepEqual(await sent('/acme/-/manage', manager, { do: 'nothing' }), [400, expected])
})
