import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import type { HistoryEntry } from '#publishing/history.ts'
import { housestyle, MAIN, type Ran } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startCommandLoop } from '../support/command-loop.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { readVariants, variantOf } from '../support/variants.ts'

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

test('concurrent commands on one project have one order: no revision is missing, made twice or mixed from two folders', {
  ...needs('postgres'),
  timeout: 300_000,
}, async t => {
  const { options, run, newVariant } = await newStore()
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
async function newStore() {
  const postgres = await startPostgres()
  after(postgres.stop)
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
