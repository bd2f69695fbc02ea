import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Service } from '#program/http/service/service.ts'
import { openStore, type Store } from '#store/store.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { UPKEEP } from './store/upkeep/options.ts'
import { type TestService, testService } from './support/service.ts'
import { temporaryFolder } from './support/temporary.ts'
import { resultOf } from './support/temporary-store.ts'

const STORES = new URL('fixtures/stores/', import.meta.url)
const MIGRATIONS = new URL('../migrations/', import.meta.url)
const DAY_MS = 24 * 3600 * 1000
const STYLES = '/beta/workspace/lumen/project/guidelines/styles'

const migrations = readdirSync(MIGRATIONS)
  .filter(name => name.endsWith('.sql'))
  .map(name => name.replace('.sql', ''))
  .sort()

/** The record that `make-store-fixture.ts` wrote. */
type HandedOut = {
  madeAt: string
  keySecret: string
  publicUrl: string
  token: string
  publicToken: { token: string }
  revokedToken: { token: string }
  client: { client_id: string; client_secret: string; scope: string }
  share: { url: string }
  revokedShare: { url: string }
  files: { path: string; sha256: string }[]
  deadFiles: string[]
  status: object[]
  history: { revision: number; snapshot: string }[]
  diff: object
}

test('each migration has a store fixture that was made right after it', () => {
  for (const migration of migrations)
    assert.ok(
      existsSync(new URL(`${migration}/`, STORES)),
      `there is no store of ${migration}: make one, as test/fixtures/stores/README.md says`,
    )
})

for (const name of migrations.filter(migration => existsSync(new URL(`${migration}/`, STORES)))) {
  const handedOut: HandedOut = JSON.parse(readFileSync(new URL(`${name}/handed-out.json`, STORES), 'utf8'))

  for (const [what, open] of [
    [`a store of ${name}`, openCopy],
    [`a backup of a store of ${name}`, openBackup],
  ] as const) {
    const folder = await open(name)

    test(`${what} has the tables of its name`, () => {
      const database = new DatabaseSync(join(folder, '.data/housestyle.db'), { readOnly: true })
      const row = database.prepare('SELECT MAX(number) AS number FROM migration').get()
      database.close()
      assert.equal(migrations[Number(row?.number) - 1], what.startsWith('a backup') ? migrations.at(-1) : name)
    })

    test(`${what} gives the same command output as when it was made`, async () => {
      const said = {
        status: await resultOf(folder, ['status']),
        history: await resultOf(folder, ['history', 'lumen/guidelines']),
        diff: await resultOf(folder, ['diff', 'lumen/guidelines', '4', 'draft']),
      }
      const { status, history, diff } = handedOut
      assert.partialDeepStrictEqual(said, { status, history, diff })
    })

    test(`${what} accepts its issued tokens, clients, share links and file addresses`, () =>
      withStore(folder, async store => {
        await assertTokens(store, handedOut)
        const service = await serviceOf(store, handedOut)
        await assertClient(service, handedOut)
        await assertShares(service, handedOut)
        await assertFiles(service, handedOut)
        await assertRevisions(service, handedOut)
      }))

    test(`${what} is whole`, () =>
      withStore(folder, async store => {
        const now = () => new Date(Date.parse(handedOut.madeAt) + 2 * DAY_MS)
        assert.deepEqual(await examineStore(store, { ...UPKEEP, now }), [])
      }))

    test(`${what} has the same snapshots as a new import of its folder`, async () => {
      const { projects } = await resultOf(folder, ['import', 'lumen'])
      const changed = projects.map(({ project, changed }: Record<string, unknown>) => [project, changed])
      assert.deepEqual(changed, [
        ['gone', false],
        ['guidelines', false],
        ['spring', false],
      ])
    })

    test(`${what} keeps working with new imports and publications`, async () => {
      const [published] = await resultOf(folder, ['publish', 'lumen/guidelines'])
      assert.equal(published.revision, 5)
      const [again] = await resultOf(folder, ['publish', 'lumen/gone'])
      assert.equal(again.revision, 2)
      const [back] = await resultOf(folder, ['rollback', 'lumen/guidelines', '2'])
      const second = handedOut.history.find(({ revision }) => revision === 2)
      assert.deepEqual([back.revision, back.snapshot], [6, second?.snapshot])
      await withStore(folder, async store => {
        const { ask } = await serviceOf(store, handedOut)
        for (const path of handedOut.deadFiles) assert.equal((await ask(path)).status, 404, path)
      })
    })
  }
}

/** A copy of the store, next to its last imported brand folder. */
async function openCopy(name: string): Promise<string> {
  const folder = await temporaryFolder()
  execFileSync('tar', ['xzf', new URL(`${name}/store.tar.gz`, STORES).pathname, '-C', folder])
  return folder
}

/** A store restored from its backup with the current program. */
async function openBackup(name: string): Promise<string> {
  const folder = await openCopy(name)
  execFileSync('rm', ['-r', join(folder, '.data')])
  await writeFile(join(folder, 'backup.tar'), gunzipSync(readFileSync(new URL(`${name}/backup.tar.gz`, STORES))))
  await resultOf(folder, ['restore', 'backup.tar'])
  return folder
}

async function withStore(folder: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(join(folder, '.data'))
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** The service a day after the store was made; its tokens are valid for a year. */
function serviceOf(store: Store, { keySecret, madeAt }: HandedOut, publicUrl?: string): Promise<TestService> {
  const settings = { keySecret, ...(publicUrl !== undefined && { publicUrl }) }
  return testService({ store }, settings, Date.parse(madeAt) + DAY_MS)
}

async function assertTokens(store: Store, handedOut: HandedOut): Promise<void> {
  const { token, publicToken, revokedToken, publicUrl } = handedOut
  const [service, below] = [await serviceOf(store, handedOut), await serviceOf(store, handedOut, publicUrl)]
  assert.equal((await service.ask(STYLES, { token })).status, 200)
  assert.equal((await below.ask(STYLES, { token: publicToken.token })).status, 200)
  assert.equal((await service.ask(STYLES, { token: revokedToken.token })).status, 401)
}

async function assertClient({ service, ask }: TestService, { client }: HandedOut): Promise<void> {
  const { client_id, client_secret, scope } = client
  const given = await tokenFrom(service, { grant_type: 'client_credentials', client_id, client_secret })
  assert.equal(given.scope, scope)
  assert.equal((await ask(STYLES, { token: given.access_token })).status, 200)
}

async function tokenFrom(service: Service, form: Record<string, string>) {
  const { status, body } = await service({
    method: 'POST',
    path: '/oauth/token',
    query: '',
    authorizations: 0,
    address: '127.0.0.1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams(form).toString()),
  })
  assert.ok(body instanceof Uint8Array)
  assert.equal(status, 200, Buffer.from(body).toString())
  return JSON.parse(Buffer.from(body).toString())
}

async function assertShares({ ask }: TestService, { share, revokedShare }: HandedOut): Promise<void> {
  const visited = await ask(new URL(share.url).pathname)
  assert.deepEqual([visited.status, visited.headers.get('location')], [303, '/lumen/guidelines'])
  const cookie = visited.headers.get('set-cookie')?.split(';')[0] ?? ''
  assert.equal((await ask('/lumen/guidelines', { headers: { cookie } })).status, 200)
  assert.equal((await ask(new URL(revokedShare.url).pathname)).status, 404)
}

async function assertFiles({ ask }: TestService, { files, deadFiles }: HandedOut): Promise<void> {
  assert.ok(files.length > 0 && deadFiles.length > 0)
  for (const { path, sha256 } of files) {
    const { status, bytes } = await ask(path)
    assert.deepEqual([status, createHash('sha256').update(bytes).digest('hex')], [200, sha256], path)
  }
  for (const path of deadFiles) assert.equal((await ask(path)).status, 404, path)
}

/** Revision 1 of 4 was freed and revision 3 retracted; each still has its original snapshot. */
async function assertRevisions({ ask }: TestService, { token, history }: HandedOut): Promise<void> {
  const said = { 1: undefined, 2: 'Second', 3: undefined, 4: 'Fourth' }
  for (const [number, word] of Object.entries(said)) {
    const path = `/revision/${number}/beta/workspace/lumen/project/guidelines/page/mark`
    const { status, headers, text } = await ask(path, { token })
    assert.equal(status, word === undefined ? 404 : 200, path)
    if (word === undefined) continue
    assert.equal(JSON.parse(text).content, `# Mark\n\n${word}.\n`)
    const { snapshot } = history.find(({ revision }) => String(revision) === number) ?? {}
    assert.equal(headers.get('housestyle-revision'), `${number};snapshot="${snapshot}"`)
  }
}
