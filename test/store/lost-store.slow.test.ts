import assert from 'node:assert/strict'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { openStore } from '#store/store.ts'
import { commandsWith, housestyle } from '../program/cli/housestyle.ts'
import { sumsIn } from '../support/sums.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'

const BRAND: Record<string, string> = { 'guide/pages/a.md': '# A\n', 'guide/files/a.txt': 'a' }

/** A store with a publication, its backup, and the folder it was imported from. */
async function publishBrand(brand = BRAND): Promise<{ data: string; backup: string; folder: string }> {
  const folder = await folderWith(brand)
  const data = join(folder, '../data')
  const backup = join(folder, '../backup.tar')
  const run = commandsWith('--data', data)
  await run('import', folder)
  await run('publish', '--all')
  await run('backup', backup)
  return { data, backup, folder }
}

function runCommand(data: string, args: readonly string[]): Promise<string> {
  return commandsWith('--data', data)(...args)
}

const files = (data: string) => join(data, 'files')
const database = (data: string) => join(data, 'housestyle.db')

/** Ways to lose a database or files, and the reported problem. */
const LOSSES: Readonly<Record<string, { lose: (data: string) => Promise<void>; what: (data: string) => string }>> = {
  'database is missing': {
    lose: data => rm(database(data)),
    what: data => `is missing, but there are files of a store in ${files(data)}`,
  },
  'database has 0 bytes': {
    lose: data => truncate(database(data)),
    what: data => `is empty, but there are files of a store in ${files(data)}`,
  },
  'database has no tables': {
    lose: async data => {
      await rm(database(data))
      writeEmptyDatabase(database(data))
    },
    what: data => `contains no store, but there are files of one in ${files(data)}`,
  },
  'database belongs to another store': {
    lose: async data => {
      const { data: other } = await publishBrand()
      await cp(database(other), database(data))
    },
    what: data => `belongs to another store than ${files(data)}`,
  },
  'database has only zeros': {
    lose: async data => writeFile(database(data), Buffer.alloc((await stat(database(data))).size)),
    what: () => 'is damaged (file is not a database)',
  },
  'database is cut in the middle': {
    lose: async data => truncate(database(data), Math.floor((await stat(database(data))).size / 2)),
    what: () => 'is damaged (database disk image is malformed)',
  },
  'folder of files is missing': {
    lose: data => rename(files(data), join(data, '../moved')),
    what: () => 'is missing, but the store refers to files in it',
  },
  'folder of files is a link to an unavailable disk': {
    lose: async data => {
      await rm(files(data), { recursive: true })
      await symlink(join(data, '../away'), files(data))
    },
    what: () => 'is not a folder, but the files of the store belong there',
  },
  'folder of files is a file': {
    lose: async data => {
      await rm(files(data), { recursive: true })
      await writeFile(files(data), '')
    },
    what: () => 'is not a folder, but the files of the store belong there',
  },
}

/** The lost part, its code, the check of doctor, and the actions that are allowed before a restore. */
function partOf(how: string, data: string, what: string) {
  if (how.startsWith('folder of files'))
    return { path: files(data), code: 'files_lost', check: 'file', first: 'put that folder back, or ' }
  const lost = { path: database(data), check: 'database' }
  if (how === 'database belongs to another store')
    return { ...lost, code: 'store_foreign', first: 'put back the one that belongs to them, or ' }
  return { ...lost, code: what.startsWith('is damaged') ? 'store_damaged' : 'store_lost', first: '' }
}

/** Removes the binding between a database and its files, as if the first command had been killed before it. */
function forgetBinding(data: string): void {
  const connection = new DatabaseSync(database(data))
  connection.exec("DELETE FROM identity WHERE name = 'files'")
  connection.close()
}

function writeEmptyDatabase(path: string): void {
  const made = new DatabaseSync(path)
  made.exec('PRAGMA journal_mode = WAL')
  made.close()
}

for (const [how, { lose, what }] of Object.entries(LOSSES)) {
  const { data, backup, folder } = await publishBrand()
  await lose(data)
  const before = await sumsIn(data)
  const restored = `${data}-restored`
  const { path, code, check, first } = partOf(how, data, what(data))
  const command = `housestyle restore <backup> --data ${restored}`
  const fix = `${first}restore a backup into a new folder, with \`${command}\`, and use that one`
  const message = `cannot use the store: ${path} ${what(data)}; ${fix}`

  test(`check and init work despite a store whose ${how}`, async () => {
    const where = { cwd: join(data, '..'), env: { HOUSESTYLE_DATA: data } }
    for (const args of [
      ['check', folder],
      ['init', `begun-${how.replaceAll(' ', '-')}`],
    ])
      assert.equal((await housestyle(args, where)).status, 0)
    assert.deepEqual(await sumsIn(data), before)
  })

  test(`a store whose ${how} is refused in words, in JSON output and by dry runs`, async () => {
    const { status, stdout, stderr } = await housestyle(['publish', '--all', '--data', data])
    assert.deepEqual([status, stdout, stderr], [1, '', `housestyle: ${message}\n`])
    for (const args of [['status'], ['gc', '--dry-run'], ['import', folder, '--dry-run']]) {
      const { status, stderr } = await housestyle([...args, '--json', '--data', data])
      assert.deepEqual([status, JSON.parse(stderr)], [1, { error: code, message }])
    }
    assert.deepEqual(await sumsIn(data), before)
  })

  test(`doctor reports a store whose ${how}, and how to fix it`, async () => {
    const { status, stdout } = await housestyle(['doctor', '--json', '--data', data])
    const findings = JSON.parse(stdout).filter((problem: { check: string }) => problem.check !== 'rights')
    assert.deepEqual([status, findings], [1, [{ check, subject: path, message: what(data), fix }]])
    assert.deepEqual(await sumsIn(data), before)
  })

  test(`a store whose ${how} is restored by the command that the message names`, async () => {
    const { status, stderr } = await housestyle(['restore', backup, '--data', data])
    assert.deepEqual(
      [status, stderr],
      [1, `housestyle: ${data} is not empty: restore into a new folder, for example with --data ${restored}\n`],
    )
    const named = /`housestyle (restore <backup> --data [^`]+)`/.exec(message)?.[1] ?? ''
    assert.equal((await housestyle(named.replace('<backup>', backup).split(' '))).status, 0)
    assert.match(await runCommand(restored, ['status', 'acme']), /^acme\/guide {2}UpToDate {2}revision 1 /)
    assert.equal(await runCommand(restored, ['doctor']), 'no problems\n')
    assert.deepEqual(await sumsIn(data), before)
  })
}

/** The files of a store while it is open, and a good copy of its database. */
async function killedStore(): Promise<{ data: string; good: string }> {
  const { data: open, folder } = await publishBrand()
  const store = await openStore(open)
  await folderWith({ 'late/pages/b.md': '# B\n' }, 'acme', join(folder, '..'))
  await runCommand(open, ['import', folder])
  await runCommand(open, ['publish', 'acme/late'])
  const data = join(await temporaryFolder(), 'data')
  await cp(open, data, { recursive: true })
  await store.close()
  const good = join(data, '../good.db')
  await cp(database(data), good)
  return { data, good }
}

const DAMAGES: Readonly<Record<string, (data: string) => Promise<void>>> = {
  'of another store': async data => cp(database((await publishBrand()).data), database(data)),
  'of zeros': async data => writeFile(database(data), Buffer.alloc((await stat(database(data))).size)),
  'of one byte': data => truncate(database(data), 1),
  'of half its bytes': async data => truncate(database(data), Math.floor((await stat(database(data))).size / 2)),
}
for (const [what, damage] of Object.entries(DAMAGES))
  test(`a store whose service was killed keeps its write-ahead log while a database ${what} is refused, and loses nothing when its own database is back`, async () => {
    const { data, good } = await killedStore()
    await damage(data)
    const before = await sumsIn(data)
    for (const args of [['status'], ['gc'], ['doctor'], ['publish', '--all']])
      assert.equal((await housestyle([...args, '--data', data])).status, 1)
    assert.deepEqual(await sumsIn(data), before)
    await cp(good, database(data))
    assert.match(await runCommand(data, ['status', 'acme/late']), /^acme\/late {2}UpToDate {2}revision 1 /)
    assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
  })

const HALVES: Readonly<Record<string, (data: string) => Promise<void>>> = {
  'only the folder': () => Promise.resolve(),
  'a database without bytes': data => writeFile(database(data), ''),
  'a database without tables': async data => writeEmptyDatabase(database(data)),
  'a database without a folder of files': async data => {
    await openStore(data).then(store => store.close())
    await rm(files(data), { recursive: true })
  },
  'a database with an empty folder of files': async data => {
    await openStore(data).then(store => store.close())
    await rm(join(files(data), '.store'))
  },
  'only an empty folder of files': async data => {
    await mkdir(files(data))
  },
}
for (const [left, make] of Object.entries(HALVES))
  test(`if a process is killed while it creates a store and leaves ${left}, the next process completes the store`, async () => {
    const data = await temporaryFolder()
    await make(data)
    const store = await openStore(data)
    assert.equal(await store.files.owner(), store.identity.urn)
    await store.close()
    const again = await openStore(data)
    assert.deepEqual(again.identity, store.identity)
    await again.close()
  })

const unbind = async (data: string) => {
  await rm(join(files(data), '.store'))
  forgetBinding(data)
}

test('the folder of files that a killed import has left does not contradict an empty store', async () => {
  const data = await temporaryFolder()
  await openStore(data).then(store => store.close())
  await unbind(data)
  await mkdir(join(files(data), '.incoming'))
  await runCommand(data, ['import', await folderWith(BRAND)])
})

for (const [how, forget] of [
  ['is gone', rm],
  ['is empty', truncate],
] as const)
  test(`files without an owner, because their .store ${how}, are served, reported by doctor, and kept by gc until they have one`, async () => {
    const { data } = await publishBrand()
    const owner = join(files(data), '.store')
    const urn = (await readFile(owner, 'utf8')).trim()
    await forget(owner)
    await runCommand(data, ['status'])
    const { stdout } = await housestyle(['doctor', '--json', '--data', data])
    const fix = `restore a backup into a new folder; or, if no other store owns them, write ${urn} into the file .store in their folder`
    const message = 'no longer name this store as their owner'
    assert.deepEqual(JSON.parse(stdout), [{ check: 'database', subject: 'the files', message, fix }])
    const { status, stderr } = await housestyle(['gc', '--data', data])
    const refusal = `cannot gc: the files do not name this store as their owner; see \`housestyle doctor --data ${data}\``
    assert.deepEqual([status, stderr], [1, `housestyle: ${refusal}\n`])
    await writeFile(owner, `${urn}\n`)
    assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
    await runCommand(data, ['gc'])
  })

test('files that have lost their owner are never bound to the database of another store, even if it refers to some of them', async () => {
  const { data } = await publishBrand()
  await cp(database((await publishBrand({ ...BRAND, 'guide/files/b.txt': 'b' })).data), database(data))
  await rm(join(files(data), '.store'))
  const before = await sumsIn(files(data))
  await runCommand(data, ['status'])
  assert.equal((await housestyle(['gc', '--data', data])).status, 1)
  assert.deepEqual(await sumsIn(files(data)), before)
})

test('an older copy of the database can be used once the record of changes is removed', async () => {
  const { data, folder } = await publishBrand()
  const copy = join(data, '../copy.db')
  await cp(database(data), copy)
  await folderWith({ 'guide/files/b.txt': 'b' }, 'acme', join(folder, '..'))
  await runCommand(data, ['import', folder])
  await cp(copy, database(data))
  assert.match((await housestyle(['gc', '--data', data])).stderr, /lacks changes that were committed/)
  await rm(join(data, 'committed'), { recursive: true })
  assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
  await runCommand(data, ['gc'])
  assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
})

test('a data folder whose files are lost works with an empty folder instead: doctor and gc name missing files, and an import restores them', async () => {
  const { data, folder } = await publishBrand()
  await rename(files(data), join(data, '../moved'))
  await mkdir(files(data))
  await runCommand(data, ['status'])
  const { status, stdout } = await housestyle(['doctor', '--json', '--data', data])
  assert.equal(status, 1)
  const [{ check, message, subject }, ...more] = JSON.parse(stdout).filter(
    (problem: { check: string }) => problem.check !== 'rights',
  )
  assert.deepEqual([check, message, more], ['file', 'is missing', []])
  const freed = await housestyle(['gc', '--json', '--data', data])
  assert.deepEqual(JSON.parse(freed.stdout).missing, [subject])
  await chmod(files(data), 0o700)
  await runCommand(data, ['import', folder])
  assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
})

test('a data folder with files on an unavailable disk works again once the disk is back', async () => {
  const { data } = await publishBrand()
  await rename(files(data), join(data, '../disk'))
  await symlink(join(data, '../away'), files(data))
  assert.equal((await housestyle(['import', await folderWith(BRAND), '--data', data])).status, 1)
  await rename(join(data, '../disk'), join(data, '../away'))
  assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
  await runCommand(data, ['gc'])
})

test('a data folder that refers to no files works without a folder of files, which the first import creates', async () => {
  const { data, folder } = await publishBrand({ 'guide/pages/a.md': '# A\n' })
  await rm(files(data), { recursive: true })
  assert.match(await runCommand(data, ['status', 'acme']), /^acme\/guide {2}UpToDate/)
  await writeFile(join(folder, 'guide/pages/a.md'), '# B\n')
  await runCommand(data, ['import', folder])
  assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
})

test('no store is created in a data folder if something else replaces its files', async () => {
  const data = await temporaryFolder()
  await symlink('files', files(data))
  const { status, stderr } = await housestyle(['import', await folderWith(BRAND), '--data', data])
  assert.equal(status, 1)
  assert.match(stderr, /^housestyle: cannot use the store: \S+\/files is not a folder, but [^\n]+\n$/)
  assert.deepEqual(await readdir(data), ['files'])
})

test('only the restore itself can create a store in a data folder with an unfinished restore', async () => {
  const { backup } = await publishBrand()
  const data = await temporaryFolder()
  await mkdir(join(data, '.restoring'))
  const { status, stderr } = await housestyle(['status', '--data', data])
  const run = `housestyle restore <backup> --data ${data}`
  const message = `a restore into ${data} is unfinished: wait for it or, if it was killed, run it again, with \`${run}\``
  assert.deepEqual([status, stderr], [1, `housestyle: ${message}\n`])
  assert.deepEqual(await readdir(data), ['.restoring'])
  await runCommand(data, ['restore', backup])
  assert.equal(await runCommand(data, ['doctor']), 'no problems\n')
})

test('a data folder whose restore was killed at its very end loses nothing to a later restore', async () => {
  const { data, backup } = await publishBrand()
  await mkdir(join(data, '.restoring'))
  await runCommand(data, ['status'])
  assert.ok(!(await readdir(data)).includes('.restoring'))
  await mkdir(join(data, '.restoring'))
  await rm(database(data))
  const before = await sumsIn(data)
  const { status, stderr } = await housestyle(['status', '--data', data])
  assert.equal(status, 1)
  assert.match(
    stderr,
    /housestyle\.db is missing, but there are files of a store in .*; restore a backup into a new folder/,
  )
  const again = await housestyle(['restore', backup, '--data', data])
  assert.deepEqual(
    [again.status, again.stderr],
    [1, `housestyle: ${data} is not empty: restore into a new folder, for example with --data ${data}-restored\n`],
  )
  assert.deepEqual(await sumsIn(data), before)
})

test('a data folder whose .gitignore a killed process has left empty gets a complete one', async () => {
  const data = await folderWith({ '.gitignore': '' })
  await runCommand(data, ['import', await folderWith(BRAND)])
  assert.equal(await readFile(join(data, '.gitignore'), 'utf8'), '*\n')
  assert.deepEqual((await readdir(data)).sort(), ['.gitignore', 'committed', 'files', 'housestyle.db', 'locks'])
})
