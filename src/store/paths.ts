import { join } from 'node:path'

/** Where the parts of a store stand in its data folder. */
export type StorePaths = { folder: string; database: string; files: string; locks: string; restoring: string }

/** Where the parts of a store stand in this data folder; below `restoring` stands half a restore, whoever left it. */
export function storePaths(folder: string): StorePaths {
  return {
    folder,
    database: join(folder, DATABASE),
    files: join(folder, 'files'),
    locks: join(folder, 'locks'),
    restoring: join(folder, '.restoring'),
  }
}

/** The name of the catalogue in a data folder. */
export const DATABASE = 'housestyle.db'
