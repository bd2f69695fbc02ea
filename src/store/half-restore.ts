import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locks } from './database/locks.ts'
import { lookAlone } from './database/look.ts'
import type { Files } from './files/files.ts'
import { findUrn } from './identity.ts'
import type { StorePaths } from './paths.ts'

/** The name of the catalogue while it is restored, as in archives. */
export const RESTORED_CATALOGUE = 'catalogue.db'

/** Whether a data folder has half a restore in it: its files, if there are any, are those that the restore has put there. */
export async function isHalfRestore({ database, restoring }: StorePaths, files: Files): Promise<boolean> {
  if (existsSync(database) || !existsSync(restoring)) return false
  if (await files.isEmpty()) return true
  const owner = await files.owner()
  return owner !== undefined && owner === (await restoredUrn(join(restoring, RESTORED_CATALOGUE)))
}

/** Removes what a restore that was killed at its very end has left beside the store that it made. */
export async function clearRestored({ database, restoring }: StorePaths, locks: Locks): Promise<void> {
  if (!existsSync(restoring)) return
  const release = locks.take('restore', 'exclusive')
  if (!release) return
  try {
    if (existsSync(database)) await rm(restoring, { recursive: true, force: true })
  } finally {
    release()
  }
}

async function restoredUrn(path: string): Promise<string | undefined> {
  try {
    return await lookAlone(path, findUrn)
  } catch {
    return undefined
  }
}
