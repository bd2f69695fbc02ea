import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  connect,
  guest,
  PRIVATE_BRAND,
  REDIRECT,
  refreshRequest,
  registerProgram,
  shareLink,
} from '#test/support/agent-program.ts'
import { postForm } from '#test/support/authorization.ts'
import { testService, URL_OF_SERVICE } from '#test/support/service.ts'
import { resultOf, runCommand, SMALL_BRAND, temporaryStore } from '#test/support/temporary-store.ts'

const store = await temporaryStore()
const { folder } = store

before(() => store.importing('acme', SMALL_BRAND))

test('the store keeps the HMAC of a secret, not the secret', async () => {
  const { client_id, client_secret } = await resultOf(folder, ['client', 'create', 'acme'])
  const row = await store.store.database.get('SELECT * FROM client WHERE id = ?', client_id)
  assert.match(String(row?.secret_hash), /^[\w-]{43}$/)
  assert.ok(!JSON.stringify(row).includes(client_secret))
})

test('connection list shows programs with their people and limits, and connection end revokes their tokens', async () => {
  const temporary = await temporaryStore()
  const { store, folder } = temporary
  await temporary.importing('acme', PRIVATE_BRAND)
  await temporary.publish('acme/guidelines')
  const empty = await runCommand(folder, ['connection', 'list', 'acme'])
  assert.deepEqual([empty.exitCode, empty.out], [0, ''])
  assert.match(empty.err, /^there is no connection: /)
  const { service, ask, follow } = await testService(temporary)
  const link = await shareLink(store)
  const resource = `${URL_OF_SERVICE}/acme/guidelines/-/mcp`
  const program = { clientId: await registerProgram(store), redirectUri: REDIRECT, resource, scope: 'document.read' }
  const tokens = await connect(service, await guest(service, link), program)
  const [{ id, createdAt, expiresAt, lastUsedAt, ...shown }, ...others] = await resultOf(folder, [
    'connection',
    'list',
    'acme',
  ])
  assert.deepEqual(others, [])
  assert.deepEqual(shown, {
    workspace: 'acme',
    client: program.clientId,
    name: 'Notebook',
    email: null,
    share: link.id,
    resource,
    scope: 'document.read',
    projects: ['guidelines'],
  })
  assert.ok(createdAt < expiresAt)
  assert.equal(lastUsedAt, null)
  const listed = await runCommand(folder, ['connection', 'list', 'acme'])
  assert.ok(listed.out.startsWith(`${id}  Notebook (${program.clientId})  share link ${link.id}  guidelines  until `))
  const ended = await runCommand(folder, ['connection', 'end', id])
  assert.deepEqual([ended.exitCode, ended.out], [0, `${id}: ended, and its tokens with it\n`])
  await follow()
  const pages = '/beta/workspace/acme/project/guidelines/pages'
  assert.equal((await ask(pages, { token: tokens.access_token })).status, 401)
  const refreshed = await postForm(service, '/oauth/token', refreshRequest(program, tokens.refresh_token))
  assert.equal(refreshed.body.error, 'invalid_grant')
  assert.deepEqual(await resultOf(folder, ['connection', 'list', 'acme']), [])
})
