import { lstatSync, type Stats, statSync } from 'node:fs'
import { refersToFiles } from './catalogue/references.ts'
import type { Queries } from './database/database.ts'
import { undefinedIfMissing } from './files/plain-files.ts'
import { restoreFix } from './lost-database.ts'
import type { StorePaths } from './paths.ts'
import { LostStore } from './store-error.ts'

/**
 * Checks that nothing but a folder stands where the files of a store belong. This comes before anything is made.
 *
 * @throws {LostStore} if something else does, such as a symbolic link to a disk that is away.
 */
export function assertFilesFolder(paths: StorePaths): void {
  // In this order, because another process may make the folder in between.
  const isThere = found(() => lstatSync(paths.files)) !== undefined
  if (isThere && !isFolder(paths.files)) throw lost(paths, 'is no folder, and the files of the store belong there')
}

/**
 * Checks that the folder of files is there if the catalogue refers to files, because an import would make a new one in
 * its place.
 *
 * @throws {LostStore} if it is missing.
 */
export async function assertFilesThere(queries: Queries, paths: StorePaths): Promise<void> {
  if (!isFolder(paths.files) && (await refersToFiles(queries)))
    throw lost(paths, 'is missing, and the store refers to files in it')
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
