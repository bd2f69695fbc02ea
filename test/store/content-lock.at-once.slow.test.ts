import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openLocks } from '#store/database/locks.ts'
import { openStore } from '#store/store.ts'
import { housestyle, housestyleProcess, type Ran } from '../program/cli/housestyle.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'

/** A project that takes some time to import. Each part of it names the variant. */
function brand(variant: number) {
  const pages = Array.from({ length: 40 }, (_, at) => [`guide/pages/p${at}.md`, `# Page ${at} of ${variant}\n`])
  const files = Array.from({ length: 20 }, (_, at) => [`guide/files/f${at}.txt`, `file ${at} of ${variant}`])
  return folderWith({ ...Object.fromEntries([...pages, ...files]), 'workspace.yaml': 'id: acme\n' })
}

type Project = { draft: string; published: string | null; revision: number | null; status: string }

/** A data folder with an empty store, and a function that runs commands on it. */
async function store() {
  const data = join(await temporaryFolder(), 'data')
  await (await openStore(data)).close()
  const json = async (...args: string[]) => {
    const { status, stdout, stderr } = await housestyle([...args, '--json', '--data', data])
    assert.deepEqual([status, stderr], [0, ''], args.join(' '))
    return JSON.parse(stdout)
  }
  const state = async (): Promise<Project> => (await json('status'))[0]
  const start = (...args: string[]) => housestyleProcess([...args, '--data', data])
  const snapshotOf = async (folder: string): Promise<string> =>
    (await json('import', folder, '--dry-run')).projects[0].snapshot
  return { data, json, state, start, snapshotOf }
}

const statuses = (runs: readonly Ran[]) => runs.map(({ status }) => status)

test('two concurrent imports both succeed, and the draft comes entirely from one of them', async () => {
  const { json, state, start, snapshotOf } = await store()
  const folders = [await brand(1), await brand(2)]
  const snapshots = [await snapshotOf(folders[0] ?? ''), await snapshotOf(folders[1] ?? '')]
  for (let round = 0; round < 2; round++) {
    const runs = await Promise.all(folders.map(folder => start('import', folder)))
    assert.deepEqual(statuses(runs), [0, 0], runs.map(({ stderr }) => stderr).join())
    assert.ok(snapshots.includes((await state()).draft))
    assert.deepEqual(await json('doctor'), [])
  }
})

test('one of several concurrent publications adds a revision, and the others find it served', async () => {
  const { json, state, start } = await store()
  for (const variant of [1, 2]) {
    await json('import', await brand(variant))
    const runs = await Promise.all([1, 2, 3].map(() => start('publish', 'acme/guide', '--json')))
    assert.deepEqual(statuses(runs), [0, 0, 0])
    const results = runs.map(({ stdout }) => JSON.parse(stdout)[0])
    assert.deepEqual(results.map(({ changed }) => changed).sort(), [false, false, true])
    const revisions = results.map(({ revision }) => revision)
    assert.deepEqual(revisions, [variant, variant, variant])
    const { status, draft, published } = await state()
    assert.deepEqual([status, published], ['UpToDate', draft])
  }
})

test('concurrent imports, publications, backups and gcs wait for each other and lose nothing', async () => {
  const { data, json, start, state } = await store()
  await json('import', await brand(1))
  const folder = await brand(2)
  const file = `${data}.tar`
  const commands = [['gc', '--keep', '1'], ['import', folder], ['publish', '--all'], ['backup', file], ['gc']]
  const runs = await Promise.all(commands.map(command => start(...command)))
  assert.deepEqual(statuses(runs), [0, 0, 0, 0, 0], runs.map(({ stderr }) => stderr).join())
  for (const { stderr } of runs)
    assert.match(
      stderr.replace(/^\{"level".*\n/gm, ''),
      /^(?:housestyle gc is freeing space in this store: (?:import|back up) waits for it\n|an import, a copy, a backup, a doctor or a gc is under way: gc waits for it\n|)(?:(?:to .*:\n)?next: housestyle \S+.*\n)*$/,
    )
  assert.deepEqual(await json('doctor'), [])
  assert.notEqual((await state()).revision, null)
  const restored = `${data}-restored`
  assert.equal((await housestyle(['restore', file, '--data', restored])).status, 0)
  const { stdout } = await housestyle(['doctor', '--data', restored])
  assert.equal(stdout, 'no problems\n')
})

test('an import waits for a running gc, says so unless it prints JSON, and then continues', async () => {
  const { data, start } = await store()
  const lock = openLocks(join(data, 'locks')).tryAcquire('contents', 'exclusive')
  const warned = Promise.withResolvers<void>()
  const folder = await brand(1)
  const asJson = start('import', await brand(2), '--json')
  const running = housestyleProcess(['import', folder, '--data', data], { hears: () => warned.resolve() })
  await Promise.race([warned.promise, running])
  lock?.release()
  const { status, stderr } = await running
  assert.deepEqual(
    [status, stderr],
    [
      0,
      `housestyle gc is freeing space in this store: import waits for it\nnext: housestyle publish acme/guide --data ${data}\n`,
    ],
  )
  assert.deepEqual([(await asJson).status, (await asJson).stderr], [0, ''])
})
