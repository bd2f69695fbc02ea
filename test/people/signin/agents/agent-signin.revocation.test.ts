import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '#brand/contract/operations.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { accessTo } from '../../../support/access-context.ts'
import { connectGuest, privateGuide, refreshRequest, registerProgram } from '../../../support/agent-program.ts'
import { postForm } from '../../../support/authorization.ts'
import { testService } from '../../../support/service.ts'

const PAGES = '/beta/workspace/acme/project/guidelines/pages'
const { temporary, store, clientId, program } = await privateGuide()

test('a program revokes an access token, and its refresh token continues', async () => {
  const { service, ask, follow } = await testService(temporary)
  const { access_token: token, refresh_token: refresh } = await connectGuest(service, store, program)
  const revoked = await postForm(service, '/oauth/revoke', { token, client_id: clientId })
  assert.deepEqual([revoked.status, revoked.headers.get('cache-control')], [200, 'no-store'])
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
  assert.equal((await postForm(service, '/oauth/token', refreshRequest(program, refresh))).status, 200)
})

test('revoking a refresh token ends the connection', async () => {
  const { service, ask, follow } = await testService(temporary)
  const { access_token: token, refresh_token: refresh } = await connectGuest(service, store, program)
  assert.equal((await postForm(service, '/oauth/revoke', { token: refresh, client_id: clientId })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
  assert.equal((await postForm(service, '/oauth/token', refreshRequest(program, refresh))).body.error, 'invalid_grant')
})

test('another program revokes nothing, and unknown tokens get the same reply', async () => {
  const { service, ask, follow } = await testService(temporary)
  const { access_token: token, refresh_token: refresh } = await connectGuest(service, store, program)
  const other = await registerProgram(store)
  for (const each of [token, refresh, 'invented', `${token}x`])
    assert.equal((await postForm(service, '/oauth/revoke', { token: each, client_id: other })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 200)
  assert.equal((await postForm(service, '/oauth/token', refreshRequest(program, refresh))).status, 200)
  for (const fields of [{ token }, { token, client_id: 'unknown' }, { token: refresh, client_id: 'unknown' }]) {
    const { status, body } = await postForm(service, '/oauth/revoke', fields)
    assert.ok(status === 400 || status === 401, JSON.stringify(fields))
    assert.ok(['invalid_client', 'invalid_request'].includes(body.error))
  }
  assert.equal((await postForm(service, '/oauth/revoke', { client_id: clientId })).body.error, 'invalid_request')
  assert.equal((await ask('/oauth/revoke')).status, 405)
})

test('a client with a secret revokes its token, and needs the secret', async () => {
  const { service, ask, follow } = await testService(temporary)
  const made = await createClient(accessTo(store), 'acme', { scopes: SCOPES }, new Date())
  const client = { client_id: made.client_id, client_secret: made.client_secret ?? '' }
  const { body } = await postForm(service, '/oauth/token', { grant_type: 'client_credentials', ...client })
  const token = body.access_token
  const wrong = await postForm(service, '/oauth/revoke', { token, ...client, client_secret: 'wrong' })
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 200)
  assert.equal((await postForm(service, '/oauth/revoke', { token, ...client })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
})

test('guesses of a secret count as in the token endpoint', async () => {
  const { service } = await testService(temporary)
  const guess = { token: 'a.b.c', client_id: 'acme-000000000000', client_secret: 'guessed' }
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) statuses.push((await postForm(service, '/oauth/revoke', guess)).status)
  assert.deepEqual([new Set(statuses.slice(0, 20)), statuses[20]], [new Set([401]), 429])
  const { status } = await postForm(service, '/oauth/token', { ...guess, grant_type: 'client_credentials' })
  assert.equal(status, 429)
})

test('a client revokes a token of which the restored store has no record', async () => {
  const { service, ask, follow } = await testService(temporary)
  const made = await createClient(accessTo(store), 'acme', { scopes: SCOPES }, new Date())
  const client = { client_id: made.client_id, client_secret: made.client_secret ?? '' }
  const { body } = await postForm(service, '/oauth/token', { grant_type: 'client_credentials', ...client })
  await store.database.transaction(queries => queries.run('DELETE FROM token WHERE client = ?', made.client_id))
  const token = body.access_token
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 200)
  assert.equal((await postForm(service, '/oauth/revoke', { token, ...client })).status, 200)
  await follow()
  assert.equal((await ask(PAGES, { token })).status, 401)
})
