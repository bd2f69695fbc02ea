import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { SCOPES } from '../../../../src/contract/operations.ts'
import { resultOf, runCommand } from '../../../support/run-command.ts'
import { testService } from '../../../support/service.ts'
import { SMALL_BRAND } from '../../../support/small-brand.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const store = await temporaryStore()
const { folder } = store
const WORKSPACE = '/beta/workspace/acme'

before(async () => {
  await store.importing('acme', SMALL_BRAND)
  await store.publish('acme/guidelines')
})

test('token issue prints only the token, which has every scope, covers all projects and is valid for an hour', async () => {
  const { exitCode, out, err } = await runCommand(folder, ['token', 'issue', 'acme'])
  assert.deepEqual({ exitCode, err }, { exitCode: 0, err: '' })
  assert.match(out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  const { urn } = store.store.identity
  const { typ, alg, kid, ...header } = decodeProtectedHeader(out.trim())
  assert.deepEqual({ typ, alg, header }, { typ: 'at+jwt', alg: 'ES256', header: {} })
  assert.equal(typeof kid, 'string')
  const { iat = 0, exp, jti, ...claims } = decodeJwt(out.trim())
  assert.equal(exp, iat + 3600)
  assert.match(jti ?? '', /^[\da-f-]{36}$/)
  const scope = SCOPES.join(' ')
  assert.deepEqual(claims, { iss: urn, aud: urn, sub: 'cli', client_id: 'cli', scope, workspace: 'acme' })
})

test('token issue --json prints the claims of the token, and token list prints them later', async () => {
  const args = ['--scope', 'styles.read', '--scope', 'data.read', '--project', 'guidelines', '--expires', '30d']
  const issued = await resultOf(folder, ['token', 'issue', 'acme', ...args])
  const { iat = 0, exp = 0, workspace, scope, projects, jti } = decodeJwt(issued.token)
  const shared = { jti: issued.jti, workspace: 'acme', scope: 'data.read styles.read', projects: ['guidelines'] }
  assert.deepEqual({ jti, workspace, scope, projects }, shared)
  assert.equal(exp - iat, 30 * 86_400)
  const expiresAt = new Date(exp * 1000).toISOString()
  assert.deepEqual(issued, { token: issued.token, ...shared, expiresAt })
  const listed = (await resultOf(folder, ['token', 'list'])).find((each: { jti: string }) => each.jti === jti)
  const issuedAt = new Date(iat * 1000).toISOString()
  assert.deepEqual(listed, { ...shared, client: 'cli', issuedAt, expiresAt, revokedAt: null, lastUsedAt: null })
})

test('token list and client list show one workspace if it is named, and refuse an unknown one', async () => {
  const own = await temporaryStore()
  await own.importing('acme', SMALL_BRAND)
  await own.importing('nova', { ...SMALL_BRAND, 'workspace.yaml': 'id: nova\n' })
  for (const [kind, make] of [
    ['token', 'issue'],
    ['client', 'create'],
  ] as const) {
    for (const workspace of ['acme', 'nova']) await resultOf(own.folder, [kind, make, workspace])
    const workspacesOf = async (...operands: string[]) => {
      const listed = await resultOf(own.folder, [kind, 'list', ...operands])
      return listed.map(({ workspace }: { workspace: string }) => workspace).sort()
    }
    assert.deepEqual(await workspacesOf(), ['acme', 'nova'])
    assert.deepEqual(await workspacesOf('nova'), ['nova'])
    const { exitCode, out, err } = await runCommand(own.folder, [kind, 'list', 'nowa'])
    assert.deepEqual([exitCode, out], [1, ''])
    assert.match(err, /^housestyle: there is no workspace "nowa" \(did you mean "nova"\?\)/)
  }
})

test('a revoked token stops working immediately, token list shows when, and revoking it again changes nothing', async () => {
  const { ask, follow } = await testService(store)
  const { token, jti } = await resultOf(folder, ['token', 'issue', 'acme'])
  assert.equal((await ask(WORKSPACE, { token })).status, 200)
  const revoked = await resultOf(folder, ['token', 'revoke', jti])
  assert.equal(typeof revoked.revokedAt, 'string')
  await follow()
  assert.equal((await ask(WORKSPACE, { token })).status, 401)
  const again = await resultOf(folder, ['token', 'revoke', jti])
  assert.deepEqual(again, revoked)
  const listed = await resultOf(folder, ['token', 'list'])
  assert.deepEqual(
    listed.find((each: { jti: string }) => each.jti === jti),
    revoked,
  )
})

test('the longest token is valid for 366 days', async () => {
  const { ask } = await testService(store)
  const { token } = await resultOf(folder, ['token', 'issue', 'acme', '--expires', '366d'])
  assert.equal((await ask(WORKSPACE, { token })).status, 200)
})

test('with a public URL, tokens name it as issuer and its base URL as audience', async () => {
  const { token } = await resultOf(folder, ['token', 'issue', 'acme', '--public-url', 'https://brand.example.com/'])
  const { iss, aud } = decodeJwt(token)
  assert.deepEqual({ iss, aud }, { iss: 'https://brand.example.com', aud: 'https://brand.example.com/beta' })
})
