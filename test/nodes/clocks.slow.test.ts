import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { promisify } from 'node:util'
import { MAIN } from '../program/cli/housestyle.ts'
import { serveIn } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

/* Processes of machines whose clocks are 30 seconds and more apart, on one Postgres (https://github.com/wolfcw/libfaketime). */

const { skip } = needs('postgres', 'faketime')
const PROJECT = '/beta/workspace/acme/project/guide'

const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})
const place = skip ? undefined : await makePlace()

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

test('a new token is valid at once on machines with clocks 30 seconds apart, until it expires or is revoked', {
  skip,
}, async () => {
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

test('revisions have dates in the order of their publication, even if machine clocks differ', { skip }, async () => {
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

test('doctor and the log of a service report a clock that is 30 seconds apart from the database', {
  skip,
}, async () => {
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
