import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { cp, open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { failed } from '#platform/base/result.ts'
import { unwrap } from '#program/cli/failure.ts'
import { remove } from '#publishing/change-project.ts'
import { copyProject } from '#publishing/copy.ts'
import { history, rollback } from '#publishing/history.ts'
import { countObjects } from '#store/catalogue/objects.ts'
import type { Locks } from '#store/database/locks.ts'
import { openStore } from '#store/store.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import type { Retention } from '#store/upkeep/expired-revisions.ts'
import { gc } from '#store/upkeep/gc.ts'
import { testService } from '../../support/service.ts'
import { runCommand, SMALL_BRAND, type TemporaryStore, temporaryStore } from '../../support/temporary-store.ts'
import { until } from '../../support/until.ts'
import { UPKEEP } from './options.ts'

const DAY = 24 * 3600 * 1000
const START = Date.UTC(2026, 0, 1)
const GUIDE = { workspace: 'acme', project: 'guide' }

/** A project with a revision for each of these days, each with its own page and file. */
async function publishOnDays(...days: number[]): Promise<TemporaryStore> {
  const here = await temporaryStore()
  for (const [at, day] of days.entries()) {
    const now = new Date(START + day * DAY)
    await here.publishing(
      'acme/guide',
      { 'guide/pages/a.md': `# ${at + 1}\n`, 'guide/files/a.txt': `file ${at + 1}` },
      now,
    )
  }
  return here
}

async function gcAt(here: TemporaryStore, keep: Retention, more: { isDryRun?: boolean; day?: number } = {}) {
  const { isDryRun = false, day = 100 } = more
  return gc(here.store, { ...UPKEEP, keep, isDryRun, now: () => new Date(START + day * DAY) })
}

async function freedRevisions(here: TemporaryStore): Promise<number[]> {
  const entries = unwrap(await history(here.store, GUIDE))
  return entries.filter(({ freedAt }) => freedAt).map(({ revision }) => revision)
}

test('gc waits until services have noticed freed content, and does not wait if it frees nothing', async () => {
  const here = await publishOnDays(100, 90)
  const stop = new AbortController()
  const patient = { ...UPKEEP, graceMs: 2 ** 31 - 1, isDryRun: false, signal: stop.signal }
  const before = [await count(here), await countObjects(here.store.database)]
  const waiting = gc(here.store, { ...patient, keep: { count: 1 } })
  waiting.catch(() => undefined)
  await until(async () => (await freedRevisions(here)).length > 0)
  stop.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  assert.deepEqual([await count(here), await countObjects(here.store.database)], before)
  assert.ok((await gcAt(here, {})).files > 0)
  const nothing = await gc(here.store, { ...patient, keep: { count: 1 }, signal: new AbortController().signal })
  assert.deepEqual(nothing, { revisions: 0, objects: 0, files: 0, bytes: 0, missing: [] })
})

const count = async ({ store }: TemporaryStore) => (await Array.fromAsync(store.files.listAll())).length

for (const [keep, numbers] of [
  [{}, []],
  [{ count: 2 }, [3, 2, 1]],
  [{ count: 1 }, [4, 3, 2, 1]],
  [{ count: 100 }, []],
  [{ seconds: (45 * DAY) / 1000 }, [3, 2, 1]],
  [{ seconds: 1 }, [4, 3, 2, 1]],
  [{ count: 3, seconds: (15 * DAY) / 1000 }, [2, 1]],
  [{ count: 1, seconds: (75 * DAY) / 1000 }, [2, 1]],
] as const satisfies [Retention, number[]][])
  test(`gc with ${JSON.stringify(keep)} frees these revisions of 100, 90, 70, 40 and 10 days: ${numbers}`, async () => {
    const here = await publishOnDays(0, 10, 30, 60, 90)
    assert.equal((await gcAt(here, keep, { isDryRun: true })).revisions, numbers.length)
    assert.deepEqual([await freedRevisions(here), await count(here)], [[], 5])
    const result = await gcAt(here, keep)
    assert.deepEqual([result.revisions, await freedRevisions(here)], [numbers.length, [...numbers]])
    assert.deepEqual([result.files, await count(here)], [numbers.length, 5 - numbers.length])
    assert.deepEqual(await examineStore(here.store, UPKEEP), [])
    assert.deepEqual(await gcAt(here, keep), { revisions: 0, objects: 0, files: 0, bytes: 0, missing: [] })
  })

test('published revisions of any age and unpublished drafts are kept', async () => {
  const here = await publishOnDays(0, 10)
  unwrap(await rollback(here.store, GUIDE, 1, new Date(START + 20 * DAY)))
  await here.importing('acme', { 'guide/pages/a.md': '# Draft\n' })
  await gcAt(here, { count: 1 }, { day: 10_000 })
  assert.deepEqual(await freedRevisions(here), [2, 1])
  assert.deepEqual(await examineStore(here.store, UPKEEP), [])
  const { ask } = await testService(here)
  const { token } = await here.issue('acme')
  const { text } = await ask('/beta/workspace/acme/project/guide/page/a', { token })
  assert.equal(JSON.parse(text).content, '# 1\n')
  assert.equal((await here.publish('acme/guide')).revision, 4)
})

test('a freed revision stays in the history and cannot be served again', async () => {
  const here = await publishOnDays(0, 10, 20)
  await gcAt(here, { count: 1 })
  const refusal = await rollback(here.store, GUIDE, 1, new Date())
  const message = 'the content of revision 1 of acme/guide was freed by `housestyle gc`'
  assert.deepEqual(refusal, failed({ code: 'revision_freed', message }))
})

test('where earlier revisions are served, a freed one is missing and the others still work', async () => {
  const here = await temporaryStore()
  for (const text of ['1', '2', '3']) {
    await here.publishing('acme/guide', {
      'guide/project.yaml': 'revisions: served\n',
      'guide/pages/a.md': `# ${text}\n`,
    })
  }
  const { ask, follow } = await testService(here)
  const { token } = await here.issue('acme')
  const askAll = async () => {
    const paths = [1, 2, 3].map(number => `/revision/${number}/beta/workspace/acme/project/guide/page/a`)
    return (await Promise.all(paths.map(path => ask(path, { token })))).map(({ status }) => status)
  }
  assert.deepEqual(await askAll(), [200, 200, 200])
  assert.equal((await gcAt(here, { count: 2 })).revisions, 1)
  await follow()
  assert.deepEqual(await askAll(), [404, 200, 200])
})

test('gc frees content that only a deleted project used, and keeps shared content', async () => {
  const here = await temporaryStore()
  await here.importing('acme', SMALL_BRAND)
  for (const place of ['acme/guidelines', 'acme/empty']) await here.publish(place)
  const copying = { ...UPKEEP }
  for (const target of [
    { workspace: 'acme', project: 'spring' },
    { workspace: 'other', project: 'guide' },
  ])
    unwrap(await copyProject(here.store, { workspace: 'acme', project: 'guidelines' }, target, copying))
  const before = await count(here)
  unwrap(await remove(here.store, { workspace: 'acme', project: 'guidelines' }, new Date()))
  assert.equal((await gcAt(here, {})).files, 0)
  unwrap(await remove(here.store, { workspace: 'acme', project: 'spring' }, new Date()))
  const { files } = await gcAt(here, {})
  assert.deepEqual([files > 0, await count(here)], [true, before - files])
  assert.deepEqual(await examineStore(here.store, UPKEEP), [])
  const other = (await Array.fromAsync(here.store.files.listAll())).filter(({ workspace }) => workspace === 'other')
  assert.equal(other.length, files)
})

test('gc does not change a damaged store', async () => {
  const here = await publishOnDays(0, 10)
  await here.store.database.run('DELETE FROM object WHERE hash IN (SELECT draft_snapshot FROM project)')
  await assert.rejects(gcAt(here, { count: 1 }), { message: /^the store has lost object / })
  await here.store.database.run("UPDATE project SET draft_snapshot = ''")
  await assert.rejects(gcAt(here, { count: 1 }), {
    code: 'store_damaged',
    message: 'acme/guide (draft) points at nothing: see `housestyle doctor`',
  })
  assert.equal(await count(here), 2)
})

test('gc reports missing files, and still frees unreferenced content', async () => {
  const here = await publishOnDays(0, 10, 20)
  const [first, second] = (await Array.fromAsync(here.store.files.listAll())).map(file => ({
    ...file,
    path: here.store.files.pathOf(file.workspace, file.hash),
  }))
  assert.ok(first && second)
  const run = (...args: string[]) => runCommand(here.folder, ['gc', ...args])
  const said = 'needed and missing: `housestyle doctor` names each and its fix\n'
  await here.store.files.remove(first)
  assert.deepEqual(await run('--dry-run'), {
    exitCode: 0,
    out: 'would free 0 revisions, 0 objects and 0 files: 0 B\n',
    err: `${first.path} is ${said}`,
  })
  await here.store.files.remove(second)
  const { out } = await run('--json')
  const { missing, ...freed } = JSON.parse(out)
  assert.deepEqual(
    [missing.sort(), freed],
    [[first.path, second.path].sort(), { revisions: 0, objects: 0, files: 0, bytes: 0 }],
  )
  const { exitCode, err } = await run('--dry-run')
  assert.equal(exitCode, 0)
  assert.ok(err.endsWith(`, and 1 more file are ${said}`), err)
})

test('gc removes nothing if the catalogue is damaged, or the files belong to another store', async () => {
  const here = await publishOnDays(0, 10)
  await here.store.files.setOwner('urn:uuid:other')
  const message = 'cannot gc: the files do not name this store as their owner; see `housestyle doctor`'
  await assert.rejects(gcAt(here, { count: 1 }), { code: 'store_foreign', message })
  await here.store.files.setOwner(here.store.identity.urn)
  const copy = join(here.folder, 'copy')
  await cp(here.data, copy, { recursive: true })
  await damage(join(copy, 'housestyle.db'))
  const store = await openStore(copy)
  await assert.rejects(gcAt({ ...here, store }, { count: 1 }), {
    code: 'store_damaged',
    message: /^cannot gc: the catalogue is damaged \(.*\); see `housestyle doctor`$/,
  })
  assert.equal(await count({ ...here, store }), 2)
  await store.close()
})

/** Overwrites a page of a table that neither opening a store nor finding the needed content reads. */
async function damage(path: string): Promise<void> {
  const database = new DatabaseSync(path)
  const rootOf = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'share'").get()
  const pages = database.prepare('PRAGMA page_size').get()
  database.close()
  const size = Number(pages?.page_size)
  await using file = await open(path, 'r+')
  await file.write(Buffer.alloc(size), 0, size, (Number(rootOf?.rootpage) - 1) * size)
}

test('the command takes a number, a time or one of each, and prints the freed amounts', async () => {
  const here = await publishOnDays(0, 10)
  for (const keep of [['0'], ['1w'], ['1', '2'], ['1d', '2d'], ['']]) {
    const { exitCode, err } = await runCommand(here.folder, ['gc', ...keep.flatMap(each => ['--keep', each])])
    assert.equal(exitCode, 2)
    assert.match(
      err,
      /^housestyle: --keep ".*": give a number of revisions \(100\), a time \(365d\), or one of each\n$/,
    )
  }
  const planned = await runCommand(here.folder, ['gc', '--keep', '1', '--keep', '1d', '--dry-run'])
  assert.match(planned.out, /^would free 1 revision, \d objects and 1 file: \d+ B\n$/)
  const { exitCode, out, err } = await runCommand(here.folder, ['gc', '--keep', '1', '--keep', '1d', '--json'])
  const seen = [exitCode, err, Object.keys(JSON.parse(out))]
  assert.deepEqual(seen, [0, '', ['revisions', 'objects', 'files', 'bytes', 'missing']])
})

for (const [times, objects, files] of [
  [0, 8, 2],
  [1, 0, 2],
  [2, 0, 1],
] as const)
  test(`a gc that loses its lock after ${times} checks has left ${objects} objects and ${files} files`, async () => {
    const here = await publishOnDays(0, 1)
    unwrap(await remove(here.store, GUIDE, new Date()))
    const store = { ...here.store, locks: lostAfter(times, here.store.locks) }
    await assert.rejects(gcAt({ ...here, store }, {}), /the lock is lost/)
    assert.deepEqual([await countObjects(here.store.database), await count(here)], [objects, files])
  })

/** Locks that pass this number of checks and then count as lost. */
function lostAfter(times: number, locks: Locks): Locks {
  let left = times
  const assertHeld = () => {
    if (left-- <= 0) throw new Error('the lock is lost')
  }
  return {
    ...locks,
    tryAcquire: async (name, mode) => {
      const lock = await locks.tryAcquire(name, mode)
      return lock && { ...lock, assertHeld }
    },
  }
}

test('the logo and the fonts of a workspace are kept while its theme is served or drafted', async () => {
  const here = await temporaryStore()
  const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"/>`
  const files = async () => (await Array.fromAsync(here.store.files.listAll())).length
  const contents = {
    'workspace.yaml': 'theme: { logo: a.svg, fonts: b.woff2 }\n',
    'a.svg': svg(1),
    'b.woff2': readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-SemiBold-Latin1.woff2'),
    'guide/pages/index.md': '# A\n',
  }
  await here.publishing('acme/guide', contents)
  await here.importing('acme', { 'a.svg': svg(2) })
  assert.equal((await gcAt(here, {})).files, 0)
  assert.equal(await files(), 3)
  assert.deepEqual(await examineStore(here.store, UPKEEP), [])
  await here.publish('acme/guide')
  assert.equal((await gcAt(here, {})).files, 1)
  await here.publishing('acme/guide', { 'workspace.yaml': '' })
  assert.equal((await gcAt(here, {})).files, 2)
  assert.equal(await files(), 0)
})
