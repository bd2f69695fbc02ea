import type { Database, Queries } from './database/database.ts'
import type { Files } from './files/files.ts'
import type { Identity } from './identity.ts'
import { FilesOutage } from './store-error.ts'

/**
 * Writes the URN of the store next to its files, and records in the catalogue that the files are bound to it. Bound
 * files without a URN may belong to another store: they stay unchanged, doctor reports them, and gc refuses to run. If
 * the files cannot be written now, a later opening binds them.
 */
export async function bindFiles(database: Database, files: Files, { urn }: Identity): Promise<void> {
  const isBound = await areBound(database)
  if ((await files.owner()) === undefined) {
    if (isBound && (await hasStoredFiles(files))) return
    if (!(await trySetOwner(files, urn))) return
  }
  if (isBound) return
  await database.run("INSERT INTO identity (name, value) VALUES ('files', 'bound') ON CONFLICT (name) DO NOTHING")
}

/** Whether the catalogue has recorded that its files are bound to it. */
export async function areBound(queries: Queries): Promise<boolean> {
  return (await queries.get("SELECT value FROM identity WHERE name = 'files'")) !== undefined
}

export async function hasStoredFiles(files: Files): Promise<boolean> {
  for await (const _ of files.listAll()) return true
  return false
}

/** False if the system or the server denies write access. */
async function trySetOwner(files: Files, urn: string): Promise<boolean> {
  try {
    await files.setOwner(urn)
    return true
  } catch (error) {
    if (!(error instanceof FilesOutage || (error instanceof Error && 'syscall' in error))) throw error
    return false
  }
}
