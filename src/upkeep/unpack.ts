import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isHash, isWorkspaceId } from '../brand/ids.ts'
import { hashOf } from '../brand/snapshot.ts'
import { knownTables } from '../store/database/migrate.ts'
import type { Files } from '../store/files/files.ts'
import { openDiskFiles } from '../store/files/files-disk.ts'
import { storePaths } from '../store/paths.ts'
import { ABOUT, type ArchiveEntry, CATALOGUE, damaged, FORMAT, newer, SUMS } from './archive.ts'

/** How an archive is unpacked. */
export type UnpackOptions = { signal: AbortSignal; progress: (done: number, total: number) => void }

/** What was unpacked: when the backup was made, and its files, as `{workspace}/{hash}`. */
export type Unpacked = { made: string; files: Set<string> }

/**
 * Unpacks all of an archive into a folder; progress is in bytes.
 *
 * @throws {StoreError} if anything does not have its sum, is missing, or is not what `backup` writes.
 */
export async function unpack(
  path: string,
  entries: AsyncIterable<ArchiveEntry>,
  total: number,
  folder: string,
  { signal, progress }: UnpackOptions,
): Promise<Unpacked> {
  const files = openDiskFiles(storePaths(folder).files)
  const unpacked: Unpacked = { made: '', files: new Set() }
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
      unpacked.made = about.made
      found.set(ABOUT, hashOf(Buffer.from(about.text)))
    } else if (name === CATALOGUE) found.set(name, await writeCatalogue(entry, join(folder, CATALOGUE)))
    else found.set(name, await storeFile(path, entry, files, unpacked))
    done += size
    progress(done, total)
  }
  if (!isWhole) throw damaged(path, 'it is cut')
  return unpacked
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
  if (name !== ABOUT || size > MAX_ABOUT) throw damaged(path, NOT_OURS)
  const content = await text(bytes())
  const { format, tables, made } = parsedAbout(content)
  if (!isCount(format) || !isCount(tables)) throw damaged(path, NOT_OURS)
  if (format > FORMAT || tables > (await knownTables())) throw newer(path)
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

const MAX_ABOUT = 10_000
const NOT_OURS = 'it is no backup of housestyle'

async function writeCatalogue({ bytes }: ArchiveEntry, path: string): Promise<string> {
  await using file = await open(path, 'wx', 0o600)
  const digest = createHash('sha256')
  for await (const chunk of bytes()) {
    digest.update(chunk)
    await file.writeFile(chunk)
  }
  await file.sync()
  return digest.digest('hex')
}

async function storeFile(
  path: string,
  { name, bytes }: ArchiveEntry,
  files: Files,
  unpacked: Unpacked,
): Promise<string> {
  const [folder, workspace = '', hash = '', more] = name.split('/')
  if (folder !== 'files' || !isWorkspaceId(workspace) || !isHash(hash) || more !== undefined)
    throw damaged(path, `it holds ${JSON.stringify(name)}, which is none of ours`)
  try {
    await files.put(workspace, hash, bytes())
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error
    throw damaged(path, `${name} does not have its hash`)
  }
  unpacked.files.add(`${workspace}/${hash}`)
  return hash
}
