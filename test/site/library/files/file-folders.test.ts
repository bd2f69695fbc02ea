import assert from 'node:assert/strict'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import { hashOf } from '#brand/snapshot.ts'
import { type FileFolder, folderAt, folderPages, MAX_ITEMS, pagesOf } from '#site/library/files/file-folders.ts'

test('a page has 300 items; one with many formats or a long description takes the space of several', () => {
  const lengths = (groups: FormatGroup[]) => pagesOf(groups).map(page => page.groups.length)
  assert.deepEqual(lengths(many(MAX_ITEMS)), [300])
  assert.deepEqual(lengths(many(MAX_ITEMS + 1)), [300, 1])
  assert.deepEqual(lengths(many(200, 8)), [150, 50])
  assert.deepEqual(lengths(many(200, 1, 1000)), [133, 67])
  assert.deepEqual(lengths(many(2, 10_000)), [1, 1])
  assert.deepEqual(pagesOf([]), [{ folders: [], groups: [] }])
})

test('a folder with only one subfolder has the pages of that, and a large one has its subfolders first', () => {
  const small = folder('files/a/b', many(10))
  const large = folder('files/c', many(301))
  const only = { ...folder('files/a', []), groups: small.groups, folders: [small] }
  assert.deepEqual(folderPages(only), [{ folders: [], groups: small.groups }])
  const own = many(299)
  const all = { path: 'files', own, groups: [...own, ...small.groups, ...large.groups], folders: [only, large] }
  assert.deepEqual(folderPages(all), [
    { folders: [only, large], groups: own.slice(0, 298) },
    { folders: [], groups: own.slice(298) },
  ])
})

test('the path in an address names a folder below files or pages, and the number of its page', () => {
  const paths = ['files', 'files/a', 'files/a/-', 'files/a/-/2', 'files/pages/x', 'pages', 'pages/x', 'files/b']
  const folders = new Map(paths.map(path => [path, folder(path, [])]))
  const rows: [address: string, path?: string, page?: number][] = [
    ['a', 'files/a', 1],
    ['b/-/2', 'files/b', 2],
    ['a/-/2', 'files/a/-/2', 1],
    ['a/-/3', 'files/a', 3],
    ['pages', 'pages', 1],
    ['pages/x', 'pages/x', 1],
    ['files/pages/x', 'files/pages/x', 1],
    ['c'],
    ['b/-/0'],
    ['b/'],
    ['toString'],
  ]
  for (const [address, path, page] of rows) {
    const found = folderAt(folders, address)
    assert.deepEqual([found?.folder.path, found?.page], [path, page], address)
  }
})

function many(count: number, formats = 1, description = 0): FormatGroup[] {
  const file: BrandFile = {
    path: 'files/a.svg',
    size: 1,
    contentType: 'image/svg+xml',
    hash: hashOf(new Uint8Array()),
    metadata: { description: 'x'.repeat(description) },
  }
  return Array.from({ length: count }, () => [file, ...Array.from({ length: formats - 1 }, () => file)])
}

function folder(path: string, own: FormatGroup[]): FileFolder {
  return { path, own, groups: own, folders: [] }
}
