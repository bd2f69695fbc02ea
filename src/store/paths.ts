import { join } from 'node:path'
import { withoutPassword } from '#platform/base/server-url.ts'
import type { BucketAddress } from '#platform/settings/shared-addresses.ts'

/**
 * The paths of the parts of a store. An unfinished restore keeps its work in `restoring`; `committed` records the
 * number of the latest committed change.
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

export const DATABASE = 'housestyle.db'

/** The place of a store: its data folder, and the addresses of parts that several machines share. */
export type StorePlace = {
  data: string
  /** `postgres://…`, instead of the SQLite file. */
  database?: string
  /** A prefix in a bucket, instead of the folder of files. */
  files?: BucketAddress
}

/** The name of the place of a store in messages, without the password of its database. */
export function placeName({ data, database, files }: StorePlace): string {
  const catalogue = database === undefined ? data : withoutPassword(database)
  return files === undefined ? catalogue : `${catalogue} with s3://${files.bucket}/${files.prefix}`
}
