import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { housestyle } from '../cli/housestyle.ts'
import { writeFolder } from '../support/brand-folder.ts'
import { crash } from '../support/crash.ts'
import { killerByQuestions } from '../support/killer.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { startRelay } from '../support/relay.ts'
import { startS3 } from '../support/s3.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { variantOf } from '../support/variants.ts'

const { skip } = needs('postgres', 'swift-proxy-server')
const postgres = skip ? undefined : await startPostgres()
const s3 = skip ? undefined : await startS3()
after(() => Promise.all([postgres?.stop(), s3?.stop()]))

/** An empty store on both servers, as commands name it: as it is, and through relays. */
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

test('a command that is killed at any question to Postgres or a bucket leaves a whole store, whose service answers from one revision', {
  skip,
  timeout: 300_000,
}, async t => {
  const seed = Date.now()
  t.diagnostic(`seed ${seed}`)
  const { folder, options, relayed, relays } = await newStore()
  const kill = killerByQuestions(relayed, relays)
  const { killed, replies } = await crash(folder, { options, kill, size: { items: 3, bytes: 1000 } }, 6, seed)
  assert.equal(killed, 6)
  assert.ok(replies > 0)
  const gc = async () => JSON.parse((await housestyle(['gc', '--json', ...options])).stdout)
  await gc()
  const left = await gc()
  assert.deepEqual([left.objects, left.files, left.missing], [0, 0, []])
})

test('a restore that is killed at any question is run again, and then all is there', {
  skip,
  timeout: 300_000,
}, async () => {
  const first = await newStore()
  await writeFolder(join(first.folder, 'acme'), variantOf(1, { items: 3, bytes: 1000 }))
  const archive = join(first.folder, 'backup.tar')
  for (const args of [
    ['import', join(first.folder, 'acme')],
    ['publish', '--all'],
    ['backup', archive],
  ])
    assert.equal((await housestyle([...args, ...first.options])).status, 0)
  const lengths = new Map<string, number>()
  for (const part of [0, 0.4, 0.6, 0.8, 0.95]) {
    const { options, relayed, relays } = await newStore()
    const wasKilled = await killerByQuestions(relayed, relays, lengths)(['restore', archive], part)
    assert.equal(wasKilled, part > 0)
    const again = await housestyle(['restore', archive, ...options])
    if (again.status !== 0) assert.match(again.stderr, /has a store already/)
    const doctor = await housestyle(['doctor', ...options])
    assert.deepEqual([doctor.stdout, doctor.status], ['nothing is wrong\n', 0])
    const [{ published }] = JSON.parse((await housestyle(['status', '--json', ...options])).stdout)
    assert.match(published, /^[0-9a-f]{64}$/)
  }
})
