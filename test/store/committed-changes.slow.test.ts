import assert from 'node:assert/strict'
import { copyFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { recordChange } from '#store/catalogue/changes.ts'
import { openStore } from '#store/store.ts'
import { commandsWith, housestyle, MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'

const BRAND = { 'guide/pages/a.md': '# A\n', 'guide/files/a.txt': 'a' }

const database = (data: string) => join(data, 'housestyle.db')
const log = (data: string) => join(data, 'housestyle.db-wal')
const committed = (data: string) => join(data, 'committed')

function runCommand(data: string, args: readonly string[]): Promise<string> {
  return commandsWith('--data', data)(...args)
}

/** A store whose service was killed, so that its latest changes are only in the write-ahead log. */
async function killedStore(): Promise<{ data: string; folder: string; backup: string; jti: string }> {
  const folder = await folderWith(BRAND)
  const data = join(folder, '../data')
  const backup = join(folder, '../backup.tar')
  await runCommand(data, ['import', folder])
  await runCommand(data, ['publish', '--all'])
  const { jti } = JSON.parse(await runCommand(data, ['token', 'issue', 'acme', '--json', '--log', 'silent']))
  await runCommand(data, ['backup', backup])
  const running = await serve(MAIN, '--data', data)
  await folderWith({ 'guide/pages/a.md': '# B\n' }, 'acme', join(folder, '..'))
  await runCommand(data, ['import', folder])
  await runCommand(data, ['publish', '--all'])
  await runCommand(data, ['token', 'revoke', jti, '--log', 'silent'])
  process.kill(running.pid, 'SIGKILL')
  await running.log
  return { data, folder, backup, jti }
}

const LOSSES: Readonly<Record<string, (data: string) => Promise<void>>> = {
  missing: data => rm(log(data)),
  empty: data => truncate(log(data)),
  'cut off in its last change': async data => truncate(log(data), (await stat(log(data))).size - 1),
}

for (const [state, lose] of Object.entries(LOSSES))
  test(`every command refuses a store whose write-ahead log is ${state} until the log is back`, async () => {
    const { data, jti } = await killedStore()
    const kept = join(data, '../kept-wal')
    await copyFile(log(data), kept)
    await lose(data)
    const status = await housestyle(['status', '--data', data])
    const text = `cannot use the store: ${database(data)} lacks changes that were committed: the latest one in it has number `
    assert.equal(status.stderr.slice('housestyle: '.length, 'housestyle: '.length + text.length), text)
    assert.match(status.stderr, /and number \d+ was committed; put back \S+-wal, which holds the latest changes, or /)
    assert.match(
      status.stderr,
      /; to accept the loss of these changes, .*, remove \S+\/committed and run this again\n$/,
    )
    assert.equal(status.status, 1)
    await assert.rejects(serve(MAIN, '--data', data), /lacks changes that were committed/)
    const doctor = await housestyle(['doctor', '--json', '--data', data])
    const problems = JSON.parse(doctor.stdout).map(({ check, subject }: Record<string, string>) => [check, subject])
    assert.deepEqual([problems, doctor.status], [[['database', database(data)]], 1])
    await copyFile(kept, log(data))
    assert.match(await runCommand(data, ['status']), /revision 2/)
    const tokens = JSON.parse(await runCommand(data, ['token', 'list', '--json']))
    assert.notEqual(tokens.find((token: { jti: string }) => token.jti === jti).revokedAt, null)
  })

test('removing the folder committed accepts the loss of changes', async () => {
  const { data } = await killedStore()
  await rm(log(data))
  await rm(committed(data), { recursive: true })
  assert.match(await runCommand(data, ['status']), /revision 1/)
  assert.match(await runCommand(data, ['publish', '--all']), /revision 1 is already published/)
  assert.equal((await readdir(committed(data))).length, 1)
})

test('a backup is restored into a folder that still has a later record of changes', async () => {
  const { data, backup } = await killedStore()
  for (const name of await readdir(data)) if (name !== 'committed') await rm(join(data, name), { recursive: true })
  await runCommand(data, ['restore', backup])
  assert.match(await runCommand(data, ['status']), /revision 1/)
})

test('a copy of a store that lacks the record of changes can be used', async () => {
  const { data } = await killedStore()
  await rm(committed(data), { recursive: true })
  assert.match(await runCommand(data, ['status']), /revision 2/)
})

test('a change is made even if it cannot be recorded', async () => {
  const folder = await folderWith(BRAND)
  const data = join(folder, '../data')
  await runCommand(data, ['import', folder])
  await rm(committed(data), { recursive: true })
  await writeFile(committed(data), 'a file where the folder belongs')
  await runCommand(data, ['publish', '--all'])
  assert.match(await runCommand(data, ['status']), /revision 1/)
})

test('several processes that commit changes at once keep a record of the latest one', async () => {
  const data = join(await temporaryFolder(), 'data')
  const stores = [await openStore(data), await openStore(data)]
  const changes = Array.from({ length: 40 }, (_, at) =>
    stores[at % 2]?.database.transaction(queries => recordChange(queries, undefined)),
  )
  await Promise.all(changes)
  for (const store of stores) await store.close()
  const numbers = (await readdir(committed(data))).map(name => Number(name.split('-').at(-1)))
  assert.equal(Math.max(...numbers), 40)
})
