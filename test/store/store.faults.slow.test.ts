import assert from 'node:assert/strict'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { copyProject } from '#publishing/copy.ts'
import { importFolder } from '#publishing/import/import.ts'
import { publish } from '#publishing/publish.ts'
import { projectStates } from '#publishing/status.ts'
import { openStore, type Store } from '#store/store.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { READ_OPTIONS } from '../intake/reading.ts'
import { housestyle } from '../program/cli/housestyle.ts'
import { FAULT, withFault } from '../support/faults.ts'
import { needs } from '../support/programs.ts'
import { fillDisk, mountDisk } from '../support/small-disk.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'
import { UPKEEP } from './upkeep/options.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }

const BEFORE = {
  'guide/pages/a.md': '# Before\n',
  'guide/files/a.txt': 'before',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#000000" }\n',
}
const AFTER = { 'guide/pages/a.md': '# After\n', 'guide/files/a.txt': 'after', 'guide/files/b.txt': 'more' }

/**
 * The operations on a store that has published BEFORE and whose folder now contains AFTER, and their effects, which are
 * all or nothing.
 */
const OPERATIONS: Readonly<Record<string, (store: Store, folder: string) => Promise<unknown>>> = {
  'an import': (store, folder) => importFolder(store, folder, { ...READ_OPTIONS, isDryRun: false, now: UPKEEP.now }),
  'a publication': async store => unwrap(await publish(store, GUIDE, { note: 'note' }, new Date())),
  'a copy': async store => unwrap(await copyProject(store, GUIDE, { workspace: 'other', project: 'copy' }, UPKEEP)),
}

for (const [name, operate] of Object.entries(OPERATIONS))
  test(`if the disk fails at any step, ${name} fails only with that error, leaves the store unchanged, and works the next time`, async () => {
    const folder = await folderWith(BEFORE)
    const data = join(await temporaryFolder(), 'data')
    await housestyle(['import', folder, '--data', data])
    await housestyle(['publish', '--all', '--data', data])
    await folderWith(AFTER, 'acme', join(folder, '..'))
    if (name === 'a publication') await housestyle(['import', folder, '--data', data])
    let outcome: Outcome = { isDone: false, steps: [] }
    for (let failing = 1; !outcome.isDone; failing++) {
      const here = `${data}-${failing}`
      await cp(data, here, { recursive: true })
      outcome = await failOnce(await openStore(here), here, failing, store => operate(store, folder))
    }
    const kinds = name === 'a publication' ? ['statement', 'commit'] : ['open', 'write', 'fsync', 'rename', 'commit']
    for (const kind of kinds) assert.ok(outcome.steps.includes(kind), `no ${kind} was made to fail`)
  })

/** Whether the operation was finished before the step with that number, and all of its steps. */
type Outcome = { isDone: boolean; steps: readonly string[] }

async function failOnce(
  store: Store,
  folder: string,
  failing: number,
  operate: (store: Store) => Promise<unknown>,
): Promise<Outcome> {
  const before = await projectStates(store, {})
  const { store: faulty, steps, hasFailed, end } = withFault(store, folder, failing)
  const error = await operate(faulty).then(
    () => undefined,
    reason => reason,
  )
  end()
  const context = `step ${failing}, ${steps[failing - 1]}`
  assert.equal(error?.message, hasFailed() ? FAULT : undefined, context)
  if (error) {
    assert.deepEqual(await projectStates(store, {}), before, context)
    assert.deepEqual(await examineStore(store, UPKEEP), [], context)
    assert.deepEqual(await store.files.listIncoming(), [], context)
    await operate(store)
  }
  assert.notDeepEqual(await projectStates(store, {}), before, context)
  assert.deepEqual(await examineStore(store, UPKEEP), [], context)
  await store.close()
  return { isDone: !error, steps }
}

test('if the disk is full, an import says so, and leaves the store unchanged', needs('right to mount'), async () => {
  const folder = await folderWith({ ...BEFORE })
  const disk = await temporaryFolder()
  const unmount = mountDisk(disk)
  try {
    const data = join(disk, 'data')
    await housestyle(['import', folder, '--data', data])
    await housestyle(['publish', '--all', '--data', data])
    const states = async () => (await housestyle(['status', '--json', '--data', data])).stdout
    const before = await states()
    await folderWith({ ...AFTER, 'guide/files/large.bin': Buffer.alloc(3 << 20, 1) }, 'acme', join(folder, '..'))
    const { status, stdout, stderr } = await housestyle(['import', folder, '--data', data])
    const message = `housestyle: the disk of ${data} is full, so the operation was undone: free some space and try again\n`
    assert.deepEqual([status, stdout, stderr], [1, '', message])
    assert.equal(await states(), before)
    const store = await openStore(data)
    assert.deepEqual(await examineStore(store, UPKEEP), [])
    assert.deepEqual(await store.files.listIncoming(), [])
    await store.close()
    fillDisk(join(disk, 'other'))
    const whenFull = await housestyle(['status', '--data', data])
    assert.deepEqual([whenFull.status, whenFull.stdout, whenFull.stderr], [1, '', message])
    await rm(join(disk, 'other'))
    await folderWith({ 'guide/files/large.bin': 'small' }, 'acme', join(folder, '..'))
    assert.equal((await housestyle(['import', folder, '--data', data])).status, 0)
    assert.notEqual(await states(), before)
  } finally {
    unmount()
  }
})
