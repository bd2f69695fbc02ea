import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import pg from 'pg'
import type { ProjectRef } from '#brand/ids.ts'
import { unwrap } from '#program/cli/failure.ts'
import { parseProjectRef } from '#program/cli/in-store.ts'
import { planPublication } from '#publishing/plan.ts'
import { listRevisions } from '#store/catalogue/history.ts'
import { findPlan } from '#store/catalogue/plans.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

test('two services publish each planned draft once, also if one is killed', needs('postgres'), async () => {
  const postgres = await startPostgres()
  const stops: (() => Promise<unknown>)[] = [postgres.stop]
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const [folder, database] = [await temporaryFolder(), await postgres.newDatabase()]
  const data = join(folder, 'data')
  await writeFolder(join(folder, 'acme'), { 'one/pages/index.md': '# One\n', 'two/pages/index.md': '# Two\n' })
  await commandsWith('--data', data, '--database', database)('import', join(folder, 'acme'))
  const store = await openSharedStore({ data, database })
  const start = (name: string) => serve(MAIN, '--data', data, '--database', `${database}?application_name=${name}`)
  const [first, second] = await Promise.all([start('first'), start('second')])
  stops.push(() => store.close(), first.stop, second.stop)

  // Due at once.
  const plan = async (ref: ProjectRef) =>
    unwrap(await planPublication(store, ref, { at: new Date(1), over: [], who: 'Ada' }, new Date(0)))
  const publishers = async (ref: ProjectRef) => {
    await until(async () => !(await findPlan(store.database, ref)))
    return (await listRevisions(store.database, ref.workspace, ref.project)).map(({ who }) => who)
  }
  const [one, two] = [parseProjectRef('acme/one'), parseProjectRef('acme/two')]
  await plan(one)
  assert.deepEqual(await publishers(one), ['Ada'])

  // The service that publishes waits for this table, in the middle of its transaction.
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('BEGIN; LOCK TABLE revision IN EXCLUSIVE MODE')
  await plan(two)
  const waiting = "SELECT application_name AS name FROM pg_stat_activity WHERE wait_event = 'relation'"
  let name: unknown
  await until(async () => {
    name = (await postgres.query(waiting)).rows[0]?.name
    return name !== undefined
  })
  process.kill((name === 'first' ? first : second).pid, 'SIGKILL')
  await client.query('COMMIT')
  await client.end()
  assert.deepEqual(await publishers(two), ['Ada'])
})
