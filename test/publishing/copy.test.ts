import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { ProjectRef } from '#brand/ids.ts'
import { ok } from '#platform/base/result.ts'
import { unwrap } from '#program/cli/failure.ts'
import { remove, unpublish } from '#publishing/change-project.ts'
import { type CopyOptions, copyProject } from '#publishing/copy.ts'
import { diff } from '#publishing/diff.ts'
import { history, retract, rollback } from '#publishing/history.ts'
import { publish } from '#publishing/publish.ts'
import { projectStates } from '#publishing/status.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { openStore, type Store } from '#store/store.ts'
import { copyUnderWay } from '../support/copy-under-way.ts'
import { testService } from '../support/service.ts'
import { publishedStore, type TemporaryStore, temporaryStore } from '../support/temporary-store.ts'

const place = (text: string): ProjectRef => {
  const [workspace = '', project = ''] = text.split('/')
  return { workspace, project }
}
const options = (): CopyOptions => ({
  now: () => new Date(),
  signal: new AbortController().signal,
  progress: () => undefined,
})
const copy = (store: Store, source: string, target: string, more: Partial<CopyOptions> = {}) =>
  copyProject(store, place(source), place(target), { ...options(), ...more })
const published = async (store: Store, text: string) => {
  const { workspace, project } = place(text)
  return (await findProject(store.database, workspace, project))?.published
}
const state = async (store: Store, text: string) => (await projectStates(store, place(text)))[0]

const GUIDE = {
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Guide\n\n[a file](../files/a.txt)\n',
  'guide/styles/colors.yaml': '- {name: Ink, hex: "000"}\n',
  'guide/files/a.txt': 'first\n',
}

/** Publishes `acme/guide` and then changes its draft. */
async function publishThenDraft(): Promise<TemporaryStore> {
  const temporary = await publishedStore('acme/guide', GUIDE)
  await temporary.importing('acme', { 'guide/pages/next.md': '# Next\n', 'guide/files/b.txt': 'second\n' })
  return temporary
}

for (const target of ['acme/spring', 'other/guide'])
  test(`a copy to ${target} has a draft, a publication with one revision, and its own file addresses`, async () => {
    const temporary = await publishThenDraft()
    const { store } = temporary
    const { ask, follow } = await testService(temporary)
    assert.deepEqual(await copy(store, 'acme/guide', target), ok({ revision: 1, isNowPrivate: false }))
    const [source, made] = [await state(store, 'acme/guide'), await state(store, target)]
    assert.ok(source && made)
    const { createdAt, updatedAt, publishedAt } = made
    assert.deepEqual(made, { ...source, ...place(target), createdAt, updatedAt, publishedAt })
    assert.deepEqual([made.status, updatedAt, publishedAt], ['Changed', createdAt, createdAt])
    const entries = unwrap(await history(store, place(target)))
    const seen = entries.map(({ note, current }) => [note, current])
    assert.deepEqual(seen, [['Copied from acme/guide', true]])
    await follow()
    const { workspace, project } = place(target)
    const { token } = await temporary.issue(workspace)
    const base = `/beta/workspace/${workspace}/project/${project}`
    const { files } = JSON.parse((await ask(`${base}/files`, { token })).text)
    assert.equal(files.length, 1)
    const { pathname } = new URL(files[0].url)
    assert.ok(pathname.startsWith(`/${target}/-/files/`))
    assert.equal((await ask(pathname)).text, 'first\n')
    const page = JSON.parse((await ask(`${base}/page/index`, { token })).text)
    assert.ok(page.content.includes(files[0].url))
    await publish(store, place(target), {}, new Date())
    await follow()
    assert.equal(JSON.parse((await ask(`${base}/files`, { token })).text).files.length, 2)
  })

test('a copy to another workspace shares no content: it stays complete when its source is deleted', async () => {
  const { store, data } = await publishThenDraft()
  await copy(store, 'acme/guide', 'other/guide')
  const objects = await store.database.all("SELECT hash, bytes FROM object WHERE workspace = 'other'")
  for (const { hash, bytes } of objects) {
    assert.ok(bytes instanceof Uint8Array)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), hash)
  }
  const kept = await readdir(join(data, 'files/other'), { recursive: true })
  assert.equal(kept.filter(name => /[0-9a-f]{64}$/.test(name)).length, 2)
  await store.database.run("DELETE FROM object WHERE workspace = 'acme'")
  const { pages, files } = unwrap(await diff(store, place('other/guide'), 'published', 'draft'))
  assert.deepEqual([pages.map(({ id }) => id), files.map(({ id }) => id)], [['next'], ['files/b.txt']])
})

test('a copy over a project adds one revision to its history, and replaces its draft', async () => {
  const temporary = await publishThenDraft()
  const { store } = temporary
  await temporary.publishing('acme/spring', {
    'spring/pages/index.md': '# Spring\n',
    'spring/project.yaml': 'name: S\n',
  })
  const before = await state(store, 'acme/spring')
  assert.deepEqual(await copy(store, 'acme/guide', 'acme/spring'), ok({ revision: 2, isNowPrivate: false }))
  const after = await state(store, 'acme/spring')
  assert.deepEqual([after?.name, after?.status, after?.revision], ['Guide', 'Changed', 2])
  assert.equal(after?.createdAt, before?.createdAt)
  const entries = unwrap(await history(store, place('acme/spring')))
  const seen = entries.map(({ revision, snapshot }) => [revision, snapshot])
  assert.deepEqual(seen, [
    [2, after?.published],
    [1, before?.published],
  ])
})

test('a copy of an unpublished project replaces only the draft; the publication of the target does not change', async () => {
  const temporary = await publishThenDraft()
  const { store } = temporary
  await temporary.importing('acme', { 'spring/pages/index.md': '# Spring\n' })
  const before = await published(store, 'acme/guide')
  assert.deepEqual(await copy(store, 'acme/spring', 'acme/guide'), ok({ revision: undefined, isNowPrivate: false }))
  assert.deepEqual(await published(store, 'acme/guide'), before)
  assert.equal((await state(store, 'acme/guide'))?.draft, (await state(store, 'acme/spring'))?.draft)
  assert.equal((await state(store, 'acme/guide'))?.status, 'Changed')
  assert.deepEqual(await copy(store, 'acme/spring', 'acme/autumn'), ok({ revision: undefined, isNowPrivate: false }))
  assert.equal((await state(store, 'acme/autumn'))?.status, 'Draft')
})

const OPENNESS = [
  ['private', 'private', 'private'],
  ['private', 'public', 'private'],
  ['public', 'private', 'private'],
  ['public', 'public', 'public'],
  ['public', undefined, 'public'],
  ['private', undefined, 'private'],
] as const
for (const [source, target, result] of OPENNESS)
  test(`a copy of a ${source} project over ${target ? `a ${target} one` : 'nothing'} is ${result}, and so are its revisions`, async () => {
    const temporary = await temporaryStore()
    const { store } = temporary
    const openness = { private: 'private', public: 'served' } as const
    const yaml = (open: keyof typeof openness) => `visibility: ${open}\nrevisions: ${openness[open]}\n`
    await temporary.publishing('acme/a', { 'a/project.yaml': yaml(source), 'a/pages/index.md': '# A\n' })
    if (target) {
      await temporary.publishing('acme/b', { 'b/project.yaml': yaml(target), 'b/pages/index.md': '# B\n' })
    }
    const { isNowPrivate } = unwrap(await copy(store, 'acme/a', 'acme/b'))
    const after = await published(store, 'acme/b')
    assert.deepEqual([after?.visibility, after?.revisions], [result, openness[result]])
    assert.equal(isNowPrivate, target === 'public' && result === 'private')
    assert.equal((await state(store, 'acme/b'))?.status, 'UpToDate')
  })

test('a copy over a project that was unpublished as private stays private', async () => {
  const temporary = await publishThenDraft()
  const { store } = temporary
  await temporary.publishing('acme/b', { 'b/project.yaml': 'visibility: private\n', 'b/pages/index.md': '# B\n' })
  await unpublish(store, place('acme/b'), new Date())
  await copy(store, 'acme/guide', 'acme/b')
  assert.equal((await published(store, 'acme/b'))?.visibility, 'private')
})

for (const [source, target, code] of [
  ['acme/guide', 'acme/guide', 'project_same'],
  ['acme/gone', 'acme/spring', 'project_unknown'],
  ['acme/guide', 'acme/No Slug', 'id_invalid'],
  ['acme/guide', 'docs/guide', 'id_invalid'],
] as const)
  test(`a copy from ${source} to ${target} fails with ${code} and leaves nothing behind`, async () => {
    const { store } = await publishThenDraft()
    const before = await projectStates(store, {})
    const outcome = await copy(store, source, target)
    assert.equal(!outcome.ok && outcome.problem.code, code)
    assert.deepEqual(await projectStates(store, {}), before)
    assert.deepEqual(await store.database.all('SELECT id FROM copy'), [])
  })

test('during a copy, source and target have the status Processing and serve their published revisions; an unpublished target stays 404', async () => {
  const temporary = await publishThenDraft()
  const { store } = temporary
  await temporary.importing('acme', { 'spring/pages/index.md': '# Spring\n' })
  const { ask, follow } = await testService(temporary)
  const { token } = await temporary.issue('acme')
  const get = async (path: string) => {
    await follow()
    const { status, text } = await ask(`/beta/workspace/acme/project/${path}`, { token })
    return status === 200 ? JSON.parse(text) : status
  }
  const [project, pages] = [await get('guide'), await get('guide/pages')]
  const release = await copyUnderWay(store, place('acme/guide'), place('acme/spring'))
  assert.deepEqual(await get('guide'), { ...project, status: 'Processing' })
  assert.deepEqual(await get('guide/pages'), pages)
  assert.equal(await get('spring'), 404)
  const statuses = (await projectStates(store, {})).map(({ status }) => status)
  assert.deepEqual(statuses, ['Processing', 'Processing'])
  release()
  await copy(store, 'acme/spring', 'acme/autumn')
  assert.deepEqual(await get('guide'), project)
})

test('during a copy, every other command on source or target fails with a clear message, and an import does not change them', async () => {
  const temporary = await publishThenDraft()
  const { store } = temporary
  await temporary.importing('acme', { 'spring/pages/index.md': '# Spring\n' })
  const release = await copyUnderWay(store, place('acme/guide'), place('acme/spring'))
  const before = await projectStates(store, {})
  const now = new Date()
  for (const name of ['acme/guide', 'acme/spring']) {
    const busy = place(name)
    const outcomes = [
      await publish(store, busy, {}, now),
      await unpublish(store, busy, now),
      await rollback(store, busy, undefined, now),
      await retract(store, busy, 1, now),
      await remove(store, busy, now),
      await copy(store, name, 'acme/other'),
      await copy(store, name === 'acme/guide' ? 'acme/spring' : 'acme/guide', name),
    ]
    const message = /^acme\/(?:guide|spring) is being copied: try again when that is done$/
    for (const outcome of outcomes) {
      assert.ok(!outcome.ok)
      assert.equal(outcome.problem.code, 'project_copying')
      assert.match(outcome.problem.message, message)
    }
  }
  const { projects, findings } = await temporary.importing('acme', {
    'guide/pages/late.md': '# Late\n',
    'free/pages/index.md': '# Free\n',
  })
  const seen = projects.map(({ project, imported }) => [project, imported])
  assert.deepEqual(seen, [
    ['free', true],
    ['guide', false],
    ['spring', false],
  ])
  const found = findings.map(({ rule, project, message }) => [rule, project, message])
  const expected = ['guide', 'spring'].map(id => [
    'project-copying',
    id,
    `acme/${id} is being copied: try again when that is done; its draft is unchanged`,
  ])
  assert.deepEqual(found, expected)
  assert.deepEqual((await projectStates(store, {})).slice(1), before)
  release()
})

test('during a copy to a new project, no other command creates it', async () => {
  const temporary = await publishThenDraft()
  const { store } = temporary
  const release = await copyUnderWay(store, place('acme/guide'), place('acme/spring'))
  await temporary.importing('acme', { 'other/pages/index.md': '# Other\n' })
  const outcome = await copy(store, 'acme/other', 'acme/spring')
  assert.equal(outcome.ok, false)
  const { projects } = await temporary.importing('acme', { 'spring/pages/index.md': '# Spring\n' })
  assert.equal(projects.find(({ project }) => project === 'spring')?.imported, false)
  release()
})

test('an import that started before a copy neither mixes with it nor is lost', async () => {
  const temporary = await publishThenDraft()
  const { store, data } = temporary
  const other = await openStore(data)
  let imported: Promise<unknown> | undefined
  const progress = () => {
    imported ??= temporary.importing('acme', { 'guide/pages/late.md': '# Late\n' })
  }
  await copy(other, 'acme/guide', 'other/guide', { progress })
  await imported
  await other.close()
  const whole = unwrap(await diff(store, place('other/guide'), 'published', 'draft'))
  const ids = whole.pages.map(({ id }) => id)
  assert.deepEqual(ids, ['next'])
  await temporary.importing('acme', {})
  const late = unwrap(await diff(store, place('acme/guide'), 'published', 'draft'))
  assert.deepEqual(late.pages.map(({ id }) => id).toSorted(), ['late', 'next'])
})

test('a copy that is interrupted at any moment changes nothing, and can be repeated', async () => {
  const { store, data } = await publishThenDraft()
  const before = await projectStates(store, {})
  let stopped = 0
  for (let at = 1; ; at++) {
    const stop = new AbortController()
    const progress = (done: number) => void (done === at && stop.abort())
    const outcome = await copy(store, 'acme/guide', 'other/guide', { signal: stop.signal, progress }).catch(
      (error: unknown) => error,
    )
    if (!(outcome instanceof Error)) break
    assert.equal(outcome.name, 'AbortError')
    assert.deepEqual(await projectStates(store, {}), before)
    stopped++
  }
  assert.ok(stopped > 5)
  // Only the lock file of the store's contents remains.
  assert.equal((await readdir(join(data, 'locks'))).length, 2)
  assert.equal((await state(store, 'other/guide'))?.status, 'Changed')
})
