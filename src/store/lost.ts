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
import { type Parts, partsOf } from './parts.ts'
import { isBarred, isDamage, LostDatabase, StoreError } from './store-error.ts'

/** Files that show that there is a store, whatever has become of its database; the owner is absent where they do not say whose they are. */
export type Evidence = { files: Files; owner?: string }

/**
 * Looks for evidence of a store before its database is opened, since that makes one where there is none.
 *
 * @throws {LostDatabase} where there is evidence, and no database or an empty one.
 */
export async function findEvidence(parts: Parts, files: Files): Promise<Evidence | undefined> {
  const isEmpty = await files.isEmpty() // Before the database is looked for, which whoever makes a store makes first.
  const size = existsSync(parts.database) ? (await stat(parts.database)).size : undefined
  if (await isHalfRestore(parts, files)) throw new StoreError(unfinished(parts))
  if (isEmpty) return undefined
  const owner = await files.owner()
  if (!size) throw lost(parts, `is ${size === 0 ? 'empty' : 'missing'}, and files of a store are in ${parts.files}`)
  return { files, ...(owner !== undefined && { owner }) }
}

/**
 * Holds a database against the evidence before it is opened, which would write to it and clear its log away. Files of
 * earlier versions do not say whose they are: they are those of a database that refers to at least one of them.
 *
 * @throws {LostDatabase} where it has no store in it, or another one.
 */
export async function assertMeant({ files, owner }: Evidence, parts: Parts): Promise<void> {
  try {
    const alone = owner === undefined ? undefined : await urnAlone(parts)
    if (alone !== undefined) return assertOwner(alone, owner, parts)
    await lookAtCopy(parts.database, async queries => {
      const urn = await findUrn(queries)
      await assertSound(queries, parts)
      if (urn === undefined || (owner === undefined && (await isStray(queries, files))))
        throw lost(parts, `has no store in it, and files of one are in ${parts.files}`)
      if (owner !== undefined) return assertOwner(urn, owner, parts)
      if ((await hasAny(files)) && !(await refersToAny(queries, files)))
        throw lost(parts, `refers to none of the files in ${parts.files}`, PUT_BACK)
    })
  } catch (error) {
    if (!isBarred(error)) throw error // Opening it says so in its own words.
  }
}

/** The URN in the file of the database, if it is not in the log alone; while another process writes, neither is sure. */
async function urnAlone({ database }: Parts): Promise<string | undefined> {
  try {
    return await lookAlone(database, findUrn)
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

async function assertSound(queries: Queries, parts: Parts): Promise<void> {
  const fault = (await queries.get('PRAGMA quick_check(1)'))?.quick_check
  if (fault !== 'ok') throw lost(parts, `is damaged (${fault})`)
}

function assertOwner(urn: string, owner: string | undefined, parts: Parts): void {
  if (urn !== owner) throw lost(parts, `is of another store than ${parts.files}`, PUT_BACK)
}

const PUT_BACK = 'put back the one that belongs to them, or '

async function isStray(queries: Queries, files: Files): Promise<boolean> {
  return (await listWorkspaces(queries)).length === 0 && (await hasAny(files))
}

/** Whether a folder has files that a store has left, and not just some that are called so. */
export async function hasTraces({ folder }: Parts, files: Files): Promise<boolean> {
  return existsSync(folder) && ((await files.owner()) !== undefined || (await hasAny(files)))
}

/** An error as it is, or, where SQLite finds the database in a data folder damaged, in words. */
export function asLost(error: unknown, folder: string): unknown {
  return isDamage(error) ? lost(partsOf(folder), `is damaged (${error.message})`, '', { cause: error }) : error
}

function lost({ folder, database }: Parts, what: string, first = '', options?: ErrorOptions): LostDatabase {
  const fix = `${first}restore a backup into a new folder, with ${restoreInto(`${folder}-restored`)}, and use that one`
  return new LostDatabase(database, what, fix, options)
}

function restoreInto(folder: string): string {
  return `"housestyle restore <backup> --data ${shellWord(folder)}"`
}

function unfinished({ folder }: Parts): string {
  return `a restore into ${folder} has not ended: wait for it, or where it was killed run it again, with ${restoreInto(folder)}`
}
