import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Locks between processes on one store. A lock is gone with the process that holds it, however that ends. */
export type Locks = {
  /** Takes a lock, alone or together with others; gives what releases it, undefined if someone else holds it. */
  take: (name: string, mode: 'shared' | 'exclusive') => (() => void) | undefined
  /** Removes what is kept of a lock whose name is never used again; only the one who holds it may call this. */
  remove: (name: string) => void
}

/**
 * Uses the locks of SQLite on a file for each name: the system releases them when a process ends. A shared lock is that
 * of an open read transaction, an exclusive one that of `BEGIN EXCLUSIVE` (SQLite, File Locking And Concurrency).
 */
export function openLocks(folder: string): Locks {
  makeFolder(folder)
  const fileOf = (name: string) => join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`)
  return {
    remove: name => rmSync(fileOf(name), { force: true }),
    take: (name, mode) => {
      const connection = new DatabaseSync(fileOf(name), { timeout: 0 })
      try {
        connection.exec('PRAGMA journal_mode = MEMORY')
        connection.exec(mode === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT COUNT(*) FROM sqlite_schema')
        return () => connection.close()
      } catch (error) {
        connection.close()
        if (isBusy(error)) return undefined
        throw error
      }
    },
  }
}

/** Not `recursive`, with which Node says of a read-only disk that the folder above is missing. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

const SQLITE_BUSY = 5

/** Whether another process is in the way. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}
