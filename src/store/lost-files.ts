import { lstat, stat } from 'node:fs/promises'
import { refersToFiles } from './catalogue/references.ts'
import type { Queries } from './database/database.ts'
import { missing } from './files/plain-files.ts'
import { restoreFix } from './lost-database.ts'
import type { StorePaths } from './paths.ts'
import { LostStore } from './store-error.ts'

/**
 * Checks that nothing but a folder stands where the files of a store belong. This comes before anything is made.
 *
 * @throws {LostStore} if something else does, such as a symbolic link to a disk that is away.
 */
export async function assertFilesFolder(paths: StorePaths): Promise<void> {
  // In this order, because another process may make the folder in between.
  const isThere = (await lstat(paths.files).catch(missing)) !== undefined
  if (isThere && !(await isFolder(paths.files)))
    throw lost(paths, 'is no folder, and the files of the store belong there')
}

/**
 * Checks that the folder of files is there if the catalogue refers to files, because an import would make a new one in
 * its place.
 *
 * @throws {LostStore} if it is missing.
 */
export async function assertFilesThere(queries: Queries, paths: StorePaths): Promise<void> {
  if (!(await isFolder(paths.files)) && (await refersToFiles(queries)))
    throw lost(paths, 'is missing, and the store refers to files in it')
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(missing))?.isDirectory() === true
}

function lost({ folder, files }: StorePaths, what: string): LostStore {
  return new LostStore('files_lost', files, what, `put that folder back, or ${restoreFix(folder)}`)
}
