import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isHash, isWorkspaceId } from '../brand/ids.ts'
import { shellWord } from '../brand/shell-word.ts'
import { hashOf } from '../brand/snapshot.ts'
import type { Database } from '../store/database.ts'
import { openSqlite } from '../store/database-sqlite.ts'
import type { Files } from '../store/files.ts'
import { openDiskFiles } from '../store/files-disk.ts'
import { findUrn } from '../store/identity.ts'
import { openLocks } from '../store/locks-sqlite.ts'
import { knownTables, migrate } from '../store/migrate.ts'
import { partsOf } from '../store/parts.ts'
import { contentsOf, listReferences } from '../store/references.ts'
import { closeToOthers } from '../store/store.ts'
import { isUnwritable, StoreError, withWords } from '../store/store-error.ts'
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
    const locks = openLocks(partsOf(data).locks)
    const letGo = locks.take('restore', 'exclusive')
    if (!letGo) throw new StoreError(`another restore into ${data} is under way`)
    try {
      await makeRoom(data)
      const read = await stage(path, entries, size, partsOf(data).restoring, options)
      const projects = await check(path, partsOf(data).restoring, read)
      await settle(data)
      return { data, made: read.made, projects, files: read.files.size }
    } catch (error) {
      await rm(partsOf(data).restoring, { recursive: true, force: true })
      locks.remove('restore')
      if ((await readdir(partsOf(data).locks)).length === 0) await rmdir(partsOf(data).locks)
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
  const found = new Map<string, string>()
  let isWhole = false
  let done = 0
  for await (const entry of entries) {
    signal.throwIfAborted()
    const { name, size } = entry
    if (isWhole) throw damaged(path, 'it goes on after its end')
    if (found.has(name)) throw damaged(path, `it holds ${JSON.stringify(name)} twice`)
    if (name === SUMS) isWhole = await assertSums(path, entry, found)
    else if (found.size === 0) {
      const about = await readAbout(path, entry)
      staged.made = about.made
      found.set(ABOUT, hashOf(Buffer.from(about.text)))
    } else if (name === CATALOGUE) found.set(name, await keep(entry, join(folder, CATALOGUE)))
    else found.set(name, await receive(path, entry, files, staged))
    done += size
    progress(done, total)
  }
  if (!isWhole) throw damaged(path, 'it is cut')
  return staged
}

async function assertSums(
  path: string,
  { size, bytes }: ArchiveEntry,
  found: ReadonlyMap<string, string>,
): Promise<true> {
  const sums = [...found].map(([name, sum]) => `${sum}  ${name}\n`).join('')
  if (size === sums.length && (await text(bytes())) === sums) return true
  throw damaged(path, 'its parts do not have their sums')
}

/** Says whether this version can read the rest. */
async function readAbout(path: string, { name, size, bytes }: ArchiveEntry): Promise<{ made: string; text: string }> {
  if (name !== ABOUT || size > LONGEST_ABOUT) throw damaged(path, NOT_OURS)
  const content = await text(bytes())
  const { format, tables, made } = parsedAbout(content)
  if (!isCount(format) || !isCount(tables)) throw damaged(path, NOT_OURS)
  if (format > FORMAT || tables > (await knownTables()))
    throw new StoreError(`${path} was made by a newer housestyle: restore it with that version`)
  if (!isTime(made)) throw damaged(path, NOT_OURS)
  return { made, text: content }
}

type About = { format?: unknown; tables?: unknown; made?: unknown }

function parsedAbout(content: string): About {
  try {
    const about: About | null = JSON.parse(content)
    return about ?? {}
  } catch {
    return {}
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** A time as `Date` writes it: ISO 8601 in UTC, with milliseconds. */
function isTime(value: unknown): value is string {
  const time = typeof value === 'string' ? new Date(value) : new Date(Number.NaN)
  return !Number.isNaN(time.getTime()) && time.toISOString() === value
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
  try {
    const database = await openSqlite(join(folder, CATALOGUE))
    try {
      return await checkCatalogue(path, database, openDiskFiles(partsOf(folder).files), files)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof StoreError || isUnwritable(error)) throw error
    throw damaged(path, `its catalogue cannot be used (${error instanceof Error ? error.message : String(error)})`)
  }
}

async function checkCatalogue(
  path: string,
  database: Database,
  files: Files,
  restored: ReadonlySet<string>,
): Promise<number> {
  const [fault] = await database.faults()
  if (fault !== undefined) throw damaged(path, `its catalogue is damaged (${fault})`)
  const urn = await findUrn(database)
  if (urn === undefined) throw damaged(path, 'its catalogue has no store in it')
  await migrate(database)
  await files.own(urn)
  const references = await listReferences(database)
  for (const [workspace, needed] of await contentsOf(database, references))
    for (const hash of needed.files)
      if (!restored.has(`${workspace}/${hash}`)) throw damaged(path, `it lacks files/${workspace}/${hash}`)
  return references.filter(({ from }) => from === 'draft').length
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
