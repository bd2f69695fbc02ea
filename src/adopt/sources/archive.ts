import { isUtf8 } from 'node:buffer'
import { createWriteStream, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { normalize } from 'node:path/posix'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { getFileNameLowLevel, openPromise, type Entry as Part, validateFileName, type ZipFile } from 'yauzl'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { compareStrings } from '#platform/base/text.ts'
import { type Entry, type Listing, proveCount, tooLarge } from './source.ts'

/**
 * Lists a ZIP archive. Its only top folder is its root, and an archive of archives, as Notion makes, has their files.
 * Closing `opened` closes it. Names that lead out of it are left out; `yauzl` reads no more bytes of a part than its entry says.
 *
 * @throws OperationalError if it is no ZIP, or unpacks to very many files or bytes
 */
export async function listArchive(file: string, label: string, opened: AsyncDisposableStack): Promise<Listing> {
  const parts: Parts = { entries: new Map(), leftOut: [] }
  await addParts(parts, file, label, opened)
  const archives = [...parts.entries.values()]
  if (archives.every(({ path }) => /^[^/]+\.zip$/i.test(path))) {
    parts.entries.clear()
    const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    for (const [at, archive] of archives.entries()) {
      const unpacked = join(folder, `${at}.zip`)
      await archive.copyTo(unpacked)
      await addParts(parts, unpacked, label, opened)
    }
    proveSize(file, parts)
  }
  withoutTopFolder(parts, label)
  const entries = [...parts.entries.values()].sort((a, b) => compareStrings(a.path, b.path))
  return { name: basename(file, extname(file)), entries, leftOut: parts.leftOut }
}

/** The files of an archive by path. */
type Parts = { entries: Map<string, Entry>; leftOut: Listing['leftOut'] }

async function addParts(parts: Parts, file: string, label: string, opened: AsyncDisposableStack): Promise<void> {
  const { entries, leftOut } = parts
  try {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false })
    opened.defer(() => zip.close())
    proveCount(zip.entryCount, basename(file))
    for await (const part of zip.eachEntry()) {
      const name = nameOf(part)
      if (name.endsWith('/')) continue
      const reason = unsafe(part, name)
      const path = reason === undefined ? normalize(name) : name
      if (reason !== undefined) leftOut.push({ path: label + path, reason })
      else if (!entries.has(path)) entries.set(path, partEntry(zip, part, path, label))
      else leftOut.push({ path: `${label}${path} (again)`, reason: 'the archive has this name twice' })
    }
  } catch (error) {
    throw error instanceof OperationalError ? error : damaged(basename(file), error)
  }
  proveSize(file, parts)
}

/** The name of a part; macOS writes UTF-8 without the flag for it. */
function nameOf({ generalPurposeBitFlag: flags, fileNameRaw, extraFields }: Part): string {
  return getFileNameLowLevel(isUtf8(fileNameRaw) ? flags | UTF_8 : flags, fileNameRaw, extraFields, false)
}

const UTF_8 = 0x800

function unsafe(part: Part, path: string): string | undefined {
  if (validateFileName(path) !== null || path.includes('\0')) return 'its name leads out of the archive'
  if (((part.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) return 'a link, which is never followed'
  if (part.isEncrypted()) return 'protected with a password'
  return part.canDecodeFileData() ? undefined : 'compressed in a way that is not read'
}

/** The type of a file in the mode that Unix programs store (`stat.h`). */
const [FILE_TYPE, LINK] = [0xf000, 0xa000]

function partEntry(zip: ZipFile, part: Part, path: string, label: string): Entry {
  const unpack = async <T>(use: (stream: Readable) => Promise<T>): Promise<T> => {
    try {
      return await use(await zip.openReadStreamPromise(part))
    } catch (error) {
      throw damaged(label + path, error)
    }
  }
  return {
    path,
    label,
    size: part.uncompressedSize,
    read: async maxBytes => {
      if (part.uncompressedSize > maxBytes) throw tooLarge(maxBytes)
      return Buffer.concat(await unpack(stream => Array.fromAsync(stream)))
    },
    copyTo: to => unpack(stream => pipeline(stream, createWriteStream(to, { flags: 'wx' }))),
  }
}

function damaged(what: string, error: unknown): unknown {
  if (error instanceof Error && 'syscall' in error) return error
  const message = `cannot unpack ${what}: it is damaged or no ZIP archive (${errorMessage(error)})`
  return new OperationalError('source_unreadable', message, { cause: error })
}

/** Refuses an archive that unpacks to very many bytes, or to very many more than it has. */
function proveSize(file: string, { entries }: Parts): void {
  const size = entries.values().reduce((sum, entry) => sum + entry.size, 0)
  const packed = statSync(file).size
  if (size <= MAX_BYTES && (size <= MIN_BOMB || size <= packed * MAX_RATIO)) return
  const message = `${basename(file)} unpacks to ${Math.round(size / (1 << 20))} MiB: unpack it yourself, and name the folder`
  throw new OperationalError('source_unreadable', message)
}

const MAX_BYTES = 4 * 2 ** 30
const MIN_BOMB = 64 << 20
/** Deflate packs at most 1,032 to 1; flat pictures and texts stay far below this. */
const MAX_RATIO = 200

/** Makes an archive's only top folder its root. */
function withoutTopFolder({ entries, leftOut }: Parts, label: string): void {
  const content = [...entries.values()].filter(({ path }) => !path.startsWith('__MACOSX/'))
  const top = content[0]?.path.replace(/[^/]*$|(?<=\/).*/s, '')
  if (!top || !content.every(({ path }) => path.startsWith(top))) return
  for (const entry of content) entry.path = entry.path.slice(top.length)
  for (const row of leftOut)
    if (row.path.startsWith(label + top)) row.path = label + row.path.slice(label.length + top.length)
}
