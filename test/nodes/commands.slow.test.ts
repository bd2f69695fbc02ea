import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import type { HistoryEntry } from '#publishing/history.ts'
import { commandsWith, housestyle, MAIN, type Ran } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startCommandLoop } from '../support/command-loop.ts'
import { crash } from '../support/crash.ts'
import { killerByQuestions } from '../support/killer.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { SEED, scale } from '../support/random.ts'
import { startRelay } from '../support/relay.ts'
import { startS3 } from '../support/s3.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { readVariants, variantOf } from '../support/variants.ts'

const NEEDS_SERVERS = needs('postgres', 'swift-proxy-server')
const NEEDS_DATABASE = needs('postgres')
const postgres = NEEDS_DATABASE.skip ? undefined : await startPostgres()
const s3 = NEEDS_SERVERS.skip ? undefined : await startS3()
after(() => Promise.all([postgres?.stop(), s3?.stop()]))

/** The options for an empty store on both servers: direct, and through relays. */
async function newStore() {
  const folder = await temporaryFolder()
  const [database, files] = [await postgres?.newDatabase(), await s3?.newPlace()]
  assert.ok(postgres && s3 && database && files)
  const toPostgres = await startRelay(postgres.port)
  const toS3 = await startRelay(Number(new URL(s3.endpoint).port))
  after(() => Promise.all([toPostgres.stop(), toS3.stop()]))
  const optionsOf = (from: string, to: string) => ['--database', from, '--files', to, '--data', join(folder, 'data')]
  return {
    folder,
    options: optionsOf(database, files),
    relayed: optionsOf(
      database.replace(`:${postgres.port}/`, `:${toPostgres.port}/`),
      files.replace(s3.endpoint, `http://127.0.0.1:${toS3.port}`),
    ),
    relays: [toPostgres, toS3],
  }
}

test('a command killed during any request leaves a whole store of one revision', {
  ...NEEDS_SERVERS,
  timeout: scale(300_000),
}, async () => {
  const times = scale(5)
  const { folder, options, relayed, relays } = await newStore()
  const kill = killerByQuestions(relayed, relays)
  const { killed, replies } = await crash(folder, { options, kill, size: { items: 3, bytes: 1000 } }, times, SEED)
  assert.equal(killed, times)
  assert.ok(replies > 0)
  const gc = async () => JSON.parse((await housestyle(['gc', '--json', ...options])).stdout)
  await gc()
  const left = await gc()
  assert.deepEqual([left.objects, left.files, left.missing], [0, 0, []])
})

/** Signals, and the part of the run, from 0 to 1, after which each is sent; the first run is never ended. */
const ENDINGS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGKILL', 0],
  ['SIGTERM', 0.3],
  ['SIGINT', 0.6],
  ['SIGKILL', 0.9],
]

test(
  'a killed or interrupted restore succeeds when repeated, and leaves no copied catalogue',
  NEEDS_SERVERS,
  async t => {
    const first = await newStore()
    await writeFolder(join(first.folder, 'acme'), variantOf(1, { items: 3, bytes: 1000 }))
    const archive = join(first.folder, 'backup.tar')
    const run = commandsWith(...first.options)
    await run('import', join(first.folder, 'acme'))
    await run('publish', '--all')
    await run('backup', archive)
    const lengths = new Map<string, number>()
    const copies = await temporaryCopies(t)
    for (const [signal, part] of ENDINGS) {
      const { options, relayed, relays } = await newStore()
      const wasKilled = await killerByQuestions(relayed, relays, lengths)(['restore', archive], part, signal)
      assert.equal(wasKilled, part > 0, `${signal} at ${part}`)
      if (signal !== 'SIGKILL') assert.deepEqual(await copies(), [], `${signal} at ${part}`)
      const again = await housestyle(['restore', archive, ...options])
      if (again.status !== 0) assert.match(again.stderr, /already contains a store/)
      assert.deepEqual(await copies(), [], `${signal} at ${part}`)
      const doctor = await housestyle(['doctor', ...options])
      assert.deepEqual([doctor.stdout, doctor.status], ['no problems\n', 0])
      const [{ published }] = JSON.parse((await housestyle(['status', '--json', ...options])).stdout)
      assert.match(published, /^[0-9a-f]{64}$/)
    }
  },
)

test('after a killed backup, the next one leaves no partial archive or copied catalogue', NEEDS_SERVERS, async () => {
  const { folder, options, relayed, relays } = await newStore()
  await writeFolder(join(folder, 'acme'), variantOf(1, { items: 3, bytes: 1000 }))
  assert.equal((await housestyle(['import', join(folder, 'acme'), ...options])).status, 0)
  const kill = killerByQuestions(relayed, relays)
  const archives = await temporaryFolder()
  for (const [at, [signal, part]] of ENDINGS.entries()) {
    const archive = join(archives, `${at}.tar`)
    const wasKilled = await kill(['backup', archive], part, signal)
    if (signal !== 'SIGKILL') assert.deepEqual(await readdir(archives), wasKilled ? [] : [`${at}.tar`])
    if (wasKilled) assert.equal((await housestyle(['backup', archive, ...options])).status, 0)
    assert.deepEqual(await readdir(archives), [`${at}.tar`])
    await rm(archive)
  }
})

/** The catalogue copies in the temporary folder of this test's commands. */
async function temporaryCopies(t: TestContext): Promise<() => Promise<string[]>> {
  const folder = await temporaryFolder()
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  return async () => (await readdir(folder)).filter(name => name.startsWith('.housestyle-'))
}

/** The moments at which a command loses its connection: while it writes a row of a table, or commits. */
const MOMENTS: readonly (readonly [command: 'import' | 'publish', table: string, isCommit: boolean])[] = [
  ['import', 'object', false],
  ['import', 'project', false],
  ['import', 'project', true],
  ['publish', 'revision', false],
  ['publish', 'change', true],
]

for (const [name, table, isCommit] of MOMENTS)
  test(
    `${name === 'import' ? 'an import' : 'a publication'} that loses Postgres as it ${isCommit ? 'commits' : 'writes'} a row of ${table} ends with one line, leaves no partial data, and can be repeated`,
    NEEDS_DATABASE,
    async () => {
      assert.ok(postgres)
      const url = await postgres.newDatabase()
      const [data, folder] = [join(await temporaryFolder(), 'data'), join(await temporaryFolder(), 'acme')]
      const operands = { import: [folder], publish: ['acme/guide'] }
      const ran = (command: string, ...more: string[]) =>
        housestyle([command, ...more, '--database', url, '--data', data])
      const run = (command: 'import' | 'publish') => ran(command, ...operands[command])
      const write = (text: string) =>
        writeFolder(folder, { 'guide/project.yaml': 'name: Guide\n', 'guide/pages/a.md': `# ${text}\n` })
      await write('First')
      for (const command of ['import', 'publish'] as const) assert.equal((await run(command)).status, 0)
      await write('Second')
      if (name === 'publish') assert.equal((await run('import')).status, 0)
      const states = async () => (await ran('status', '--json')).stdout
      const before = await states()
      const kind = isCommit ? 'CONSTRAINT TRIGGER' : 'TRIGGER'
      await postgres.query(
        `CREATE OR REPLACE FUNCTION lose() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql
         AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
       CREATE ${kind} lose AFTER INSERT OR UPDATE ON ${table} ${isCommit ? 'DEFERRABLE INITIALLY DEFERRED' : ''}
         FOR EACH ROW EXECUTE FUNCTION lose()`,
        new URL(url).pathname.slice(1),
      )
      const lost = await run(name)
      await postgres.query(`DROP TRIGGER lose ON ${table}`, new URL(url).pathname.slice(1))
      assert.match(
        lost.stderr,
        isCommit
          ? /was lost during a commit, so the change may or may not have been made; check `housestyle status/
          : /it was shut down, or ended the connection/,
      )
      assert.match(lost.stderr, /^housestyle: [^\n]+\n$/)
      assert.equal(lost.status, 1)
      assert.equal(await states(), before)
      const problems = JSON.parse((await ran('doctor', '--json')).stdout)
      const unexpected = problems.filter(({ check }: { check: string }) => check !== 'rights')
      assert.deepEqual(unexpected, [])
      assert.equal((await run(name)).status, 0)
      assert.notEqual(await states(), before)
    },
  )

const GUIDE = 'acme/guide'
const COPY = 'other/guide'
const ROUNDS = 4

/** The allowed messages for a command that lost the race. */
const CLEAR = [
  /there is no project "(?:acme|other)\/guide"/,
  /(?:acme|other)\/guide is being copied: try again when that is done/,
  /acme\/guide has no earlier revision to roll back to: see `housestyle history acme\/guide/,
]

type Outcome = Ran & { args: readonly string[] }
type Publication = { workspace: string; project: string; revision: number; snapshot: string; changed: boolean }

test('concurrent commands on one project have one order: no revision is lost or mixed', NEEDS_DATABASE, async t => {
  const { options, run, newVariant } = await newOptions()
  const outcomes: Outcome[] = []
  const note = (args: readonly string[], ran: Ran) => void outcomes.push({ args, ...ran })
  for (const args of [
    ['import', await newVariant()],
    ['publish', '--all'],
    ['token', 'issue', 'acme'],
  ])
    note(args, await run(args))
  const node = await serve(MAIN, ...options, '--rate', 'off')
  after(node.stop)
  const [issued] = resultsOf(outcomes, 'token')
  const reading = readVariants(node, issued.token, [200, 404])

  const inTurn = async (commandsOf: (round: number) => readonly string[][]) => {
    const { run, stop } = startCommandLoop()
    after(stop)
    for (let round = 1; round <= ROUNDS; round++)
      for (const args of commandsOf(round)) {
        const all = args[0] === 'import' ? [...args, await newVariant()] : args
        note(all, await run([...all, '--json', ...options]))
      }
  }
  await Promise.all([
    inTurn(() => [['import'], ['publish', GUIDE], ['rollback', GUIDE]]),
    inTurn(() => [['import'], ['publish', GUIDE]]),
    inTurn(() => [
      ['unpublish', GUIDE],
      ['publish', '--all'],
    ]),
    inTurn(round => [
      ['copy', GUIDE, COPY],
      ['copy', COPY, GUIDE],
      ['delete', round % 4 === 0 ? GUIDE : COPY, '--yes'],
    ]),
  ])
  // The last deletion may be of any kind, but there is a history.
  for (let times = 0; times < 2; times++)
    for (const args of [
      ['import', await newVariant()],
      ['publish', GUIDE],
    ])
      note(args, await run(args))
  const replies = await reading.end()
  t.diagnostic(
    `${outcomes.length} commands, ${outcomes.filter(({ status }) => status).length} of them refused, ${replies} replies`,
  )
  assert.ok(replies > 0)

  for (const outcome of outcomes) if (outcome.status !== 0) assertClear(outcome)
  const snapshots = new Set(resultsOf(outcomes, 'import').map(({ projects }) => projects[0].snapshot))
  const publications: Publication[] = ['publish', 'rollback'].flatMap(name => resultsOf(outcomes, name)).flat()
  const ours = publications.filter(({ workspace }) => workspace === 'acme')
  const added = Map.groupBy(
    ours.filter(({ changed }) => changed),
    ({ revision }) => revision,
  )
  for (const [revision, makers] of added) assert.equal(makers.length, 1, `revision ${revision} was made twice`)

  const history: HistoryEntry[] = JSON.parse((await run(['history', GUIDE])).stdout)
  assert.ok(history.length > 1)
  const last = history[0]?.revision ?? 0
  for (const [at, { revision, snapshot, note }] of history.entries()) {
    assert.equal(revision, last - at)
    assert.ok(snapshots.has(snapshot), `revision ${revision} belongs to no folder`)
    const [maker] = added.get(revision) ?? []
    if (maker) assert.equal(snapshot, maker.snapshot)
    else assert.equal(note, `Copied from ${COPY}`)
  }
  for (const { revision, snapshot } of ours)
    assert.equal(history.find(entry => entry.revision === revision)?.snapshot ?? snapshot, snapshot)
  assert.deepEqual(JSON.parse((await run(['doctor'])).stdout), [])
})

/** An empty store, and a function that makes folders with different variants. */
async function newOptions() {
  assert.ok(postgres)
  const folder = await temporaryFolder()
  const database = await postgres.newDatabase()
  // A setting that some operators use for all their databases.
  const name = new URL(database).pathname.slice(1)
  await postgres.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`)
  const options = ['--database', database, '--data', join(folder, 'data')]
  let variants = 0
  const newVariant = async () => {
    const path = join(folder, `${++variants}/acme`)
    await writeFolder(path, variantOf(variants, { items: 3, bytes: 100 }))
    return path
  }
  const run = (args: readonly string[]) => housestyle([...args, '--json', ...options])
  return { options, run, newVariant }
}

/** The output of the successful commands with a name. */
function resultsOf(outcomes: readonly Outcome[], name: string) {
  return outcomes.filter(({ args, status }) => args[0] === name && status === 0).map(({ stdout }) => JSON.parse(stdout))
}

/** A rejected command explains why and changes nothing. */
function assertClear({ args, status, stdout, stderr }: Outcome): void {
  const said: string = args[0] === 'import' ? JSON.parse(stdout).findings[0]?.message : JSON.parse(stderr).message
  assert.equal(status, 1, `${args}: ${stderr}`)
  assert.ok(
    CLEAR.some(clear => clear.test(said)),
    `${args}: ${said}`,
  )
  if (args.includes('--all')) assert.match(said, /is being copied/)
}
