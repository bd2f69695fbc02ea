import { setTimeout as sleep } from 'node:timers/promises'
import type { Locks } from './database/locks.ts'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'

/** Who takes the lock on the contents of a store, and how long it waits for others. */
export type ContentLockOptions = {
  /** The name of the command: `import`. */
  command: string
  signal: AbortSignal
  /** Called once, if there is something to wait for. */
  waiting?: (message: string) => void
  maxWaitMs?: number
}

/**
 * Runs work while no content that it relies on is removed. Imports, copies and backups share the lock; a gc, which
 * removes content, has it alone. Waits for the others at most `maxWaitMs`.
 *
 * @throws {StoreError} `store_in_use` if they are still at work then.
 */
export async function withContentLock<Value>(
  locks: Locks,
  mode: 'shared' | 'exclusive',
  { command, signal, waiting, maxWaitMs = MAX_WAIT_MS }: ContentLockOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  const inTheWay =
    mode === 'shared'
      ? 'housestyle gc is freeing space in this store'
      : 'an import, a copy, a backup, a doctor or a gc is under way'
  let release = locks.take('contents', mode)
  for (let waited = 0; !release && waited < maxWaitMs; waited += RETRY_MS) {
    if (waited === RETRY_MS) waiting?.(`${inTheWay}: ${command} waits for it`)
    await sleep(RETRY_MS, undefined, { signal })
    release = locks.take('contents', mode)
  }
  if (!release) throw new StoreError('store_in_use', `cannot ${command} now: ${inTheWay}; try again when it is done`)
  try {
    return await work()
  } finally {
    release()
  }
}

/** Removes incoming files that killed processes left behind, unless someone is adding content now. */
export async function clearIncoming({ files, locks }: Pick<Store, 'files' | 'locks'>): Promise<void> {
  if ((await files.listIncoming()).length === 0) return
  const release = locks.take('contents', 'exclusive')
  if (!release) return
  try {
    await files.removeIncoming()
  } finally {
    release()
  }
}

const RETRY_MS = 50
const MAX_WAIT_MS = 30_000
