import { join } from 'node:path'
import { once } from '#platform/base/promise.ts'
import { loadCatalogue } from '../database/catalogue-tables.ts'
import { versionOf } from '../database/migrate.ts'
import { readImmutable } from '../database/sqlite.ts'
import type { Files } from '../files/files.ts'
import { findUrn } from '../identity.ts'
import { placeName, type StorePlace } from '../paths.ts'
import { openParts, RESTORE_LOCK } from '../shared-store.ts'
import { StoreError } from '../store-error.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { CATALOGUE, readArchive } from './archive.ts'
import { assertVersion, checkRestored, type RestoreOptions, type RestoreResult } from './restore.ts'
import { unpack } from './unpack.ts'

/**
 * Restores a backup into an empty database and empty files that machines share. The files come first, and the store exists
 * once its catalogue is committed, so an interrupted restore can be repeated.
 *
 * @throws {StoreError} if a store or files of another store exist, or the archive is damaged.
 */
export async function restoreShared(path: string, place: StorePlace, options: RestoreOptions): Promise<RestoreResult> {
  const { database, locks, files } = await openParts(place, options.signal)
  try {
    await using lock = await locks.tryAcquire(RESTORE_LOCK, 'exclusive')
    await using folder = await makeTemporaryFolder()
    if (!lock)
      throw new StoreError(
        'store_in_use',
        `another process is restoring into ${placeName(place)} or creating a store there: see \`housestyle status\` when it has finished`,
      )
    if ((await versionOf(database)) > 0) throw alreadyHasStore(place)
    return await readArchive(path, async (entries, size) => {
      const catalogue = join(folder.path, CATALOGUE)
      const check = once(() => assertSameFiles(path, catalogue, files, place))
      const put: Files['put'] = async (...file) => {
        await check()
        await files.put(...file)
      }
      const read = await unpack(path, entries, size, { folder: folder.path, put }, options)
      const checked = await checkRestored(path, { catalogue, files, read }, options)
      if (!(await loadCatalogue(catalogue, database, options.signal))) throw alreadyHasStore(place)
      return { data: placeName(place), made: read.made, ...checked }
    })
  } finally {
    await database.close()
  }
}

function alreadyHasStore(place: StorePlace): StoreError {
  const message = `${placeName(place)} already contains a store: restore into an empty database`
  return new StoreError('folder_occupied', message)
}

/** Checks that existing files come from an earlier try. In an archive, the catalogue precedes the files. */
async function assertSameFiles(path: string, catalogue: string, files: Files, place: StorePlace): Promise<void> {
  await readImmutable(catalogue, queries => assertVersion(path, queries))
  const urn = await readImmutable(catalogue, findUrn)
  const owner = await files.owner()
  if (urn !== undefined && owner === urn) return
  if (owner !== undefined || !(await files.isEmpty()))
    throw new StoreError(
      'folder_occupied',
      `the files of ${placeName(place)} belong to another store: name an empty place`,
    )
  if (urn !== undefined) await files.setOwner(urn)
}
