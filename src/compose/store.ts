import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { undoAbandonedCopies } from '../publishing/project-ref.ts'
import type { Settings } from '../settings.ts'
import { asLost } from '../store/lost.ts'
import { assertFree, hasStore, openStore, type Store } from '../store/store.ts'
import { explained, StoreError } from '../store/store-error.ts'

/* What commands open, apart from the service: they are quick because they load nothing of it. */

/** Opens the store that the settings name, for as long as the work takes; copies that were left behind are undone first. */
export async function withStore<Value>(settings: Settings, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = await openStore(settings.data)
  try {
    await undoAbandonedCopies(store)
    return await work(store)
  } catch (error) {
    throw isInPlace(store)
      ? asLost(explained(error, settings.data), settings.data)
      : new StoreError('store_moved', replaced(settings.data), { cause: error })
  } finally {
    await store.close()
  }
}

function isInPlace(store: Store): boolean {
  try {
    return store.isInPlace()
  } catch {
    return true
  }
}

function replaced(folder: string): string {
  return `the data folder ${folder} was moved or replaced meanwhile: see that the right one is there, and try again`
}

/** The same for work on a store that has to be there. */
export async function withKnownStore<Value>(
  settings: Settings,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  if (await hasStore(settings.data)) return withStore(settings, work)
  throw new StoreError('store_missing', `there is no store in ${settings.data}: name its folder with --data`)
}

/** The same for work that makes no store: where there is none yet, with an empty one that is gone afterwards. */
export async function withStoreAsItIs<Value>(
  settings: Settings,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  if (await hasStore(settings.data)) return withStore(settings, work)
  await assertFree(settings.data)
  return withEmptyStore(settings, work)
}

/** The same with a store of its own in a temporary folder, which is gone afterwards; the settings name it. */
export async function withEmptyStore<Value>(
  settings: Settings,
  work: (store: Store, settings: Settings) => Promise<Value>,
): Promise<Value> {
  const own = { ...settings, data: await mkdtemp(join(tmpdir(), 'housestyle-')) }
  try {
    return await withStore(own, store => work(store, own))
  } finally {
    await rm(own.data, { recursive: true })
  }
}
