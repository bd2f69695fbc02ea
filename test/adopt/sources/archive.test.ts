import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { listArchive } from '#adopt/sources/archive.ts'
import { zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

async function listed(zip: Uint8Array) {
  const file = join(await temporaryFolder(), 'site.zip')
  writeFileSync(file, zip)
  await using opened = new AsyncDisposableStack()
  const listing = await listArchive(file, '', opened)
  const texts = await Promise.all(listing.entries.map(async ({ path, read }) => [path, `${await read(1000)}`]))
  return { texts: Object.fromEntries(texts), leftOut: listing.leftOut }
}

test('names in an archive that lead out of it are left out, and those with a backslash are read', async () => {
  const names = { '../evil.md': 'e', '/abs.md': 'e', 'C:\\win.md': 'e', 'ok\\..\\..\\up.md': 'e' }
  const { texts, leftOut } = await listed(zipOf({ ...names, 'ok/a.md': 'a', 'ok\\b.md': 'b', 'ok/./c.md': 'c' }))
  assert.deepEqual(texts, { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' })
  assert.deepEqual(leftOut.map(({ path }) => path).sort(), ['../../up.md', '../evil.md', '/abs.md', 'C:/win.md'])
})

test('a name that an archive has twice is read once and reported, and names are UTF-8 also without the flag for it', async () => {
  const { texts, leftOut } = await listed(zipOf({ 'größe.md': 'a', 'b/c.md': 'b', 'b//c.md': 'c' }))
  assert.deepEqual(texts, { 'größe.md': 'a', 'b/c.md': 'b' })
  assert.deepEqual(leftOut, [{ path: 'b/c.md (again)', reason: 'the archive has this name twice' }])
})

test('the only top folder of an archive is its root, whatever macOS adds', async () => {
  const { texts } = await listed(zipOf({ 'site/a.md': 'a', 'site/b/c.md': 'c', '__MACOSX/site/._a.md': 'x' }))
  assert.deepEqual(Object.keys(texts), ['__MACOSX/site/._a.md', 'a.md', 'b/c.md'])
})

test('an archive of archives has their files', async () => {
  const parts = { 'Part-1.zip': zipOf({ 'Brand/a.md': 'a' }), 'Part-2.zip': zipOf({ 'Brand/b.md': 'b' }) }
  assert.deepEqual((await listed(zipOf(parts))).texts, { 'a.md': 'a', 'b.md': 'b' })
  const downloads = { 'logos/print.zip': zipOf({ 'a.md': 'a' }) }
  assert.deepEqual(Object.keys((await listed(zipOf(downloads))).texts), ['print.zip'])
})

test('the files of an archive are written once, never over others', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'a.zip')
  writeFileSync(file, zipOf({ 'a.md': 'new' }))
  await using opened = new AsyncDisposableStack()
  const listing = await listArchive(file, '', opened)
  await listing.entries[0]?.copyTo(join(folder, 'b.md'))
  await assert.rejects(async () => listing.entries[0]?.copyTo(join(folder, 'b.md')), { code: 'EEXIST' })
  assert.deepEqual([readFileSync(join(folder, 'b.md'), 'utf8'), readdirSync(folder)], ['new', ['a.zip', 'b.md']])
})

test('an archive that names more than 50,000 files is refused before they are listed', async () => {
  const zip = zipOf({ 'a.md': 'a' })
  zip.writeUInt16LE(60_000, zip.length - 12) // The number of entries in the last record.
  await assert.rejects(listed(zip), /site\.zip has more than 50000 files/)
})
