import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connect,
  guest,
  PRIVATE_BRAND,
  REDIRECT,
  refreshRequest,
  registerProgram,
  shareLink,
} from '../../../support/agent-program.ts'
import { postForm } from '../../../support/authorization.ts'
import { resultOf, runCommand } from '../../../support/run-command.ts'
import { testService, URL_OF_SERVICE } from '../../../support/service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await temporaryStore()
const { store, folder } = temporary
await temporary.importing('acme', PRIVATE_BRAND)
await temporary.publish('acme/guidelines')

test('connection list shows programs with their people and limits, and connection end revokes their tokens', async () => {
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
