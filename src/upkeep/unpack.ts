import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isHash, isStoredWorkspaceId } from '../brand/ids.ts'
import { hashOf } from '../brand/snapshot.ts'
import { knownVersion } from '../store/database/migrate.ts'
import type { Files } from '../store/files/files.ts'
import { type ArchiveEntry, CATALOGUE, CHECKSUMS, damaged, FORMAT, MANIFEST, newer } from './archive.ts'

export type UnpackOptions = { signal: AbortSignal; progress: (done: number, total: number) => void }

/** When the backup was made, and the files in it, as `{workspace}/{hash}`. */
export type Unpacked = { made: string; files: Set<string> }

/**
 * Unpacks an archive: its catalogue into a folder, its files to where files are kept. Progress is in bytes.
 *
 * @throws {StoreError} if anything is missing, does not have its checksum, or is not what `backup` writes.
 */
export async function unpack(
  path: string,
  entries: AsyncIterable<ArchiveEntry>,
  total: number,
  { folder, files }: { folder: string; files: Pick<Files, 'put'> },
  { signal, progress }: UnpackOptions,
): Promise<Unpacked> {
  const unpacked: Unpacked = { made: '', files: new Set() }
  const found = new Map<string, string>()
  let isComplete = false
  let done = 0
  for await (const entry of entries) {
    signal.throwIfAborted()
    const { name, size } = entry
    if (isComplete) throw damaged(path, 'it goes on after its end')
    if (found.has(name)) throw damaged(path, `it holds ${JSON.stringify(name)} twice`)
    if (name === CHECKSUMS) isComplete = await verifyChecksums(path, entry, found)
    else if (found.size === 0) {
      const manifest = await readManifest(path, entry)
      unpacked.made = manifest.made
      found.set(MANIFEST, hashOf(Buffer.from(manifest.text)))
    } else if (name === CATALOGUE) found.set(name, await writeCatalogue(entry, join(folder, CATALOGUE)))
    else found.set(name, await storeFile(path, entry, files, unpacked))
    done += size
    progress(done, total)
  }
  if (!isComplete) throw damaged(path, 'it is cut')
  return unpacked
}

async function verifyChecksums(
  path: string,
  { size, bytes }: ArchiveEntry,
  found: ReadonlyMap<string, string>,
): Promise<true> {
  const sums = [...found].map(([name, sum]) => `${sum}  ${name}\n`).join('')
  if (size === sums.length && (await text(bytes())) === sums) return true
  throw damaged(path, 'its parts do not have their sums')
}

/** Throws if this version cannot read the rest. */
async function readManifest(
  path: string,
  { name, size, bytes }: ArchiveEntry,
): Promise<{ made: string; text: string }> {
  if (name !== MANIFEST || size > MAX_MANIFEST_BYTES) throw damaged(path, NO_BACKUP)
  const content = await text(bytes())
  const { format, tables, made } = parseManifest(content)
  if (!isCount(format) || !isCount(tables)) throw damaged(path, NO_BACKUP)
  if (format > FORMAT || tables > (await knownVersion())) throw newer(path)
  if (!isTime(made)) throw damaged(path, NO_BACKUP)
  return { made, text: content }
}

type Manifest = { format?: unknown; tables?: unknown; made?: unknown }

function parseManifest(content: string): Manifest {
  try {
    const manifest: Manifest | null = JSON.parse(content)
    return manifest ?? {}
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

const MAX_MANIFEST_BYTES = 10_000
const NO_BACKUP = 'it is no backup of housestyle'

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
  files: Pick<Files, 'put'>,
  unpacked: Unpacked,
): Promise<string> {
  const [folder, workspace = '', hash = '', more] = name.split('/')
  if (folder !== 'files' || !isStoredWorkspaceId(workspace) || !isHash(hash) || more !== undefined)
    throw damaged(path, `it holds ${JSON.stringify(name)}, which is no part of a backup`)
  try {
    await files.put(workspace, hash, bytes())
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error
    throw damaged(path, `${name} does not have its hash`)
  }
  unpacked.files.add(`${workspace}/${hash}`)
  return hash
}
