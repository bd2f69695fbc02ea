import { setTimeout as sleep } from 'node:timers/promises'
import type { Lock, Locks } from './database/locks.ts'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'

/** The caller of the lock on contents, and its waiting time. */
export type ContentLockOptions = {
  /** The name of the command: `import`. */
  command: string
  signal: AbortSignal
  /** Called once if the caller has to wait. */
  waiting?: (message: string) => void
  maxWaitMs?: number
}

/**
 * Runs work that relies on content, which cannot be removed meanwhile. Imports, copies and backups share the lock; gc,
 * which removes content, holds it exclusively (decisions/0071). The work must assert that the lock is held before it
 * moves a pointer or removes content.
 *
 * @throws {StoreError} `store_in_use` if others still hold the lock after `maxWaitMs`.
 */
export async function withContentLock<Value>(
  locks: Locks,
  mode: 'shared' | 'exclusive',
  { command, signal, waiting, maxWaitMs = MAX_WAIT_MS }: ContentLockOptions,
  work: (lock: Lock) => Promise<Value>,
): Promise<Value> {
  const blocker =
    mode === 'shared'
      ? 'housestyle gc is freeing space in this store'
      : 'an import, a copy, a backup, a doctor or a gc is under way'
  let lock = await locks.tryAcquire('contents', mode)
  for (let waited = 0; !lock && waited < maxWaitMs; waited += RETRY_MS) {
    if (waited === RETRY_MS) waiting?.(`${blocker}: ${command} waits for it`)
    await sleep(RETRY_MS, undefined, { signal })
    lock = await locks.tryAcquire('contents', mode)
  }
  if (!lock) throw new StoreError('store_in_use', `cannot ${command} now: ${blocker}; try again when it is done`)
  await using held = lock
  return await work(held)
}

/** Removes incoming files of killed processes, unless some process is adding content now. */
export async function clearIncoming({ files, locks }: Pick<Store, 'files' | 'locks'>): Promise<void> {
  if ((await files.listIncoming()).length === 0) return
  await using lock = await locks.tryAcquire('contents', 'exclusive')
  if (lock) await files.removeIncoming()
}

/** The pause between two attempts to get the lock, and the longest wait by default. */
const RETRY_MS = 50
const MAX_WAIT_MS = 30_000
