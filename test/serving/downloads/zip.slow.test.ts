import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { type ZipEntry, zipArchive } from '#serving/downloads/zip.ts'
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
  const { length, chunks } = zipArchive(entries, date)
  const bytes = Buffer.alloc(length)
  let at = 0
  for await (const chunk of chunks()) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  assert.equal(at, length)
  return bytes
}

async function writeArchive(entries: readonly ZipEntry[]): Promise<string> {
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

/** The content of an archive, according to Python's zipfile module. */
const LIST = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, i.file_size, list(i.date_time), i.external_attr >> 16,
        hashlib.sha256(archive.read(i)).hexdigest()] for i in archive.infolist()]))
`

test('Python finds every file with its name, bytes, date and permissions', needs('python3'), async () => {
  const listed = JSON.parse(execFileSync('python3', ['-c', LIST, await writeArchive(ENTRIES)], { encoding: 'utf8' }))
  const wanted = ENTRIES.map(async ({ path, size, open: opened }) => {
    const digest = createHash('sha256')
    for await (const chunk of await opened()) digest.update(chunk)
    return [path, size, [2026, 3, 4, 5, 6, 6], 0o100644, digest.digest('hex')]
  })
  assert.deepEqual(listed, await Promise.all(wanted))
})

test('unzip finds no fault in an archive', needs('unzip'), async () => {
  execFileSync('unzip', ['-tqq', await writeArchive(ENTRIES)], { stdio: 'pipe' })
})

/** Writes an archive of empty files to a path. */
const WRITE_MANY = `
import { openSync, writeSync } from 'node:fs'
import { zipArchive } from '${import.meta.resolve('#serving/downloads/zip.ts')}'
const empty = async function* () {}
const entries = Array.from({ length: 66_000 }, (_, at) => ({ path: String(at), size: 0, open: async () => empty() }))
const file = openSync(process.argv[1], 'w')
for await (const chunk of (await zipArchive(entries, new Date())).chunks()) writeSync(file, chunk)
`

test('an archive with more files than two bytes can count is read completely', needs('python3'), async () => {
  const path = join(await temporaryFolder(), 'many.zip')
  // Not in this process, because the test runner follows each promise, which takes five times as long.
  execFileSync(process.execPath, ['--input-type=module', '-e', WRITE_MANY, path])
  const script = 'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).infolist()))'
  assert.equal(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }), '66000\n')
})

test('the same files and date give the same bytes; another date gives other bytes', async () => {
  assert.deepEqual(await bytesOf(ENTRIES), await bytesOf(ENTRIES))
  assert.notDeepEqual(await bytesOf(ENTRIES), await bytesOf(ENTRIES, new Date('2026-03-04T05:06:08.000Z')))
})

test('an independent reader can read an archive with ZIP64 fields for each file', needs('python3'), async () => {
  const size = 2 ** 32 + 5
  const chunk = Buffer.alloc(1 << 20)
  const zeros = async function* () {
    for (let at = 0; at < size; at += chunk.length) yield chunk.subarray(0, Math.min(chunk.length, size - at))
  }
  const large = { path: 'large', size, open: async () => zeros() }
  const { chunks, length } = zipArchive([large, entryOf('after', 'After.')], DATE)
  // The zeros of the large file are not written: the file has a hole of that length.
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

test('a file whose length differs from the announced one breaks off the archive', async () => {
  for (const said of [2, 4]) await assert.rejects(bytesOf([entryOf('a', 'abc', said)]), /a has 3 bytes instead of/)
})

test('one file is open at a time, and none after the reader has left', async () => {
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
    const chunks = zipArchive(watched, DATE).chunks()
    for (let at = 0; at < reads; at++) await chunks.next()
    await chunks.return(undefined)
    assert.equal(opened, 0, `after ${reads}`)
  }
})
