import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import test from 'node:test'
import type { Files } from '../../src/store/files/files.ts'
import { readArchive } from '../../src/upkeep/archive.ts'
import { backUp } from '../../src/upkeep/backup.ts'
import { examineStore } from '../../src/upkeep/doctor.ts'
import { gc } from '../../src/upkeep/gc.ts'
import { unpack } from '../../src/upkeep/unpack.ts'
import { SMALL_BRAND } from '../support/small-brand.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { temporaryStore } from '../support/temporary-store.ts'
import { UPKEEP } from './options.ts'

const AT_ONCE = 3

test('several files at a time are backed up, restored, examined and freed, and an archive always has the same order', async () => {
  const { store, importing } = await temporaryStore()
  await importing('acme', SMALL_BRAND)
  const options = { ...UPKEEP, now: () => new Date(0) }
  const { readSmall: _, ...filesElsewhere } = store.files // As in a bucket, each file is read with its own request.
  const files: Files = {
    ...filesElsewhere,
    open: severalAtOnce(store.files.open),
    remove: severalAtOnce(store.files.remove),
  }
  const folder = await temporaryFolder()
  const [archive, sameArchive] = [join(folder, 'first.tar'), join(folder, 'second.tar')]
  await backUp({ ...store, files }, archive, options)
  await backUp(store, sameArchive, options)
  assert.ok((await readFile(archive)).equals(await readFile(sameArchive)))

  const put: Files['put'] = severalAtOnce(async (_workspace, _hash, bytes) => {
    for await (const _ of bytes);
  })
  let last = 0
  const progress = (done: number) => {
    assert.ok(done > last)
    last = done
  }
  const unpacking = { signal: options.signal, progress }
  const restored = await readArchive(archive, (entries, size) =>
    unpack(archive, entries, size, { folder, put }, unpacking),
  )
  assert.equal(restored.files.size, 4)

  files.open = severalAtOnce(store.files.open)
  assert.deepEqual(await examineStore({ ...store, files }, UPKEEP), [])

  const incoming = store.files.receive('acme')
  for (const text of ['one', 'two', 'three']) await incoming.add(Readable.from([Buffer.from(text)]))
  await incoming.commit()
  assert.equal((await gc({ ...store, files }, { ...UPKEEP, isDryRun: false, keep: {} })).files, 3)
  assert.deepEqual(await examineStore(store, UPKEEP), [])
})

/** Blocks each call until this many are running. */
function severalAtOnce<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) {
  let calls = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  return async (...args: Args): Promise<Result> => {
    if (++calls === AT_ONCE) resolve()
    await promise
    return work(...args)
  }
}
