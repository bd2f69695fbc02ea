import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { copyFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import test from 'node:test'
import type { BrandFile } from '#brand/file.ts'
import { isHash } from '#brand/ids.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { openSmallFiles } from '#serving/downloads/file-reply.ts'
import { verifiedFiles } from '#serving/downloads/verified-files.ts'
import { openDiskFiles } from '#store/files/files-disk.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** A file in a folder of files, and how often it was opened. */
async function storeFile(size: number) {
  const disk = openDiskFiles(await temporaryFolder())
  const bytes = new Uint8Array(size).fill(7)
  const name = hash('sha256', bytes)
  assert.ok(isHash(name))
  const file: BrandFile = { path: 'files/a.bin', hash: name, size, contentType: 'image/png' }
  const pieces = async function* () {
    yield bytes
  }
  await disk.put('acme', name, pieces())
  const opened: string[] = []
  const open: typeof disk.open = (workspace, ...rest) => {
    opened.push(workspace)
    return disk.open(workspace, ...rest)
  }
  const caches = openCaches(1 << 20)
  const small = openSmallFiles(verifiedFiles({ ...disk, open }, caches), caches)
  return { bytes, read: async () => small.read('acme', file), path: disk.pathOf('acme', name), opened }
}

test('a small file is opened only once for concurrent requests', async () => {
  const { bytes, read, opened } = await storeFile(5000)
  assert.deepEqual(await Promise.all([read(), read()]), [bytes, bytes])
  assert.deepEqual(await read(), bytes)
  assert.equal(opened.length, 1)
})

test('a file of more than 128 KiB is not cached, but streamed', async () => {
  const { read, opened } = await storeFile((128 << 10) + 1)
  assert.equal(await read(), undefined)
  assert.equal(opened.length, 0)
})

/** Changes to a cached file. */
const HARM: Readonly<Record<string, (path: string) => Promise<void>>> = {
  'is removed': path => rm(path),
  'is cut off': path => truncate(path, 10),
  'has other bytes': path => writeFile(path, new Uint8Array(5000).fill(8)),
  'is replaced by another file of the same length': async path => {
    await rename(path, `${path}-moved`)
    await writeFile(path, new Uint8Array(5000).fill(8))
  },
}

for (const [what, harm] of Object.entries(HARM))
  test(`a file that ${what} is not served from memory, and neither is the new content`, async () => {
    const { read, path } = await storeFile(5000)
    await read()
    await harm(path)
    for (const _ of [1, 2])
      if (what === 'is removed') assert.equal(await read(), undefined)
      else
        await assert.rejects(read(), { code: 'store_damaged', message: /is damaged: its bytes do not have its hash/ })
  })

test('a file that was moved away and back is served again', async () => {
  const { bytes, read, path } = await storeFile(5000)
  await copyFile(path, `${path}-copy`)
  await rm(path)
  assert.equal(await read(), undefined)
  await rename(`${path}-copy`, path)
  assert.deepEqual(await read(), bytes)
})
