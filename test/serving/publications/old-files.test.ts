import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { hashOf } from '#brand/snapshot.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { unwrap } from '#program/cli/failure.ts'
import { retract, rollback } from '#publishing/history.ts'
import { draftProject } from '#serving/pointers/pointers.ts'
import { createListOldFiles } from '#serving/publications/old-files.ts'
import { openPublications } from '#serving/publications/publications.ts'
import { findProject, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { examineStore } from '#store/upkeep/doctor.ts'
import { gc } from '#store/upkeep/gc.ts'
import { UPKEEP } from '../../store/upkeep/options.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const temporary = await temporaryStore()
const { store } = temporary

/** Publishes a guide with these files, and no others. */
async function publishFiles(files: Readonly<Record<string, string>>, visibility = 'public') {
  await rm(join(temporary.folder, 'acme/guide/files'), { recursive: true, force: true })
  const contents = Object.entries(files).map(([path, text]) => [`guide/files/${path}`, text])
  const settings = { 'guide/project.yaml': `visibility: ${visibility}\n` }
  return temporary.publishing('acme/guide', { ...settings, ...Object.fromEntries(contents) })
}

/** The old files as `path text revision`. */
async function oldFiles(of: 'all' | 'known', show = (record: ProjectRecord): ProjectRecord => record) {
  const record = await findProject(store.database, GUIDE.workspace, GUIDE.project)
  const publication = openPublications(store.database, openCaches())(record && show(record))
  assert.ok(publication)
  const files = await createListOldFiles(store.database)(publication, { of })
  return files.map(({ path, hash, revision }) => `${path} ${TEXTS.get(hash)} ${revision}`).sort()
}

const TEXTS = new Map(
  ['one', 'two', 'three', 'secret', 'same', 'draft'].map(text => [hashOf(new TextEncoder().encode(text)), text]),
)

await publishFiles({ '0.txt': 'one', 'a.txt': 'one', 'b.txt': 'same', 'gone.txt': 'two' })
await publishFiles({ 'a.txt': 'two', 'b.txt': 'same', 'c.txt': 'secret' }, 'private')
await publishFiles({ 'a.txt': 'three', 'moved/b.txt': 'same' })

test('an old file has the last revision that had it and its path there, if possible one in use; a moved file is not old', async () => {
  assert.deepEqual(await oldFiles('all'), ['files/a.txt one 1', 'files/a.txt two 2', 'files/c.txt secret 2'])
})

test('everyone knows only the old files of revisions that were public', async () => {
  assert.deepEqual(await oldFiles('known'), ['files/a.txt one 1', 'files/gone.txt two 1'])
})

test('a draft is compared as if it were published: its readers know all old files of revisions so far', async () => {
  await temporary.importing('acme', { 'guide/files/a.txt': 'draft' })
  const all = ['files/a.txt one 1', 'files/a.txt three 3', 'files/a.txt two 2', 'files/c.txt secret 2']
  assert.deepEqual(await oldFiles('known', draftProject), all)
  assert.deepEqual(await oldFiles('all', draftProject), all)
})

test('old files have their size and content type', async () => {
  const record = await findProject(store.database, 'acme', 'guide')
  const publication = openPublications(store.database, openCaches())(record)
  assert.ok(publication)
  const [first] = await createListOldFiles(store.database)(publication, { of: 'all' })
  const hash = hashOf(new TextEncoder().encode('two'))
  assert.deepEqual(first, { path: 'files/a.txt', hash, size: 3, contentType: 'text/plain', revision: 2 })
})

test('a file that is published again is not old', async () => {
  unwrap(await rollback(store, GUIDE, 1, new Date()))
  assert.deepEqual(await oldFiles('all'), ['files/a.txt three 3', 'files/c.txt secret 2'])
  assert.deepEqual(await oldFiles('known'), ['files/a.txt three 3'])
})

test('everyone does not know retracted revisions; the command does', async () => {
  unwrap(await retract(store, GUIDE, 3, new Date()))
  assert.deepEqual(await oldFiles('known'), [])
  assert.deepEqual(await oldFiles('all'), ['files/a.txt three 3', 'files/c.txt secret 2'])
})

test('gc keeps the paths and hashes of the revisions that it frees; doctor has no objection', async () => {
  const options = { ...UPKEEP, keep: { count: 1 }, isDryRun: false, now: () => new Date() }
  assert.equal((await gc(store, options)).revisions, 3)
  assert.deepEqual(await oldFiles('all'), ['files/a.txt three 3', 'files/c.txt secret 2'])
  assert.deepEqual(await examineStore(store, UPKEEP), [])
  assert.deepEqual((await gc(store, options)).objects, 0)
  assert.equal(store.files.readSmall?.('acme', hashOf(new TextEncoder().encode('three'))), undefined)
})
