import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { serve, serveIn } from '../support/command.ts'
import { openStream } from '../support/event-stream.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const DAY_MS = 24 * 3600 * 1000
const SOON = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10)

async function brandFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'acme')
  await writeFolder(folder, {
    'guide/pages/index.md': '# Home\n',
    'guide/files/files.yaml': Object.entries(files)
      .map(([name, day]) => `${name}: { until: ${day} }\n`)
      .join(''),
    ...Object.fromEntries(Object.keys(files).map(name => [`guide/files/${name}`, name])),
  })
  return folder
}

test('several nodes on Postgres send each notice once, in order', needs('postgres'), async t => {
  const postgres = await startPostgres()
  t.after(postgres.stop)
  const store = ['--database', await postgres.newDatabase(), '--data', join(await temporaryFolder(), 'data')]
  const names = Array.from({ length: 150 }, (_, at) => `f${at}.txt`)
  const run = commandsWith(...store)
  const token = async () => (await run('token', 'issue', 'acme')).trim()
  await run('import', await brandFolder({ 'first.txt': '2099-01-01' }))
  await run('publish', 'acme/guide')
  const nodes = await Promise.all([1, 2, 3].map(() => serve(MAIN, ...store)))
  for (const { stop } of nodes) t.after(stop)
  const [first] = nodes
  const stream = await openStream(`${first?.url}/events/workspace/acme`, await token())
  await stream.next()
  await run('import', await brandFolder(Object.fromEntries(names.map(name => [name, SOON]))))
  await run('publish', 'acme/guide')
  assert.equal((await stream.next()).event, 'published')
  const paths = new Set<unknown>()
  for (let at = 0; at < names.length; at++) paths.add((await stream.next()).data?.path)
  assert.equal(paths.size, names.length)
  // Another publication follows them, so there is none twice.
  await run('import', await brandFolder({ 'last.txt': '2099-01-01' }))
  await run('publish', 'acme/guide')
  assert.equal((await stream.next()).event, 'published')
  await stream.close()
})

test(
  'a running service gives notice when the day changes, and after a stop only what is still due',
  needs('faketime'),
  async t => {
    const data = join(await temporaryFolder(), 'data')
    const folder = await brandFolder({ 'hero.txt': '2026-12-31', 'logo.txt': '2027-02-28' })
    const run = commandsWith('--data', data)
    await run('import', folder)
    await run('publish', 'acme/guide')
    const time = join(await temporaryFolder(), 'time')
    const at = (day: string) => writeFile(time, `${day} 23:59:59`)
    const [library = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
    const clock = { FAKETIME_TIMESTAMP_FILE: time, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    const env = { LD_PRELOAD: library, ...clock, TZ: 'UTC' }
    const noticed = () => {
      using database = new DatabaseSync(join(data, 'housestyle.db'), { readOnly: true })
      const rows = database.prepare('SELECT path, days FROM notice ORDER BY number').all()
      return rows.map(({ path, days }) => `${path} ${days}`)
    }
    await at('2026-12-23')
    const [one, other] = [await serveIn(env, MAIN, '--data', data), await serveIn(env, MAIN, '--data', data)]
    t.after(() => Promise.all([one.stop(), other.stop()]))
    await until(() => noticed().length === 1)
    assert.deepEqual(noticed(), ['files/hero.txt 30'])
    await at('2026-12-24')
    await until(() => noticed().length === 2)
    assert.equal(noticed()[1], 'files/hero.txt 7')
    await Promise.all([one.stop(), other.stop()])
    await at('2027-02-25')
    const again = await serveIn(env, MAIN, '--data', data)
    t.after(again.stop)
    await until(() => noticed().length === 4)
    assert.deepEqual(noticed().slice(2).sort(), ['files/hero.txt 0', 'files/logo.txt 7'])
  },
)
