import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { SCOPES } from '#brand/contract/operations.ts'
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
import { resultOf, runCommand } from '#test/support/run-command.ts'
import { testService, URL_OF_SERVICE } from '#test/support/service.ts'
import { SMALL_BRAND } from '#test/support/small-brand.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'

const store = await temporaryStore()
const { folder } = store

before(() => store.importing('acme', SMALL_BRAND))

test('client create shows the secret once, as text and as JSON, and client list never does', async () => {
  const text = await runCommand(folder, ['client', 'create', 'acme'])
  assert.match(text.out, /^client_id {6}acme-[\da-f]{12}\nclient_secret {2}[\w-]{43}\n$/)
  assert.deepEqual([text.exitCode, text.err], [0, 'Save the secret: it is not stored and cannot be shown again.\n'])
  const made = await resultOf(folder, ['client', 'create', 'acme', '--scope', 'styles.read', '--project', 'guidelines'])
  const { client_id, client_secret } = made
  const shared = { client_id, workspace: 'acme', scope: 'styles.read', projects: ['guidelines'] }
  assert.deepEqual(made, { ...shared, client_secret })
  const listed = await resultOf(folder, ['client', 'list'])
  assert.deepEqual(listed[1], { ...shared, createdAt: listed[1].createdAt, lastUsedAt: null })
  assert.equal(listed.length, 2)
})

test('a client with redirect addresses has no secret, and client list shows the addresses', async () => {
  const uris = [
    'https://notebook.example.com/callback',
    'com.example.notebook:/back',
    'http://127.0.0.1/callback',
    'http://notebook.localhost/callback',
    ...['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed'].map(scheme => `${scheme}://notebook/callback`),
  ]
  const written = uris.map(uri => uri.replace('https', 'HTTPS'))
  const args = ['client', 'create', 'acme', ...written.flatMap(uri => ['--redirect-uri', uri])]
  const made = await resultOf(folder, args)
  const { client_id: id } = made
  assert.deepEqual(made, {
    client_id: id,
    workspace: 'acme',
    scope: SCOPES.join(' '),
    projects: null,
    redirect_uris: uris,
  })
  const listed: { client_id: string; redirect_uris?: string[] }[] = await resultOf(folder, ['client', 'list'])
  assert.deepEqual(listed.find(({ client_id }) => client_id === id)?.redirect_uris, uris)
  assert.match((await runCommand(folder, ['client', 'list'])).out, new RegExp(`^${id} .*${uris.join(' ')}$`, 'm'))
  const { out, err } = await runCommand(folder, args)
  assert.match(out, /^client_id {2}acme-[\da-f]{12}\n$/)
  assert.equal(err, '')
})

for (const uri of `
  http://notebook.example.com/callback https://localhost/callback https://notebook.localhost./callback
  javascript:alert(1) data:text/html,x https://a:b@notebook.example.com/
  https://notebook.example.com/#here /callback smb://files.example/x ssh://a.example/
  intent://scan/#Intent;end chrome://settings ms-word:ofe|u|https://a.example/x.docx SEARCH-MS:query=x
  notebook:/callback com..example:/callback .example:/callback example.:/callback
`
  .trim()
  .split(/\s+/))
  test(`a client cannot have the redirect address ${uri}`, async () => {
    const { exitCode, out, err } = await runCommand(folder, ['client', 'create', 'acme', '--redirect-uri', uri])
    assert.deepEqual([exitCode, out], [2, ''])
    assert.match(err, /--redirect-uri ".+": an address begins with https:/)
  })

test('a client may have a name, which client list shows and client update changes', async () => {
  const name = 'Label printer, “Hall 2”'
  const { client_id: id, name: given } = await resultOf(folder, ['client', 'create', 'acme', '--name', name])
  assert.equal(given, name)
  const listed: { client_id: string; name?: string }[] = await resultOf(folder, ['client', 'list'])
  assert.equal(listed.find(({ client_id }) => client_id === id)?.name, name)
  assert.match((await runCommand(folder, ['client', 'list'])).out, new RegExp(`^${id} .*  ${name}$`, 'm'))
  const updated = await resultOf(folder, ['client', 'update', id, '--name', 'Shop'])
  assert.deepEqual([updated.name, updated.scope], ['Shop', SCOPES.join(' ')])
  assert.equal((await resultOf(folder, ['client', 'update', id, '--scope', 'styles.read'])).name, 'Shop')
})

test('a name with terminal control characters is shown escaped', async () => {
  const { client_id: id } = await resultOf(folder, ['client', 'create', 'acme', '--name', 'a\u001b[2Jb\nc'])
  const { out } = await runCommand(folder, ['client', 'list'])
  assert.ok(!out.includes('\u001b'))
  assert.equal(out.split('\n').filter(line => line.includes(id)).length, 1)
})

for (const name of ['', ' ', 'a'.repeat(1001)])
  test(`a name of ${name.length} characters, ${JSON.stringify(name.slice(0, 3))}, is a usage error`, async () => {
    for (const command of [
      ['client', 'create', 'acme'],
      ['share', 'acme/guidelines'],
    ]) {
      const { exitCode, out, err } = await runCommand(folder, [...command, '--name', name])
      assert.deepEqual([exitCode, out], [2, ''])
      assert.match(err, /--name: a name /)
    }
  })

test('the store keeps the HMAC of a secret, not the secret', async () => {
  const { client_id, client_secret } = await resultOf(folder, ['client', 'create', 'acme'])
  const row = await store.store.database.get('SELECT * FROM client WHERE id = ?', client_id)
  assert.match(String(row?.secret_hash), /^[\w-]{43}$/)
  assert.ok(!JSON.stringify(row).includes(client_secret))
})

test('client update changes only the given fields', async () => {
  const reach = ['--scope', 'styles.read', '--project', 'guidelines']
  const { client_id: id } = await resultOf(folder, ['client', 'create', 'acme', ...reach])
  for (const [args, scope, projects] of [
    [['--project', 'hidden', '--project', 'guidelines'], 'styles.read', ['hidden', 'guidelines']],
    [['--scope', 'files.read'], 'files.read', ['hidden', 'guidelines']],
    [['--all-projects'], 'files.read', null],
    [['--scope', 'data.read', '--project', 'hidden'], 'data.read', ['hidden']],
  ] as const) {
    const { createdAt, lastUsedAt: _, ...updated } = await resultOf(folder, ['client', 'update', id, ...args])
    assert.deepEqual(updated, { client_id: id, workspace: 'acme', scope, projects }, args.join(' '))
  }
})

test('a deleted client is no longer listed and cannot be deleted twice', async () => {
  const { client_id: id } = await resultOf(folder, ['client', 'create', 'acme'])
  assert.deepEqual(await resultOf(folder, ['client', 'delete', id]), { client_id: id, done: true })
  const ids = (await resultOf(folder, ['client', 'list'])).map(({ client_id }: { client_id: string }) => client_id)
  assert.ok(!ids.includes(id))
  assert.equal((await runCommand(folder, ['client', 'delete', id])).exitCode, 1)
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
