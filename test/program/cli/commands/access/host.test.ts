import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultOf, runCommand } from '../../../../support/run-command.ts'
import { runningService } from '../../../../support/running.ts'
import { writeFolder } from '../../../../support/temporary.ts'
import { temporaryStore } from '../../../../support/temporary-store.ts'

const temporary = await temporaryStore()
const { folder } = temporary
await temporary.importing('acme', { 'guidelines/pages/index.md': '# Home\n' })
await temporary.publish('acme/guidelines')

test('a host is added to a guide or a workspace, listed and removed', async () => {
  assert.deepEqual(await resultOf(folder, ['host', 'list']), [])
  const added = { host: 'brand.acme.com', place: 'acme/guidelines', workspace: 'acme', project: 'guidelines' }
  assert.deepEqual(await resultOf(folder, ['host', 'add', 'Brand.ACME.com.', 'acme/guidelines']), added)
  await resultOf(folder, ['host', 'add', 'brände.acme.com', 'acme'])
  assert.deepEqual(await resultOf(folder, ['host', 'list']), [
    { ...added, source: 'store' },
    { host: 'xn--brnde-hra.acme.com', place: 'acme', workspace: 'acme', project: null, source: 'store' },
  ])
  await resultOf(folder, ['host', 'remove', 'brände.acme.com'])
  assert.deepEqual(await resultOf(folder, ['host', 'list']), [{ ...added, source: 'store' }])
})

const REFUSED = [
  [['add', 'https://brand.acme.com', 'acme'], /"https:\/\/brand\.acme\.com" is not a host: write a name/],
  [['add', 'brand.acme.com:443', 'acme'], /is not a host/],
  [['add', '192.0.2.1', 'acme'], /is not a host/],
  [['add', '[::1]', 'acme'], /is not a host/],
  [['add', 'localhost', 'acme'], /is not a host/],
  [['add', 'a_b.acme.com', 'acme'], /is not a host/],
  [['add', 'new.acme.com', 'acme/guidelines/logo'], /is not a place: write acme\/guidelines, or acme/],
  [
    ['add', 'new.acme.com', 'acme/guideline'],
    /there is no project "acme\/guideline" \(did you mean "acme\/guidelines"\?\)/,
  ],
  [['add', 'new.acme.com', 'acne'], /there is no workspace "acne"/],
  [['add', 'brand.acme.com', 'acme'], /the host "brand\.acme\.com" is in use/],
  [['add', 'api.acme.com', 'acme', '--public-url', 'https://api.acme.com'], /is the host of the public URL/],
  [['remove', 'new.acme.com'], /there is no host "new\.acme\.com": see `housestyle host list/],
] as const

for (const [args, message] of REFUSED)
  test(`host ${args.join(' ')} is refused, with the fix`, async () => {
    const { exitCode, err } = await runCommand(folder, ['host', ...args])
    assert.notEqual(exitCode, 0)
    assert.match(err, message)
  })

test('a host in use is refused with the code host_taken', async () => {
  const { err } = await runCommand(folder, ['host', 'add', 'brand.acme.com', 'acme', '--json'])
  assert.equal(JSON.parse(err).error, 'host_taken')
})

test('a host whose guide is not published, or is gone, is listed with this problem, also as JSON', async () => {
  await temporary.importing('acme', { 'plans/pages/index.md': '# Plans\n' })
  await resultOf(folder, ['host', 'add', 'plans.acme.com', 'acme/plans'])
  const problemOf = async () => (await resultOf(folder, ['host', 'list'])).at(-1).problem
  assert.equal(await problemOf(), 'answers 404: acme/plans is not published')
  await temporary.publish('acme/plans')
  assert.equal(await problemOf(), undefined)
  await resultOf(folder, ['delete', 'acme/plans', '--yes'])
  const problem = 'answers 404: there is no project "acme/plans": import its folder first, or see `housestyle status`'
  assert.equal(await problemOf(), problem)
  assert.match((await runCommand(folder, ['host', 'list'])).err, new RegExp(`^plans\\.acme\\.com ${problem}$`, 'm'))
  await resultOf(folder, ['host', 'remove', 'plans.acme.com'])
})

for (const [what, damage, row] of [
  [
    'a guide with a damaged row',
    "UPDATE project SET updated_at = 'yesterday' WHERE id = 'broken'",
    /the row acme broken of the table project cannot be read: the column updated_at has "yesterday", which is not a date/,
  ],
  [
    'a guide whose served revision is damaged',
    "UPDATE revision SET name = x'00' WHERE project = 'broken'",
    /the row acme broken 1 of the table revision cannot be read: the column name has a value, which is not a string/,
  ],
  [
    'a guide whose served revision is missing',
    "UPDATE project SET published_revision = 99 WHERE id = 'broken'",
    /the row acme broken 99 of the table revision cannot be read: the column snapshot has nothing, which is not a string/,
  ],
] as const)
  test(`the host of ${what} is listed with its table and column, and costs no other host`, async () => {
    const damaged = await temporaryStore()
    for (const project of ['broken', 'whole'])
      await damaged.publishing(`acme/${project}`, { [`${project}/pages/index.md`]: '# Home\n' })
    for (const project of ['broken', 'whole'])
      await resultOf(damaged.folder, ['host', 'add', `${project}.acme.com`, `acme/${project}`])
    await damaged.store.database.run(damage)
    const states = await resultOf(damaged.folder, ['host', 'list'])
    assert.match(states[0].problem, row)
    const seen = [states[0].host, states[1].host, states[1].problem]
    assert.deepEqual(seen, ['broken.acme.com', 'whole.acme.com', undefined])
    assert.match((await runCommand(damaged.folder, ['host', 'list'])).err, row)
  })

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

for (const [what, damage, told] of [
  ['a theme that is no JSON', "UPDATE workspace SET theme = '{bad'", /table workspace .*theme/],
  ['an unknown visibility', "UPDATE project SET published_visibility = 'secret'", /published_visibility/],
  [
    'a damaged row of its own',
    "UPDATE host SET created_at = 'x' WHERE host = 'broken.acme.com'",
    /table host .*created_at/,
  ],
] as const)
  test(`the host of a guide with ${what} is listed with this problem`, async () => {
    const damaged = await temporaryStore()
    await damaged.publishing('acme/broken', { 'broken/pages/index.md': '# Home\n' })
    await resultOf(damaged.folder, ['host', 'add', 'broken.acme.com', 'acme/broken'])
    await damaged.store.database.run(damage)
    const [state] = await resultOf(damaged.folder, ['host', 'list'])
    assert.deepEqual([state.host, state.place, state.source], ['broken.acme.com', 'acme/broken', 'store'])
    assert.match(state.problem, told)
    const { out, err } = await runCommand(damaged.folder, ['host', 'list'])
    assert.match(out, /^broken\.acme\.com +acme\/broken +store$/m)
    assert.match(err, told)
  })
