import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { openServers, readPostgresAddress } from '#store/database/postgres/connect.ts'
import { otherUser, type PostgresServer, startPostgres } from '#test/support/postgres.ts'
import { needs, pathOf } from '#test/support/programs.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const { skip } = needs('postgres', 'openssl')
const folder = await temporaryFolder()
const [key, certificate, access] = ['key.pem', 'certificate.pem', 'pg_hba.conf'].map(name => join(folder, name))
const plain = skip ? undefined : await startPostgres()
const encrypted = skip ? undefined : await startEncrypted()
after(() => Promise.all([plain?.stop(), encrypted?.stop()]))

/** A server that requires TLS for the databases of tests. */
async function startEncrypted(): Promise<PostgresServer> {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const names = ['-subj', '/CN=database.test', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync(pathOf('openssl') ?? '', ['req', ...kind, ...names, '-keyout', `${key}`, '-out', `${certificate}`], {
    stdio: 'ignore',
  })
  const lines = ['host postgres all 127.0.0.1/32 trust', 'hostssl all all 127.0.0.1/32 trust']
  await writeFile(`${access}`, `${lines.join('\n')}\n`)
  const user = otherUser()
  if (user) for (const each of [folder, key, certificate, access]) chownSync(`${each}`, user.uid, user.gid)
  const settings = ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`, `hba_file=${access}`]
  return startPostgres(settings.flatMap(each => ['-c', each]))
}

/** Whether a connection has TLS. */
async function hasTls(server: PostgresServer | undefined, parameters: string): Promise<boolean> {
  const { connect } = await openServers(`${await server?.newDatabase()}${parameters}`)
  const { client, end } = await connect()
  const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  await end()
  return rows[0].ssl
}

for (const mode of ['allow', 'prefer', 'require', 'no-verify', `verify-ca&sslrootcert=${certificate}`])
  test(`a connection is encrypted if the server requires TLS with sslmode=${mode.replace(/=.*/, '')}`, {
    skip,
  }, async () => {
    assert.equal(await hasTls(encrypted, `?sslmode=${mode}`), true)
  })

test('a connection with sslmode=disable is unencrypted', { skip }, async () => {
  assert.equal(await hasTls(plain, '?sslmode=disable'), false)
})

for (const parameters of ['', '?sslmode=disable'])
  test(`a server that requires TLS refuses ${parameters || 'no parameters'}`, { skip }, () =>
    assert.rejects(hasTls(encrypted, parameters), /request TLS with sslmode/),
  )

for (const mode of ['allow', 'prefer', 'require'])
  test(`a connection with sslmode=${mode} to a server without TLS fails`, { skip }, () =>
    assert.rejects(hasTls(plain, `?sslmode=${mode}`), /does not support TLS/),
  )

test('sslmode=verify-ca without an authority is refused with a message that names the missing parameter', () =>
  assert.rejects(
    openServers('postgres://127.0.0.1:1/x?sslmode=verify-ca').then(({ connect }) => connect()),
    /127\.0\.0\.1:1: sslmode=verify-ca needs an authority; name its certificate with sslrootcert/,
  ))

test('a certificate of an unknown authority is refused with sslmode=verify-full', { skip }, () =>
  assert.rejects(hasTls(encrypted, '?sslmode=verify-full'), /certificate is not trusted/),
)

const CASES: readonly [address: string, names: readonly string[], target: string, connectMs: number][] = [
  ['postgres://a/x', ['a:5432'], 'any', 5000],
  ['postgres://a/x?target_session_attrs=primary&connect_timeout=2', ['a:5432'], 'primary', 2000],
  ['postgres://u:p@a,b:5433/x', ['a:5432', 'b:5433'], 'read-write', 5000],
  ['postgres://a,b/x?target_session_attrs=any', ['a:5432', 'b:5432'], 'any', 5000],
  ['postgres:///x?host=/run/postgresql', ['/run/postgresql'], 'any', 5000],
]
for (const [address, names, target, connectMs] of CASES)
  test(`${address} means ${names.join(' and ')}, with target ${target}`, () => {
    const read = readPostgresAddress(address)
    assert.deepEqual([read.hosts.map(({ name }) => name), read.target, read.connectMs], [names, target, connectMs])
  })
