import assert from 'node:assert/strict'
import { cp, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { knownVersion, migrate, SCHEMA } from '#store/database/migrate.ts'
import { openSqlite } from '#store/database/sqlite.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { housestyle } from '../../program/cli/housestyle.ts'
import { command, type Running, serve } from '../../support/command.ts'
import { temporaryFolder, writeFolder } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'
import { readVariants, variantOf } from '../../support/variants.ts'

const ROOT = join(import.meta.dirname, '../../..')
const OLD = join(ROOT, 'bin/housestyle.js')
const TABLES =
  'workspace project revision deleted_project copy object change signing_key client token share service seen'.split(' ')
const SIZE = { items: 2, bytes: 100 }
const { skip, server } = await sharedPostgres()
/** Both tests use the same copies of the program, whose code is then compiled only once. */
const versions = await temporaryFolder()
const newer = await newerVersion(join(versions, 'newer'), [true])
const newest = await newerVersion(join(versions, 'newest'), [true, false])

test('services keep working with later migrations if each of these names their version or an older one', async () => {
  const own = knownVersion()
  for (const [named, goesOn] of [
    [[own], true],
    [[own, own], true],
    [[own + 1], false],
    [[own, own + 1], false],
    [[own, own + 2], false],
    [[own + 1, own], false],
  ] as const) {
    await using database = await openSqlite(join(await temporaryFolder(), 'housestyle.db'))
    await migrate(database)
    for (const [at, servicesFrom] of named.entries())
      await database.run('INSERT INTO migration VALUES (?, ?, ?)', own + at + 1, SCHEMA, servicesFrom)
    const opened = migrate(database, { isService: true })
    if (goesOn) assert.equal(await opened, own + named.length)
    else await assert.rejects(opened, { code: 'store_newer' })
  }
})

for (const [engine, isSkipped] of [
  ['SQLite', false],
  ['Postgres', skip],
] as const)
  test(`services keep working, even after a restart, while a newer version migrates ${engine}, if the migration allows it`, {
    skip: isSkipped,
    timeout: 300_000,
  }, async () => {
    const folder = await temporaryFolder()
    const database = engine === 'Postgres' ? ['--database', (await server?.newDatabase()) ?? ''] : []
    const place = ['--data', join(folder, 'data'), ...database]
    const old = (...args: string[]) => housestyle([...args, ...place], { env: { HOUSESTYLE_LOG: 'silent' } })
    const publish = async (run: (...args: string[]) => Promise<unknown>, variant: number) => {
      await writeFolder(join(folder, 'acme'), variantOf(variant, SIZE))
      await run('import', join(folder, 'acme'))
      await run('publish', '--all')
    }
    await publish(old, 1)
    const token = (await old('token', 'issue', 'acme')).stdout.trim()
    const first = await serve(OLD, ...place, '--rate', 'off')
    const reading = readVariants(first, token, [200])

    await publish((...args) => command(newer, ...args, ...place), 2)
    await until(async () => (await nameAt(first, token)) === 'variant-2')
    const client = JSON.parse(await command(newer, 'client', 'create', 'acme', '--json', ...place))
    const second = await serve(OLD, ...place, '--rate', 'off')
    for (const service of [first, second]) await assertUsable(service, client)
    const replies = await reading.end()
    assert.ok(replies > 0)
    for (const args of [
      ['import', join(folder, 'acme')],
      ['backup', join(folder, 'a.tar')],
    ])
      assert.match((await old(...args)).stderr, /written by a newer housestyle/)
    await Promise.all([first.stop(), second.stop()])

    await publish((...args) => command(newest, ...args, ...place), 3)
    await assert.rejects(serve(OLD, ...place), /written by a newer housestyle/)
    assert.match(await command(newest, 'doctor', ...place), /no problems/)
  })

/**
 * The current program with more migrations: each adds a column to each table, and says whether services keep working.
 */
async function newerVersion(folder: string, further: readonly boolean[]): Promise<string> {
  for (const name of ['bin', 'src', 'migrations', 'package.json'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const known = (await readdir(join(folder, 'migrations'))).length
  for (const [at, goesOn] of further.entries()) {
    const line = goesOn ? `-- Services of version ${known} and newer go on.\n` : ''
    const sql = TABLES.map(table => `ALTER TABLE ${table} ADD COLUMN later_${at} TEXT;\n`).join('')
    const number = String(known + at + 1).padStart(4, '0')
    await writeFile(join(folder, `migrations/${number}-later.sql`), line + sql)
  }
  return join(folder, 'bin/housestyle.js')
}

async function nameAt({ baseUrl }: Running, token: string): Promise<string> {
  const address = `${baseUrl}/workspace/acme/project/guide`
  const reply = await fetch(address, { headers: { Authorization: `Bearer ${token}` } })
  return JSON.parse(await reply.text()).name
}

/** Checks that the service issues a token, which it records, and serves the latest publication. */
async function assertUsable(service: Running, client: { client_id: string; client_secret: string }): Promise<void> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client })
  const reply = await fetch(`${service.url}/oauth/token`, { method: 'POST', body })
  const { access_token: token } = JSON.parse(await reply.text())
  assert.equal(reply.status, 200)
  assert.equal(await nameAt(service, token), 'variant-2')
}
