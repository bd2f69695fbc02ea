import assert from 'node:assert/strict'
import { cp, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { MANIFEST, writeArchive } from '#store/upkeep/archive.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { housestyle } from '../program/cli/housestyle.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { SMALL_BRAND } from '../support/temporary-store.ts'

/** A store of a checkout before 0.1.0, as far as this version looks at it. */
const TABLES = [
  'CREATE TABLE identity (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  "INSERT INTO identity VALUES ('urn', 'urn:uuid:6e4f1d0c-0d3c-4b7e-9a52-3f1f6f1f2a10')",
  'CREATE TABLE migration (number INTEGER PRIMARY KEY)',
]
/** The applied migrations, and as a negative number the oldest version whose services could go on. */
const NUMBERS = [[1], [1, 2, 3, 4, 5], Array.from({ length: 27 }, (_, at) => at + 1).concat(-21)]
const COMMANDS = [
  ['import', 'acme'],
  ['serve', '--port', '0'],
  ['serve', 'acme', '--port', '0'],
  ['pull', '--git', 'https://git.example.com/acme/brand.git'],
  ['publish', '--all'],
  ['status'],
  ['history', 'acme/guidelines'],
  ['diff', 'acme/guidelines'],
  ['usage', 'acme/guidelines'],
  ['export', 'acme/guidelines', '--to', 'css', '--out', 'acme.css'],
  ['rollback', 'acme/guidelines', '1'],
  ['delete', 'acme/guidelines', '--yes'],
  ['copy', 'acme/guidelines', 'acme/other'],
  ['token', 'issue', 'acme'],
  ['keys', 'rotate'],
  ['client', 'list'],
  ['share', 'list'],
  ['signin', 'list'],
  ['webhook', 'list'],
  ['host', 'list'],
  ['gc'],
  ['backup', 'new.tar'],
  ['doctor'],
]
const SAID =
  'it is from a checkout before housestyle 0.1.0, and nothing in it was changed; import the brand folder again into a new store, where keys, tokens, clients and links are issued anew'

const { skip, server } = await sharedPostgres()

for (const numbers of NUMBERS)
  test(`every command refuses a store of an earlier checkout with ${numbers.length} migrations, and leaves it as it is`, async () => {
    const folder = await brand()
    makeDatabase(join(folder, 'data/housestyle.db'), numbers)
    const before = await bytesIn(join(folder, 'data'))
    await assertRefused(folder, COMMANDS)
    assert.deepEqual(await bytesIn(join(folder, 'data')), before)
  })

test('a store of an earlier checkout that was killed keeps its write-ahead log', async () => {
  const folder = await brand()
  const made = await temporaryFolder()
  using database = makeDatabase(join(made, 'housestyle.db'), [1, 2], () => undefined)
  assert.ok(database.isOpen)
  for (const end of ['', '-wal']) await cp(join(made, `housestyle.db${end}`), join(folder, `data/housestyle.db${end}`))
  const before = await bytesIn(join(folder, 'data'))
  await assertRefused(folder, COMMANDS)
  const { 'housestyle.db-shm': _index, ...now } = await bytesIn(join(folder, 'data'))
  assert.deepEqual(now, before)
  assert.ok((await stat(join(folder, 'data/housestyle.db-wal'))).size > 0)
})

test('every command refuses a store of an earlier checkout in Postgres, and leaves it as it is', { skip }, async () => {
  for (const numbers of NUMBERS) {
    const folder = await brand()
    const address = (await server?.newDatabase()) ?? ''
    const name = new URL(address).pathname.slice(1)
    const rows = numbers.map(number => `(${number})`).join(', ')
    await server?.query([...TABLES, `INSERT INTO migration VALUES ${rows}`].join(';'), name)
    const contents = async () => {
      const sql = `SELECT (SELECT string_agg(table_name || '.' || column_name, ' ' ORDER BY table_name, column_name)
        FROM information_schema.columns WHERE table_schema = 'public') AS columns,
        (SELECT string_agg(number::text, ' ' ORDER BY number) FROM migration) AS numbers,
        (SELECT string_agg(name || value, ' ') FROM identity) AS identity`
      return (await server?.query(sql, name))?.rows
    }
    const before = await contents()
    await assertRefused(folder, COMMANDS, '--database', address)
    assert.deepEqual(await contents(), before)
  }
})

test('a backup of an earlier checkout is refused, and nothing is created', async () => {
  const folder = await brand()
  const backup = join(folder, 'old.tar')
  await using file = await open(backup, 'wx')
  const archive = writeArchive(file, new Date())
  const manifest = Buffer.from(JSON.stringify({ format: 1, tables: 27, made: new Date().toISOString() }))
  await archive.add(MANIFEST, manifest.length, [manifest])
  await archive.finish()
  const before = await readFile(backup)
  for (const place of server ? [[], ['--database', await server.newDatabase()]] : [[]]) {
    const { status, stdout, stderr } = await housestyle(['restore', 'old.tar', '--json', '--data', 'new', ...place], {
      cwd: folder,
    })
    const refused = { error: 'store_earlier', message: `cannot use the backup ${backup}: ${SAID}` }
    assert.deepEqual([status, stdout, JSON.parse(stderr)], [1, '', refused])
  }
  assert.deepEqual(await readFile(backup), before)
  assert.ok(!(await readdir(folder)).includes('new'))
})

async function brand(): Promise<string> {
  const folder = await temporaryFolder()
  await writeFolder(join(folder, 'acme'), SMALL_BRAND)
  await writeFolder(folder, { 'data/.gitignore': '*\n' })
  return folder
}

function makeDatabase(
  path: string,
  numbers: readonly number[],
  end = (database: DatabaseSync) => database.close(),
): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec(['PRAGMA journal_mode = WAL', ...TABLES].join(';'))
  for (const number of numbers) database.prepare('INSERT INTO migration VALUES (?)').run(number)
  end(database)
  return database
}

/** Runs commands on the store in `data` of a folder, or elsewhere. Each is refused in the same way. */
async function assertRefused(
  folder: string,
  commands: readonly (readonly string[])[],
  ...place: string[]
): Promise<void> {
  for (const args of commands) {
    const env = { HOUSESTYLE_LOG: 'silent' }
    const data = ['--data', join(folder, 'data')]
    const { status, stdout, stderr } = await housestyle([...args, '--json', ...data, ...place], { cwd: folder, env })
    const refused = { error: 'store_earlier', message: `cannot use the store: ${SAID}` }
    assert.deepEqual([status, stdout, JSON.parse(stderr)], [1, '', refused], args.join(' '))
  }
  assert.ok(!(await readdir(folder)).includes('new.tar'))
}

async function bytesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).sort()
  const entries = names.map(async name => {
    const isFile = (await stat(join(folder, name))).isFile()
    return [name, isFile ? (await readFile(join(folder, name))).toString('base64') : 'folder']
  })
  return Object.fromEntries(await Promise.all(entries))
}
