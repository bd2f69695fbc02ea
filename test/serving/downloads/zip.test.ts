import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { type ZipEntry, zipArchive } from '../../../src/serving/downloads/zip.ts'
import { needs } from '../../support/programs.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const DATE = new Date('2026-03-04T05:06:07.890Z')

function entryOf(path: string, content: string | Uint8Array, size?: number): ZipEntry {
  const bytes = Buffer.from(content)
  const chunks = async function* () {
    yield bytes
  }
  return { path, size: size ?? bytes.length, open: async () => chunks() }
}

async function bytesOf(entries: readonly ZipEntry[], date = DATE): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const { length, chunks: make } = await zipArchive(entries, date)
  for await (const chunk of make()) chunks.push(chunk.slice())
  const bytes = Buffer.concat(chunks)
  assert.equal(bytes.length, length)
  return bytes
}

async function written(entries: readonly ZipEntry[]): Promise<string> {
  const path = join(await temporaryFolder(), 'test.zip')
  writeFileSync(path, await bytesOf(entries))
  return path
}

const ENTRIES = [
  entryOf('acme/a.txt', 'A.\n'),
  entryOf('acme/empty', ''),
  entryOf('acme/Größe 色 😀.txt', 'Size.\n'),
  entryOf('acme/deep/er/large.bin', Buffer.alloc(3_000_000, 'acme')),
]

/** What Python's reader, which is not ours, finds in an archive. */
const LIST = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, i.file_size, list(i.date_time), i.external_attr >> 16,
        hashlib.sha256(archive.read(i)).hexdigest()] for i in archive.infolist()]))
`

test('another reader finds every file under its name, with its bytes, date and rights', needs('python3'), async () => {
  const listed = JSON.parse(execFileSync('python3', ['-c', LIST, await written(ENTRIES)], { encoding: 'utf8' }))
  const wanted = ENTRIES.map(async ({ path, size, open: opened }) => {
    const digest = createHash('sha256')
    for await (const chunk of await opened()) digest.update(chunk)
    return [path, size, [2026, 3, 4, 5, 6, 6], 0o100644, digest.digest('hex')]
  })
  assert.deepEqual(listed, await Promise.all(wanted))
})

test('unzip finds nothing wrong with an archive', needs('unzip'), async () => {
  execFileSync('unzip', ['-tqq', await written(ENTRIES)], { stdio: 'pipe' })
})

test('more files than a field of two bytes can count are all found', needs('python3'), async () => {
  const many = Array.from({ length: 70_000 }, (_, at) => entryOf(`${at}`, ''))
  const script = 'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).infolist()))'
  const count = execFileSync('python3', ['-c', script, await written(many)], { encoding: 'utf8' })
  assert.equal(count, '70000\n')
})

test('an archive of no files is its end alone', async () => {
  assert.equal((await bytesOf([])).toString('hex'), `504b0506${'0'.repeat(36)}`)
})

test('the same files and date give the same bytes, another date others', async () => {
  assert.deepEqual(await bytesOf(ENTRIES), await bytesOf(ENTRIES))
  assert.notDeepEqual(await bytesOf(ENTRIES), await bytesOf(ENTRIES, new Date('2026-03-04T05:06:08.000Z')))
})

const GIBIBYTE = 2 ** 30

/* Per file: a header of 30 bytes before it, 16 behind it and 46 in the directory, its name twice; 22 at the end. */
const LENGTHS: readonly [what: string, sizes: readonly number[], length: number][] = [
  ['one file of 1 GiB', [GIBIBYTE], GIBIBYTE + 92 + 2 + 22],
  ['a file just below 4 GiB', [4 * GIBIBYTE - 2], 4 * GIBIBYTE - 2 + 92 + 2 + 22 + 76],
  // ZIP64: 20 bytes more before it, 8 behind it, 20 in the directory, 76 at the end.
  ['a file of 5 GiB', [5 * GIBIBYTE], 5 * GIBIBYTE + 92 + 2 + 20 + 8 + 20 + 22 + 76],
  // The second stands past 4 GiB, which takes 12 bytes in the directory.
  ['three files of 3 GiB', Array(3).fill(3 * GIBIBYTE), 9 * GIBIBYTE + 3 * 94 + 12 + 22 + 76],
]

for (const [what, sizes, length] of LENGTHS)
  test(`the length of an archive of ${what} is known beforehand`, async () => {
    const entries = sizes.map((size, at) => entryOf(`${at}`, '', size))
    assert.equal((await zipArchive(entries, DATE)).length, length)
  })

test('an archive with ZIP64 fields for each file is read by another reader', needs('python3'), async () => {
  const size = 2 ** 32 + 5
  const chunk = Buffer.alloc(1 << 20)
  const zeros = async function* () {
    for (let at = 0; at < size; at += chunk.length) yield chunk.subarray(0, Math.min(chunk.length, size - at))
  }
  const large = { path: 'large', size, open: async () => zeros() }
  const { chunks, length } = await zipArchive([large, entryOf('after', 'After.')], DATE)
  // The zeros of the large file are left out of what is written: a hole of that length stands for them.
  const path = join(await temporaryFolder(), 'large.zip')
  await using file = await open(path, 'w')
  let at = 0
  for await (const bytes of chunks()) {
    if (bytes.length < chunk.length) await file.write(bytes, 0, bytes.length, at)
    at += bytes.length
  }
  assert.equal(at, length)
  await file.truncate(length)
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    print(json.dumps([[i.filename, i.file_size, i.header_offset] for i in archive.infolist()] + [archive.read('after').decode()]))
`
  const listed = JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }))
  assert.deepEqual(listed, [['large', size, 0], ['after', 6, 30 + 5 + 20 + size + 24], 'After.'])
})

test('a file of another length than was said breaks the archive off', async () => {
  for (const said of [2, 4]) await assert.rejects(bytesOf([entryOf('a', 'abc', said)]), /a has 3 bytes and not/)
})

test('one file is open at a time, and none once the reader has left', async () => {
  let opened = 0
  let most = 0
  async function* watch(entry: ZipEntry) {
    most = Math.max(most, ++opened)
    try {
      yield new Uint8Array()
      yield* await entry.open()
    } finally {
      opened--
    }
  }
  const watched = ENTRIES.map(entry => ({
    ...entry,
    open: async () => {
      const source = watch(entry)
      await source.next()
      return source
    },
  }))
  await bytesOf(watched)
  assert.deepEqual([most, opened], [1, 0])
  for (const reads of [1, 2, 3, 5, 8]) {
    const chunks = (await zipArchive(watched, DATE)).chunks()
    for (let at = 0; at < reads; at++) await chunks.next()
    await chunks.return(undefined)
    assert.equal(opened, 0, `after ${reads}`)
  }
})
