import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { examineFolder, examineStore } from '#store/upkeep/doctor.ts'
import type { Problem } from '#store/upkeep/problem.ts'
import { needs } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import {
  publishedStore,
  runCommand,
  SMALL_BRAND,
  type TemporaryStore,
  temporaryStore,
} from '../../support/temporary-store.ts'
import { UPKEEP } from './options.ts'

const NOW = new Date()
const OPTIONS = { ...UPKEEP, now: () => NOW }

async function publishBrand(): Promise<TemporaryStore> {
  const here = await publishedStore('acme/guidelines', SMALL_BRAND, NOW)
  return here
}

const AGAIN = 'import and publish its brand folder again, or restore the store from a backup'

/** The kinds of damage. Each function causes one and returns the expected problems. */
const DAMAGES: Readonly<Record<string, (here: TemporaryStore) => Promise<object[]>>> = {
  'a missing file': async ({ store }) => {
    const file = await someFile(store)
    await store.files.remove(file)
    return [
      { check: 'file', subject: store.files.pathOf(file.workspace, file.hash), message: 'is missing', fix: AGAIN },
    ]
  },
  'a file with an altered byte': async ({ store }) => {
    const { workspace, hash, size } = await someFile(store)
    const subject = store.files.pathOf(workspace, hash)
    await writeFile(subject, Buffer.alloc(size))
    const message = 'has changed: its bytes do not match its hash'
    return [{ check: 'file', subject, message, fix: `remove it, then ${AGAIN}` }]
  },
  'a missing text': async ({ store }) => {
    const hash = await objectWith(store, '# 色\n')
    await store.database.run('DELETE FROM object WHERE hash = ?', hash)
    return [{ check: 'object', subject: `object ${hash} of acme`, message: 'is missing', fix: AGAIN }]
  },
  'a text with an altered byte': async ({ store }) => {
    const hash = await objectWith(store, '# 色\n')
    await store.database.run('UPDATE object SET bytes = ? WHERE hash = ?', Buffer.from('# x\n'), hash)
    const message = 'has changed: its bytes do not match its hash'
    return [{ check: 'object', subject: `object ${hash} of acme`, message, fix: 'restore the store from a backup' }]
  },
  'an unreferenced, altered text': async ({ store }) => {
    const hash = '0'.repeat(64)
    await store.database.run('INSERT INTO object VALUES (?, ?, ?)', 'acme', hash, Buffer.from('x'))
    const message = 'has changed: its bytes do not match its hash'
    const fix = 'nothing refers to it: `housestyle gc` removes it'
    return [{ check: 'object', subject: `object ${hash} of acme`, message, fix }]
  },
  'a publication of a missing revision': async ({ store }) => {
    await store.database.run('DELETE FROM revision')
    const subject = 'acme/guidelines (revision 1)'
    return [{ check: 'pointer', subject, message: 'points at nothing', fix: AGAIN }]
  },
  'a draft with a missing snapshot': async ({ store }) => {
    const hash = '1'.repeat(64)
    await store.database.run("UPDATE project SET draft_snapshot = ? WHERE id = 'hidden'", hash)
    const message = `cannot be read: the store has lost object ${hash} of workspace acme: restore it from a backup`
    return [{ check: 'pointer', subject: 'acme/hidden (draft)', message, fix: AGAIN }]
  },
  'a name that differs from the snapshot': async ({ store }) => {
    await store.database.run("UPDATE project SET draft_name = 'Other' WHERE id = 'hidden'")
    const message = 'is called "Other", but its snapshot "Not yet published"'
    return [{ check: 'pointer', subject: 'acme/hidden (draft)', message, fix: AGAIN }]
  },
  'a publication without its visibility': async ({ store }) => {
    await store.database.run('UPDATE project SET published_visibility = NULL')
    const reason = 'the column published_visibility has nothing, which is not private or public'
    const message = `has a row that cannot be read: acme guidelines: ${reason}`
    const sql = "UPDATE project SET published_visibility = 'private' WHERE workspace = 'acme' AND id = 'guidelines'"
    return [{ ...inTable('project'), message, fix: correction(sql) }]
  },
  'text instead of a number': async ({ store }) => {
    await store.database.run("UPDATE project SET draft_missing = 'two' WHERE id = 'guidelines'")
    const row = 'acme guidelines: the column draft_missing has "two", which is not a whole number from 0'
    const sql =
      "UPDATE project SET draft_missing = NULL, draft_stale = NULL WHERE workspace = 'acme' AND id = 'guidelines'"
    const message = `has a row that cannot be read: ${row}`
    return [{ ...inTable('project'), message, fix: correction(sql) }]
  },
  'an invalid id': async ({ data }) => {
    changeUnchecked(data, "UPDATE project SET id = 'Hidden' WHERE id = 'hidden'")
    const message =
      'has a row that cannot be read: acme Hidden: the catalogue has a project with an invalid id: "Hidden"'
    return [{ ...inTable('project'), message }]
  },
  'a change with a future date': async ({ store }) => {
    await store.database.run('UPDATE project SET updated_at = ?', Date.UTC(2100, 0, 1))
    const message = `says ${NOW.toISOString()}, and the store was last changed at 2100-01-01T00:00:00.000Z`
    return [
      { check: 'clock', subject: 'the clock of this machine', message, fix: 'set the clock, for example with NTP' },
    ]
  },
}

/** Changes the catalogue without the checks of SQLite. */
function changeUnchecked(data: string, sql: string): void {
  using database = new DatabaseSync(join(data, 'housestyle.db'), { enableForeignKeyConstraints: false })
  database.exec(sql)
}

function correction(sql: string): string {
  return `run \`${sql}\` in the database, then import and publish the folder again`
}

function inTable(table: string) {
  return { check: 'database', subject: `the table ${table}`, fix: 'restore the store from a backup' }
}

type Store = TemporaryStore['store']

async function someFile({ files }: Store) {
  const [file] = await Array.fromAsync(files.listAll())
  assert.ok(file)
  return file
}

async function objectWith({ database }: Store, text: string): Promise<string> {
  const row = await database.get('SELECT hash FROM object WHERE bytes = ?', Buffer.from(text))
  return String(row?.hash)
}

for (const [name, damage] of Object.entries(DAMAGES))
  test(`${name} is the only problem found, with a fix`, async () => {
    const here = await publishBrand()
    assert.deepEqual(await examineStore(here.store, OPTIONS), [])
    const wanted = await damage(here)
    assert.deepEqual(await examineStore(here.store, OPTIONS), wanted)
    const { exitCode, out } = await runCommand(here.folder, ['doctor', '--json'])
    assert.deepEqual([exitCode, JSON.parse(out).length], [1, wanted.length])
  })

test('importing the folder again restores missing content', async () => {
  const here = await publishBrand()
  await DAMAGES['a missing file']?.(here)
  await DAMAGES['a missing text']?.(here)
  assert.equal((await examineStore(here.store, OPTIONS)).length, 2)
  await here.importing('acme', {}, NOW)
  assert.deepEqual(await examineStore(here.store, OPTIONS), [])
})

test('open permissions and a nearly full disk are found', async () => {
  const { data } = await publishBrand()
  assert.deepEqual(await examineFolder(data, async () => 256 * 2 ** 20), [])
  await chmod(data, 0o755)
  await chmod(join(data, 'housestyle.db'), 0o640)
  await chmod(join(data, 'files'), 0o701)
  const message = 'can be accessed by others, and the store contains signing keys'
  const rights = [
    [data, '700'],
    [join(data, 'housestyle.db'), '600'],
    [join(data, 'files'), '700'],
  ].map(([subject, mode]) => ({ check: 'rights', subject, message, fix: `chmod ${mode} ${subject}` }))
  const fix = 'free space with `housestyle gc --keep 100`, or use a larger disk'
  assert.deepEqual(await examineFolder(data, async () => 256 * 2 ** 20 - 1), [
    ...rights,
    { check: 'space', subject: `the disk of ${data}`, message: 'has 255 MiB left', fix },
  ])
})

test('unwritable subfolders are found', needs('another user'), async () => {
  const { folder, data } = await publishBrand()
  const files = join(data, 'files/acme')
  const [digits = ''] = await readdir(files)
  const barred = [join(data, 'locks'), files, join(files, digits)]
  for (const path of barred) await chmod(path, 0o500)
  // Root may access everything, so another user owns the folder and runs the check.
  const uid = process.getuid?.() || NOBODY
  spawnSync('chown', ['-R', `${uid}`, folder])
  const look = `import { examineFolder } from ${JSON.stringify(import.meta.resolve('#store/upkeep/doctor.ts'))}
    console.log(JSON.stringify(await examineFolder(${JSON.stringify(data)}, async () => Infinity)))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', look], { uid, cwd: '/' })
  for (const path of barred) await chmod(path, 0o700)
  const message = 'cannot be read and written'
  const fix = 'have its owner run this, or let this user read and write it with chown, chmod or mount'
  const expected = barred.map(subject => ({ check: 'rights', subject, message, fix }))
  assert.deepEqual(JSON.parse(stdout.toString()), expected)
})

const NOBODY = 65534

test('the command prints each problem, or that there are none, and its version of Node', async () => {
  const here = await publishBrand()
  assert.deepEqual(await runCommand(here.folder, ['doctor']), { exitCode: 0, out: 'no problems\n', err: NODE })
  await chmod(here.data, 0o755)
  assert.deepEqual(await runCommand(here.folder, ['doctor']), {
    exitCode: 1,
    out: `rights  ${here.data} can be accessed by others, and the store contains signing keys\n    → chmod 700 ${here.data}\n`,
    err: `1 problem\n${NODE}`,
  })
})

const NODE = `Node ${process.versions.node} ran this: https://nodejs.org/en/blog/vulnerability lists the faults of its line\n`

test('the reason of the limit server has at most 200 characters', needs('redis-server'), async () => {
  const { port, stop } = await startRedis({ password: 'secret' })
  const { folder } = await temporaryStore()
  const environment = { HOUSESTYLE_LIMITS: `redis://127.0.0.1:${port}` }
  const found: Problem[] = JSON.parse((await runCommand(folder, ['doctor', '--json'], environment)).out)
  const limit = found.find(({ subject }) => subject === 'the limit server')
  assert.match(limit?.message ?? '', /^cannot be used: NOAUTH .{192}…$/)
  await stop()
})

test('a store that cannot be opened, and an unavailable limit server, are found', async () => {
  const { folder } = await temporaryStore()
  const none = join(folder, 'none')
  const away = { HOUSESTYLE_LIMITS: 'redis://127.0.0.1:1' }
  const { exitCode, out } = await runCommand(folder, ['doctor', '--data', none, '--json'], away)
  const [store, limit, ...more] = JSON.parse(out)
  assert.deepEqual([exitCode, more], [1, []])
  assert.deepEqual(store, {
    check: 'unreachable',
    subject: none,
    message: 'contains no store',
    fix: 'name its folder with --data, or make one with `housestyle import <folder>`',
  })
  assert.deepEqual([limit.check, limit.subject], ['unreachable', 'the limit server'])
  const garbage = join(folder, 'garbage')
  await mkdir(garbage, { mode: 0o700 })
  await writeFile(join(garbage, 'housestyle.db'), 'x'.repeat(100_000), { mode: 0o600 })
  const [broken] = JSON.parse((await runCommand(folder, ['doctor', '--data', garbage, '--json'])).out)
  assert.deepEqual([broken.check, broken.subject], ['database', join(garbage, 'housestyle.db')])
  assert.match(broken.message, /file is not a database/)
})

test('doctor names clients, projects and revisions whose owner is missing', async () => {
  const { data, store } = await publishBrand()
  changeUnchecked(
    data,
    "INSERT INTO client (id, workspace, secret_hash, scope, created_at) VALUES ('acme-1', 'elsewhere', 'h', 'projects.read', 1)",
  )
  changeUnchecked(data, "UPDATE revision SET project = 'lost'")
  const messages = (await examineStore(store, OPTIONS)).map(({ message }) => message)
  for (const name of ['workspace: elsewhere acme-1', 'project: acme lost 1'])
    assert.ok(messages.includes(`has a row that refers to a missing ${name}`), messages.join('\n'))
})

test('doctor names a project that is served with another visibility than its revision was published with', async () => {
  const { store } = await publishBrand()
  const row = await store.database.get("SELECT published_visibility AS now FROM project WHERE id = 'guidelines'")
  const [now, changed] = row?.now === 'public' ? ['public', 'private'] : ['private', 'public']
  await store.database.run("UPDATE project SET published_visibility = ? WHERE id = 'guidelines'", `${changed}`)
  assert.deepEqual(await examineStore(store, OPTIONS), [
    {
      check: 'pointer',
      subject: 'acme/guidelines',
      message: `is served as ${changed}, but its revision 1 was published as ${now}`,
      fix: 'publish it again with the right visibility, or restore the store from a backup',
    },
  ])
})

test('doctor warns of revisions that are dated out of order, and exits with 0', async () => {
  const { store, folder } = await publishBrand()
  await store.database.run(`INSERT INTO revision (workspace, project, number, snapshot, name, visibility, facts, reviewed, published_at)
    SELECT workspace, project, 2, snapshot, name, visibility, facts, reviewed, published_at - 3600000 FROM revision`)
  const [warning, ...others] = await examineStore(store, OPTIONS)
  const seen = [warning?.check, warning?.severity, warning?.subject, others]
  assert.deepEqual(seen, ['clock', 'warning', 'acme/guidelines', []])
  assert.match(
    warning?.message ?? '',
    /^has revisions dated out of order: revision 2 of \S+ follows revision 1 of \S+$/,
  )
  const { exitCode, err } = await runCommand(folder, ['doctor'])
  assert.deepEqual([exitCode, err], [0, `1 warning\n${NODE}`])
})
