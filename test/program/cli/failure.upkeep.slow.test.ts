import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { readSettings } from '#platform/settings/settings.ts'
import { withStore } from '#program/compose/store.ts'
import { openStore } from '#store/store.ts'
import { needs } from '../../support/programs.ts'
import { fillDisk } from '../../support/small-disk.ts'
import { sumsIn } from '../../support/sums.ts'
import { folderWith, temporaryFolder } from '../../support/temporary.ts'
import { commandsWith, housestyle, MAIN } from './housestyle.ts'

const ROOT = needs('root', 'another user', 'right to mount')
const MEND = 'have its owner run this, or let this user read and write it with chown, chmod or mount'

type Places = { data: string; backup: string }

/** A store of one project and one file, and its backup. */
async function publishGuide(data: string): Promise<Places> {
  const backup = join(await temporaryFolder(), 'backup.tar')
  const folder = await folderWith({ 'guide/pages/a.md': '# A\n', 'guide/files/a.txt': 'a' })
  const run = commandsWith('--data', data)
  await run('import', folder)
  await run('publish', '--all')
  await run('backup', backup)
  return { data, backup }
}

/** A disk of two megabytes. */
async function mountedDisk(): Promise<{ disk: string; remount: (how: 'ro' | 'rw') => void; unmount: () => void }> {
  const disk = await temporaryFolder()
  const mount = (...args: string[]) => assert.equal(spawnSync('mount', args).status, 0)
  mount('-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', disk)
  return {
    disk,
    remount: how => mount('-o', `remount,${how}`, disk),
    unmount: () => spawnSync('umount', ['--lazy', disk]),
  }
}

/** The message of a command that must fail. */
async function refusal(args: readonly string[], data: string): Promise<string> {
  const { status, stdout, stderr } = await housestyle([...args, '--data', data])
  assert.deepEqual([status, stdout], [1, ''], stderr)
  return stderr
}

test('if the disk is read-only, backup, gc, doctor and restore report it with a fix', ROOT, async () => {
  const { disk, remount, unmount } = await mountedDisk()
  try {
    const { data, backup } = await publishGuide(join(disk, 'data'))
    const other = await publishGuide(join(await temporaryFolder(), 'data'))
    await mkdir(join(disk, 'empty'))
    remount('ro')
    const sums = await sumsIn(disk)
    const message = `cannot open the store in ${data}: unable to open database file; ${MEND}, or name another folder with --data`
    assert.equal(await refusal(['backup', `${backup}2`], data), `housestyle: ${message}\n`)
    assert.equal(await refusal(['gc'], data), `housestyle: ${message}\n`)
    const doctor = await housestyle(['doctor', '--json', '--data', data])
    const problems: { check: string; subject: string; fix: string }[] = JSON.parse(doctor.stdout)
    assert.deepEqual(
      [doctor.status, problems.at(-1)],
      [1, { check: 'unreachable', subject: 'the store', message: `cannot be used: ${message}`, fix: MEND }],
    )
    const barred = problems.filter(({ check }) => check === 'rights').map(({ subject }) => subject)
    assert.ok(barred.includes(data) && barred.includes(join(data, 'housestyle.db')))
    assert.match(
      await refusal(['restore', backup], join(disk, 'new')),
      /^housestyle: cannot restore into .*\/new: EROFS: .*; name a folder with --data that this user may write to\n$/,
    )
    assert.match(
      await refusal(['restore', backup], join(disk, 'empty')),
      /^housestyle: .*\/empty\/locks cannot be used \(EROFS: .*\): have its owner run this, or let this user .*\n$/,
    )
    assert.match(
      await refusal(['backup', join(disk, 'b.tar')], other.data),
      /^housestyle: cannot write .*\/b\.tar: EROFS: .*; name a file in an existing folder that this user may write to\n$/,
    )
    assert.deepEqual(await sumsIn(disk), sums)
  } finally {
    unmount()
  }
})

test('if the disk is full, backup, gc, doctor and restore report it and leave nothing partial', ROOT, async () => {
  const { disk, unmount } = await mountedDisk()
  try {
    const { data, backup } = await publishGuide(join(disk, 'data'))
    const other = await publishGuide(join(await temporaryFolder(), 'data'))
    fillDisk(join(disk, 'full'))
    const full = (folder: string) =>
      `the disk of ${folder} is full, so the operation was undone: free some space and try again`
    assert.equal(
      await refusal(['gc'], data),
      `housestyle: ${full(data)}; gc needs 16 MiB to write down what it frees: first free that much, for example by moving a backup away\n`,
    )
    assert.equal(await refusal(['backup', `${backup}2`], data), `housestyle: ${full(data)}\n`)
    assert.equal(await refusal(['backup', join(disk, 'b.tar')], other.data), `housestyle: ${full(disk)}\n`)
    const target = join(disk, 'new')
    assert.equal(await refusal(['restore', backup], target), `housestyle: ${full(target)}\n`)
    const { status, stdout } = await housestyle(['doctor', '--json', '--data', data])
    const [space, store, ...more] = JSON.parse(stdout)
    assert.deepEqual([status, space.check, more], [1, 'space', []])
    assert.deepEqual(store, {
      check: 'unreachable',
      subject: 'the store',
      message: `cannot be used: ${full(data)}`,
      fix: 'free space on its disk',
    })
    assert.deepEqual((await readdir(disk)).sort(), ['data', 'full'])
    await rm(join(disk, 'full'))
    assert.equal((await housestyle(['restore', backup, '--data', target])).status, 0)
    assert.equal((await housestyle(['gc', '--data', data])).status, 0)
  } finally {
    unmount()
  }
})

test('if permissions are missing, gc names the folder that it may not remove files from', ROOT, async () => {
  const { data } = await publishGuideAsNobody()
  const store = await openStore(data)
  const [kept] = await Array.fromAsync(store.files.listAll())
  assert.ok(kept)
  const path = store.files.pathOf('acme', kept.hash)
  await store.close()
  const unneeded = path.replace(/.$/, digit => (digit === '0' ? '1' : '0'))
  spawnSync('cp', [path, unneeded])
  chownToNobody(join(data, '..'))
  await chmod(join(path, '..'), 0o500)
  const { status, stderr } = asNobody('gc', '--data', data)
  await chmod(join(path, '..'), 0o700)
  assert.deepEqual(
    [status, stderr],
    [1, `housestyle: ${unneeded} cannot be used (EACCES: permission denied, unlink '${unneeded}'): ${MEND}\n`],
  )
})

test('without permissions, doctor names the unreadable file', ROOT, async () => {
  const { data } = await publishGuideAsNobody()
  const store = await openStore(data)
  const [kept] = await Array.fromAsync(store.files.listAll())
  await store.close()
  assert.ok(kept)
  const path = store.files.pathOf(kept.workspace, kept.hash)
  chownToNobody(join(data, '..'))
  await chmod(path, 0o000)
  const { status, stdout } = asNobody('doctor', '--json', '--data', data)
  await chmod(path, 0o600)
  assert.equal(status, 1)
  const told = JSON.parse(stdout).find(({ subject }: { subject: string }) => subject === path)
  const message = `cannot be read: EACCES: permission denied, open '${path}'`
  assert.deepEqual(told, { check: 'file', subject: path, message, fix: MEND })
})

test('if permissions are missing, backup and restore name the unreadable or unwritable path', ROOT, async () => {
  const { data, backup } = await publishGuideAsNobody()
  const closed = await temporaryFolder()
  await chmod(closed, 0o755)
  const file = join(closed, 'b.tar')
  const toWrite = asNobody('backup', file, '--data', data)
  assert.equal(toWrite.status, 1)
  assert.match(
    toWrite.stderr,
    /^housestyle: cannot write .*\/b\.tar: EACCES: .*; name a file in an existing folder that this user may write to\n$/,
  )
  await chmod(backup, 0o000)
  const toRead = asNobody('restore', backup, '--data', join(data, '../new'))
  await chmod(backup, 0o600)
  assert.equal(toRead.status, 1)
  assert.match(
    toRead.stderr,
    /^housestyle: cannot read the backup .*: EACCES: .*; name an existing file that this user may read\n$/,
  )
  const into = asNobody('restore', backup, '--data', join(closed, 'new'))
  assert.equal(into.status, 1)
  assert.match(
    into.stderr,
    /^housestyle: cannot restore into .*\/new: EACCES: .*; name a folder with --data that this user may write to\n$/,
  )
  assert.deepEqual(await readdir(closed), [])
})

/** A store and its backup that belong to the user that commands then run as. */
async function publishGuideAsNobody(): Promise<Places> {
  const places = await publishGuide(join(await temporaryFolder(), 'data'))
  for (const path of [places.data, places.backup]) chownToNobody(join(path, '..'))
  return places
}

const NOBODY = 65534

/** Changes the owner of a folder and its contents to the user that commands then run as. */
function chownToNobody(folder: string): void {
  assert.equal(spawnSync('chown', ['-R', `${NOBODY}`, folder]).status, 0)
}

/** Runs a command as a user other than root, because root may access everything. */
function asNobody(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
  })
  return { status, stdout: stdout.toString(), stderr: stderr.toString() }
}

test('a command reports, with a fix, that the data folder was replaced while it ran', async () => {
  const data = join(await temporaryFolder(), 'data')
  const settings = readSettings({ flags: { data }, environment: {}, file: {}, trust: [], readSecret: () => '' })
  const message = `the data folder ${data} was moved or replaced during the command: restore the right folder and try again`
  const work = withStore(settings, async () => {
    await rename(data, `${data}-moved`)
    await mkdir(data)
    return readdir(join(data, 'files'))
  })
  await assert.rejects(work, { code: 'store_moved', message })
})
