import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locks } from './database/locks.ts'
import { readImmutable } from './database/read-only.ts'
import type { Files } from './files/files.ts'
import { findUrn } from './identity.ts'
import type { StorePaths } from './paths.ts'

/** The name of the catalogue in a backup, and during a restore. */
export const RESTORED_CATALOGUE = 'catalogue.db'

/** Whether a restore into this data folder is unfinished. If there are files, they must belong to that restore. */
export async function isUnfinishedRestore({ database, restoring }: StorePaths, files: Files): Promise<boolean> {
  if (existsSync(database) || !existsSync(restoring)) return false
  if (await files.isEmpty()) return true
  const owner = await files.owner()
  return owner !== undefined && owner === (await restoredUrn(join(restoring, RESTORED_CATALOGUE)))
}

/** Removes leftovers of a restore that was killed after it had created the store. */
export async function removeRestoreLeftovers({ database, restoring }: StorePaths, locks: Locks): Promise<void> {
  if (!existsSync(restoring)) return
  const lock = await locks.tryAcquire('restore', 'exclusive')
  if (!lock) return
  try {
    if (existsSync(database)) await rm(restoring, { recursive: true, force: true })
  } finally {
    await lock.release()
  }
}

async function restoredUrn(path: string): Promise<string | undefined> {
  try {
    return await readImmutable(path, findUrn)
  } catch {
    return undefined
  }
}
