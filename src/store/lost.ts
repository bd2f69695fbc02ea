import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { shellWord } from '../base/text.ts'
import { listWorkspaces } from './catalogue/catalogue.ts'
import type { Queries } from './database/database.ts'
import type { Files } from './files/files.ts'
import { findUrn } from './identity.ts'
import { type StorePaths, storePaths } from './paths.ts'
import { isDamage, LostDatabase, StoreError, type StoreProblemCode } from './store-error.ts'

/** Files that show that there is a store, even if its database is lost; `owner` is the URN of their store, if known. */
export type Evidence = { files: Files; owner?: string }

/**
 * Looks for evidence of a store before its database is opened, since opening creates one.
 *
 * @throws {LostDatabase} if there is evidence, and no database or an empty one.
 */
export async function findEvidence(paths: StorePaths, files: Files): Promise<Evidence | undefined> {
  const isEmpty = await files.isEmpty() // Before the database is looked for, which whoever makes a store makes first.
  const size = existsSync(paths.database) ? (await stat(paths.database)).size : undefined
  if (size === undefined && existsSync(paths.restoring)) throw new StoreError('store_unfinished', unfinished(paths))
  if (isEmpty) return undefined
  const owner = await files.owner()
  if (!size)
    throw lost(
      'store_lost',
      paths,
      `is ${size === 0 ? 'empty' : 'missing'}, and files of a store are in ${paths.files}`,
    )
  return { files, ...(owner !== undefined && { owner }) }
}

/**
 * Holds an open database against the evidence, before anything is written to it. Files of earlier versions do not say
 * whose they are: they are not those of a database that has never had a workspace.
 *
 * @throws {LostDatabase} if it has no store in it, or another one.
 */
export async function assertSameStore(queries: Queries, { files, owner }: Evidence, paths: StorePaths): Promise<void> {
  const urn = await findUrn(queries)
  if (urn === undefined || (owner === undefined && (await isStray(queries, files))))
    throw lost('store_lost', paths, `has no store in it, and files of one are in ${paths.files}`)
  if (owner !== undefined && owner !== urn)
    throw lost(
      'store_foreign',
      paths,
      `is of another store than ${paths.files}`,
      'put back the one that belongs to them, or ',
    )
}

async function isStray(queries: Queries, files: Files): Promise<boolean> {
  if ((await listWorkspaces(queries)).length > 0) return false
  for await (const _ of files.listAll()) return true
  return false
}

/** The error, or a `LostDatabase` if SQLite finds the database of a data folder damaged. */
export function asLost(error: unknown, folder: string): unknown {
  return isDamage(error)
    ? lost('store_damaged', storePaths(folder), `is damaged (${error.message})`, '', { cause: error })
    : error
}

function lost(
  code: StoreProblemCode,
  { folder, database }: StorePaths,
  what: string,
  first = '',
  options?: ErrorOptions,
): LostDatabase {
  const fix = `${first}restore a backup into a new folder, with ${restoreInto(`${folder}-restored`)}, and use that one`
  return new LostDatabase(code, database, what, fix, options)
}

function restoreInto(folder: string): string {
  return `"housestyle restore <backup> --data ${shellWord(folder)}"`
}

function unfinished({ folder }: StorePaths): string {
  return `a restore into ${folder} has not ended: wait for it, or where it was killed run it again, with ${restoreInto(folder)}`
}
