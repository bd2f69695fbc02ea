import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { serveIn } from '../support/command.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

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

test('a service gives notice when the day changes, and after a stop what is still due', needs('faketime'), async t => {
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
})
