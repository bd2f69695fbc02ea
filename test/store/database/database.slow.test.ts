import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { after } from 'node:test'
import pg from 'pg'
import { type Database, ROWS_AT_ONCE } from '#store/database/database.ts'
import { knownVersion, migrate, versionOf } from '#store/database/migrate.ts'
import { openPostgres } from '#store/database/postgres.ts'
import { openSqlite } from '#store/database/sqlite.ts'
import { bothEngines } from '#test/support/engines.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const DURABILITY = {
  SQLite: { sql: 'PRAGMA synchronous', answers: [1, 2] },
  Postgres: { sql: "SELECT current_setting('synchronous_commit')", answers: ['off', 'on'] },
}
const ENGINES = await bothEngines()
const { skip, place: newDatabase } = ENGINES[1]

for (const { name, skip, place, open } of ENGINES) {
  const durability = DURABILITY[name]
  const opened: Database[] = []
  after(async () => {
    for (const database of opened) await database.close()
  })
  const openAt = async (at: string) => {
    const database = await open(at)
    opened.push(database)
    return database
  }
  const ready = async () => {
    const at = await place()
    const database = await openAt(at)
    await migrate(database)
    return { at, database }
  }

  test(`${name}: ten processes may bring one database up to date at once`, { skip }, async () => {
    const at = await place()
    const databases = await Promise.all(Array.from({ length: 10 }, () => openAt(at)))
    await Promise.all(databases.map(database => migrate(database)))
    for (const database of databases) assert.equal(await versionOf(database), knownVersion())
  })

  test(`${name}: tables of a newer version are refused with a clear message`, { skip }, async () => {
    const { database } = await ready()
    await database.run('INSERT INTO migration SELECT 99, schema, 99 FROM migration')
    await assert.rejects(migrate(database), /written by a newer housestyle/)
  })

  test(`${name}: a scan visits each row once, as of its start, and ends if its visitor throws`, { skip }, async () => {
    const { database } = await ready()
    const add = (hash: string) =>
      database.run('INSERT INTO object (workspace, hash, bytes) VALUES (?, ?, ?)', 'a', hash, new Uint8Array())
    const hashes = Array.from({ length: 2 * ROWS_AT_ONCE + 1 }, (_, at) => `h${at}`)
    await database.transaction(async queries => {
      for (const hash of hashes)
        await queries.run('INSERT INTO object (workspace, hash, bytes) VALUES (?, ?, ?)', 'a', hash, new Uint8Array())
    })
    const seen: string[] = []
    const sizes: number[] = []
    await database.scan('SELECT hash FROM object', async rows => {
      sizes.push(rows.length)
      for (const row of rows) seen.push(String(row.hash))
      await add(`late${sizes.length}`)
    })
    assert.deepEqual(seen.sort(), hashes.sort())
    assert.deepEqual(sizes, [ROWS_AT_ONCE, ROWS_AT_ONCE, 1])
    const visited: number[] = []
    const failing = database.scan('SELECT hash FROM object', rows => {
      visited.push(rows.length)
      throw new Error('enough')
    })
    await assert.rejects(failing, /^Error: enough$/)
    assert.deepEqual(visited, [ROWS_AT_ONCE])
    assert.equal((await database.all('SELECT hash FROM object')).length, hashes.length + 3)
  })

  test(`${name}: values are read as they were written`, { skip }, async () => {
    const { database } = await ready()
    const bytes = Uint8Array.from([0, 1, 254, 255])
    await database.run('INSERT INTO object (workspace, hash, bytes) VALUES (?, ?, ?)', 'a', 'é"\'\\?', bytes)
    const row = await database.get('SELECT hash, bytes FROM object WHERE workspace = ?', 'a')
    assert.equal(row?.hash, 'é"\'\\?')
    assert.deepEqual(row?.bytes instanceof Uint8Array && Buffer.from(row.bytes), Buffer.from(bytes))
    const late = 8_640_000_000_000_000
    await database.run('INSERT INTO service (id, url, started_at, expires_at) VALUES (?, ?, ?, ?)', 's', '', 1, late)
    assert.equal((await database.get('SELECT expires_at FROM service'))?.expires_at, late)
    assert.equal((await database.get('SELECT retired_at FROM signing_key UNION ALL SELECT NULL'))?.retired_at, null)
    assert.equal(await database.get('SELECT 1 AS one FROM token'), undefined)
  })

  test(`${name}: strings sort by their bytes`, { skip }, async () => {
    const { database } = await ready()
    for (const hash of ['b', 'B', 'ä', 'a-b', 'ab', '_'])
      await database.run('INSERT INTO object (workspace, hash, bytes) VALUES (?, ?, ?)', 'a', hash, new Uint8Array())
    const rows = await database.all('SELECT hash FROM object ORDER BY hash')
    const hashes = rows.map(({ hash }) => hash)
    assert.deepEqual(hashes, ['B', '_', 'a-b', 'ab', 'b', 'ä'])
  })

  test(`${name}: a transaction is committed whole or not at all, and is not visible before`, { skip }, async () => {
    const { database } = await ready()
    const insert = "INSERT INTO identity (name, value) VALUES (?, '1')"
    const count = async () => (await database.get('SELECT COUNT(*) AS count FROM identity'))?.count
    await assert.rejects(
      database.transaction(async queries => {
        await queries.run(insert, 'a')
        assert.equal(await count(), 0)
        await queries.run(insert, 'a')
      }),
    )
    assert.equal(await count(), 0)
    await database.transaction(queries => queries.run(insert, 'b'))
    assert.equal(await count(), 1)
  })

  test(`${name}: a transaction that need not be durable does not wait for the disk; others do`, { skip }, async () => {
    const { database } = await ready()
    const ask = async (options?: { durable: boolean }) =>
      Object.values((await database.transaction(queries => queries.get(durability.sql), options)) ?? {})[0]
    assert.deepEqual([await ask({ durable: false }), await ask()], durability.answers)
  })

  test(`${name}: transactions of all processes run one at a time`, { skip }, async () => {
    const { at, database } = await ready()
    const others = await Promise.all([openAt(at), openAt(at), openAt(at)])
    const raise = (each: Database) =>
      each.transaction(async queries => {
        const last = Number((await queries.get('SELECT COALESCE(MAX(number), 0) AS n FROM change'))?.n)
        await new Promise(resolve => setTimeout(resolve, 1))
        await queries.run('INSERT INTO change (number, workspace) VALUES (?, NULL)', last + 1)
      })
    await Promise.all([database, ...others].flatMap(each => Array.from({ length: 10 }, () => raise(each))))
    assert.equal((await database.get('SELECT COUNT(*) AS count FROM change'))?.count, 40)
  })

  test(`${name}: a watcher is called after a change by another process, until it stops`, { skip }, async () => {
    const { at, database } = await ready()
    const other = await openAt(at)
    let told = 0
    const stop = database.watch(() => told++, {
      failed: error => assert.fail(String(error)),
      worked: () => undefined,
    })
    await new Promise(resolve => setTimeout(resolve, 800))
    told = 0
    await other.run('INSERT INTO change (number, workspace) VALUES (1, NULL)')
    await until(() => told > 0)
    assert.equal(told, 1)
    stop()
  })

  test(`${name}: a saved copy is a SQLite file with all data`, { skip }, async () => {
    const { database } = await ready()
    await database.run("INSERT INTO identity (name, value) VALUES ('urn', 'x')")
    await database.run("INSERT INTO workspace (id, name, draft_name, created_at) VALUES ('w', 'W', 'W', 5)")
    for (let number = 1; number <= 120; number++)
      await database.run(
        'INSERT INTO object (workspace, hash, bytes) VALUES (?, ?, ?)',
        'w',
        `${number}`,
        Uint8Array.from([number]),
      )
    const path = join(await temporaryFolder(), 'saved.db')
    await database.saveTo(path)
    const saved = await openSqlite(path)
    opened.push(saved)
    assert.equal((await saved.get('SELECT COUNT(*) AS count FROM object'))?.count, 120)
    assert.deepEqual(
      { ...(await saved.get('SELECT id, name, draft_name, created_at FROM workspace')) },
      { id: 'w', name: 'W', draft_name: 'W', created_at: 5 },
    )
    assert.equal(await versionOf(saved), await versionOf(database))
  })
}

test('Postgres: only a transaction that records a change wakes listeners', { skip }, async () => {
  const at = await newDatabase()
  const { database } = await openPostgres(at)
  await migrate(database)
  const client = new pg.Client(at)
  await client.connect()
  await client.query('LISTEN housestyle; LISTEN last')
  const woken: string[] = []
  const hasEnded = new Promise<void>(resolve => {
    client.on('notification', ({ channel }) => (channel === 'last' ? resolve() : woken.push(channel)))
  })
  await database.run('INSERT INTO change (number, workspace) VALUES (1, NULL)')
  await database.run("INSERT INTO service (id, url, started_at, expires_at) VALUES ('a', '', 1, 2)")
  await database.run('INSERT INTO change (number, workspace) VALUES (2, NULL)')
  await database.run('NOTIFY last')
  await hasEnded
  assert.deepEqual(woken, ['housestyle', 'housestyle'])
  await client.end()
  await database.close()
})

test('SQLite: a transaction that met a damaged file succeeds once the file is repaired', async t => {
  const path = join(await temporaryFolder(), 'a.db')
  const database = await openSqlite(path)
  t.after(() => database.close())
  await migrate(database)
  const write = (id: string) =>
    database.run('INSERT INTO workspace (id, name, draft_name, created_at) VALUES (?, ?, ?, ?)', id, 'Acme', 'Acme', 0)
  await write('first')
  const other = new DatabaseSync(path)
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  other.close()
  const sound = await readFile(path)
  await writeFile(path, new Uint8Array(sound.length), { flag: 'r+' })
  for (const id of ['second', 'third']) await assert.rejects(async () => write(id), /not a database|malformed/)
  await writeFile(path, sound, { flag: 'r+' })
  assert.equal(await write('fourth'), 1)
})
