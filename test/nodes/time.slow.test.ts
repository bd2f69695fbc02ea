import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { after } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import type { ProjectRef } from '#brand/ids.ts'
import { unwrap } from '#program/cli/failure.ts'
import { parseProjectRef } from '#program/cli/in-store.ts'
import { planPublication } from '#publishing/plan.ts'
import { listRevisions } from '#store/catalogue/history.ts'
import { findPlan } from '#store/catalogue/plans.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { serve, serveIn } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

/* Processes of machines whose clocks are 30 seconds and more apart, on one Postgres (https://github.com/wolfcw/libfaketime). */

const NEEDS_CLOCKS = needs('postgres', 'faketime')
const PROJECT = '/beta/workspace/acme/project/guide'

const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})
const place = NEEDS_CLOCKS.skip ? undefined : await makePlace()

/** The environment that sets a process's clock ahead by `seconds`. */
function clockAt(seconds: number): Record<string, string> {
  const [library = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
  return { LD_PRELOAD: library, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s` }
}

async function makePlace() {
  const postgres = await startPostgres()
  stops.push(postgres.stop)
  const store = ['--database', await postgres.newDatabase(), '--data', join(await temporaryFolder(), 'data')]
  const ranAt = async (seconds: number, ...args: string[]) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ...clockAt(seconds) }
    const run = promisify(execFile)(process.execPath, [MAIN, ...args, ...store], { env })
    return run.catch((error: { stdout: string; stderr: string }) => error)
  }
  const at = async (seconds: number, ...args: string[]) => {
    const { stdout, stderr } = await ranAt(seconds, ...args)
    assert.ok(stdout !== '' || args[0] === 'import', `${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const folder = join(await temporaryFolder(), 'acme')
  const publish = async (seconds: number, revision: number) => {
    await writeFolder(folder, { 'guide/project.yaml': 'name: Guide\n', 'guide/pages/a.md': `# Revision ${revision}\n` })
    await at(seconds, 'import', folder)
    await at(seconds, 'publish', 'acme/guide')
  }
  await publish(0, 1)
  const node = async (seconds: number) => {
    const running = await serveIn(clockAt(seconds), MAIN, ...store, '--rate', 'off')
    stops.push(running.stop)
    return running
  }
  return { at, ranAt, publish, nodes: await Promise.all([node(-30), node(30)]) }
}

test('a new token is valid at once on machines with clocks 30 seconds apart, until it ends', NEEDS_CLOCKS, async () => {
  assert.ok(place)
  const { at, nodes } = place
  const client = JSON.parse(await at(3600, 'client', 'create', 'acme', '--json'))
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client })
  const status = async (url: string, token: string) => {
    const reply = await fetch(url + PROJECT, { headers: { authorization: `Bearer ${token}` } })
    await reply.arrayBuffer()
    return reply.status
  }
  const statuses = (token: string) => Promise.all(nodes.map(({ url }) => status(url, token)))
  for (const { url } of nodes) {
    const { access_token: token } = JSON.parse(
      await (await fetch(`${url}/oauth/token`, { method: 'POST', body })).text(),
    )
    assert.deepEqual(await statuses(token), [200, 200])
  }
  for (const seconds of [-30, 3600]) {
    const { token, jti, expiresAt } = JSON.parse(
      await at(seconds, 'token', 'issue', 'acme', '--expires', '60s', '--json'),
    )
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 60_000) < 60_000)
    assert.deepEqual(await statuses(token), [200, 200])
    await at(-seconds, 'token', 'revoke', jti)
    await until(async () => (await statuses(token)).every(found => found === 401))
  }
  const { token, expiresAt } = JSON.parse(await at(30, 'token', 'issue', 'acme', '--expires', '1s', '--json'))
  await until(async () => (await statuses(token)).every(found => found === 401))
  const late = Date.now() - Date.parse(expiresAt)
  assert.ok(late >= 5000 && late < 30_000, `the token was rejected ${late} ms after it expired`)
})

test('revisions have dates in the order of publication, even if machine clocks differ', NEEDS_CLOCKS, async () => {
  assert.ok(place)
  const { at, publish } = place
  for (const [revision, seconds] of [3600, -30, -3600].entries()) await publish(seconds, revision + 2)
  const history = JSON.parse(await at(-7200, 'history', 'acme/guide', '--json')).toReversed()
  const dates = history.map(({ publishedAt }: { publishedAt: string }) => Date.parse(publishedAt))
  const revisions = history.map(({ revision }: { revision: number }) => revision)
  assert.deepEqual(revisions, [1, 2, 3, 4])
  const expected = dates.toSorted((one: number, other: number) => one - other)
  assert.deepEqual(dates, expected)
  assert.ok(Math.abs(Date.now() - dates.at(-1)) < 60_000)
  assert.match(await at(-3600, 'history', 'acme/guide'), /(?:just now|seconds ago|minute ago)/)
  const dryRun = JSON.parse(await at(3600 * 24 * 30, 'gc', '--keep', '1h', '--dry-run', '--json'))
  assert.equal(dryRun.revisions, 0)
})

test('doctor and the log of a service report a clock 30 seconds apart from the database', NEEDS_CLOCKS, async () => {
  assert.ok(place)
  const { ranAt, nodes } = place
  const fix = 'set the clock, for example with NTP; until then tokens and dates use the time of the database'
  for (const [seconds, said] of [
    [30, /^is (?:2[89]|3[0-2]) s ahead of the database clock$/],
    [-30, /^is (?:2[89]|3[0-2]) s behind the database clock$/],
  ] as const) {
    const [problem, ...others] = JSON.parse((await ranAt(seconds, 'doctor', '--json')).stdout).filter(
      ({ check }: { check: string }) => check !== 'rights',
    )
    assert.match(problem.message, said)
    const seen = [problem.check, problem.subject, problem.fix, others]
    assert.deepEqual(seen, ['clock', 'the clock of this machine', fix, []])
    const text = (await ranAt(seconds, 'doctor')).stdout
    assert.match(text, /clock {2}the clock of this machine is \d+ s (?:ahead of|behind) the database clock/)
  }
  assert.doesNotMatch((await ranAt(1, 'doctor')).stdout, /clock/)
  for (const { stop, log } of nodes) {
    await stop()
    assert.match(
      await log,
      /the clock of this machine is \d+ s (?:ahead of|behind) the database clock, which the service uses: set it, for example with NTP/,
    )
  }
})

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
