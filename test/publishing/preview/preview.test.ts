import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { openMediaReader } from '../../../src/intake/media/media.ts'
import { followFolder, type PreviewEvent, type PreviewRead } from '../../../src/publishing/preview/preview.ts'
import { findProject, listProjects } from '../../../src/store/catalogue/catalogue.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { folderWith } from '../../temporary.ts'

test('every project is public, whatever it says; the projects of an earlier id of the workspace are removed', {
  timeout: 60_000,
}, async t => {
  const { store } = await temporaryStore()
  const folder = await folderWith({ 'guide/project.yaml': 'visibility: private\n', 'guide/pages/index.md': '# One\n' })
  const media = openMediaReader()
  const ending = new AbortController()
  const reads: PreviewRead[] = []
  const { promise: both, resolve } = Promise.withResolvers<void>()
  const following = followFolder(store, folder, {
    ...{ media, caps: { maxFile: 1 << 20, maxItems: 100 }, signal: ending.signal, now: () => new Date() },
    tell: news => {
      assert.equal(news.kind, 'read')
      if (news.kind === 'read') reads.push(news)
      if (reads.length === 1) void writeFile(join(folder, 'workspace.yaml'), 'id: nova\n')
      else resolve()
    },
  })
  t.after(async () => {
    ending.abort()
    await following
    await media.close()
  })
  await both
  assert.deepEqual(
    reads.map(({ workspace, removed }) => [workspace, removed]),
    [
      ['acme', []],
      ['nova', [{ workspace: 'acme', project: 'guide' }]],
    ],
  )
  assert.equal((await findProject(store.database, 'nova', 'guide'))?.published?.visibility, 'public')
  assert.equal((await listProjects(store.database)).length, 1)
})

test('what is published is told with all that it changes, a draft of an earlier reading among it', {
  timeout: 60_000,
}, async t => {
  const contents = { 'guide/pages/index.md': '# One\n' }
  const { store, importing } = await temporaryStore()
  await importing('acme', contents)
  const media = openMediaReader()
  const ending = new AbortController()
  t.after(() => media.close())
  const { promise, resolve } = Promise.withResolvers<PreviewEvent>()
  const following = followFolder(store, await folderWith({ ...contents, 'guide/pages/more.md': '# More\n' }), {
    ...{ media, caps: { maxFile: 1 << 20, maxItems: 100 }, signal: ending.signal, now: () => new Date() },
    tell: resolve,
  })
  const news = await promise
  ending.abort()
  await following
  const published = news.kind === 'read' ? news.published : []
  assert.deepEqual(
    published.map(({ pages }) => pages),
    [{ added: ['index', 'more'], changed: [], removed: [] }],
  )
})
