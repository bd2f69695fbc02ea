import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openMediaReader } from '#intake/media/media.ts'
import { importFailure } from '#publishing/git/pull/source-state.ts'
import { importFolder } from '#publishing/import/import.ts'
import { projectStates } from '#publishing/status.ts'
import { GIT, startGitServer } from '../../../support/git-server.ts'
import { pullerFor } from '../../../support/puller.ts'
import { folderWith } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const BRAND = {
  'workspace.yaml': 'id: acme\n',
  'guide/pages/index.md': '# Welcome\n',
  'other/pages/index.md': '# Other\n',
}
const server = await startGitServer()
const media = openMediaReader()
test.after(() => media.close())

/** A store, and functions that fill it. `drafts` are the snapshots of its drafts. */
async function sources() {
  const temporary = await temporaryStore()
  const { store } = temporary
  const drafts = async () => new Map((await projectStates(store, {})).map(each => [each.project, each.draft]))
  const importThem = async (files: Record<string, string>, take: string[] = []) => {
    const caps = { maxFile: 1 << 30, maxItems: 10_000 }
    const read = { media, caps, signal: new AbortController().signal, progress: () => undefined }
    const folder = join(await folderWith(files), '.')
    return importFolder(store, folder, { ...read, take, isDryRun: false, now: store.clock.date })
  }
  return { temporary, store, drafts, importThem, ...pullerFor(temporary) }
}

const taken = (name: string, to: string, from: string) =>
  `cannot import ${name} from ${to}: its content comes from ${from}; its draft is unchanged: give one of the two another id, or move the project to this source once with --take ${name}`

const errorsIn = (findings: readonly { severity: string; rule: string; message: string }[]) =>
  findings.filter(({ severity }) => severity === 'error').map(({ rule, message }) => [rule, message])

test('of two followed branches with one project, the first keeps it; the other imports the others', GIT, async () => {
  const { pull, drafts, store } = await sources()
  const { url, commit } = await server.make('two.git')
  await commit({ 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' })
  await commit({ ...BRAND, 'guide/pages/index.md': '# Next\n' }, { branch: 'next' })
  await pull({ url, ref: 'main' })
  const before = await drafts()
  const { state } = await pull({ url, ref: 'next' })
  const message = taken('acme/guide', `${url} (next)`, `${url} (main)`)
  assert.deepEqual(errorsIn(state.findings), [['project-taken', message]])
  assert.deepEqual(
    state.projects.map(({ project, imported, revision }) => [project, imported, revision]),
    [
      ['guide', false, null],
      ['other', true, 1],
    ],
  )
  const after = await drafts()
  assert.equal(after.get('guide'), before.get('guide'))
  assert.equal(importFailure([state], { workspace: 'acme', project: 'guide' }), undefined)
  assert.equal((await projectStates(store, { workspace: 'acme', project: 'guide' }))[0]?.revision, 1)
  const again = await pull({ url, ref: 'main' }, { isForced: true })
  assert.deepEqual([again.state.state, again.state.findings], ['good', []])
})

test('a source takes a project once with --take, and keeps it from then on', GIT, async () => {
  const { pull, drafts } = await sources()
  const { url, commit } = await server.make('take.git')
  await commit({ ...BRAND })
  await commit({ ...BRAND, 'guide/pages/index.md': '# Next\n', 'other/pages/index.md': '# Next\n' }, { branch: 'next' })
  await pull({ url, ref: 'main' })
  const before = await drafts()
  const take = { read: { take: ['acme/guide'] } }
  const moved = await pull({ url, ref: 'next' }, take)
  assert.deepEqual(
    errorsIn(moved.state.findings).map(([rule]) => rule),
    ['project-taken'],
  )
  const after = await drafts()
  assert.notEqual(after.get('guide'), before.get('guide'))
  assert.equal(after.get('other'), before.get('other'))
  const first = await pull({ url, ref: 'main' }, { isForced: true })
  assert.deepEqual(errorsIn(first.state.findings), [
    ['project-taken', taken('acme/guide', `${url} (main)`, `${url} (next)`)],
  ])
  await commit({ ...BRAND, 'guide/pages/index.md': '# Later\n' }, { branch: 'next' })
  const later = await pull({ url, ref: 'next' })
  assert.deepEqual(later.state.projects[0], { project: 'guide', imported: true, changed: true, revision: 3 })
})

test('another address of a repository does not fill the projects of the first one without --take', GIT, async () => {
  const { pull } = await sources()
  const { url, commit } = await server.make('address.git')
  await commit({ ...BRAND })
  await pull({ url })
  const other = url.replace('127.0.0.1', 'localhost')
  const refused = await pull({ url: other })
  assert.deepEqual(
    refused.state.projects.map(({ imported }) => imported),
    [false, false],
  )
  const moved = await pull({ url: other }, { read: { take: ['acme/guide', 'acme/other'] } })
  assert.deepEqual(
    moved.state.projects.map(({ imported }) => imported),
    [true, true],
  )
})

test('an id that changes in git fills no project of a folder, and leaves its own behind', GIT, async () => {
  const { pull, drafts, importThem, store } = await sources()
  await importThem({ 'workspace.yaml': 'id: acme\n', 'secret/pages/index.md': '# Secret\n' })
  const { url, commit } = await server.make('renamed.git')
  const nova = { 'workspace.yaml': 'id: acme\n', 'nova/pages/index.md': '# Nova\n' }
  await commit({ ...nova, 'nova/project.yaml': 'id: nova\n' })
  assert.equal((await pull({ url })).state.state, 'good')
  const before = await drafts()
  await commit({ ...nova, 'nova/project.yaml': 'id: secret\nvisibility: public\n' })
  const { state } = await pull({ url })
  assert.deepEqual(errorsIn(state.findings), [['project-taken', taken('acme/secret', url, 'an imported folder')]])
  assert.deepEqual(await drafts(), before)
  assert.deepEqual(state.gone, ['acme/nova'])
  const gone = `${url} no longer has a project with the id nova, which stays unchanged: give it this id again, or delete this one with \`housestyle delete acme/nova\``
  assert.equal(importFailure([state], { workspace: 'acme', project: 'nova' }), gone)
  const states = await projectStates(store, {})
  assert.deepEqual(
    states.map(({ project, goneFrom }) => [project, goneFrom]),
    [
      ['nova', url],
      ['secret', undefined],
    ],
  )
})

test('a folder fills no project of a followed repository, is not asked about it, and takes it', GIT, async () => {
  const { pull, drafts, importThem } = await sources()
  const { url, commit } = await server.make('folder.git')
  await commit({ ...BRAND })
  await pull({ url })
  const before = await drafts()
  const files = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Folder\n' }
  const refused = await importThem(files)
  assert.deepEqual(errorsIn(refused.findings), [['project-taken', taken('acme/guide', 'an imported folder', url)]])
  assert.deepEqual(refused.findings.length, 1)
  assert.deepEqual(await drafts(), before)
  const moved = await importThem(files, ['acme/guide'])
  assert.deepEqual(
    moved.projects.map(({ imported, changed }) => [imported, changed]),
    [[true, true]],
  )
  const pulled = await pull({ url }, { isForced: true })
  assert.deepEqual(
    errorsIn(pulled.state.findings).map(([rule]) => rule),
    ['project-taken'],
  )
})
