import assert from 'node:assert/strict'
import { test } from 'node:test'
import { golden } from '../../../../support/golden.ts'
import { runningService } from '../../../../support/service.ts'
import { writeFolder } from '../../../../support/temporary.ts'
import { resultOf, runCommand, temporaryStore } from '../../../../support/temporary-store.ts'
import { session } from '../../session.ts'

const temporary = await temporaryStore()
const { folder } = temporary
await temporary.importing('acme', { 'guidelines/pages/index.md': '# Home\n' })
await temporary.publish('acme/guidelines')

golden('cli/host', session)

test('damaged hosts and hosts of a deleted guide are removed as doctor advises', async () => {
  const damaged = await temporaryStore()
  await damaged.importing('acme', { 'gone/pages/index.md': '# Home\n' })
  await resultOf(damaged.folder, ['host', 'add', 'gone.acme.com', 'acme/gone'])
  await resultOf(damaged.folder, ['delete', 'acme/gone', '--yes'])
  for (const host of ["'Brand.Acme.com'", "''", 'NULL', "'a b'"])
    await damaged.store.database.run(`INSERT INTO host VALUES (${host}, 'acme', NULL, 1)`)
  const { out } = await runCommand(damaged.folder, ['doctor'])
  const advised = [...out.matchAll(/`\S*(?: \S+)? (host remove (?:'(.*?)'|(\S+)).*?)`/g)]
  const names = advised.map(([, , quoted, plain]) => quoted ?? plain ?? '')
  assert.deepEqual(names.sort(), ['', '', 'Brand.Acme.com', 'a b', 'gone.acme.com'])
  for (const name of new Set(names)) await resultOf(damaged.folder, ['host', 'remove', name])
  assert.deepEqual(await resultOf(damaged.folder, ['host', 'list']), [])
  assert.equal((await runCommand(damaged.folder, ['doctor'])).exitCode, 0)
})

test('the host of the public URL of a running service cannot be added, and one that was is listed with this problem', async () => {
  await resultOf(folder, ['host', 'add', 'main.acme.com', 'acme'])
  const { stop } = await runningService(temporary, { publicUrl: 'https://main.acme.com' })
  const told = 'main.acme.com is the host of the public URL, which answers there\n'
  assert.equal((await runCommand(folder, ['host', 'list'])).err, told)
  await resultOf(folder, ['host', 'remove', 'main.acme.com'])
  const { exitCode, err } = await runCommand(folder, ['host', 'add', 'main.acme.com', 'acme'])
  assert.equal(exitCode, 2)
  assert.match(err, /"main\.acme\.com" is the host of the public URL: name another one/)
  await stop()
})

test('hosts in housestyle.yaml count before those in the store, and only the file changes them', async () => {
  await writeFolder(folder, { 'housestyle.yaml': `hosts:\n  brand.acme.com: acme\n  Www.acme.com: acme/guidelines\n` })
  const states = await resultOf(folder, ['host', 'list'])
  const seen = states.map(({ host, place, source }: Record<string, string>) => [host, place, source])
  assert.deepEqual(seen, [
    ['brand.acme.com', 'acme', 'settings'],
    ['www.acme.com', 'acme/guidelines', 'settings'],
  ])
  const added = await runCommand(folder, ['host', 'add', 'www.acme.com', 'acme'])
  assert.match(added.err, /is in the settings, which count: change hosts: in housestyle\.yaml/)
  await writeFolder(folder, { 'housestyle.yaml': 'hosts:\n  brand.acme.com: [acme, other]\n' })
  assert.match((await runCommand(folder, ['host', 'list'])).err, /hosts.*brand\.acme\.com/)
  await writeFolder(folder, { 'housestyle.yaml': 'hosts:\n  brand.acme.com: acme\n  www.acme.com:8443: acme\n' })
  const { err, exitCode } = await runCommand(folder, ['host', 'list'])
  assert.match(err, /housestyle\.yaml: line 3: hosts: "www\.acme\.com:8443=acme" is not .*without ports/)
  assert.equal(exitCode, 2)
})
