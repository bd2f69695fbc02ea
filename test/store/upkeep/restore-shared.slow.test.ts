import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { hashOf } from '#brand/snapshot.ts'
import { parseBucketAddress } from '#platform/settings/shared-addresses.ts'
import { endSessions } from '#serving/access/session/signins.ts'
import { listSignins } from '#store/access/signins.ts'
import { versionOf } from '#store/database/migrate.ts'
import { openParts, openSharedStore } from '#store/shared-store.ts'
import { openStore, type Store } from '#store/store.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { restore } from '#store/upkeep/restore.ts'
import { restoreShared } from '#store/upkeep/restore-shared.ts'
import { housestyle, housestyleProcess, MAIN } from '../../program/cli/housestyle.ts'
import { allowIssuer, sessionCookie } from '../../support/people-service.ts'
import { startPostgres } from '../../support/postgres.ts'
import { needs } from '../../support/programs.ts'
import { startS3 } from '../../support/s3.ts'
import { testService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { accessTo, publishedStore, SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'

const { skip } = needs('postgres', 'swift-proxy-server')
const postgres = skip ? undefined : await startPostgres()
const s3 = skip ? undefined : await startS3()
after(() => Promise.all([postgres?.stop(), s3?.stop()]))

const options = { signal: new AbortController().signal, progress: () => undefined, now: () => new Date() }
const now = Date.UTC(2026, 10, 21)

const ENGINES: Readonly<Record<string, { hasPostgres: boolean; hasBucket: boolean }>> = {
  'Postgres and a folder': { hasPostgres: true, hasBucket: false },
  'SQLite and S3': { hasPostgres: false, hasBucket: true },
  'Postgres and S3': { hasPostgres: true, hasBucket: true },
}

test('a store keeps its replies when it moves to shared engines, between them and back', { skip }, async () => {
  const temporary = await publishedStore(['acme/guidelines', 'acme/empty'], SMALL_BRAND)
  const { token } = await temporary.issue('acme', { now: new Date(now) })
  await allowIssuer(temporary, 'https://login.example')
  await sessionCookie(temporary, 'acme')
  const signins = await listSignins(temporary.store.database)
  const folder = await temporaryFolder()
  const before = await answers(temporary.store, token)
  assert.ok(Object.values(before).filter(said => said.startsWith('200')).length > 20)

  let archive = join(folder, 'first.tar')
  await backUp(temporary.store, archive, options)
  for (const [name, engines] of Object.entries(ENGINES)) {
    const place = await newPlace(join(folder, name), engines)
    const { projects, files } = await restoreShared(archive, place, options)
    assert.deepEqual([name, projects, files], [name, 3, 4])
    await assert.rejects(restoreShared(archive, place, options), { code: 'folder_occupied' })
    const shared = await openSharedStore(place)
    assert.deepEqual(await answers(shared, token), before)
    assert.deepEqual(await listSignins(shared.database), signins)
    assert.deepEqual(await shared.database.all('SELECT * FROM session'), [])
    await assertSession(shared)
    assert.deepEqual(await examineStore(shared, options), [])
    archive = join(folder, `${name}.tar`)
    await backUp(shared, archive, options)
    await shared.close()
  }
  const data = join(folder, 'back')
  await restore(archive, data, options)
  const back = await openStore(data)
  assert.deepEqual(await answers(back, token), before)
  await back.close()
})

/** Asserts that a session opens a private guide until it ends, and leaves another session. */
async function assertSession(store: Store): Promise<void> {
  const headers = { cookie: await sessionCookie({ store }, 'acme', { projects: ['empty'] }) }
  const { ask, follow } = await testService({ store })
  const statuses = async () => [(await ask('/acme/empty', { headers })).status, (await ask('/acme/empty')).status]
  assert.deepEqual(await statuses(), [200, 404])
  await endSessions(accessTo(store), 'all', new Date())
  await follow()
  assert.deepEqual(await statuses(), [404, 404])
  await sessionCookie({ store }, 'acme')
}

test('a restore and the creation of a store in the same place exclude each other', { skip }, async () => {
  const temporary = await temporaryStore()
  const folder = await temporaryFolder()
  const archive = join(folder, 'backup.tar')
  await backUp(temporary.store, archive, options)
  const place = await newPlace(join(folder, 'data'), { hasPostgres: true, hasBucket: false })
  for (const [mode, attempt] of [
    ['exclusive', () => openSharedStore(place)],
    ['shared', () => restoreShared(archive, place, options)],
  ] as const) {
    const { database, locks } = await openParts(place, options.signal)
    const lock = await locks.tryAcquire('restore', mode)
    await assert.rejects(attempt(), { code: 'store_in_use' })
    assert.equal(await versionOf(database), 0)
    await lock?.release()
    await database.close()
  }
  await restoreShared(archive, place, options)
  await (await openSharedStore(place)).close()
})

for (const [signal, what] of [
  ['SIGKILL', 'is killed leaves no store, and the next restore succeeds and removes the leftovers'],
  ['SIGTERM', 'does not answer ends on SIGTERM and leaves no copy of the catalogue'],
] as const)
  test(`a restore into a bucket that ${what}`, { skip }, async () => {
    const temporary = await temporaryStore()
    await temporary.importing('acme', SMALL_BRAND)
    const folder = await temporaryFolder()
    const archive = join(folder, 'backup.tar')
    await backUp(temporary.store, archive, options)
    const files = (await s3?.newPlace()) ?? ''
    const args = ['--data', join(folder, 'data'), '--files', files]
    const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
    const env = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, TMPDIR: folder }
    s3?.fail({ how: 'stalled', which: /^PUT .*\/acme\// })
    const child = spawn(process.execPath, [MAIN, 'restore', archive, ...args], { env, stdio: 'ignore' })
    const isWriting = () =>
      s3?.seen.some(name => /^PUT .*\/acme\//.test(name) && files.includes(name.split('/')[1] ?? ''))
    await until(() => isWriting() === true || child.exitCode !== null)
    child.kill(signal)
    const [code] = await once(child, 'exit')
    assert.equal(code, signal === 'SIGTERM' ? 130 : null)
    s3?.fail()
    const left = async () => (await readdir(folder)).filter(name => name.startsWith('.housestyle-'))
    const [catalogue] = await left()
    assert.equal(catalogue !== undefined, signal === 'SIGKILL')
    if (catalogue !== undefined) assert.equal((await stat(join(folder, catalogue))).mode & 0o777, 0o700)
    const again = await housestyleProcess(['restore', archive, ...args], { env })
    assert.equal(again.status, 0, again.stderr)
    assert.deepEqual(await left(), [])
    const { status, stdout } = await housestyle(['doctor', ...args], { env })
    assert.deepEqual([status, stdout], [0, 'no problems\n'])
  })

async function newPlace(data: string, { hasPostgres, hasBucket }: { hasPostgres: boolean; hasBucket: boolean }) {
  const database = hasPostgres ? await postgres?.newDatabase() : undefined
  const files = parseBucketAddress((hasBucket && (await s3?.newPlace())) || '', {})
  return { data, ...(database !== undefined && { database }), ...(files && { files }) }
}

/** The replies of a service at each address that its replies name. */
async function answers(store: Store, token: string): Promise<Record<string, string>> {
  const { ask } = await testService({ store }, {}, now)
  const found: Record<string, string> = {}
  const project = '/beta/workspace/acme/project/guidelines'
  const waiting = ['/', '/acme/guidelines', '/acme/guidelines/-/files', '/acme/guidelines/-/changes', '/sitemap.xml']
  waiting.push(
    '/beta/workspace/acme/projects',
    project,
    ...['styles', 'pages', 'files'].map(name => `${project}/${name}`),
  )
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found[path] || path.includes('/-/files.zip')) continue
    const { status, text, bytes } = await ask(path, path.startsWith('/beta') ? { token } : {})
    found[path] = `${status} ${hashOf(bytes)}`
    for (const [, link = ''] of text.matchAll(/(?:href|src)="(\/acme\/[^"#?]+)["#?]/g)) waiting.push(link)
  }
  return found
}
