import { opendirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../base/error.ts'
import type { StorePaths } from './paths.ts'

/**
 * Records the folders and files that a store was opened on. Returns a function that tells whether they are still the
 * same by device and inode, so a folder that was moved away and back is the same. It also returns false if a folder of
 * files has become empty, and throws if it cannot examine them.
 */
export function createInPlaceCheck({ database, files }: StorePaths): () => boolean {
  // An open database without its log and its index (https://sqlite.org/wal.html) no longer sees the writes of other
  // processes.
  const paths = [dirname(database), database, `${database}-wal`, `${database}-shm`, files]
  const inodes = paths.map(inodeAt)
  let hadFiles = hasFiles(files)
  return () => {
    if (paths.some((path, at) => inodeAt(path) !== inodes[at])) return false
    const hasSome = hasFiles(files)
    const isEmptied = hadFiles && !hasSome
    hadFiles ||= hasSome
    return !isEmptied
  }
}

function inodeAt(path: string): string {
  const stat = undefinedIfGone(() => statSync(path, { bigint: true }))
  return stat ? `${stat.dev} ${stat.ino}` : 'none'
}

/** Whether there is a workspace folder. These are never removed, even when they are empty. */
function hasFiles(folder: string): boolean {
  using entries = undefinedIfGone(() => opendirSync(folder))
  for (let entry = entries?.readSync(); entry; entry = entries?.readSync()) if (!entry.name.startsWith('.')) return true
  return false
}

/** Undefined if a path does not exist, or this user may not examine it. */
function undefinedIfGone<Found>(look: () => Found): Found | undefined {
  try {
    return look()
  } catch (error) {
    if (GONE.has(errorCode(error))) return undefined
    throw error
  }
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'])
