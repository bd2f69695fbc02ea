import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { open as openOnDisk } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import test from 'node:test'
import { isHash } from '#brand/ids.ts'
import { openCaches } from '#platform/caches/caches.ts'
import { verifiedFiles } from '#serving/downloads/verified-files.ts'
import { monitorDamage } from '#serving/health/damage-monitor.ts'
import type { Part } from '#store/files/files.ts'
import { openDiskFiles } from '#store/files/files-disk.ts'
import { silent } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const MIB = 1 << 20

/** A file of this size in a folder of files, and the parts of it that were read from the disk. */
async function store(size: number) {
  const disk = openDiskFiles(await temporaryFolder())
  const bytes = Buffer.alloc(size, 'content ')
  const name = hash('sha256', bytes)
  assert.ok(isHash(name))
  const pieces = async function* () {
    yield bytes
  }
  await disk.put('acme', name, pieces())
  const opened: (Part | undefined)[] = []
  const open: typeof disk.open = (workspace, hash, part, signal) => {
    opened.push(part)
    return disk.open(workspace, hash, part, signal)
  }
  const damage = monitorDamage(silent, 50)
  const files = verifiedFiles({ ...disk, open }, openCaches(), damage)
  const read = async (part?: Part) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of (await files.open('acme', name, part)) ?? []) chunks.push(chunk.slice())
    return Buffer.concat(chunks)
  }
  return { bytes, name, files, read, damage, opened, path: disk.pathOf('acme', name) }
}

async function overwrite(path: string, at: number, text: string): Promise<void> {
  await using file = await openOnDisk(path, 'r+')
  await file.write(Buffer.from(text), 0, text.length, at)
}

const DAMAGED = { code: 'store_damaged', message: /is damaged: its bytes do not have its hash/ }

test('requests for parts of an unchecked file share one check, and later ones read only their part', async () => {
  const { bytes, read, opened } = await store(2 * MIB)
  const parts = [0, 1, 2].map(at => ({ start: at * 10, end: at * 10 + 9 }))
  const answers = await Promise.all(parts.map(part => read(part)))
  const expected = parts.map(({ start, end }) => bytes.subarray(start, end + 1))
  assert.deepEqual(answers, expected)
  assert.deepEqual([opened.length, opened.filter(part => !part).length], [4, 1])
  await read(parts[0])
  assert.deepEqual([opened.length, opened.at(-1)], [5, parts[0]])
})

test('a damaged file is hashed once for each change, regardless of the number of requests', async () => {
  const { read, opened, path, damage } = await store(2 * MIB)
  await overwrite(path, MIB, 'x')
  for (const _ of [1, 2, 3]) await assert.rejects(read({ start: 0, end: 9 }), DAMAGED)
  assert.equal(opened.length, 1)
  assert.deepEqual(damage.counts(), { files: 1, database: 0 })
  await overwrite(path, MIB, 'y')
  for (const _ of [1, 2, 3]) await assert.rejects(read(), DAMAGED)
  assert.equal(opened.length, 2)
  damage.stop()
})

test('other requests are answered while a file of 64 MiB is checked', async () => {
  const { read } = await store(64 * MIB)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  delay.enable()
  assert.equal((await read({ start: 0, end: 9 })).length, 10)
  delay.disable()
  clearImmediate(next)
  assert.ok(turns > 256, `${turns} turns`)
  assert.ok(delay.percentile(90) / 1e6 < 50, `${delay.percentile(90) / 1e6} ms`)
})

test('a reader of a part of a large file is cut off once the background check finds damage', async () => {
  const { name, files, path, damage } = await store(65 * MIB)
  await overwrite(path, 65 * MIB - 1, 'x')
  const chunks = await files.open('acme', name, { start: 0, end: 64 * MIB })
  assert.ok(chunks)
  await until(() => damage.counts().files === 1)
  await assert.rejects(async () => {
    for await (const _ of chunks);
  }, DAMAGED)
  damage.stop()
})

test('a large file that is read whole needs no other check, and its last chunk is sent only if its hash is right', async () => {
  const { bytes, name, files, read, opened, path, damage } = await store(65 * MIB)
  assert.ok((await read()).equals(bytes))
  await read({ start: 5, end: 9 })
  assert.deepEqual(opened, [undefined, { start: 5, end: 9 }])
  await overwrite(path, 0, 'x')
  let received = 0
  await assert.rejects(async () => {
    for await (const chunk of (await files.open('acme', name)) ?? []) received += chunk.length
  }, DAMAGED)
  assert.ok(received > 64 * MIB && received < bytes.length, `${received} bytes`)
  assert.deepEqual(damage.counts(), { files: 1, database: 0 })
  damage.stop()
})

test('a large file is closed when its reader leaves early', async () => {
  const { name, files, read } = await store(65 * MIB)
  for (let times = 0; times < 50; times++) {
    const whole = await files.open('acme', name)
    await whole?.return(undefined)
    const part = await files.open('acme', name, { start: 5, end: 64 * MIB })
    await part?.next()
    await part?.return(undefined)
  }
  assert.equal((await read({ start: 0, end: 9 })).length, 10)
  await until(() => !readdirSync('/proc/self/fd').some(descriptor => linkOf(descriptor).endsWith(name)))
})

function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}
