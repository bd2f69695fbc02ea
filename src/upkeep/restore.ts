import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isHash, isWorkspaceId } from '../brand/ids.ts'
import { shellWord } from '../brand/shell-word.ts'
import { hashOf } from '../brand/snapshot.ts'
import { openSqlite } from '../store/database-sqlite.ts'
import type { Files } from '../store/files.ts'
import { openDiskFiles } from '../store/files-disk.ts'
import { identityOf } from '../store/identity.ts'
import { openLocks } from '../store/locks-sqlite.ts'
import { knownTables, migrate } from '../store/migrate.ts'
import { partsOf } from '../store/parts.ts'
import { contentsOf, listReferences } from '../store/references.ts'
import { closeToOthers } from '../store/store.ts'
import { StoreError, withWords } from '../store/store-error.ts'
import { ABOUT, type ArchiveEntry, CATALOGUE, damaged, FORMAT, readArchive, SUMS } from './archive.ts'

/** What was restored, as `housestyle restore --json` prints it. */
export type RestoreResult = { data: string; made: string; projects: number; files: number }

/** How a backup is restored; progress is in bytes. */
export type RestoreOptions = { signal: AbortSignal; progress: (done: number, total: number) => void }

/**
 * Makes the store of a backup in an empty data folder, or in one that is not there yet. All of it is read and checked
 * beside where it belongs, and takes its place at the end.
 *
 * @throws {StoreError} where the folder is not empty, or the archive is damaged, cut or of a newer version; then nothing
 *   of it is in the folder.
 */
export async function restore(path: string, data: string, options: RestoreOptions): Promise<RestoreResult> {
  return readArchive(path, async (entries, size) => {
    const isNew = !existsSync(data)
    await mkdir(data, { recursive: true, mode: 0o700 })
    await assertEmpty(data)
    const letGo = openLocks(partsOf(data).locks).take('restore', 'exclusive')
    if (!letGo) throw new StoreError(`another restore into ${data} is under way`)
    try {
      await makeRoom(data)
      const read = await stage(path, entries, size, partsOf(data).restoring, options)
      const projects = await check(path, partsOf(data).restoring, read)
      await settle(data)
      return { data, made: read.made, projects, files: read.files.size }
    } catch (error) {
      await rm(partsOf(data).restoring, { recursive: true, force: true })
      if (isNew && !existsSync(partsOf(data).database)) await rm(data, { recursive: true, force: true })
      throw withWords(error, data)
    } finally {
      letGo()
    }
  })
}

/** What a restore that was killed has left counts as nothing; anything else is in the way. Gives what is left. */
async function assertEmpty(data: string): Promise<readonly string[]> {
  const names = await readdir(data)
  const left = names.includes('.restoring') && !existsSync(partsOf(data).database) ? ['.restoring', 'files'] : []
  if (names.every(name => [...left, 'locks', 'lost+found', '.gitignore'].includes(name))) return left
  throw new StoreError(
    `${data} is not empty: restore into a new folder, as with --data ${shellWord(`${data}-restored`)}`,
  )
}

async function makeRoom(data: string): Promise<void> {
  for (const name of await assertEmpty(data)) await rm(join(data, name), { recursive: true, force: true })
  await mkdir(partsOf(data).restoring, { mode: 0o700 })
}

type Staged = { made: string; files: Set<string> }

/** Reads all of an archive into the folder; whatever does not have its sum, or is not there, ends it. */
async function stage(
  path: string,
  entries: AsyncIterable<ArchiveEntry>,
  total: number,
  folder: string,
  { signal, progress }: RestoreOptions,
): Promise<Staged> {
  const files = openDiskFiles(partsOf(folder).files)
  const staged: Staged = { made: '', files: new Set() }
  const found: string[] = []
  let sums: string | undefined
  let done = 0
  for await (const entry of entries) {
    signal.throwIfAborted()
    if (sums !== undefined) throw damaged(path, 'it goes on after its end')
    if (entry.name === SUMS) sums = await text(entry.bytes())
    else if (found.length === 0) {
      const about = await readAbout(path, entry)
      staged.made = about.made
      found.push(`${hashOf(Buffer.from(about.text))}  ${ABOUT}\n`)
    } else if (entry.name === CATALOGUE) found.push(`${await keep(entry, join(folder, CATALOGUE))}  ${CATALOGUE}\n`)
    else found.push(`${await receive(path, entry, files, staged)}  ${entry.name}\n`)
    done += entry.size
    progress(done, total)
  }
  if (sums === undefined) throw damaged(path, 'it is cut')
  if (sums !== found.join('')) throw damaged(path, 'its parts do not have their sums')
  return staged
}

/** Says whether this version can read the rest. */
async function readAbout(path: string, { name, size, bytes }: ArchiveEntry): Promise<{ made: string; text: string }> {
  if (name !== ABOUT || size > LONGEST_ABOUT) throw damaged(path, NOT_OURS)
  const content = await text(bytes())
  try {
    const { format, tables, made }: { format?: unknown; tables?: unknown; made?: unknown } = JSON.parse(content)
    if (format === FORMAT && typeof tables === 'number' && tables <= (await knownTables()) && typeof made === 'string')
      return { made, text: content }
    if (typeof format !== 'number' || typeof tables !== 'number') throw damaged(path, NOT_OURS)
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(path, NOT_OURS)
    throw error
  }
  throw new StoreError(`${path} was made by a newer housestyle: restore it with that version`)
}

const LONGEST_ABOUT = 10_000
const NOT_OURS = 'it is no backup of housestyle'

async function keep({ bytes }: ArchiveEntry, path: string): Promise<string> {
  await using file = await open(path, 'wx', 0o600)
  const digest = createHash('sha256')
  for await (const chunk of bytes()) {
    digest.update(chunk)
    await file.writeFile(chunk)
  }
  await file.sync()
  return digest.digest('hex')
}

async function receive(path: string, { name, bytes }: ArchiveEntry, files: Files, staged: Staged): Promise<string> {
  const [folder, workspace = '', hash = '', more] = name.split('/')
  if (folder !== 'files' || !isWorkspaceId(workspace) || !isHash(hash) || more !== undefined)
    throw damaged(path, `it holds ${JSON.stringify(name)}, which is none of ours`)
  try {
    await files.keep(workspace, hash, bytes())
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error
    throw damaged(path, `${name} does not have its hash`)
  }
  staged.files.add(`${workspace}/${hash}`)
  return hash
}

/** Whether all is there that the catalogue refers to; brings its tables up to date, and gives how many projects it has. */
async function check(path: string, folder: string, { files }: Staged): Promise<number> {
  if (!existsSync(join(folder, CATALOGUE))) throw damaged(path, 'it has no catalogue')
  const database = await openSqlite(join(folder, CATALOGUE))
  try {
    await migrate(database)
    await openDiskFiles(partsOf(folder).files).own((await identityOf(database)).urn)
    const references = await listReferences(database)
    for (const [workspace, needed] of await contentsOf(database, references))
      for (const hash of needed.files)
        if (!files.has(`${workspace}/${hash}`)) throw damaged(path, `it lacks files/${workspace}/${hash}`)
    return references.filter(({ from }) => from === 'draft').length
  } finally {
    await database.close()
  }
}

/** Files first: there is a store from the moment on at which its catalogue has its name. */
async function settle(data: string): Promise<void> {
  const { database, files, restoring } = partsOf(data)
  await closeToOthers(data)
  await rename(partsOf(restoring).files, files)
  try {
    await link(join(restoring, CATALOGUE), database)
  } catch (error) {
    await rm(files, { recursive: true, force: true })
    throw error
  }
  await rm(restoring, { recursive: true })
  await using folder = await open(data)
  await folder.sync()
}
