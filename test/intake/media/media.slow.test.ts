import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { lstatSync, realpathSync } from 'node:fs'
import { appendFile, mkdir, open, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { versionOf } from '#intake/folder/file-version.ts'
import { openMediaReader } from '#intake/media/media.ts'
import { childProcesses, whileKilling } from '../../support/child-processes.ts'
import { mediaFolder, reading, unreadable } from '../media-files.ts'

const run = promisify(execFile)
const { path, read, readPath } = await mediaFolder()
const MEDIA = new URL('../../../src/intake/media/media.ts', import.meta.url).href
const FONT = realpathSync('node_modules/@ibm/plex-sans/fonts/complete/woff2/IBMPlexSans-Medium.woff2')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
const READ_SVG = reading('image/svg+xml', { metadata: { width: 10, height: 20 } })

test('file names may have any characters', async () => {
  const name = ' -rf $(id) "\'<b>&\u202e\n%2e%2e äöü 🦁.svg'
  assert.deepEqual(await read(name, SVG), READ_SVG)
})

/** A file of a few bytes and then zeros, up to a size. */
async function writeLong(name: string, start: string, size: number): Promise<void> {
  await writeFile(path(name), start, 'latin1')
  const file = await open(path(name), 'r+')
  await file.truncate(size)
  await file.close()
}

test('a file that takes too long is a warning', async t => {
  const reader = openMediaReader({ timeoutMs: 1000, processes: 1 })
  t.after(() => reader.close())
  // Four million mistakes, for each of which the parser creates an Error: many times the limit.
  await writeFile(path('slow.svg'), `<?${'<'.repeat(4_000_000)}`)
  const slow = unreadable('image/svg+xml', 'reading takes longer than 1 s; export it again')
  assert.deepEqual(await reader.read(path('slow.svg'), 'slow.svg'), slow)
})

test('a file that needs too much memory is a warning, and other files are still read', async t => {
  const reader = openMediaReader({ timeoutMs: 60_000, processes: 1 })
  t.after(() => reader.close())
  // A collection of sixteen million fonts: with fewer, the process takes longer to run out of memory.
  await writeLong('large.ttc', 'ttcf\0\x01\0\0\0\xf0\0\0', 63 * 1024 * 1024)
  await writeFile(path('a.svg'), SVG)
  const found = await Promise.all(['large.ttc', 'a.svg'].map(name => reader.read(path(name), name)))
  const large = unreadable('font/collection', 'it is damaged, or needs too much memory; export it again')
  assert.deepEqual(found, [large, READ_SVG])
})

test('if the processes for a good file are killed repeatedly, reading fails without blaming the file', async t => {
  const reader = openMediaReader({ processes: 1 })
  t.after(() => reader.close())
  await writeFile(path('a.svg'), SVG)
  const reading = whileKilling(reader.read(path('a.svg'), 'a.svg'))
  await assert.rejects(
    reading,
    /^Error: cannot read the picture ".*a\.svg": .* \(killed, killed\), which is not the fault of the file; /,
  )
  assert.deepEqual(await reader.read(path('a.svg'), 'a.svg'), READ_SVG)
})

test('a font of more than 64 MiB is a warning', async () => {
  await writeLong('large.otf', 'OTTO\0\0', 64 * 1024 * 1024 + 1)
  const problem = 'it is larger than 64 MiB; export it with fewer characters'
  assert.deepEqual(await readPath(path('large.otf')), unreadable('font/otf', problem))
})

test('links, folders, pipes and missing files are not read', async () => {
  await writeFile(path('target.svg'), SVG)
  await symlink(path('target.svg'), path('link.svg'))
  await mkdir(path('folder.svg'))
  execFileSync('mkfifo', [path('pipe.svg')])
  for (const [name, code] of [
    ['link.svg', 'ELOOP'],
    ['folder.svg', 'not a file'],
    ['pipe.svg', 'not a file'],
    ['none.svg', 'ENOENT'],
  ] as const)
    await assert.rejects(readPath(path(name)), { name: 'Unreadable', code })
})

test('a font or picture is read only in the version whose bytes were stored', async t => {
  const reader = openMediaReader({ processes: 1 })
  t.after(() => reader.close())
  const names = ['same.svg', 'replaced.svg', 'written.svg', 'gone.svg', 'folder/linked.svg']
  for (const name of [...names, 'other.svg', 'elsewhere/linked.svg']) {
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), SVG)
  }
  const versions = new Map(names.map(name => [name, versionOf(lstatSync(path(name)))]))
  const again = (name: string) => reader.read(path(name), name, versions.get(name))
  await reader.read(path('same.svg'), 'same.svg')
  for (const pid of childProcesses()) process.kill(pid, 'SIGSTOP')
  const first = reader.read(path('same.svg'), 'same.svg')
  // They wait for the process, which reads them only after they have changed.
  const settled = Promise.allSettled(names.map(again))
  await rename(path('folder'), path('aside'))
  await symlink(path('elsewhere'), path('folder'))
  await rename(path('other.svg'), path('replaced.svg'))
  await appendFile(path('written.svg'), ' ')
  await rm(path('gone.svg'))
  for (const pid of childProcesses()) process.kill(pid, 'SIGCONT')
  await first
  const said = (await settled).map(each => (each.status === 'fulfilled' ? each.value : each.reason.code))
  assert.deepEqual(said, [READ_SVG, 'changed', 'changed', 'ENOENT', 'changed'])
  for (const name of ['replaced.svg', 'written.svg', 'folder/linked.svg'])
    await assert.rejects(again(name), { name: 'Unreadable', code: 'changed' })
})

test('an open reader does not keep its process alive', async () => {
  const program = `
    import { openMediaReader } from ${JSON.stringify(MEDIA)}
    const { metadata } = await openMediaReader().read(${JSON.stringify(FONT)}, 'a.woff2')
    console.log(metadata.family)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { timeout: 300_000 })
  assert.equal(stdout, 'IBM Plex Sans\n')
})

test('a reader loads no library and starts no process before it needs them', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { openMediaReader } = await import(${JSON.stringify(MEDIA)})
    const reader = openMediaReader()
    console.log(loaded.filter(url => url.includes('node_modules')).length)
    await reader.read(${JSON.stringify(path('a.txt'))}, 'a.txt')
    console.log(process.getActiveResourcesInfo().filter(name => name === 'ProcessWrap').length)
    console.log(loaded.filter(url => /fontkitten|image-size|exifr|saxes/.test(url)).length)`
  await writeFile(path('a.txt'), 'text')
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { timeout: 300_000 })
  assert.equal(stdout, '0\n0\n0\n')
})
