import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { openMediaReader } from '#intake/media/media.ts'
import { type PreviewEvent, type PreviewRead, previewFolder } from '#publishing/preview/preview.ts'
import { findProject, listProjects } from '#store/catalogue/catalogue.ts'
import type { Store } from '#store/store.ts'
import { folderWith } from '../../support/temporary.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

test('every project is public regardless of its settings; projects under an earlier workspace id are removed', async t => {
  const { store } = await temporaryStore()
  const folder = await folderWith({ 'guide/project.yaml': 'visibility: private\n', 'guide/pages/index.md': '# One\n' })
  const reads = await readsAround(t, store, folder, ['workspace.yaml', 'id: nova\n'])
  const seen = reads.map(({ workspace, removed }) => [workspace, removed])
  assert.deepEqual(seen, [
    ['acme', []],
    ['nova', [{ workspace: 'acme', project: 'guide' }]],
  ])
  assert.equal((await findProject(store.database, 'nova', 'guide'))?.published?.visibility, 'public')
  assert.equal((await listProjects(store.database)).length, 1)
})

test('a published event names all changes, including changes of an earlier unpublished import', async t => {
  const contents = { 'guide/pages/index.md': '# One\n' }
  const { store, importing } = await temporaryStore()
  await importing('acme', contents)
  const media = openMediaReader()
  const ending = new AbortController()
  t.after(() => media.close())
  const { promise, resolve } = Promise.withResolvers<PreviewEvent>()
  const previewing = previewFolder(store, await folderWith({ ...contents, 'guide/pages/more.md': '# More\n' }), {
    media,
    caps: { maxFile: 1 << 20, maxItems: 100 },
    signal: ending.signal,
    now: () => new Date(),
    send: resolve,
  })
  const event = await promise
  ending.abort()
  await previewing
  const published = event.kind === 'read' ? event.published : []
  const seen = published.map(({ pages }) => pages)
  assert.deepEqual(seen, [{ added: ['index', 'more'], changed: [], removed: [] }])
})

test('a translation appears with its original, also if that had an error first, and follows it', async t => {
  const { store } = await temporaryStore()
  const folder = await folderWith({
    'guide/pages/index.md': '# One\n',
    'guide/styles/colors.yaml': '- { name: Ink, hex: "#1" }\n',
    'a-de/project.yaml': 'lang: de\ntranslationOf: guide\n',
    'a-de/pages/index.md': '# Eins\n',
  })
  const reads = await readsAround(t, store, folder, ['guide/styles/colors.yaml', '- { name: Ink, hex: "#111111" }\n'])
  const seen = reads.map(({ published }) => published.map(({ project }) => project))
  assert.deepEqual(seen, [[], ['guide', 'a-de']])
})

/** Previews a folder until the end of a test. Returns what it reads first, and again after a change of one file. */
async function readsAround(
  t: TestContext,
  store: Store,
  folder: string,
  [path, text]: readonly [path: string, text: string],
): Promise<PreviewRead[]> {
  const media = openMediaReader()
  const ending = new AbortController()
  const reads: PreviewRead[] = []
  const { promise: both, resolve } = Promise.withResolvers<void>()
  const previewing = previewFolder(store, folder, {
    media,
    caps: { maxFile: 1 << 20, maxItems: 100 },
    signal: ending.signal,
    now: () => new Date(),
    send: event => {
      assert.equal(event.kind, 'read')
      if (event.kind === 'read') reads.push(event)
      if (reads.length === 1) void writeFile(join(folder, path), text)
      else resolve()
    },
  })
  t.after(async () => {
    ending.abort()
    await previewing
    await media.close()
  })
  await both
  return reads
}
