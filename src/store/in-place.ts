import { opendirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../base/error.ts'
import type { StorePaths } from './paths.ts'

/**
 * Remembers which folders and files a store was opened on. Gives whether they are still the same, by device and inode,
 * so that what was moved away and back is the same; and whether a folder of files that had any still has. Throws if
 * that cannot be seen.
 */
export function createInPlaceCheck({ database, files }: StorePaths): () => boolean {
  // Without its log and the index of it (https://sqlite.org/wal.html), an open database no longer sees what others write.
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
  const found = unlessGone(() => statSync(path, { bigint: true }))
  return found ? `${found.dev} ${found.ino}` : 'none'
}

/** Whether there is a folder of any workspace: these are never removed, also if nothing is left in them. */
function hasFiles(folder: string): boolean {
  using entries = unlessGone(() => opendirSync(folder))
  for (let entry = entries?.readSync(); entry; entry = entries?.readSync()) if (!entry.name.startsWith('.')) return true
  return false
}

/** Undefined if a path leads nowhere, or to something that this user may not look into. */
function unlessGone<Found>(look: () => Found): Found | undefined {
  try {
    return look()
  } catch (error) {
    if (GONE.has(errorCode(error))) return undefined
    throw error
  }
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'])
