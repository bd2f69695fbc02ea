import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { makeTemporaryFolder, removeAbandonedFolders } from '#store/temporary-folder.ts'
import { temporaryFolder } from '../support/temporary.ts'

test('only its owner can access a temporary folder, which is removed after use', async () => {
  const parent = await temporaryFolder()
  {
    await using folder = await makeTemporaryFolder(parent)
    await writeFile(join(folder.path, 'catalogue.db'), 'keys')
    assert.equal((await stat(folder.path)).mode & 0o777, 0o700)
  }
  assert.deepEqual(await readdir(parent), [])
})

test('leftovers of a killed process are removed, but not folders of running processes or other programs', async () => {
  const parent = await temporaryFolder()
  await mkdir(join(parent, 'other'))
  await mkdir(join(parent, '.housestyle-catalogue-being-made'))
  const own = await makeTemporaryFolder(parent)
  const before = new Set(await readdir(parent))
  const script = `
    const { makeTemporaryFolder } = await import('./src/store/temporary-folder.ts')
    const folder = await makeTemporaryFolder(${JSON.stringify(parent)})
    console.log(folder.path)
    setInterval(() => folder.path, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  await removeAbandonedFolders(parent)
  assert.equal((await readdir(parent)).length, before.size + 1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await removeAbandonedFolders(parent)
  assert.deepEqual(new Set(await readdir(parent)), before)
  await own[Symbol.asyncDispose]()
})

test('processes that create and remove temporary folders concurrently do not disturb each other', async () => {
  const parent = await temporaryFolder()
  const work = async () => {
    for (let turn = 0; turn < 20; turn++) {
      await using folder = await makeTemporaryFolder(parent)
      await writeFile(join(folder.path, 'catalogue.db'), 'keys')
      const seen = new Set((await readdir(folder.path)).map(name => name.replace(/.*\./, '')))
      assert.deepEqual(seen, new Set(['db', 'lock']))
    }
  }
  await Promise.all([work(), work(), work(), work()])
  assert.deepEqual(await readdir(parent), [])
})
