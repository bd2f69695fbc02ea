import { lstatSync, type Stats, statSync } from 'node:fs'
import { refersToFiles } from './catalogue/references.ts'
import type { Queries } from './database/database.ts'
import { undefinedIfMissing } from './files/plain-files.ts'
import { restoreFix } from './lost-database.ts'
import type { StorePaths } from './paths.ts'
import { LostStore } from './store-error.ts'

/**
 * Checks that the files of a store are in a folder, or do not exist yet. This comes before anything is created.
 *
 * @throws {LostStore} if it is something else, such as a symbolic link to an unavailable disk.
 */
export function assertFilesFolder(paths: StorePaths): void {
  // In this order, because another process may create the folder in between.
  const exists = found(() => lstatSync(paths.files)) !== undefined
  if (exists && !isFolder(paths.files)) throw lost(paths, 'is not a folder, but the files of the store belong there')
}

/**
 * Checks that the folder of files exists if the catalogue refers to files, because an import would create a new one.
 *
 * @throws {LostStore} if it is missing.
 */
export async function assertFilesThere(queries: Queries, paths: StorePaths): Promise<void> {
  if (!isFolder(paths.files) && (await refersToFiles(queries)))
    throw lost(paths, 'is missing, but the store refers to files in it')
}

function isFolder(path: string): boolean {
  return found(() => statSync(path))?.isDirectory() === true
}

function found(look: () => Stats): Stats | undefined {
  try {
    return look()
  } catch (error) {
    return undefinedIfMissing(error)
  }
}

function lost({ folder, files }: StorePaths, what: string): LostStore {
  return new LostStore('files_lost', files, what, `put that folder back, or ${restoreFix(folder)}`)
}
