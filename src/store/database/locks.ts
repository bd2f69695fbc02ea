import { hash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { MaybePromise } from '#platform/base/promise.ts'

/** Locks between the processes that use a store. A lock is released when its process ends, even if it is killed. */
export type Locks = {
  /** Acquires a lock; undefined if another process holds it. */
  tryAcquire: (name: string, mode: 'shared' | 'exclusive') => MaybePromise<Lock | undefined>
}

/** A lock that is held. Disposing of it releases it. */
export type Lock = (Disposable | AsyncDisposable) & {
  release: () => MaybePromise<void>
  /**
   * Throws if the lock is no longer held, for example because its connection was lost. Then the work since the last
   * check is not protected.
   */
  assertHeld: () => MaybePromise<void>
}

/** A lock on a file of one machine. */
export type FileLock = Disposable & { release: () => void; assertHeld: () => void }

/** Such locks, acquired synchronously. */
export type FileLocks = {
  tryAcquire: (name: string, mode: 'shared' | 'exclusive') => FileLock | undefined
  /** Removes the file of a lock whose name is never used again. Only its holder may call this. */
  remove: (name: string) => void
}

/**
 * Uses SQLite's locks on one file for each name. A shared lock is an open read transaction, an exclusive one is
 * `BEGIN EXCLUSIVE` (https://sqlite.org/lockingv3.html).
 */
export function openLocks(folder: string): FileLocks {
  makeFolder(folder)
  // Keeps the connections referenced: garbage collection of a connection would release its lock.
  const held = new Set<DatabaseSync>()
  const fileOf = (name: string) => join(folder, `${hash('sha256', name).slice(0, 32)}.lock`)
  return {
    remove: name => rmSync(fileOf(name), { force: true }),
    tryAcquire: (name, mode) => {
      const connection = new DatabaseSync(fileOf(name), { timeout: 0 })
      try {
        connection.exec('PRAGMA journal_mode = MEMORY')
        connection.exec(mode === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT COUNT(*) FROM sqlite_schema')
        held.add(connection)
        const release = () => {
          held.delete(connection)
          connection.close()
        }
        return { release, [Symbol.dispose]: release, assertHeld: () => undefined }
      } catch (error) {
        connection.close()
        if (isBusy(error)) return undefined
        throw error
      }
    },
  }
}

/** Without `recursive`: on a read-only disk, that makes Node report that the parent folder is missing. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

const SQLITE_BUSY = 5

/** Whether another process holds a lock that is needed. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}
