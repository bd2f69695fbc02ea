import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import { commandsWith, housestyle } from '../program/cli/housestyle.ts'
import { crash } from '../support/crash.ts'
import { killerByQuestions } from '../support/killer.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { SEED, scale } from '../support/random.ts'
import { startRelay } from '../support/relay.ts'
import { startS3 } from '../support/s3.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'
import { variantOf } from '../support/variants.ts'

const { skip } = needs('postgres', 'swift-proxy-server')
const postgres = skip ? undefined : await startPostgres()
const s3 = skip ? undefined : await startS3()
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

test('a command killed during any request to Postgres or a bucket leaves a whole store with replies from one revision', {
  skip,
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

test('a restore that was killed or interrupted during any request succeeds when repeated, and leaves no copy of the catalogue', {
  skip,
  timeout: 300_000,
}, async t => {
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
})

test('after a killed or interrupted backup, the next one leaves no partial archive and no copy of the catalogue', {
  skip,
  timeout: 300_000,
}, async () => {
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
