import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { parseHash } from '#brand/snapshot.ts'
import { importFolder } from '#publishing/import/import.ts'
import { clearIncoming } from '#store/content-lock.ts'
import { assertFilesFolder } from '#store/lost-store.ts'
import { storePaths } from '#store/paths.ts'
import { openStore } from '#store/store.ts'
import { READ_OPTIONS } from '../intake/reading.ts'
import { housestyle, housestyleProcess, MAIN } from '../program/cli/housestyle.ts'
import { serveWith } from '../support/command.ts'
import { needs } from '../support/programs.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'

const acme = new URL('../../examples/acme', import.meta.url).pathname
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

for (const umask of ['000', '022', '077'])
  test(`only its owner can access the data folder, with umask ${umask}`, async () => {
    const data = join(await temporaryFolder(), 'deep/data')
    await mkdir(join(data, '..'))
    const { stop } = await serveWith(`umask ${umask}`, MAIN, acme, '--data', data, '--log', 'silent')
    const modes = ['.', 'housestyle.db', 'housestyle.db-wal', 'housestyle.db-shm'].map(name => mode(join(data, name)))
    await stop()
    assert.deepEqual(modes, ['700', '600', '600', '600'])
    assert.equal(mode(join(data, '.gitignore')).at(-1), '0')
    assert.equal(await readFile(join(data, '.gitignore'), 'utf8'), '*\n')
  })

test('a data folder with only a cache counts as empty, and a backup contains no cache', async () => {
  const parent = await temporaryFolder()
  const [data, restored, archive] = ['data', 'restored', 'archive'].map(name => join(parent, name))
  assert.ok(data !== undefined && restored !== undefined && archive !== undefined)
  const paths = [data, restored].map(folder => join(folder, 'cache/0000'))
  for (const path of paths) {
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, 'kept by nobody')
  }
  assert.equal((await housestyle(['doctor', '--data', data])).status, 1)
  for (const args of [
    ['import', acme, '--data', data],
    ['backup', archive, '--data', data],
    ['restore', archive, '--data', restored],
    ['doctor', '--data', restored],
  ]) {
    const { status, stderr } = await housestyle(args)
    assert.equal(status, 0, stderr)
  }
  assert.ok(!(await readFile(archive)).includes('kept by nobody'))
  assert.deepEqual((await readdir(restored)).sort(), ['.gitignore', 'cache', 'files', 'housestyle.db', 'locks'])
})

test('the data folder may be an existing empty folder, but never one with other files in it', async () => {
  const folder = await folderWith({ 'README.md': 'mine' })
  const { status, stderr } = await housestyle(['import', acme, '--data', folder])
  assert.deepEqual(
    [status, stderr],
    [1, `housestyle: ${folder} contains other files and no store: name a new or empty folder with --data\n`],
  )
  assert.deepEqual(await readdir(folder), ['README.md'])
  const empty = await folderWith({})
  assert.equal((await housestyle(['import', acme, '--data', empty])).status, 0)
  assert.equal(mode(empty), '700')
})

test('an unusable data folder is refused in one line with the reason and the fix', async () => {
  const parent = await folderWith({
    file: 'x',
    'corrupt/housestyle.db': 'not a database '.repeat(1000),
    'folder/housestyle.db/x': '',
  })
  const cut = join(parent, 'cut')
  await (await openStore(cut)).close()
  await writeFile(join(cut, 'housestyle.db'), (await readFile(join(cut, 'housestyle.db'))).subarray(0, 5000))
  const newer = join(parent, 'newer')
  await (await openStore(newer)).close()
  const database = new DatabaseSync(join(newer, 'housestyle.db'))
  database.exec('INSERT INTO migration SELECT 99, schema, 99 FROM migration')
  database.close()
  const cases: [name: string, code: string, said: RegExp][] = [
    ['file', 'store_unreadable', /cannot open the store in .*\/file: /],
    ['file/below', 'store_unreadable', /cannot open the store in .*\/file\/below: /],
    ['corrupt', 'store_damaged', /file is not a database/],
    ['folder', 'store_unreadable', /unable to open database file/],
    ['cut', 'store_damaged', /malformed/],
    ['newer', 'store_newer', /written by a newer housestyle .*: install the newer version/],
  ]
  for (const [name, code, said] of cases) {
    const { status, stdout, stderr } = await housestyle(['import', acme, '--data', join(parent, name)])
    assert.deepEqual([status, stdout], [1, ''], name)
    assert.match(stderr, said)
    assert.match(stderr, /^housestyle: [^\n]+\n$/)
    const json = await housestyle(['import', acme, '--json', '--data', join(parent, name)])
    assert.deepEqual([json.status, json.stdout, JSON.parse(json.stderr).error], [1, '', code])
  }
})

test('a data folder without write access is refused in one line', needs('root'), async () => {
  const data = join(await temporaryFolder(), 'data')
  await (await openStore(data)).close()
  for (const args of [
    ['status', '--data', data],
    ['import', acme, '--data', join(data, '../new')],
  ]) {
    const { status, stderr, error } = spawnSync(process.execPath, [MAIN, ...args], {
      uid: 65534,
      gid: 65534,
    })
    assert.equal(error, undefined)
    assert.equal(status, 1)
    assert.match(stderr.toString(), /^housestyle: cannot open the store in [^\n]+\n$/)
  }
})

test('a folder of files that a concurrent process creates is accepted', async () => {
  const paths = storePaths(await temporaryFolder())
  for (let round = 0; round < 200; round++) {
    const checks = () => Array.from({ length: 4 }, () => assertFilesFolder(paths))
    await Promise.all([...checks(), mkdir(paths.files), ...checks()])
    await rm(paths.files, { recursive: true })
  }
})

test('many processes may open a new data folder at once: one reports that it has created the store, and all use it', async () => {
  const data = join(await temporaryFolder(), 'data')
  const args = ['import', await folderWith({ 'guide/pages/a.md': '# A\n' }), '--data', data]
  const all = await Promise.all(Array.from({ length: 6 }, () => housestyleProcess(args)))
  const statuses = all.map(({ status }) => status)
  assert.deepEqual(statuses, Array(6).fill(0))
  assert.equal(all.filter(({ stderr }) => stderr.includes(`made the store ${data}\n`)).length, 1)
  const [one, other] = [await openStore(data), await openStore(data)]
  assert.deepEqual(one.identity, other.identity)
  await one.close()
  await other.close()
})

async function* piecesOf(...pieces: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

test('files on disk are stored once, complete, under the hash of their bytes, after a commit', async () => {
  const data = join(await temporaryFolder(), 'data')
  const store = await openStore(data)
  const hash = parseHash(createHash('sha256').update('text').digest('hex'))
  const [one, other] = [store.files.receive('acme'), store.files.receive('acme')]
  assert.deepEqual(await Promise.all([one, one, other].map(incoming => incoming.add(piecesOf('te', 'xt')))), [
    hash,
    hash,
    hash,
  ])
  assert.equal(await store.files.open('acme', hash), undefined)
  await Promise.all([one.commit(), other.commit()])
  assert.equal(await one.add(piecesOf('text')), hash)
  const kept = await store.files.open('acme', hash)
  assert.ok(kept)
  assert.equal(await text(kept), 'text')
  assert.deepEqual([await store.files.list('acme'), await store.files.list('other')], [new Set([hash]), new Set()])
  assert.equal(await store.files.open('other', hash), undefined)
  assert.deepEqual(await readdir(join(data, 'files/.incoming')), [])
  assert.equal(mode(join(data, 'files/acme', hash.slice(0, 2), hash)), '600')
  await store.close()
})

test('incomplete files of a killed import are removed by the next import, unless another is under way', async () => {
  const data = join(await temporaryFolder(), 'data')
  const store = await openStore(data)
  const incoming = join(data, 'files/.incoming')
  await mkdir(incoming, { recursive: true })
  await writeFile(join(incoming, 'half'), 'half')
  const lock = await store.locks.tryAcquire('contents', 'shared')
  await clearIncoming(store)
  assert.ok(existsSync(join(incoming, 'half')))
  await lock?.release()
  const now = () => new Date()
  await importFolder(store, await folderWith({ 'pages/a.md': '# A\n' }), { ...READ_OPTIONS, isDryRun: false, now })
  assert.deepEqual(await readdir(incoming), [])
  await store.close()
})

test('a store with a damaged or lost secret is refused, because it would sign links with another one', async () => {
  for (const sql of ["UPDATE identity SET value = ''", 'DELETE FROM identity']) {
    const data = join(await temporaryFolder(), 'data')
    const store = await openStore(data)
    await store.database.run(`${sql} WHERE name = 'share-secret'`)
    await store.close()
    await assert.rejects(openStore(data), {
      code: 'store_damaged',
      message: /a secret in the table identity is missing or damaged/,
    })
  }
})
