import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { shellWord } from '../base/text.ts'
import { hasAny } from './binding.ts'
import { listWorkspaces } from './catalogue/catalogue.ts'
import { refersToAny } from './catalogue/kept-files.ts'
import type { Queries } from './database/database.ts'
import { lookAlone, lookAtCopy } from './database/look.ts'
import type { Files } from './files/files.ts'
import { isHalfRestore } from './half-restore.ts'
import { findUrn } from './identity.ts'
import { type StorePaths, storePaths } from './paths.ts'
import { isAccessDenied, isDamage, LostDatabase, StoreError, type StoreProblemCode } from './store-error.ts'

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
  if (await isHalfRestore(paths, files)) throw new StoreError('store_unfinished', unfinished(paths))
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
 * Holds a database against the evidence before it is opened, which would write to it and clear its log away. Files of
 * earlier versions do not say whose they are: they are those of a database that refers to at least one of them.
 *
 * @throws {LostDatabase} if it has no store in it, or another one.
 */
export async function assertSameStore({ files, owner }: Evidence, paths: StorePaths): Promise<void> {
  try {
    const alone = owner === undefined ? undefined : await urnAlone(paths)
    if (alone !== undefined) return assertOwner(alone, owner, paths)
    await lookAtCopy(paths.database, async queries => {
      const urn = await findUrn(queries)
      await assertSound(queries, paths)
      if (urn === undefined || (owner === undefined && (await isStray(queries, files))))
        throw lost('store_lost', paths, `has no store in it, and files of one are in ${paths.files}`)
      if (owner !== undefined) return assertOwner(urn, owner, paths)
      if ((await hasAny(files)) && !(await refersToAny(queries, files)))
        throw lost('store_foreign', paths, `refers to none of the files in ${paths.files}`, PUT_BACK)
    })
  } catch (error) {
    if (!isAccessDenied(error)) throw error // Opening it says so in its own words.
  }
}

/** The URN in the file of the database, if it is not in the log alone; while another process writes, neither is sure. */
async function urnAlone({ database }: StorePaths): Promise<string | undefined> {
  try {
    return await lookAlone(database, findUrn)
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

async function assertSound(queries: Queries, paths: StorePaths): Promise<void> {
  const fault = (await queries.get('PRAGMA quick_check(1)'))?.quick_check
  if (fault !== 'ok') throw lost('store_damaged', paths, `is damaged (${fault})`)
}

function assertOwner(urn: string, owner: string | undefined, paths: StorePaths): void {
  if (urn !== owner) throw lost('store_foreign', paths, `is of another store than ${paths.files}`, PUT_BACK)
}

const PUT_BACK = 'put back the one that belongs to them, or '

async function isStray(queries: Queries, files: Files): Promise<boolean> {
  return (await listWorkspaces(queries)).length === 0 && (await hasAny(files))
}

/** Whether a folder has files that a store has left, and not just some that are called so. */
export async function hasTraces({ folder }: StorePaths, files: Files): Promise<boolean> {
  return existsSync(folder) && ((await files.owner()) !== undefined || (await hasAny(files)))
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
