import { join } from 'node:path'

/** The paths of the parts of a store. A restore that has not ended keeps its work in `restoring`. */
export type StorePaths = { folder: string; database: string; files: string; locks: string; restoring: string }

export function storePaths(folder: string): StorePaths {
  return {
    folder,
    database: join(folder, DATABASE),
    files: join(folder, 'files'),
    locks: join(folder, 'locks'),
    restoring: join(folder, '.restoring'),
  }
}

/** The file of the catalogue. */
export const DATABASE = 'housestyle.db'
