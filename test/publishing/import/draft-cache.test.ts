import assert from 'node:assert/strict'
import { mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseHash } from '../../../src/brand/snapshot.ts'
import { type ImportOptions, type ImportResult, importFolder } from '../../../src/publishing/import/import.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { READ_OPTIONS } from '../../intake/reading.ts'
import { type Contents, folderWith, temporaryFolder } from '../../support/temporary.ts'

const PNG = await readFile('examples/acme/guidelines/files/images/acme-share.png')

const BRAND: Contents = {
  'a/project.yaml': 'name: A\npages: [b]\nrules: { link-broken: warning }\n',
  'a/pages/index.md': '---\ntitel: x\n---\n![The mark](../files/x.png) [gone](gone.md) [b](b.md#nowhere)\n',
  'a/pages/b.md': '# B\n\n[ink](../styles/colors.yaml#ink)\n',
  'a/files/x.png': PNG,
  'a/files/files.yaml': 'none.png: nothing\n',
  'a/styles/colors.yaml': "- { name: Ink, hex: '#102030' }\n",
  'b/pages/index.md': '# B\n',
}

/** A finding that is only in the cache: an import that reports it has used the cache. */
const PLANTED = JSON.stringify([['a/planted', { rule: 'not-read', line: null, message: 'planted' }]])

const OPTIONS: ImportOptions = { ...READ_OPTIONS, isDryRun: false, now: () => new Date() }

type Brand = { store: Store; folder: string; path: (name: string) => string }

/** Files that were changed more recently than this are always read again. */
const OLD_MS = 250

/** Folders for all tests, which are old enough together. */
const folders = Promise.all(Array.from({ length: 24 }, () => folderWith(BRAND))).then(async made => {
  await sleep(OLD_MS)
  return made
})

/** Imports a folder and plants a finding in the cached draft of project `a`. */
async function importWithPlantedFinding(): Promise<Brand & { first: ImportResult }> {
  const store = await openStore(join(await temporaryFolder(), 'data'))
  const folder = (await folders).pop() ?? assert.fail('all folders are used')
  const first = await importFolder(store, folder, OPTIONS)
  await store.database.run("UPDATE seen SET reading = ? WHERE path = 'a/'", PLANTED)
  return { store, folder, first, path: name => join(folder, name) }
}

const isPlanted = ({ findings }: ImportResult) => findings.some(({ message }) => message === 'planted')

function essence({ projects, findings }: ImportResult): unknown {
  return { findings, snapshots: projects.map(({ project, imported, snapshot }) => [project, imported, snapshot]) }
}

test('the draft and the findings of an unchanged project come from the cache', async () => {
  const { store, folder, first } = await importWithPlantedFinding()
  assert.ok(first.findings.length > 3)
  const shown: unknown[] = []
  const progress: ImportOptions['progress'] = each => void shown.push(each)
  const again = await importFolder(store, folder, { ...OPTIONS, progress })
  assert.deepEqual(
    again.projects.map(({ changed, snapshot }) => [changed, snapshot]),
    first.projects.map(({ snapshot }) => [false, snapshot]),
  )
  assert.deepEqual(
    again.findings.map(({ message }) => message),
    ['planted'],
  )
  assert.deepEqual(shown, [
    { project: 'a', done: 3, total: 3 },
    { project: 'b', done: 1, total: 1 },
  ])
  await store.close()
})

test('a cached draft has all its findings in their order', async () => {
  const { store, folder, first } = await importWithPlantedFinding()
  await store.database.run("DELETE FROM seen WHERE path = 'a/'")
  assert.deepEqual(essence(await importFolder(store, folder, OPTIONS)), essence(first))
  const rows = await store.database.all("SELECT reading FROM seen WHERE path = 'a/'")
  assert.equal(rows.length, 1)
  assert.deepEqual(essence(await importFolder(store, folder, OPTIONS)), essence(first))
  await store.close()
})

type Change = [sentence: string, change: (brand: Brand) => Promise<unknown>]

const CHANGES: Change[] = [
  ['a page', ({ path }) => writeFile(path('a/pages/b.md'), '# Other\n')],
  ['the time of a page', ({ path }) => utimes(path('a/pages/b.md'), new Date(), new Date())],
  ['a new page', ({ path }) => writeFile(path('a/pages/gone.md'), '# There\n')],
  ['a removed page', ({ path }) => rm(path('a/pages/b.md'))],
  ['the name of a file', ({ path }) => rename(path('a/files/x.png'), path('a/files/y.png'))],
  ['files.yaml', ({ path }) => writeFile(path('a/files/files.yaml'), 'x.png: Otherwise\n')],
  ['a removed files.yaml', ({ path }) => rm(path('a/files/files.yaml'))],
  ['a colour', ({ path }) => writeFile(path('a/styles/colors.yaml'), "- { name: Red, hex: '#ff0000' }\n")],
  ['project.yaml', ({ path }) => writeFile(path('a/project.yaml'), 'name: A\n')],
  ['the rules of project.yaml', ({ path }) => writeFile(path('a/project.yaml'), 'name: A\npages: [b]\n')],
  ['the name of its folder', ({ path }) => rename(path('a'), path('c'))],
  [
    'a link in the folder',
    async ({ path }) => {
      await mkdir(path('elsewhere'))
      await symlink(path('elsewhere'), path('a/files/more'))
    },
  ],
]

for (const [sentence, change] of CHANGES)
  test(`the draft of a project is rebuilt after a change of ${sentence}, and equals the result of reading everything`, async () => {
    const brand = await importWithPlantedFinding()
    await change(brand)
    await sleep(OLD_MS)
    const again = await importFolder(brand.store, brand.folder, OPTIONS)
    assert.ok(!isPlanted(again))
    const fresh = await openStore(join(await temporaryFolder(), 'data'))
    const whole = await importFolder(fresh, brand.folder, OPTIONS)
    const findings = again.findings.filter(({ rule }) => rule !== 'project-missing')
    assert.deepEqual(essence({ ...again, findings }), essence(whole))
    await fresh.close()
    await brand.store.close()
  })

const LOSSES: [sentence: string, loss: (store: Store) => unknown][] = [
  ['a page', lost("SELECT content FROM seen WHERE path = 'a/pages/b.md'")],
  ['the list of the pages', lost('SELECT hash FROM object WHERE CAST(bytes AS TEXT) LIKE \'[{"id":"b",%\'')],
  ['the snapshot', lost("SELECT content FROM seen WHERE path = 'a/'")],
  ['the cached reading of a page', store => store.database.run("DELETE FROM seen WHERE path = 'a/pages/b.md'")],
  ['the version of the readers', store => store.database.run("UPDATE seen SET stamp = 'other' || stamp")],
  [
    'the bytes of a file',
    async ({ database, files }) => {
      const row = await database.get("SELECT workspace, content FROM seen WHERE path = 'a/files/x.png'")
      await files.remove({ workspace: String(row?.workspace), hash: parseHash(String(row?.content)), size: 0 })
    },
  ],
]

function lost(hashes: string): (store: Store) => unknown {
  return async ({ database }) => {
    assert.equal(await database.run(`DELETE FROM object WHERE hash IN (${hashes})`), 1)
  }
}

for (const [sentence, lose] of LOSSES)
  test(`the draft of a project is rebuilt completely if the store has lost ${sentence}`, async () => {
    const { store, folder, first } = await importWithPlantedFinding()
    await lose(store)
    assert.deepEqual(essence(await importFolder(store, folder, OPTIONS)), essence(first))
    assert.deepEqual(essence(await importFolder(store, folder, OPTIONS)), essence(first))
    assert.equal((await store.database.all("SELECT path FROM seen WHERE path = 'a/'")).length, 1)
    await store.close()
  })

test('the draft of a project is rebuilt if another has replaced it, or under other limits', async () => {
  const { store, folder, first } = await importWithPlantedFinding()
  const caps = { ...OPTIONS.caps, maxFile: 1 << 29 }
  assert.ok(!isPlanted(await importFolder(store, folder, { ...OPTIONS, caps })))
  await store.database.run("UPDATE seen SET reading = ? WHERE path = 'a/'", PLANTED)
  assert.ok(isPlanted(await importFolder(store, folder, { ...OPTIONS, caps })))
  const other = "SELECT draft_snapshot FROM project WHERE id = 'b'"
  await store.database.run(`UPDATE project SET draft_snapshot = (${other}) WHERE id = 'a'`)
  const again = await importFolder(store, folder, { ...OPTIONS, caps })
  assert.deepEqual(essence(again), essence(first))
  await store.close()
})

test('the draft of a project is not cached if a file was written just before, or is damaged', async () => {
  const store = await openStore(join(await temporaryFolder(), 'data'))
  const folder = await folderWith(BRAND)
  const kept = async () =>
    (await store.database.all("SELECT path FROM seen WHERE kind = 'draft' ORDER BY path")).map(row => row.path)
  await importFolder(store, folder, OPTIONS)
  assert.deepEqual(await kept(), [])
  await writeFile(join(folder, 'b/pages/damaged.svg'), '<svg')
  await sleep(OLD_MS)
  await importFolder(store, folder, OPTIONS)
  assert.deepEqual(await kept(), ['a/'])
  await store.close()
})
