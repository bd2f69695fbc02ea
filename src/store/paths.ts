import { join } from 'node:path'
import type { BucketAddress } from '../settings/bucket-address.ts'

/**
 * The paths of the parts of a store. A restore that has not ended keeps its work in `restoring`. `committed` records which
 * change was committed last.
 */
export type StorePaths = {
  folder: string
  database: string
  files: string
  locks: string
  committed: string
  restoring: string
}

export function storePaths(folder: string): StorePaths {
  return {
    folder,
    database: join(folder, DATABASE),
    files: join(folder, 'files'),
    locks: join(folder, 'locks'),
    committed: join(folder, 'committed'),
    restoring: join(folder, '.restoring'),
  }
}

/** The file of the catalogue. */
export const DATABASE = 'housestyle.db'

/** Where a store is: its data folder, and the addresses of what several machines share instead of parts of it. */
export type StorePlace = {
  data: string
  /** `postgres://…`, instead of the SQLite file. */
  database?: string
  /** A place in a bucket, instead of the folder of files. */
  files?: BucketAddress
}

/** What people call the place of a store: without the password of its database. */
export function placeName({ data, database, files }: StorePlace): string {
  const catalogue = database === undefined ? data : withoutPassword(database)
  return files === undefined ? catalogue : `${catalogue} with s3://${files.bucket}/${files.prefix}`
}

/** Without the parameters as well, which may have one. */
function withoutPassword(database: string): string {
  return database.replace(/[?#].*$/, '').replace(/^([a-z]+:\/\/[^:@/]*):[^/]*@/i, '$1@')
}
