import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { commandsWith, housestyle } from '../../program/cli/housestyle.ts'
import { sumsIn } from '../../support/sums.ts'
import { folderWith } from '../../support/temporary.ts'

const HASH = 'a'.repeat(64)

async function publishBrand(name: string): Promise<{ data: string; files: string; folder: string }> {
  const folder = await folderWith({ 'guide/pages/a.md': '# A\n', 'guide/files/a.txt': name }, name)
  const data = join(folder, '../data')
  const run = commandsWith('--data', data)
  await run('import', folder)
  await run('publish', '--all')
  return { data, files: join(data, 'files'), folder }
}

/** Unexpected entries among the files, keyed by path. */
const ODDITIES: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  '.DS_Store': path => writeFile(path, 'x'),
  'acme/.DS_Store': path => writeFile(path, 'x'),
  [`acme/a0/${HASH}`]: path => symlink('/nowhere', path),
  'acme/a1': path => symlink('a1', path),
  [`acme/a2/${HASH}`]: path => mkdir(path),
  [`acme/a3/${HASH}`]: async path => execFileSync('mkfifo', [path]),
  'acme/a4/notes.txt': path => writeFile(path, 'x'),
}

test('unexpected entries among the files of a store do no harm', async () => {
  const { data, files, folder } = await publishBrand('acme')
  const odd = Object.keys(ODDITIES).map(path => join(files, path))
  for (const [at, make] of Object.values(ODDITIES).entries()) {
    const path = odd[at] ?? ''
    await mkdir(join(path, '..'), { recursive: true })
    await make(path)
  }
  for (const args of [['gc'], ['backup', join(data, '../b.tar')], ['import', folder], ['status'], ['doctor']]) {
    const { status, stderr } = await housestyle([...args, '--data', data])
    assert.deepEqual([status, stderr.replace(/^(?:to .*:|next: .*|Node .* ran this.*)\n/gm, '')], [0, ''])
  }
})

for (const [what, link] of [
  ['a workspace', 'other'],
  ['the part of a workspace', 'acme/zz'],
] as const)
  test(`nothing is removed from ${what} that is a link into another store`, async () => {
    const [{ data, files }, { files: others }] = [await publishBrand('acme'), await publishBrand('other')]
    const before = await sumsIn(others)
    const [part] = Object.keys(await sumsIn(join(others, 'other')))
    await symlink(link === 'other' ? join(others, 'other') : join(part ?? '', '..'), join(files, link))
    const { status, stdout } = await housestyle(['gc', '--json', '--data', data])
    assert.deepEqual([status, JSON.parse(stdout).files], [0, 0])
    assert.deepEqual(await sumsIn(others), before)
  })

test('a pipe or a folder that replaces a stored file counts as a missing file, and an import replaces the pipe', async () => {
  const { data, files, folder } = await publishBrand('acme')
  const [path = ''] = Object.keys(await sumsIn(join(files, 'acme')))
  await rename(path, join(data, '../kept'))
  execFileSync('mkfifo', [path])
  const { status, stdout } = await housestyle(['doctor', '--json', '--data', data])
  const found: { subject: string; message: string }[] = JSON.parse(stdout)
  assert.deepEqual([status, found.map(({ subject, message }) => [subject, message])], [1, [[path, 'is missing']]])
  assert.equal((await housestyle(['import', folder, '--data', data])).status, 0)
  assert.equal((await housestyle(['doctor', '--data', data])).stdout, 'no problems\n')
})

test('doctor reports an owner file that is a folder, and gc refuses to run', async () => {
  const { data, files } = await publishBrand('acme')
  await rm(join(files, '.store'))
  await mkdir(join(files, '.store'))
  const { stdout } = await housestyle(['doctor', '--json', '--data', data])
  const found: { message: string }[] = JSON.parse(stdout)
  const messages = found.map(({ message }) => message)
  assert.deepEqual(messages, ['no longer name this store as their owner'])
  assert.equal((await housestyle(['gc', '--data', data])).status, 1)
})
