import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { openStore } from '#store/store.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { restore } from '#store/upkeep/restore.ts'
import { UPKEEP } from '#test/store/upkeep/options.ts'
import { resultOf, runCommand } from '#test/support/run-command.ts'
import { testService } from '#test/support/service.ts'
import { SMALL_BRAND } from '#test/support/small-brand.ts'
import { type TemporaryStore, temporaryStore } from '#test/support/temporary-store.ts'
import { housestyle } from '../../housestyle.ts'

const WORKSPACE = '/beta/workspace/acme'
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
  const before = await temporaryStore()
  await before.publishing('acme/guidelines', SMALL_BRAND)
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
  const here = await temporaryStore()
  await here.publishing('acme/guidelines', SMALL_BRAND)
  const { token, jti } = await here.issue('acme')
  const { status, stdout, stderr } = await revokeInput(here.folder, `Bearer ${token}`)
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${jti}: revoked\n`, stderr: '' })
  const [listed] = await resultOf(here.folder, ['token', 'list'])
  assert.deepEqual([listed.jti, typeof listed.revokedAt], [jti, 'string'])
})

for (const damage of ["projects = '7'", "expires_at = 'then'", "issued_at = 'then', expires_at = 1"])
  test(`a token whose own row has ${damage} is revoked, and its row is replaced`, async () => {
    const here = await temporaryStore()
    await here.publishing('acme/guidelines', SMALL_BRAND)
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
