import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp } from '#store/upkeep/backup.ts'
import { gc } from '#store/upkeep/gc.ts'
import { publishedStore, SMALL_BRAND, type TemporaryStore } from '../../support/temporary-store.ts'
import { UPKEEP } from './options.ts'

const CLEANERS: readonly (readonly [name: string, clean: (here: TemporaryStore) => Promise<unknown>])[] = [
  ['gc', ({ store }) => gc(store, { ...UPKEEP, keep: {}, isDryRun: false })],
  ['a backup into another folder', ({ store, folder }) => backUp(store, join(folder, 'other.tar'), UPKEEP)],
]

for (const [name, clean] of CLEANERS)
  test(`${name} removes the copy of the signing keys that a killed backup leaves next to its archive`, async () => {
    const here = await publishedStore('acme/guidelines', { ...SMALL_BRAND, 'guidelines/files/a.txt': 'a' })
    const backups = join(here.folder, 'backups')
    await mkdir(backups)
    await killedBackup(here.data, join(backups, 'a.tar'))
    const [left = '', ...others] = await readdir(backups)
    assert.deepEqual(others, [])
    assert.ok((await readdir(join(backups, left))).includes('catalogue.db'), left)
    await clean(here)
    assert.deepEqual(await readdir(backups), [])
    assert.deepEqual(await here.store.database.all('SELECT folder FROM unfinished_backup'), [])
  })

test('gc keeps the record of a killed backup whose folder is on another machine', async () => {
  const here = await publishedStore('acme/guidelines', SMALL_BRAND)
  const folder = join(here.folder, 'gone')
  await here.store.database.run('INSERT INTO unfinished_backup VALUES (?, 1)', join(folder, '.housestyle-catalogue-a'))
  await gc(here.store, { ...UPKEEP, keep: {}, isDryRun: false })
  assert.equal((await here.store.database.all('SELECT folder FROM unfinished_backup')).length, 1)
})

/** Backs up in another process, which is killed once the first file is in the archive. */
async function killedBackup(data: string, file: string): Promise<void> {
  const script = `
    const { openStore } = await import('./src/store/store.ts')
    const { backUp } = await import('./src/store/upkeep/backup.ts')
    const progress = () => process.kill(process.pid, 'SIGKILL')
    const options = { now: () => new Date(), signal: new AbortController().signal, progress }
    await backUp(await openStore(${JSON.stringify(data)}), ${JSON.stringify(file)}, options)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
}
