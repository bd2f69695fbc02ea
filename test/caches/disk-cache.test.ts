import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { openDiskCache } from '../../src/caches/disk-cache.ts'
import { fc, scale } from '../support/random.ts'
import { temporaryFolder } from '../support/temporary.ts'

const MANY = 1 << 20

function nameOf(at: number): string {
  return at.toString(16).padStart(64, '0')
}

async function newFolder(): Promise<string> {
  return join(await temporaryFolder(), 'data/cache')
}

function bytesOf(length: number): Uint8Array {
  return new Uint8Array(length).fill(length % 251)
}

test('what was written is read by the next process, in files that only their owner may read', async () => {
  const folder = await newFolder()
  const cache = openDiskCache(folder, MANY)
  assert.equal(await cache.read(nameOf(1), MANY), undefined)
  await cache.write(nameOf(1), bytesOf(100))
  await cache.close()
  assert.deepEqual(await openDiskCache(folder, MANY).read(nameOf(1), MANY), bytesOf(100))
  assert.deepEqual(await readdir(folder), [nameOf(1)])
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder, nameOf(1)))).mode & 0o777, 0o600)
})

test('the folder takes no more than its bound, over all processes one after the other; what was used longest ago goes first', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          name: fc.integer({ min: 0, max: 9 }).map(nameOf),
          bytes: fc.integer({ min: 0, max: 400 }),
          what: fc.constantFrom('read', 'write', 'restart'),
        }),
        { maxLength: 25 },
      ),
      async steps => {
        const folder = await newFolder()
        let cache = openDiskCache(folder, 1000)
        let expected: { name: string; bytes: number }[] = []
        let seconds = 0
        /** Files whose times are a second apart, in the order in which they were used. */
        const use = async (name: string, bytes: number) => {
          expected = [...expected.filter(each => each.name !== name), { name, bytes }]
          while (expected.reduce((sum, each) => sum + each.bytes, 0) > 1000) expected.shift()
          if (expected.some(each => each.name === name)) await utimes(join(folder, name), ++seconds, seconds)
        }
        for (const { name, bytes, what } of steps) {
          if (what === 'restart') cache = openDiskCache(folder, 1000)
          if (what === 'write') {
            await cache.write(name, bytesOf(bytes))
            await use(name, bytes)
          }
          if (what === 'read') {
            const known = expected.find(each => each.name === name)
            assert.deepEqual(await cache.read(name, MANY), known && bytesOf(known.bytes))
            if (known) await use(name, known.bytes)
          }
          const names = await readdir(folder).catch(() => [])
          assert.deepEqual(names.sort(), expected.map(each => each.name).sort())
        }
        await rm(folder, { recursive: true, force: true })
      },
    ),
    { numRuns: scale(30) },
  ))

test('the folder may be deleted while it is used', async () => {
  const folder = await newFolder()
  const cache = openDiskCache(folder, MANY)
  await cache.write(nameOf(1), bytesOf(100))
  await rm(folder, { recursive: true })
  assert.equal(await cache.read(nameOf(1), MANY), undefined)
  await cache.write(nameOf(2), bytesOf(200))
  assert.deepEqual(await cache.read(nameOf(2), MANY), bytesOf(200))
})

test('links, pipes, folders and files that are too large are not read, and what others keep there stays', async () => {
  const folder = await newFolder()
  await mkdir(folder, { recursive: true })
  const secret = join(folder, '../secret')
  await writeFile(secret, 'secret')
  await symlink(secret, join(folder, nameOf(1)))
  await mkdir(join(folder, nameOf(2)))
  execFileSync('mkfifo', [join(folder, nameOf(3))])
  await writeFile(join(folder, nameOf(4)), bytesOf(101))
  await writeFile(join(folder, 'notes.txt'), 'mine')
  const cache = openDiskCache(folder, MANY)
  for (const at of [1, 2, 3, 4]) assert.equal(await cache.read(nameOf(at), 100), undefined)
  await cache.write(nameOf(1), bytesOf(50))
  assert.deepEqual(await cache.read(nameOf(1), 100), bytesOf(50))
  assert.equal(await readFile(secret, 'utf8'), 'secret')
  for (let at = 5; at < 40; at++) await cache.write(nameOf(at), bytesOf(MANY / 8))
  assert.equal(await readFile(join(folder, 'notes.txt'), 'utf8'), 'mine')
})

test('where a link or a file is in place of the folder, nothing is read, written or removed', async () => {
  const folder = await newFolder()
  const elsewhere = join(folder, '../elsewhere')
  await mkdir(elsewhere, { recursive: true })
  await writeFile(join(elsewhere, nameOf(1)), bytesOf(10))
  await symlink(elsewhere, folder)
  const cache = openDiskCache(folder, 5)
  assert.equal(await cache.read(nameOf(1), 100), undefined)
  await cache.write(nameOf(2), bytesOf(3))
  assert.deepEqual(await readdir(elsewhere), [nameOf(1)])
  await rm(folder)
  await writeFile(folder, '')
  await cache.write(nameOf(2), bytesOf(3))
  assert.equal(await cache.read(nameOf(2), 100), undefined)
})

test('what another process left unfinished is removed after an hour, and not before', async () => {
  const folder = await newFolder()
  await mkdir(folder, { recursive: true })
  const [old, recent] = [1, 2].map(at => `${nameOf(at)}-0a7f8e2c-1111-4222-8333-944445555666`)
  for (const name of [old, recent]) await writeFile(join(folder, name ?? ''), 'half')
  await utimes(join(folder, old ?? ''), 1000, 1000)
  await openDiskCache(folder, MANY).write(nameOf(3), bytesOf(3))
  assert.deepEqual((await readdir(folder)).sort(), [recent ?? '', nameOf(3)].sort())
})

test('a disk that takes nothing costs the cache alone', async () => {
  const full = openDiskCache('/dev/full/cache', MANY)
  await full.write(nameOf(1), bytesOf(10))
  assert.equal(await full.read(nameOf(1), 100), undefined)
})
