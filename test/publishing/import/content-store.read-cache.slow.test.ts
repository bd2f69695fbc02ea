import assert from 'node:assert/strict'
import fs from 'node:fs'
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import test, { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ImportResult, importFolder } from '#publishing/import/import.ts'
import { openStore, type Store } from '#store/store.ts'
import { READ_OPTIONS } from '../../intake/reading.ts'
import { type Contents, folderWith, temporaryFolder } from '../../support/temporary.ts'

const PNG = await readFile('examples/acme/guidelines/files/images/acme-share.png')

/** A folder with findings in nearly every file. */
const BRAND: Contents = {
  'a/pages/index.md': '---\ntitel: x\norder: 2\n---\n![The *mark*](logo.svg) [gone](gone.md) [b](b.md)\n',
  'a/pages/b.md': '# B & C\n\n[back](/) <img src="../files/x.png" alt="X">\n',
  'a/pages/c.md': '---\nid: moved\ndescription: d\n---\n',
  'a/pages/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="2"><title>Logo</title></svg>',
  'a/files/x.png': PNG,
  'a/files/wrong.jpg': PNG,
  'a/files/damaged.svg': '<svg',
  'a/files/notes.txt': 'x',
  'a/files/files.yaml': 'x.png: From files.yaml\nnone.png: nothing\n',
  'b/pages/index.md': '# B\n',
}

const importInto = (store: Store, folder: string): Promise<ImportResult> =>
  importFolder(store, folder, { ...READ_OPTIONS, isDryRun: false, now: () => new Date() })

/** Snapshots and findings, which must not depend on the cache. */
function essence({ projects, findings }: ImportResult): unknown {
  return { findings, snapshots: projects.map(({ project, imported, snapshot }) => [project, imported, snapshot]) }
}

/** Files that were changed more recently than this are always read again. */
const OLD_MS = 250

/** Folders for all tests, which are old enough together. */
const folders = Promise.all(Array.from({ length: 20 }, () => folderWith(BRAND))).then(async made => {
  await sleep(OLD_MS)
  return made
})

async function openStoreAndFolder(): Promise<{ store: Store; folder: string; path: (name: string) => string }> {
  const store = await openStore(join(await temporaryFolder(), 'data'))
  const folder = (await folders).pop() ?? assert.fail('all folders are used')
  return { store, folder, path: name => join(folder, name) }
}

/** The names of the pages and files that the work opens. */
async function filesOpenedBy(work: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = []
  const { openSync } = fs
  mock.method(fs, 'openSync', (path: string | URL, ...rest: [number]) => {
    // The program opens its own files by URL, some of them in folders with these names.
    if (typeof path === 'string' && /\/(pages|files)\/[^/]+$/.test(path))
      names.push(path.slice(path.lastIndexOf('/') + 1))
    return openSync(path, ...rest)
  })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  return [...new Set(names)].filter(name => name !== 'files.yaml').sort()
}

type Change = [sentence: string, change: (path: (name: string) => string) => Promise<unknown>, opened: string[]]

/** These are opened each time, because an unreadable file may become readable. */
const ALWAYS = ['damaged.svg']

const CHANGES: Change[] = [
  ['nothing', async () => undefined, []],
  ['a page', path => writeFile(path('a/pages/b.md'), '# Other [x](x.md)\n'), ['b.md']],
  [
    'a page to one of the same size, whose time is then put back',
    async path => {
      const { atime, mtime } = await stat(path('a/pages/b.md'))
      const text = await readFile(path('a/pages/b.md'), 'utf8')
      await writeFile(path('a/pages/b.md'), text.replace('B & C', 'D & E'))
      await utimes(path('a/pages/b.md'), atime, mtime)
    },
    ['b.md'],
  ],
  ['the time of a page', path => utimes(path('a/pages/b.md'), new Date(), new Date()), ['b.md']],
  ['the name of a page', path => rename(path('a/pages/b.md'), path('a/pages/d.md')), ['d.md']],
  [
    'the names of two pages, each for the other',
    async path => {
      await rename(path('a/pages/b.md'), path('a/b'))
      await rename(path('a/pages/index.md'), path('a/pages/b.md'))
      await rename(path('a/b'), path('a/pages/index.md'))
    },
    ['b.md', 'index.md'],
  ],
  ['a page away', path => rm(path('a/pages/b.md')), []],
  ['a picture away that pages show', path => rm(path('a/pages/logo.svg')), []],
  ['a picture', path => writeFile(path('a/pages/logo.svg'), '<svg width="7" height="7"/>'), ['logo.svg']],
  ['the ending of a file', path => rename(path('a/files/wrong.jpg'), path('a/files/right.png')), ['right.png']],
  ['what files.yaml says', path => writeFile(path('a/files/files.yaml'), 'x.png: Otherwise\n'), []],
]

for (const [sentence, change, names] of CHANGES)
  test(`the read cache is used after a change of ${sentence}, with the same result as reading everything`, async () => {
    const { store, folder, path } = await openStoreAndFolder()
    const first = await importInto(store, folder)
    assert.ok(first.findings.length > 4)
    await change(path)
    await sleep(OLD_MS)
    let again: ImportResult = first
    const found = await filesOpenedBy(async () => {
      again = await importInto(store, folder)
    })
    assert.deepEqual(found, [...ALWAYS, ...names].sort())
    const fresh = await openStore(join(await temporaryFolder(), 'data'))
    assert.deepEqual(essence(again), essence(await importInto(fresh, folder)))
    assert.deepEqual(await filesOpenedBy(() => importInto(store, folder)), ALWAYS)
    await fresh.close()
    await store.close()
  })

test('the read cache does not keep a file that was written just before it was read', async () => {
  const { store, folder, path } = await openStoreAndFolder()
  await importInto(store, folder)
  for (let at = 0; at < 20; at++) {
    const text = `# ${String(at).padStart(4)}\n`
    await writeFile(path('b/pages/index.md'), text)
    const { projects } = await importInto(store, folder)
    assert.deepEqual(projects[1]?.pages.changed, ['index'], text)
  }
  await store.close()
})

test('the read cache ignores entries of other versions and entries whose content the store has lost', async () => {
  const { store, folder } = await openStoreAndFolder()
  const first = await importInto(store, folder)
  const all = [...ALWAYS, 'b.md', 'c.md', 'index.md', 'logo.svg', 'notes.txt', 'wrong.jpg', 'x.png'].sort()
  await store.database.run("UPDATE seen SET stamp = 'other' || stamp")
  assert.deepEqual(await filesOpenedBy(() => importInto(store, folder)), all)
  await store.database.run("DELETE FROM object WHERE hash IN (SELECT content FROM seen WHERE path = 'a/pages/b.md')")
  assert.deepEqual(await filesOpenedBy(() => importInto(store, folder)), [...ALWAYS, 'b.md'].sort())
  assert.deepEqual(essence(await importInto(store, folder)), essence(first))
  await store.close()
})

test('the read cache drops the entries of removed files', async () => {
  const { store, folder, path } = await openStoreAndFolder()
  await importInto(store, folder)
  const paths = async () => (await store.database.all('SELECT path FROM seen ORDER BY path')).map(row => row.path)
  const before = await paths()
  await rm(path('a/files/notes.txt'))
  await importInto(store, folder)
  const kept = before.filter(each => each !== 'a/files/notes.txt')
  assert.deepEqual(kept, await paths())
  assert.equal(before.length, 8)
  await store.close()
})

test('a dry run does not use the read cache', async () => {
  const { store, folder } = await openStoreAndFolder()
  await importInto(store, folder)
  const options = { ...READ_OPTIONS, isDryRun: true, now: () => new Date() }
  assert.equal((await filesOpenedBy(() => importFolder(store, folder, options))).length, 8)
  await store.close()
})

test('the read cache leaves no partial files if an import is stopped', async () => {
  const data = join(await temporaryFolder(), 'data')
  const store = await openStore(data)
  const folder = await folderWith(BRAND)
  const stop = new AbortController()
  const options = { ...READ_OPTIONS, isDryRun: false, now: () => new Date(), signal: stop.signal }
  let done = 0
  const progress = () => void (++done === 6 && stop.abort())
  await assert.rejects(importFolder(store, folder, { ...options, progress }), { name: 'AbortError' })
  assert.deepEqual(await readdir(join(data, 'files/.incoming')), [])
  await store.close()
})
