import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { crash } from '../support/crash.ts'
import { killerByQuestions } from '../support/killer.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { startRelay } from '../support/relay.ts'
import { startS3 } from '../support/s3.ts'
import { temporaryFolder } from '../support/temporary.ts'

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
})
