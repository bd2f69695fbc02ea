import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { SCOPES } from '#brand/contract/operations.ts'
import { putLease, removeLease } from '#store/catalogue/services.ts'
import { openStore } from '#store/store.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { restore } from '#store/upkeep/restore.ts'
import { housestyle } from '#test/program/cli/housestyle.ts'
import { UPKEEP } from '#test/store/upkeep/options.ts'
import { testService } from '#test/support/service.ts'
import {
  publishedStore,
  resultOf,
  runCommand,
  SMALL_BRAND,
  type TemporaryStore,
  temporaryStore,
} from '#test/support/temporary-store.ts'

const store = await temporaryStore()
const { folder } = store
const WORKSPACE = '/beta/workspace/acme'

before(async () => {
  await store.publishing('acme/guidelines', SMALL_BRAND)
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
  const seen = listed.find((each: { jti: string }) => each.jti === jti)
  assert.deepEqual(seen, revoked)
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

test('token issue says if every running service would refuse the token for its public URL', async () => {
  const warningOf = async (...args: readonly string[]) =>
    (await runCommand(folder, ['token', 'issue', 'acme', ...args])).err
  const running = (id: string, url: string) =>
    store.store.database.transaction(queries =>
      putLease(queries, { id, url, startedAt: 0, expiresAt: Date.now() + 3_600_000 }, Date.now()),
    )
  await running('a', 'https://brand.example.com')
  const refused = 'warning: https://brand.example.com refuses this token: issue it with --public-url\n'
  assert.equal(await warningOf(), refused)
  assert.equal(await warningOf('--json', '--public-url', 'https://other.example.com'), refused)
  assert.equal(await warningOf('--public-url', 'https://brand.example.com/'), '')
  await running('b', 'http://192.0.2.1:4080')
  assert.equal(await warningOf(), '')
  for (const id of ['a', 'b']) await store.store.database.transaction(queries => removeLease(queries, id))
})

const SECRET = { HOUSESTYLE_KEY_SECRET: 'correct horse battery staple' }

/** A store with a workspace. */
async function withWorkspace(): Promise<TemporaryStore> {
  const store = await temporaryStore()
  await store.importing('acme', { 'guidelines/pages/index.md': '# Home\n' })
  return store
}

test('a rotated key is published and signs new tokens; tokens of the earlier key stay valid until it is retired', async () => {
  const store = await withWorkspace()
  const { folder } = store
  const { ask, follow } = await testService(store)
  const issue = async () => (await resultOf(folder, ['token', 'issue', 'acme'])).token
  const first = await issue()
  const made = await resultOf(folder, ['keys', 'rotate'])
  assert.deepEqual(made, { ...made, algorithm: 'ES256', retiredAt: null, signs: true, sealed: false })
  assert.match(made.kid, /^[0-9a-f]{64}$/)
  const second = await issue()
  assert.equal(decodeProtectedHeader(second).kid, made.kid)
  const states = await resultOf(folder, ['keys', 'list'])
  const earlier = decodeProtectedHeader(first).kid ?? ''
  const seen = states.map(({ kid, signs }: { kid: string; signs: boolean }) => [kid, signs])
  assert.deepEqual(seen, [
    [made.kid, true],
    [earlier, false],
  ])
  for (const token of [first, second]) assert.equal((await ask(WORKSPACE, { token })).status, 200)
  assert.deepEqual(await resultOf(folder, ['keys', 'retire', earlier]), { kid: earlier, done: true })
  await follow()
  assert.equal((await ask(WORKSPACE, { token: first })).status, 401)
  assert.equal((await ask(WORKSPACE, { token: second })).status, 200)
  const { keys } = JSON.parse((await ask('/.well-known/jwks.json')).text)
  const kids = keys.map(({ kid }: { kid: string }) => kid)
  assert.deepEqual(kids, [made.kid])
})

for (const algorithm of ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256']) {
  test(`tokens signed with ${algorithm} work, and the published key set checks them and has no private part`, async () => {
    const store = await withWorkspace()
    await resultOf(store.folder, ['keys', 'rotate', '--algorithm', algorithm])
    const { token } = await resultOf(store.folder, ['token', 'issue', 'acme'])
    const { ask } = await testService(store)
    assert.equal((await ask(WORKSPACE, { token })).status, 200)
    const { text, headers } = await ask('/.well-known/jwks.json')
    assert.equal(headers.get('content-type'), 'application/jwk-set+json')
    const set = JSON.parse(text)
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(set))
    assert.equal(protectedHeader.alg, algorithm)
    const unexpected = Object.keys(set.keys[0]).filter(name => /^(d|p|q|dp|dq|qi|k|oth)$/.test(name))
    assert.deepEqual(unexpected, [])
    assert.deepEqual({ ...set.keys[0], alg: algorithm, use: 'sig', kid: protectedHeader.kid }, set.keys[0])
  })
}

test('with --key-secret no file of the store holds a private key in the clear; without it, the database does', async () => {
  for (const [environment, isClear] of [
    [SECRET, false],
    [{}, true],
  ] as const) {
    const store = await withWorkspace()
    await resultOf(store.folder, ['token', 'issue', 'acme'], environment)
    const names = ['housestyle.db', 'housestyle.db-wal']
    const bytes = await Promise.all(names.map(name => readFile(join(store.data, name), 'latin1')))
    const seen = bytes.some(text => /\\?"d\\?":/.test(text))
    assert.equal(seen, isClear)
  }
})

test('without the key secret, tokens that were signed with it keep working', async () => {
  const store = await withWorkspace()
  const { token } = await resultOf(store.folder, ['token', 'issue', 'acme'], SECRET)
  const { ask } = await testService(store)
  assert.equal((await ask(WORKSPACE, { token })).status, 200)
  assert.equal(JSON.parse((await ask('/.well-known/jwks.json')).text).keys.length, 1)
})

const DAY_MS = 24 * 3600 * 1000

/** Runs `token revoke -` with this input. */
function revokeInput(folder: string, input: string, ...options: string[]) {
  const env = { HOUSESTYLE_DATA: '.data', HOUSESTYLE_LOG: 'silent' }
  const chunks = async function* () {
    yield Buffer.from(input)
  }
  return housestyle(['token', 'revoke', '-', ...options], { cwd: folder, env }, { input: chunks() })
}

/** A store restored from a backup that is older than two tokens. */
async function restoredStore(): Promise<
  TemporaryStore & { tokens: [{ token: string; jti: string }, { token: string }] }
> {
  const before = await publishedStore('acme/guidelines', SMALL_BRAND)
  await before.issue('acme')
  const file = join(before.folder, 'backup.tar')
  await backUp(before.store, file, UPKEEP)
  const tokens: [{ token: string; jti: string }, { token: string }] = [
    await before.issue('acme', { lifetimeSeconds: 60 * 24 * 3600 }),
    await before.issue('acme', { lifetimeSeconds: 3600 }),
  ]
  const data = join(before.folder, 'restored', '.data')
  await restore(file, data, UPKEEP)
  const store = await openStore(data)
  before.beforeEnd(() => store.close())
  return { ...before, store, data, folder: join(before.folder, 'restored'), tokens }
}

test('a token issued after the restored backup is revoked by a recorded id, for 366 days', async () => {
  const after = await restoredStore()
  const [{ token, jti }] = after.tokens
  const { ask, follow } = await testService(after)
  assert.equal((await ask(WORKSPACE, { token })).status, 200)
  const { exitCode, out, err } = await runCommand(after.folder, ['token', 'revoke', jti])
  assert.deepEqual([exitCode, err], [0, ''])
  assert.match(out, new RegExp(`^${jti}: recorded, and refused until .*; this store did not have the token\n$`))
  await follow()
  assert.equal((await ask(WORKSPACE, { token })).status, 401)
  const again = await resultOf(after.folder, ['token', 'revoke', jti])
  const { revokedAt, expiresAt } = again
  const unknown = { client: '', workspace: '', scope: '', projects: null, lastUsedAt: null }
  assert.deepEqual(again, { jti, ...unknown, issuedAt: revokedAt, expiresAt, revokedAt, recorded: true })
  assert.equal(Date.parse(expiresAt) - Date.parse(revokedAt), 366 * DAY_MS)
  const { out: listed } = await runCommand(after.folder, ['token', 'list'])
  assert.match(listed, new RegExp(`${jti} +unknown +unknown +revoked`))
  assert.deepEqual(await examineStore(after.store, UPKEEP), [])
})

test('token revoke - records a whole token from stdin until it expires, without printing it', async () => {
  const after = await restoredStore()
  const [, { token }] = after.tokens
  const { ask, follow } = await testService(after)
  assert.equal((await ask(WORKSPACE, { token })).status, 200)
  const { status, stdout, stderr } = await revokeInput(after.folder, `${token}\n`, '--json')
  assert.deepEqual([status, stderr], [0, ''])
  const { jti, exp = 0 } = decodeJwt(token)
  const revoked = JSON.parse(stdout)
  assert.deepEqual([revoked.jti, revoked.recorded], [jti, true])
  assert.equal(revoked.expiresAt, new Date(exp * 1000).toISOString())
  await follow()
  assert.equal((await ask(WORKSPACE, { token })).status, 401)
})

test('token revoke - revokes a token that the store has, as its id does', async () => {
  const here = await publishedStore('acme/guidelines', SMALL_BRAND)
  const { token, jti } = await here.issue('acme')
  const { status, stdout, stderr } = await revokeInput(here.folder, `Bearer ${token}`)
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${jti}: revoked\n`, stderr: '' })
  const [listed] = await resultOf(here.folder, ['token', 'list'])
  assert.deepEqual([listed.jti, typeof listed.revokedAt], [jti, 'string'])
})

for (const damage of ["projects = '7'", "expires_at = 'then'", "issued_at = 'then', expires_at = 1"])
  test(`a token whose own row has ${damage} is revoked, and its row is replaced`, async () => {
    const here = await publishedStore('acme/guidelines', SMALL_BRAND)
    const { token, jti } = await here.issue('acme')
    const { ask, follow } = await testService(here)
    assert.equal((await ask(WORKSPACE, { token })).status, 200)
    await here.store.database.run(`UPDATE token SET ${damage}`)
    const { exitCode, out, err } = await runCommand(here.folder, ['token', 'revoke', jti])
    assert.equal(exitCode, 0, err)
    assert.match(out, new RegExp(`^${jti}: recorded, and refused until .*; this store did not have the token\n$`))
    await follow()
    assert.equal((await ask(WORKSPACE, { token })).status, 401)
    assert.deepEqual(await examineStore(here.store, UPKEEP), [])
  })

test('token revoke - refuses anything except a token that this store has signed, and never prints it', async () => {
  const [here, other] = [await temporaryStore(), await temporaryStore()]
  for (const { publishing } of [here, other]) await publishing('acme/guidelines', SMALL_BRAND)
  const [own, foreign] = [(await here.issue('acme')).token, (await other.issue('acme')).token]
  const [header, claims] = own.split('.')
  const [, , signature] = foreign.split('.')
  const notSigned =
    'cannot revoke the token: it is not signed by a key in use of this store: its services refuse it, unless they trust its issuer, which can revoke it'
  const notWhole = 'cannot revoke the token: it is not a complete access token'
  for (const [input, message, exitCode] of [
    [foreign, notSigned, 1],
    [`${header}.${claims}.${signature}`, notSigned, 1],
    ['', notWhole, 1],
    [`Basic ${own}`, notWhole, 1],
    ['x'.repeat(9000), notWhole, 1],
    ['x'.repeat(70_000), 'stdin has more than one token: give one', 2],
  ] as const) {
    const { status, stdout, stderr } = await revokeInput(here.folder, input)
    assert.deepEqual({ status, stdout, stderr }, { status: exitCode, stdout: '', stderr: `housestyle: ${message}\n` })
  }
  assert.equal((await resultOf(here.folder, ['token', 'list']))[0].revokedAt, null)
})

test('10,000 unknown ids can be recorded at a time, and expired ones make room', async () => {
  const here = await temporaryStore()
  await here.importing('acme', SMALL_BRAND)
  const { database } = here.store
  const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO token (jti, client, workspace, scope, issued_at, expires_at, revoked_at) SELECT 'id-' || i, '', '', '', 0, ?, 0 FROM n`
  await database.transaction(queries => queries.run(rows, Date.now() + DAY_MS))
  const { exitCode, out, err } = await runCommand(here.folder, ['token', 'revoke', 'one-more'])
  assert.deepEqual([exitCode, out], [1, ''])
  assert.match(err, /10,000 ids .* are recorded already; end all tokens of a key with `housestyle keys rotate/)
  await database.transaction(queries => queries.run("UPDATE token SET expires_at = 1 WHERE jti = 'id-7'"))
  assert.equal((await resultOf(here.folder, ['token', 'revoke', 'one-more'])).recorded, true)
})
