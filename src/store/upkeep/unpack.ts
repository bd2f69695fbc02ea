import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Hash, isHash, isStoredWorkspaceId } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { field, parsedJson } from '#platform/base/object.ts'
import { earlierStore, knownVersion, SCHEMA } from '../database/migrate.ts'
import type { Files } from '../files/files.ts'
import { type ArchiveEntry, CATALOGUE, CHECKSUMS, damagedBackup, FORMAT, MANIFEST, newerBackup } from './archive.ts'
import { inOrder } from './in-order.ts'

export type UnpackOptions = { signal: AbortSignal; progress: (done: number, total: number) => void }

/** The time of the manifest, and the files by `workspace/hash`. */
export type Unpacked = { made: string; files: Set<string> }

/**
 * Unpacks an archive: its catalogue into a folder, its files into the file store. Progress is in bytes.
 *
 * @throws {StoreError} if anything is missing, does not match its checksum, or is not written by `backup`.
 */
export async function unpack(
  path: string,
  entries: AsyncIterable<ArchiveEntry>,
  total: number,
  { folder, put }: { folder: string; put: Files['put'] },
  { signal, progress }: UnpackOptions,
): Promise<Unpacked> {
  const unpacked: Unpacked = { made: '', files: new Set() }
  let done = 0
  const advance = (size: number) => {
    done += size
    progress(done, total)
  }
  const named = filesAmong(path, entries, { folder, signal, unpacked, advance })
  const store = (file: NamedFile) => storeFile(path, file, put, signal)
  for await (const { workspace, hash, entry } of inOrder(named, store, { slots: MAX_SLOTS, slotsOf })) {
    unpacked.files.add(`${workspace}/${hash}`)
    advance(entry.size)
  }
  return unpacked
}

/** Small files are written at the same time. Each large one takes all slots, because it may need much memory. */
const MAX_SLOTS = 8
const SMALL_BYTES = 1 << 20

function slotsOf({ entry }: NamedFile): number {
  return entry.size <= SMALL_BYTES ? 1 : MAX_SLOTS
}

type NamedFile = { workspace: string; hash: Hash; entry: ArchiveEntry }

/** `unpacked` gets the time of the manifest; `advance` is called with the size of each entry that is not a file. */
type Unpacking = { folder: string; signal: AbortSignal; unpacked: Unpacked; advance: (size: number) => void }

/** Yields the files of an archive. Checks and unpacks all other entries. */
async function* filesAmong(
  path: string,
  entries: AsyncIterable<ArchiveEntry>,
  { folder, signal, unpacked, advance }: Unpacking,
): AsyncGenerator<NamedFile, void> {
  /** By name, in the order of the entries, whose first is the manifest. */
  const sums = new Map<string, string>()
  let isComplete = false
  for await (const entry of entries) {
    signal.throwIfAborted()
    const { name, size } = entry
    if (isComplete) throw damagedBackup(path, 'it has data after its end')
    if (sums.has(name)) throw damagedBackup(path, `it holds ${JSON.stringify(name)} twice`)
    if (name === CHECKSUMS) isComplete = await verifyChecksums(path, entry, sums)
    else if (sums.size === 0) {
      const manifest = await readManifest(path, entry)
      unpacked.made = manifest.made
      sums.set(MANIFEST, hashOf(Buffer.from(manifest.text)))
    } else if (name === CATALOGUE)
      sums.set(name, await writeCatalogue(until(signal, entry.bytes()), join(folder, CATALOGUE)))
    else {
      const file = namedFile(path, entry)
      sums.set(name, file.hash)
      yield file
      continue
    }
    advance(size)
  }
  if (!isComplete) throw damagedBackup(path, 'it is truncated')
}

/** Throws if the checksums of the archive are not those of the entries that were read. */
async function verifyChecksums(
  path: string,
  { size, bytes }: ArchiveEntry,
  sumsByName: ReadonlyMap<string, string>,
): Promise<true> {
  const sums = [...sumsByName].map(([name, sum]) => `${sum}  ${name}\n`).join('')
  if (size === sums.length && (await text(bytes())) === sums) return true
  throw damagedBackup(path, 'its parts do not match their checksums')
}

/** Reads the manifest. Throws if it is not a manifest, or if this version cannot read the rest. */
async function readManifest(
  path: string,
  { name, size, bytes }: ArchiveEntry,
): Promise<{ made: string; text: string }> {
  if (name !== MANIFEST || size > MAX_MANIFEST_BYTES) throw damagedBackup(path, NO_BACKUP)
  const content = await text(bytes())
  const manifest = parsedJson(content)
  const format = field(manifest, 'format')
  const tables = field(manifest, 'tables')
  const made = field(manifest, 'made')
  if (!isCount(format) || !isCount(tables)) throw damagedBackup(path, NO_BACKUP)
  if (format > FORMAT) throw newerBackup(path)
  if (field(manifest, 'schema') !== SCHEMA) throw earlierStore(`the backup ${path}`)
  if (tables > knownVersion()) throw newerBackup(path)
  if (!isTime(made)) throw damagedBackup(path, NO_BACKUP)
  return { made, text: content }
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
const NO_BACKUP = 'it is not a housestyle backup'

/** Writes the catalogue. Returns its SHA-256. */
async function writeCatalogue(bytes: AsyncIterable<Uint8Array>, path: string): Promise<string> {
  await using file = await open(path, 'wx', 0o600)
  const digest = createHash('sha256')
  for await (const chunk of bytes) {
    digest.update(chunk)
    await file.writeFile(chunk)
  }
  await file.sync()
  return digest.digest('hex')
}

/** The file of an entry such as `files/acme/0f3c…`. Throws for any other name. */
function namedFile(path: string, entry: ArchiveEntry): NamedFile {
  const { name } = entry
  const [folder, workspace = '', hash = '', more] = name.split('/')
  if (folder !== 'files' || !isStoredWorkspaceId(workspace) || !isHash(hash) || more !== undefined)
    throw damagedBackup(path, `it holds ${JSON.stringify(name)}, which is not part of a backup`)
  return { workspace, hash, entry }
}

async function storeFile(path: string, file: NamedFile, put: Files['put'], signal: AbortSignal): Promise<NamedFile> {
  const { workspace, hash, entry } = file
  try {
    await put(workspace, hash, until(signal, entry.bytes()))
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error
    throw damagedBackup(path, `${entry.name} does not match its hash`)
  }
  return file
}

/** Yields the same bytes. Throws if the signal aborts. */
async function* until(signal: AbortSignal, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal.throwIfAborted()
    yield chunk
  }
}
