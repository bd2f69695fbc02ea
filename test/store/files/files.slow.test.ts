import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { parseHash } from '#brand/snapshot.ts'
import { parseBucketAddress } from '#platform/settings/shared-addresses.ts'
import type { Files } from '#store/files/files.ts'
import { openDiskFiles } from '#store/files/files-disk.ts'
import { openS3Files } from '#store/files/files-s3.ts'
import { SWIFT, startS3 } from '../../support/s3.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const { skip } = SWIFT
const server = skip ? undefined : await startS3()
after(() => server?.stop())

const ENGINES: readonly { name: string; skip: string | false; files: () => Promise<Files> }[] = [
  { name: 'disk', skip: false, files: async () => openDiskFiles(join(await temporaryFolder(), 'files')) },
  { name: 'S3', skip, files: async () => openS3Files(bucketAddress(await server?.newPlace())) },
]

for (const { name, skip, files: newFiles } of ENGINES) {
  test(`${name}: a committed file can be read, as a whole and in parts`, { skip }, async () => {
    const files = await newFiles()
    const contents = [0, 1, 70_000, 3 << 20, 17 << 20].map(size => randomBytes(size))
    const incoming = files.receive('acme')
    const hashes = await Promise.all(contents.map(bytes => incoming.add(pieces(bytes))))
    assert.deepEqual(hashes, contents.map(hashOf))
    await incoming.commit()
    assert.deepEqual(await files.list('acme'), new Set(hashes))
    for (const bytes of contents) {
      assert.deepEqual(await read(files, 'acme', bytes), bytes)
      for (const [start, end] of [
        [0, 0],
        [bytes.length - 1, bytes.length - 1],
        [bytes.length >> 2, bytes.length >> 1],
      ] as const)
        if (start >= 0 && start < bytes.length)
          assert.deepEqual(await read(files, 'acme', bytes, { start, end }), bytes.subarray(start, end + 1))
    }
  })

  test(`${name}: each of many concurrent readers gets the whole file`, { skip }, async () => {
    const files = await newFiles()
    const bytes = randomBytes(300_000)
    const incoming = files.receive('acme')
    await incoming.add(pieces(bytes))
    await incoming.commit()
    const readers = Array.from({ length: 40 }, () => read(files, 'acme', bytes))
    for (const each of await Promise.all(readers)) assert.deepEqual(each, bytes)
  })

  test(`${name}: a received file is invisible before its commit, and after it is discarded`, { skip }, async () => {
    const files = await newFiles()
    const incoming = files.receive('acme')
    const hash = await incoming.add(pieces(Buffer.from('a')))
    assert.equal(await files.open('acme', hash), undefined)
    incoming.discard()
    await incoming.commit()
    assert.equal(await files.open('acme', hash), undefined)
    assert.deepEqual([await files.list('acme'), await files.listIncoming()], [new Set(), []])
  })

  test(`${name}: an unreadable piece fails its file, and no other`, { skip }, async () => {
    const files = await newFiles()
    const incoming = files.receive('acme')
    const broken = async function* () {
      yield randomBytes(9 << 20)
      throw new Error('the disk fails')
    }
    await assert.rejects(incoming.add(broken()), /the disk fails/)
    const hash = await incoming.add(pieces(Buffer.from('whole')))
    await incoming.commit()
    assert.deepEqual(await files.list('acme'), new Set([hash]))
    assert.deepEqual(await files.listIncoming(), [])
  })

  for (const size of [10, 17 << 20])
    test(`${name}: ${size} bytes with another hash than announced are refused, and not kept`, { skip }, async () => {
      const files = await newFiles()
      const bytes = randomBytes(size)
      await assert.rejects(files.put('acme', hashOf(randomBytes(1)), pieces(bytes)), /do not have their hash/)
      assert.deepEqual(await all(files), [])
      await files.put('acme', hashOf(bytes), pieces(bytes))
      assert.deepEqual(await read(files, 'acme', bytes), bytes)
    })

  test(`${name}: files are copied into another workspace, listed with their sizes, and removed`, { skip }, async () => {
    const files = await newFiles()
    assert.equal(await files.isEmpty(), true)
    const bytes = randomBytes(3000)
    const hash = hashOf(bytes)
    await files.put('acme', hash, pieces(bytes))
    await files.copy('acme', 'other', hash)
    await files.copy('acme', 'other', hash)
    assert.deepEqual(await read(files, 'other', bytes), bytes)
    assert.deepEqual(await all(files), [
      { workspace: 'acme', hash, size: 3000 },
      { workspace: 'other', hash, size: 3000 },
    ])
    const [file] = await all(files)
    assert.ok(file)
    await files.remove(file)
    await files.remove(file)
    assert.equal(await files.open('acme', hash), undefined)
    await assert.rejects(files.copy('acme', 'third', hash), {
      code: 'store_damaged',
      message: /^the store has lost .*acme.*: restore it from a backup$/,
    })
    assert.equal(await files.isEmpty(), false)
  })

  test(`${name}: the owner is recorded outside all workspaces`, { skip }, async () => {
    const files = await newFiles()
    assert.equal(await files.owner(), undefined)
    await files.setOwner('urn:uuid:1')
    assert.equal(await files.owner(), 'urn:uuid:1')
    assert.equal(await files.isEmpty(), false)
    assert.deepEqual(await all(files), [])
  })

  test(`${name}: many files are committed as a group, and none is written twice`, { skip }, async () => {
    const files = await newFiles()
    const contents = Array.from({ length: 50 }, (_, at) => Buffer.from(`file ${at}`))
    for (const _ of [1, 2]) {
      const incoming = files.receive('acme')
      for (const bytes of contents) await incoming.add(pieces(bytes))
      await incoming.commit()
    }
    assert.deepEqual(await files.list('acme'), new Set(contents.map(hashOf)))
  })
}

function bucketAddress(place = '') {
  const address = parseBucketAddress(place, {})
  assert.ok(address, place)
  return address
}

function hashOf(bytes: Uint8Array) {
  return parseHash(createHash('sha256').update(bytes).digest('hex'))
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.slice(at, at + 100_000)
}

async function read(files: Files, workspace: string, bytes: Uint8Array, part?: { start: number; end: number }) {
  const found: Buffer[] = []
  for await (const chunk of (await files.open(workspace, hashOf(bytes), part)) ?? []) found.push(Buffer.from(chunk))
  return Buffer.concat(found)
}

async function all(files: Files) {
  const found = await Array.fromAsync(files.listAll())
  return found.sort((one, other) => one.workspace.localeCompare(other.workspace))
}
