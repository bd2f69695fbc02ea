import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { needs } from '../../support/programs.ts'
import { type Contents, folderWith, temporaryFolder } from '../../support/temporary.ts'
import { housestyle, MAIN, type Ran } from './housestyle.ts'

/** A user other than root, to whom permissions apply. */
const NOBODY = 65534

/** Runs a command in this process as a user to whom permissions apply. */
async function asNobody(...args: string[]): Promise<Ran> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    return await housestyle(args)
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

/** Runs it in its own process with a limit on open files. */
function withOpenFiles(limit: number, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const command = ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, MAIN, ...args]
  return spawnSync('sh', command, { encoding: 'utf8', timeout: 300_000 })
}

const BRAND: Contents = {
  'guide/pages/index.md': '# Guide\n',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#000000" }\n',
  'guide/files/a.txt': 'a',
}

async function openBrand(): Promise<{ folder: string; parent: string }> {
  const parent = await temporaryFolder()
  const folder = await folderWith(BRAND, 'acme', parent)
  chmodSync(parent, 0o777)
  return { folder, parent }
}

for (const path of ['.', 'guide', 'guide/pages', 'guide/styles', 'guide/files', 'guide/files/a.txt'])
  test(`check and import report ${path} in a brand folder as unreadable, with a fix, if the user may not read it`, async () => {
    const { folder, parent } = await openBrand()
    chmodSync(join(folder, path), 0)
    const message = ':1 error unreadable cannot be read (EACCES): allow the user that runs housestyle to read it'
    const check = await asNobody('check', folder)
    assert.equal(check.status, 1)
    assert.ok(check.stdout.split('\n').includes(join(folder, path) + message), check.stdout)
    const imported = await asNobody('import', folder, '--data', join(parent, 'data'))
    assert.equal(imported.status, 1)
    assert.ok(imported.stderr.split('\n').includes(path + message), imported.stderr)
    assert.doesNotMatch(imported.stdout, /draft changed/)
    chmodSync(join(folder, path), 0o755)
  })

test('a folder that the user may not access gives a clear message', async () => {
  const { folder } = await openBrand()
  chmodSync(folder, 0)
  const { status, stderr } = await asNobody('check', join(folder, 'guide'))
  const why = 'permission denied; allow it, or name another place'
  assert.deepEqual([status, stderr], [1, `housestyle: cannot access ${join(folder, 'guide')}: ${why}\n`])
  chmodSync(folder, 0o755)
})

test('init names the path that the user may not write', async () => {
  const { parent } = await openBrand()
  mkdirSync(join(parent, 'new'), { mode: 0o555 })
  chmodSync(parent, 0o555)
  for (const name of ['new', 'other']) {
    const path = join(parent, name)
    const { status, stderr } = await asNobody('init', path)
    const why = 'permission denied; allow it, or name another place'
    assert.deepEqual([status, stderr], [1, `housestyle: cannot make the folder ${path}: ${why}\n`])
  }
  chmodSync(parent, 0o755)
})

test('import and publish report a data folder that the user may not write', async () => {
  const { folder, parent } = await openBrand()
  const data = join(parent, 'data')
  assert.equal((await asNobody('import', folder, '--data', data)).status, 0)
  execFileSync('chmod', ['-R', 'a-w', data])
  for (const args of [
    ['import', folder],
    ['publish', '--all'],
  ]) {
    const { status, stderr } = await asNobody(...args, '--data', data)
    assert.equal(status, 1)
    assert.match(stderr, /^housestyle: cannot .*name another (place|folder with --data)\n$/)
  }
  execFileSync('chmod', ['-R', 'u+w', data])
})

const denials: [what: string, deny: (data: string) => void, cause: (data: string) => string][] = [
  ['a data folder', data => chmodSync(data, 0), data => `lstat '${data}/housestyle.db'`],
  [
    'its folder of files',
    data => {
      rmSync(join(data, 'files/.store'))
      chmodSync(join(data, 'files'), 0o300)
    },
    () => 'opendir',
  ],
]

for (const [what, deny, cause] of denials)
  test(`a command reports ${what} that the user may not read, with a fix`, async () => {
    const { folder, parent } = await openBrand()
    const data = join(parent, 'data')
    assert.equal((await asNobody('import', folder, '--data', data)).status, 0)
    deny(data)
    const { status, stderr } = await asNobody('status', '--data', data)
    const told = `cannot open the store in ${data}: EACCES: permission denied, ${cause(data)}`
    const fix =
      'have its owner run this, or let this user read and write it with chown, chmod or mount, or name another folder with --data'
    assert.deepEqual([status, stderr], [1, `housestyle: ${told}; ${fix}\n`])
    execFileSync('chmod', ['-R', 'u+rwX', data])
  })

const many: Contents = Object.fromEntries(
  Array.from({ length: 100 }, (_, at) => [
    [`pages/sub/${at}.md`, `# ${at}\n`],
    [`files/sub/${at}.svg`, `<svg xmlns="http://www.w3.org/2000/svg" width="${at + 1}" height="1"/>`],
    [`files/large/${at}.bin`, Buffer.alloc(at % 20 === 0 ? 600_000 : 10, at)],
  ]).flat(),
)

for (const command of ['import', 'check'])
  test(`with a low limit on open files, ${command} works, or reports the limit and no findings`, async () => {
    const folder = await folderWith(many)
    const run = async (limit: number) => {
      const data = command === 'import' ? ['--data', join(await temporaryFolder(), 'data')] : []
      return withOpenFiles(limit, command, folder, ...data)
    }
    let refused = 0
    for (let limit = 25; limit <= 33; limit += 8) {
      const { status, stdout, stderr } = await run(limit)
      if (!stderr.startsWith('housestyle:') && status !== 0) continue // Node itself does not start.
      assert.doesNotMatch(stdout + stderr, / error [a-z-]+ |unreadable|is damaged/, `with ${limit}`)
      if (status === 0) continue
      assert.match(stderr, /^housestyle: cannot [^\n]*ulimit -n 1024, and try again\n$/, `with ${limit}`)
      refused++
    }
    assert.ok(refused > 0, 'all of these were enough')
    assert.equal((await run(256)).status, 0)
  })

const withDisk = async (options: string, work: (disk: string) => Promise<void>) => {
  const disk = await temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk])
  try {
    await work(disk)
  } finally {
    spawnSync('umount', ['--lazy', disk])
  }
}

test('init, import and serve report a read-only disk, from which a brand can be read', needs('right to mount'), () =>
  withDisk('size=2m', async disk => {
    const folder = await folderWith(BRAND, 'acme', disk)
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const init = await housestyle(['init', join(disk, 'new')])
    const fix = 'the disk is read-only; name another place, or make it writable'
    assert.deepEqual([init.status, init.stderr], [1, `housestyle: cannot make the folder ${disk}/new: ${fix}\n`])
    for (const command of ['import', 'serve']) {
      const { status, stderr } = await housestyle([command, folder, '--data', join(disk, 'data')])
      assert.equal(status, 1)
      assert.match(
        stderr,
        /^housestyle: cannot open the store in .*; name a folder with --data that this user may write to/,
      )
    }
    assert.equal((await housestyle(['check', folder])).status, 0)
    const data = join(await temporaryFolder(), 'data')
    assert.equal((await housestyle(['import', folder, '--data', data])).status, 0)
  }),
)

test('init names the path that it could not write on a full disk', needs('right to mount'), () =>
  withDisk('size=16k', async disk => {
    mkdirSync(join(disk, 'new'))
    await writeFile(join(disk, 'full'), Buffer.alloc(16 << 10)).catch(() => undefined)
    const { status, stderr } = await housestyle(['init', join(disk, 'new')])
    const message = `housestyle: cannot (write|make the folder|open) ${disk}/new\\S*: its disk is full; free space and try again\n`
    assert.match(stderr, new RegExp(`^${message}$`))
    assert.equal(status, 1)
    await rm(join(disk, 'full'))
  }),
)

test('in a removed working folder, commands that need one print a fix, and others run', async () => {
  const gone = await temporaryFolder()
  const inside = ['-c', 'cd "$1" && rmdir "$1" && shift && exec "$@"', 'sh', gone, process.execPath, MAIN]
  const { status, stderr } = spawnSync('sh', [...inside, 'status'], { encoding: 'utf8' })
  assert.equal(stderr, 'housestyle: the working folder was removed: change to another one with cd, and try again\n')
  assert.equal(status, 1)
  mkdirSync(gone)
  assert.equal(spawnSync('sh', [...inside, '--version']).status, 0)
})
