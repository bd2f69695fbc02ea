import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { errorMessage } from '#platform/base/error.ts'
import { groupsOf } from '#platform/base/text.ts'
import { RESTORED_CATALOGUE } from '../lost-store.ts'
import { StoreError } from '../store-error.ts'

/*
 * A backup is a tar archive with these entries, in this order:
 *   housestyle.json            the manifest, {"format": 1, "schema": "…", "tables": 3, "made": "…"}: the versions needed to read the rest
 *   catalogue.db               the catalogue, a SQLite file
 *   files/{workspace}/{hash}   the bytes of files
 *   SHA256SUMS                 checksums of all these, as sha256sum writes them; if it is missing, the archive is truncated
 */
export const MANIFEST = 'housestyle.json'
export const CATALOGUE = RESTORED_CATALOGUE
export const CHECKSUMS = 'SHA256SUMS'

export const FORMAT = 1

export type ArchiveWriter = {
  /** Adds an entry of exactly this size. Returns its SHA-256. */
  add: (name: string, size: number, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<string>
  finish: () => Promise<number>
}

/** Writes an archive to a file. `modified` becomes the time of its entries. */
export function writeArchive(file: FileHandle, modified: Date): ArchiveWriter {
  const sums: string[] = []
  let offset = 0
  const write = async (bytes: Uint8Array) => {
    offset += bytes.length
    await file.writeFile(bytes)
  }
  const add: ArchiveWriter['add'] = async (name, size, bytes) => {
    const digest = createHash('sha256')
    await write(tarHeader({ name, size, modified }))
    const end = offset + size
    for await (const chunk of bytes) {
      digest.update(chunk)
      await write(chunk)
    }
    if (offset !== end) throw new Error(`${name} changed while it was written`)
    await write(new Uint8Array(tarPadding(size)))
    const sum = digest.digest('hex')
    sums.push(`${sum}  ${name}\n`)
    return sum
  }
  return {
    add,
    finish: async () => {
      const text = Buffer.from(sums.join(''))
      await add(CHECKSUMS, text.length, [text])
      await write(new Uint8Array(2 * TAR_BLOCK))
      await file.sync()
      return offset
    },
  }
}

export type ArchiveEntry = { name: string; size: number; bytes: () => AsyncIterable<Uint8Array> }

/**
 * Opens an archive for as long as the work takes.
 *
 * @throws {StoreError} if it is not a regular file, or contains entries that `backup` does not write.
 */
export async function readArchive<Value>(
  path: string,
  work: (entries: AsyncIterable<ArchiveEntry>, size: number) => Promise<Value>,
): Promise<Value> {
  await using file = await openPlain(path)
  return await work(entriesOf(file, path), (await file.stat()).size)
}

/** Opens the file of an archive. Anything but a regular file is refused; opening a pipe does not block. */
async function openPlain(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    throw unreadable(path, error)
  }
  throw new StoreError('backup_unreadable', `cannot read the backup ${path}: it is not a regular file`)
}

function unreadable(path: string, cause: unknown): StoreError {
  const fix = 'name an existing file that this user may read'
  return new StoreError('backup_unreadable', `cannot read the backup ${path}: ${errorMessage(cause)}; ${fix}`, {
    cause,
  })
}

/** The entries of an archive up to its end, two blank blocks. The bytes of an entry are read only on demand. */
async function* entriesOf(file: FileHandle, path: string): AsyncIterable<ArchiveEntry> {
  const { size: end } = await file.stat()
  for (let at = 0; ; ) {
    const { buffer: block, bytesRead } = await file.read(Buffer.alloc(TAR_BLOCK), { position: at })
    if (bytesRead < TAR_BLOCK) throw damagedBackup(path, 'it is truncated')
    if (isBlank(block)) return await assertEnd(file, path, at + TAR_BLOCK)
    const entry = parseTarHeader(block)
    if (!entry)
      throw damagedBackup(
        path,
        at === 0 ? 'it is not a housestyle backup' : 'it contains an entry that is not a regular file',
      )
    const start = at + TAR_BLOCK
    if (entry.size > end - start) throw damagedBackup(path, 'it is truncated')
    const { name, size } = entry
    yield { name, size, bytes: () => bytesOf(file, start, start + size) }
    at = start + size + tarPadding(size)
  }
}

/** Checks that exactly one more blank block follows the first one. */
async function assertEnd(file: FileHandle, path: string, at: number): Promise<void> {
  const rest = new Uint8Array(TAR_BLOCK + 1)
  const { bytesRead } = await file.read(rest, 0, rest.length, at)
  if (bytesRead < TAR_BLOCK) throw damagedBackup(path, 'it is truncated')
  if (bytesRead > TAR_BLOCK || !isBlank(rest)) throw damagedBackup(path, 'it has data after its end')
}

function isBlank(block: Uint8Array): boolean {
  return block.every(byte => byte === 0)
}

async function* bytesOf(file: FileHandle, start: number, end: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < end; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(CHUNK, end - at)), { position: at })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

const CHUNK = 1 << 18

/** The error for an archive that cannot be restored. A shared store keeps the files it has received for the next try. */
export function damagedBackup(path: string, reason: string): StoreError {
  const message = `cannot restore from ${path}: ${reason}; no store was created, use another backup`
  return new StoreError('backup_damaged', message)
}

export function newerBackup(path: string): StoreError {
  return new StoreError('backup_newer', `${path} was made by a newer housestyle: restore it with that version`)
}

/** The size of a header, which precedes each entry. The size of an entry is padded to a multiple of it. */
export const TAR_BLOCK = 512

export type TarEntry = { name: string; size: number; modified: Date }

/**
 * The header of a regular file that only its owner may read (POSIX.1-1988 ustar). A size of 8 GiB or more is written in
 * base 256, which GNU tar, bsdtar and Python read. The name is ASCII, with at most 100 characters after its last `/` and
 * 155 before it.
 */
export function tarHeader({ name, size, modified }: TarEntry): Uint8Array {
  const header = Buffer.alloc(TAR_BLOCK)
  const write = ([start, length]: TarField, text: string) => header.write(text, start, length, 'latin1')
  const slash = name.lastIndexOf('/')
  write(NAME, name.slice(slash + 1))
  write(MODE, octal(0o600, 7))
  write(OWNER, octal(0, 7))
  write(GROUP, octal(0, 7))
  if (size < MIN_BASE_256) write(SIZE, octal(size, 11))
  else {
    header[SIZE[0]] = BASE_256
    header.writeBigUInt64BE(BigInt(size), SIZE[0] + 4)
  }
  write(MODIFIED, octal(Math.floor(modified.getTime() / 1000), 11))
  write(TYPE, REGULAR_FILE)
  write(MAGIC, 'ustar')
  write(VERSION, '00')
  if (slash !== -1) write(FOLDER, name.slice(0, slash))
  write(CHECKSUM, `${octal(checksumOf(header), 6)}\0 `)
  return header
}

/** The fields of a header; what is not written is NUL. */
type TarField = readonly [start: number, length: number]
const NAME: TarField = [0, 100]
const MODE: TarField = [100, 8]
const OWNER: TarField = [108, 8]
const GROUP: TarField = [116, 8]
const SIZE: TarField = [124, 12]
const MODIFIED: TarField = [136, 12]
const CHECKSUM: TarField = [148, 8]
const TYPE: TarField = [156, 1]
const MAGIC: TarField = [257, 5]
const VERSION: TarField = [263, 2]
const FOLDER: TarField = [345, 155]

const REGULAR_FILE = '0'
const MIN_BASE_256 = 8 ** 11
/** The first byte of a size in base 256, whose last eight bytes are the number. */
const BASE_256 = 0x80

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** The name and size of a regular file from its header; undefined if it is another type, or a field is malformed. */
export function parseTarHeader(block: Uint8Array): Pick<TarEntry, 'name' | 'size'> | undefined {
  const header = Buffer.from(block)
  if (header.length !== TAR_BLOCK || textAt(header, MAGIC) !== 'ustar' || textAt(header, TYPE) !== REGULAR_FILE)
    return undefined
  if (octalAt(header, CHECKSUM) !== checksumOf(header)) return undefined
  if ([MODE, OWNER, GROUP, MODIFIED].some(field => octalAt(header, field) === undefined)) return undefined
  const size = header[SIZE[0]] === BASE_256 ? base256At(header, SIZE[0]) : octalAt(header, SIZE)
  if (size === undefined) return undefined
  const folder = textAt(header, FOLDER)
  const name = textAt(header, NAME)
  return { name: folder === '' ? name : `${folder}/${name}`, size }
}

/** The text of a field up to the first NUL. */
function textAt(header: Buffer, [start, length]: TarField): string {
  return header.toString('latin1', start, start + length).split('\0')[0] ?? ''
}

/** A number in octal digits, which end with a space or NUL. */
function octalAt(header: Buffer, [start, length]: TarField): number | undefined {
  const digits = groupsOf(/^([0-7]+)[ \0]+$/, header.toString('latin1', start, start + length))[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

/** A number in base 256; undefined if it is larger than JavaScript can represent exactly. */
function base256At(header: Buffer, start: number): number | undefined {
  if (header.readUIntBE(start + 1, 3) !== 0) return undefined
  const value = header.readBigUInt64BE(start + 4)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
}

/** The sum of the bytes of a header. The bytes of the checksum itself count as spaces. */
function checksumOf(header: Buffer): number {
  const [start, length] = CHECKSUM
  let sum = length * 0x20
  for (const byte of header.subarray(0, start)) sum += byte
  for (const byte of header.subarray(start + length)) sum += byte
  return sum
}

/** The number of bytes that pad the last block of an entry. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK
}
