import assert from 'node:assert/strict'
import fs from 'node:fs'
import { cp, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import test, { mock } from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { type ImportResult, importFolder } from '#publishing/import/import.ts'
import { type PublishResult, publish } from '#publishing/publish.ts'
import { type ProjectState, projectStates } from '#publishing/status.ts'
import { findProfile, listWorkspaces } from '#store/catalogue/catalogue.ts'
import { openStore, type Store } from '#store/store.ts'
import { lines, READ_OPTIONS } from '#test/intake/reading.ts'
import { housestyle } from '#test/program/cli/housestyle.ts'
import { type Contents, folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { SMALL_BRAND } from '#test/support/temporary-store.ts'

const SITE: Contents = {
  'workspace.yaml': 'name: Acme\n',
  'a/project.yaml': 'name: Guide\n',
  'a/pages/index.md': '---\ndescription: d\n---\n![l](logo.svg)',
  'a/pages/b.md': '---\ndescription: d\n---\n# B\n',
  'a/pages/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="2"/>',
  'a/styles/colors.yaml': '- {name: Ink, hex: "000", pms: 1 C}\n',
  'a/styles/types.yaml': '- {name: Body, features: {tnum: 1, liga: 0}}\n',
  'a/files/cafe\u0301.txt': 'x',
  'b/pages/index.md': '# B\n',
}

type Opened = {
  store: Store
  folder: string
  write: (path: string, text: string) => Promise<void>
  importIt: (isDryRun?: boolean) => Promise<ImportResult>
  publishIt: (project: string) => Promise<PublishResult | undefined>
  states: () => Promise<ProjectState[]>
}

/** A store, a clock that advances a second with each reading, and the operations on them. */
async function openStoreAndFolder(contents: Contents = SITE): Promise<Opened> {
  const store = await openStore(join(await temporaryFolder(), 'data'))
  const folder = await folderWith(contents)
  let time = Date.UTC(2026, 0, 1)
  const now = () => {
    time += 1000
    return new Date(time)
  }
  return {
    store,
    folder,
    write: (path: string, text: string) => writeFile(join(folder, path), text),
    importIt: (isDryRun = false) => importFolder(store, folder, { ...READ_OPTIONS, isDryRun, now }),
    publishIt: async (project: string) => unwrap(await publish(store, { workspace: 'acme', project }, {}, now())),
    states: () => projectStates(store, {}),
  }
}

const none = { added: [], changed: [], removed: [] }
const unchanged = { pages: none, styles: none, files: none }

test('importing reports only added, changed and removed items', async () => {
  const { folder, write, importIt, store } = await openStoreAndFolder()
  const first = await importIt()
  assert.deepEqual(first.findings, [])
  const { snapshot, ...guide } = first.projects[0] ?? {}
  assert.match(String(snapshot), /^[0-9a-f]{64}$/)
  assert.deepEqual(guide, {
    project: 'a',
    imported: true,
    changed: true,
    pages: { ...none, added: ['index', 'b'] },
    styles: { ...none, added: ['ink', 'body'] },
    files: { ...none, added: ['files/cafe\u0301.txt', 'pages/logo.svg'] },
  })
  await write('a/pages/b.md', '# Other\n')
  await write('a/pages/c.md', '# C\n')
  await write('a/styles/colors.yaml', '')
  await rm(join(folder, 'a/pages/logo.svg'))
  const second = await importIt()
  const { snapshot: next, ...changes } = second.projects[0] ?? {}
  assert.notEqual(next, snapshot)
  assert.deepEqual(changes, {
    project: 'a',
    imported: true,
    changed: true,
    pages: { added: ['c'], changed: ['index', 'b'], removed: [] },
    styles: { ...none, removed: ['ink'] },
    files: { ...none, removed: ['pages/logo.svg'] },
  })
  assert.deepEqual(second.projects[1], { ...first.projects[1], changed: false, ...unchanged })
  await store.close()
})

test('importing again changes nothing, not even updatedAt', async () => {
  const { importIt, states, store } = await openStoreAndFolder()
  const { projects } = await importIt()
  const before = await states()
  const again = await importIt()
  const expected = projects.map(project => ({ ...project, changed: false, ...unchanged }))
  assert.deepEqual(again.projects, expected)
  assert.deepEqual(await states(), before)
  await store.close()
})

test('importing gives the same snapshots as earlier versions if the folder uses no newer features', async () => {
  const { importIt, store } = await openStoreAndFolder(SMALL_BRAND)
  const { projects } = await importIt(true)
  const seen = projects.map(each => [each.project, each.imported && each.snapshot])
  assert.deepEqual(seen, [
    ['empty', '30f2706f678d437e44a40653db5445ade8a9314d6d25c756f665388964814423'],
    ['guidelines', 'cf915bfdaf5270e2cf7591013d2815ee8ee63a796d189f5e78e6f4575470fb25'],
    ['hidden', 'bb185e6d139e3051ebe29e70f02c21607065c6ce2a3be24f393d9e51410bdc04'],
  ])
  await store.close()
})

test('importing gives the same snapshots and findings for any order of folder entries', async () => {
  const { importIt, write, store } = await openStoreAndFolder()
  await write('a/pages/b.md', '[gone](gone) ![other](logo.svg)')
  await write('a/pages/c.md', '---\nid: b\n---\n')
  const { projects, findings } = await importIt(true)
  const { readdir } = fs.promises
  try {
    for (const direction of [1, -1]) {
      mock.method(fs.promises, 'readdir', async (path: string, options: { withFileTypes: true }) => {
        const entries = await readdir(path, options)
        return entries.sort((a, b) => (String(a.name ?? a) < String(b.name ?? b) ? direction : -direction))
      })
      syncBuiltinESMExports()
      assert.deepEqual(await importIt(true), { workspace: 'acme', projects, findings })
      mock.restoreAll()
    }
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  await store.close()
})

test('importing keeps the draft of a project with an error, and updates the others', async () => {
  const { write, importIt, states, store } = await openStoreAndFolder()
  const { projects } = await importIt()
  const before = await states()
  await write('a/project.yaml', 'nmae: x\n')
  await write('b/pages/index.md', '# Changed\n')
  const result = await importIt()
  assert.deepEqual(lines(result.findings), ['a/project.yaml:1 error key-unknown'])
  const [a, b] = result.projects
  assert.deepEqual(a, { ...projects[0], imported: false, changed: false, ...unchanged })
  assert.deepEqual([b?.imported, b?.changed, b?.pages.changed], [true, true, ['index']])
  const after = await states()
  assert.deepEqual(after[0], before[0])
  assert.notEqual(after[1]?.draft, before[1]?.draft)
  await store.close()
})

test('importing keeps a project that is no longer in the folder and warns, unless its project.yaml cannot be read', async () => {
  const { folder, write, importIt, states, store } = await openStoreAndFolder()
  await importIt()
  const before = await states()
  await write('a/project.yaml', 'id: "pinned\n')
  assert.deepEqual(lines((await importIt()).findings), ['a/project.yaml:2 error yaml-syntax'])
  await rm(join(folder, 'a'), { recursive: true })
  const { findings, projects } = await importIt()
  assert.deepEqual(lines(findings), ['.: warning project-missing'])
  assert.deepEqual([findings[0]?.project, projects.map(({ project }) => project)], ['a', ['b']])
  assert.deepEqual(await states(), before)
  await store.close()
})

test('importing a workspace that has an error itself imports nothing', async () => {
  const { importIt, states, store } = await openStoreAndFolder({ ...SITE, 'workspace.yaml': 'id: docs' })
  const { workspace, projects } = await importIt()
  assert.deepEqual([workspace, projects, await states()], [null, [], []])
  await store.close()
})

test('an import that is stopped at any moment changes no draft, and can be repeated', async () => {
  const { store, folder, write, importIt, states } = await openStoreAndFolder()
  await importIt()
  const before = await states()
  await write('a/pages/b.md', '# Other\n')
  for (let at = 0; at < 5; at++) {
    const stop = new AbortController()
    let steps = 0
    const progress = () => void (steps++ === at && stop.abort())
    const options = { ...READ_OPTIONS, isDryRun: false, now: () => new Date(), signal: stop.signal, progress }
    await assert.rejects(importFolder(store, folder, options), { name: 'AbortError' })
    assert.deepEqual(await states(), before)
  }
  assert.equal((await importIt()).projects[0]?.changed, true)
  await store.close()
})

test('the status of a project follows imports and publications, and its dates change only with draft and publication', async () => {
  const { write, importIt, publishIt, states, store } = await openStoreAndFolder()
  const state = async (): Promise<unknown> => {
    const [a] = await states()
    return a && [a.status, a.name, a.createdAt, a.updatedAt, a.publishedAt, a.revision]
  }
  await importIt()
  const created = (await states())[0]?.createdAt ?? ''
  assert.deepEqual(await state(), ['Draft', 'Guide', created, created, null, null])
  const one = await publishIt('a')
  const first = one?.publishedAt ?? ''
  assert.deepEqual([one?.revision, one?.changed], [1, true])
  assert.deepEqual(await state(), ['UpToDate', 'Guide', created, first, first, 1])
  await importIt()
  assert.deepEqual(await publishIt('a').then(again => again?.changed), false)
  assert.deepEqual(await state(), ['UpToDate', 'Guide', created, first, first, 1])
  await write('a/project.yaml', 'name: Renamed\nvisibility: public\n')
  await importIt()
  const [changed] = await states()
  assert.deepEqual([changed?.status, changed?.name, changed?.publishedAt], ['Changed', 'Renamed', first])
  assert.ok(changed && changed.updatedAt > first && changed.draft !== changed.published)
  await write('a/project.yaml', 'name: Guide\n')
  await importIt()
  assert.equal((await states())[0]?.status, 'UpToDate')
  await write('a/project.yaml', 'name: Guide\nvisibility: public\n')
  await importIt()
  assert.equal((await states())[0]?.status, 'Changed')
  assert.equal((await publishIt('a'))?.revision, 2)
  await assert.rejects(publishIt('gone'), { code: 'project_unknown' })
  await store.close()
})

test('a new name and contact of a workspace are served after the next publication, even if no project has changed', async () => {
  const { write, importIt, publishIt, store } = await openStoreAndFolder()
  const name = async () => (await listWorkspaces(store.database)).map(({ name }) => name)
  const contact = async () => (await findProfile(store.database, 'acme'))?.contact
  await importIt()
  await publishIt('a')
  await write('workspace.yaml', 'name: Acme Ltd\ncontact: brand@acme.example\n')
  await importIt()
  assert.deepEqual([await name(), await contact()], [['Acme'], undefined])
  assert.equal((await publishIt('a'))?.changed, false)
  assert.deepEqual([await name(), await contact()], [['Acme Ltd'], 'brand@acme.example'])
  await write('workspace.yaml', 'name: Acme Ltd\n')
  await importIt()
  assert.equal(await contact(), 'brand@acme.example')
  await publishIt('a')
  assert.equal(await contact(), undefined)
  await store.close()
})

const PAGES = { 'pages/index.md': '# Nova\n', 'pages/logo.md': '# Logo\n' }

async function importing(cwd: string, folder: string, ...more: string[]) {
  const { status, stdout } = await housestyle(['import', folder, '--json', ...more], { cwd })
  assert.equal(status, 0)
  const { findings }: { findings: { rule: string; severity: string; message: string }[] } = JSON.parse(stdout)
  return findings.filter(({ rule }) => rule === 'workspace-new')
}

test('a checkout under another name causes one warning, in a dry run and in the import', async () => {
  const cwd = await temporaryFolder()
  const nova = await folderWith(PAGES, 'nova', cwd)
  assert.deepEqual(await importing(cwd, nova), [])
  await cp(nova, join(cwd, 'checkout'), { recursive: true })
  for (const more of [['--dry-run'], []]) {
    const [noticed] = await importing(cwd, 'checkout', ...more)
    assert.equal(noticed?.severity, 'warning')
    assert.match(noticed?.message ?? '', /this store has nova\/nova; pin `id:`/)
  }
  assert.deepEqual(await importing(cwd, 'checkout'), [])
})

test('importing the folder of a project instead of its workspace causes a warning', async () => {
  const cwd = await temporaryFolder()
  const acme = await folderWith({ 'guidelines/pages/index.md': '# Acme\n' }, 'acme', cwd)
  assert.deepEqual(await importing(cwd, acme), [])
  const [noticed] = await importing(cwd, join(acme, 'guidelines'))
  assert.match(
    noticed?.message ?? '',
    /this store has acme\/guidelines; pin `id:`.* or import the folder of its workspace/,
  )
})

test('another brand, and a workspace with a pinned id, are imported without a warning', async () => {
  const cwd = await temporaryFolder()
  assert.deepEqual(await importing(cwd, await folderWith(PAGES, 'nova', cwd)), [])
  const other = { 'guide/pages/index.md': '# Other\n', 'guide/pages/logo.md': '# Its logo\n' }
  assert.deepEqual(await importing(cwd, await folderWith(other, 'other', cwd)), [])
  const pinned = await folderWith({ ...PAGES, 'workspace.yaml': 'id: pinned\n' }, 'again', cwd)
  assert.deepEqual(await importing(cwd, pinned), [])
})

test('init pins the ids of workspace and project, so that they do not depend on the name of the folder', async () => {
  const cwd = await temporaryFolder()
  await housestyle(['init', 'nova'], { cwd })
  assert.equal((await housestyle(['import', 'nova'], { cwd })).status, 0)
  await cp(join(cwd, 'nova'), join(cwd, 'checkout'), { recursive: true })
  const { stdout } = await housestyle(['import', 'checkout'], { cwd })
  assert.equal(stdout, 'nova/nova: nothing changed\n')
})
