import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { openMediaReader } from '../../src/intake/media.ts'
import { followFolder, type PreviewRead } from '../../src/publishing/preview.ts'
import { findProject, listProjects } from '../../src/store/catalogue.ts'
import { temporaryStore } from '../support/temporary-store.ts'
import { folderWith } from '../temporary.ts'

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
