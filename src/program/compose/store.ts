import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperationalError } from '#platform/base/error.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { undoAbandonedCopies } from '#publishing/abandoned-copies.ts'
import { asLostDatabase } from '#store/lost-store.ts'
import { placeName } from '#store/paths.ts'
import { assertFree, hasStore, type OpenedStore, type Opening, openStore, type Store } from '#store/store.ts'
import { asStoreError, DatabaseOutage, MissingStore, StoreError } from '#store/store-error.ts'
import type { RestoreOptions, RestoreResult } from '#store/upkeep/restore.ts'

/* Stores for commands. This file loads no part of the service, so that commands are quick. */

export { placeName }

/** The store to open, and options. `storeCreated` is called if the store is new. */
type StoreSettings = Settings & Opening & { storeCreated?: (folder: string) => void }

/** `waiting` is called once with the problem of a shared database; the signal ends the wait. */
export type WaitOptions = { waiting: (outage: Error) => void; signal: AbortSignal }

/** Opens the configured store for the work. Reports a new one afterwards, or when work calls `reportCreated`. */
export async function withStore<Value>(
  settings: StoreSettings,
  work: (store: Store, reportCreated: () => void) => Promise<Value>,
  wait?: WaitOptions,
): Promise<Value> {
  return useStore(await openAt(settings, wait), settings, work)
}

/** Runs work with an opened store, and closes it. Errors name the store if that helps to find the cause. */
async function useStore<Value>(
  store: OpenedStore,
  settings: StoreSettings,
  work: (store: Store, reportCreated: () => void) => Promise<Value>,
): Promise<Value> {
  let isUnreported = store.isMade
  const reportCreated = () => {
    if (isUnreported) settings.storeCreated?.(placeName(settings))
    isUnreported = false
  }
  try {
    await undoAbandonedCopies(store)
    const value = await work(store, reportCreated)
    reportCreated()
    return value
  } catch (error) {
    throw isInPlace(store)
      ? asLostDatabase(asStoreError(withPlace(error, placeName(settings)), settings.data), settings.data)
      : new StoreError('store_moved', replacedFolderMessage(settings.data), { cause: error })
  } finally {
    await store.close()
  }
}

/** Adds the store to an error about a missing project or workspace. */
function withPlace(error: unknown, place: string): unknown {
  if (!(error instanceof OperationalError && CODES_WITH_PLACE.includes(error.code) && NOT_IN_STORE.test(error.message)))
    return error
  return new OperationalError(error.code, `${error.message}; this store is ${place}`, { cause: error })
}

const CODES_WITH_PLACE: readonly string[] = ['project_unknown', 'workspace_unknown', 'not_found']
/** `not_found` is also the code for a scope. */
const NOT_IN_STORE = /\bno (?:project|workspace) /

/** Whether the data folder is still the opened one. If that cannot be read, the error itself says more. */
function isInPlace(store: Store): boolean {
  try {
    return store.isInPlace()
  } catch {
    return true
  }
}

function replacedFolderMessage(folder: string): string {
  return `the data folder ${folder} was moved or replaced during the command: restore the right folder and try again`
}

/** Opens an existing store while the work runs; only `import` and `serve` create one. @throws {MissingStore} */
export async function withExistingStore<Value>(
  settings: Settings,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await findAt(settings)
  if (store) return useStore(store, settings, work)
  const name = settings.database === undefined ? 'folder with --data' : 'database with --database'
  throw new MissingStore(placeName(settings), `name its ${name}, or make one with \`housestyle import <folder>\``)
}

/** Opens an existing store while the work runs. If there is none, uses an empty one and removes it afterwards. */
export async function withStoreOrEmpty<Value>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await findAt(settings)
  if (store) return useStore(store, settings, work)
  if (!isShared(settings)) await assertFree(settings.data)
  return withEmptyStore(settings, work)
}

/** Makes an empty store in a temporary folder while the work runs. The settings name the folder. */
export async function withEmptyStore<Value>(
  settings: StoreSettings,
  work: (store: Store, settings: Settings) => Promise<Value>,
): Promise<Value> {
  const { storeCreated: _, database: _d, files: _f, ...rest } = settings
  const temporary = { ...rest, data: await mkdtemp(join(tmpdir(), 'housestyle-')) }
  try {
    return await withStore(temporary, store => work(store, temporary))
  } finally {
    await rm(temporary.data, { recursive: true })
  }
}

/** Whether several machines can reach parts of the store. Only then is the code for shared stores loaded. */
function isShared({ database, files }: Settings): boolean {
  return database !== undefined || files !== undefined
}

async function findAt(settings: Settings): Promise<OpenedStore | undefined> {
  if (isShared(settings)) return (await shared()).findSharedStore(settings)
  return (await hasStore(settings.data)) ? openStore(settings.data) : undefined
}

async function openAt(settings: Settings & Opening, wait: WaitOptions | undefined): Promise<OpenedStore> {
  if (isShared(settings)) {
    const { openSharedStore } = await shared()
    const open = () => openSharedStore(settings, settings)
    return wait ? openWithRetries(open, wait) : open()
  }
  return openStore(settings.data, settings)
}

/** Retries each second for half a minute, while the database has a problem that may pass. */
async function openWithRetries<Value>(open: () => Promise<Value>, { waiting, signal }: WaitOptions): Promise<Value> {
  const began = performance.now()
  for (let tries = 0; ; tries++) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof DatabaseOutage && error.mayPass) || performance.now() - began > MAX_WAIT_MS) throw error
      if (tries === 0) waiting(error)
      await sleep(RETRY_MS, undefined, { signal })
    }
  }
}

const MAX_WAIT_MS = 30_000
const RETRY_MS = 1000

const shared = () => import('#store/shared-store.ts')

export async function restoreBackup(path: string, settings: Settings, options: RestoreOptions): Promise<RestoreResult> {
  if (!isShared(settings)) return (await import('#store/upkeep/restore.ts')).restore(path, settings.data, options)
  return (await import('#store/upkeep/restore-shared.ts')).restoreShared(path, settings, options)
}
