import type { Database, Queries } from './database/database.ts'
import type { Files } from './files/files.ts'
import type { Identity } from './identity.ts'

/**
 * Has the files say that they belong to this store, and the catalogue that they do. Files that have said so and do so no
 * more may be others by now: these are left alone, doctor tells them, and gc is refused. Where the system does not let
 * them be written to now, a later opening does it.
 */
export async function bindFiles(database: Database, files: Files, { urn }: Identity): Promise<void> {
  const isNoted = await areBound(database)
  if ((await files.owner()) === undefined) {
    if (isNoted && (await hasAny(files))) return
    if (!(await isOwned(files, urn))) return
  }
  if (isNoted) return
  await database.run("INSERT INTO identity (name, value) VALUES ('files', 'bound') ON CONFLICT (name) DO NOTHING")
}

/** Whether the catalogue says that its files have been bound to it. */
export async function areBound(queries: Queries): Promise<boolean> {
  return (await queries.get("SELECT value FROM identity WHERE name = 'files'")) !== undefined
}

/** Whether there are bytes of any file. */
export async function hasAny(files: Files): Promise<boolean> {
  for await (const _ of files.listAll()) return true
  return false
}

async function isOwned(files: Files, urn: string): Promise<boolean> {
  try {
    await files.setOwner(urn)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return false
  }
}
