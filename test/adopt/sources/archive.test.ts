import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { listArchive } from '#adopt/sources/archive.ts'
import { zipOf } from '#test/delivery/lint/ooxml/office-file.ts'
import { golden } from '#test/support/golden.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

async function listed(zip: Uint8Array) {
  const file = join(await temporaryFolder(), 'site.zip')
  writeFileSync(file, zip)
  await using opened = new AsyncDisposableStack()
  const listing = await listArchive(file, '', opened)
  const texts = await Promise.all(listing.entries.map(async ({ path, read }) => [path, textOf(await read(1000))]))
  return { texts: Object.fromEntries(texts), leftOut: listing.leftOut }
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString().replace(/^PK.*/s, 'an archive')

type Zip = { [name: string]: string | Zip }

/** An archive of texts and of archives. */
function archiveOf(zip: Zip): Uint8Array {
  const parts = Object.entries(zip).map(([name, part]) => [name, typeof part === 'string' ? part : archiveOf(part)])
  return zipOf(Object.fromEntries(parts))
}

golden('adopt/sources/archive', ({ zip }: { zip: Zip }) => listed(archiveOf(zip)))

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
