import { createWriteStream, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { normalize } from 'node:path/posix'
import { pipeline } from 'node:stream/promises'
import { getFileNameLowLevel, openPromise, type Entry as Part, validateFileName, type ZipFile } from 'yauzl'
import { errorMessage, OperationalError } from '#base/error.ts'
import { compareStrings } from '#base/text.ts'
import { type Entry, type Listing, proveCount, tooLarge } from './source.ts'

/**
 * Lists a ZIP archive. Its only top folder is its root, and an archive of archives, as Notion makes, has their files.
 * Names that lead out of it are left out; `yauzl` reads no more bytes of a part than its entry says.
 *
 * @throws OperationalError if it is no ZIP, or unpacks to very many files or bytes
 */
export async function listArchive(file: string, label: string): Promise<Listing> {
  await using opened = new AsyncDisposableStack()
  const listing = await listParts(file, label, opened)
  const { entries } = listing
  if (entries.length > 0 && entries.every(({ path }) => /\.zip$/i.test(path))) {
    const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    for (const [at, archive] of entries.splice(0).entries()) {
      const unpacked = join(folder, `${at}.zip`)
      await archive.copyTo(unpacked)
      const inner = await listParts(unpacked, label, opened)
      listing.entries.push(...inner.entries)
      listing.leftOut.push(...inner.leftOut)
    }
    proveSize(file, entries)
  }
  withoutTopFolder(listing, label)
  entries.sort((a, b) => compareStrings(a.path, b.path))
  const owned = opened.move()
  return { ...listing, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

type Parts = Pick<Listing, 'name' | 'entries' | 'leftOut'>

async function listParts(file: string, label: string, opened: AsyncDisposableStack): Promise<Parts> {
  const [entries, leftOut]: [Map<string, Entry>, Listing['leftOut']] = [new Map(), []]
  try {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false })
    opened.defer(() => zip.close())
    proveCount(zip.entryCount, basename(file))
    for await (const part of zip.eachEntry()) {
      const name = getFileNameLowLevel(part.generalPurposeBitFlag, part.fileNameRaw, part.extraFields, false)
      if (name.endsWith('/')) continue
      const why = unsafe(part, name)
      const path = why === undefined ? normalize(name) : name
      const reason = why ?? (entries.has(path) ? 'the archive has this name twice' : undefined)
      if (reason) leftOut.push({ path: label + path, reason })
      else entries.set(path, partEntry(zip, part, path, label))
    }
  } catch (error) {
    throw error instanceof OperationalError ? error : damaged(basename(file), error)
  }
  proveSize(file, [...entries.values()])
  return { name: basename(file, extname(file)), entries: [...entries.values()], leftOut }
}

function unsafe(part: Part, path: string): string | undefined {
  if (validateFileName(path) !== null || path.includes('\0')) return 'its name leads out of the archive'
  if (((part.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) return 'a link, which is never followed'
  if (part.isEncrypted()) return 'protected with a password'
  return part.canDecodeFileData() ? undefined : 'compressed in a way that is not read'
}

/** The type of a file in the mode that Unix programs store (`stat.h`). */
const [FILE_TYPE, LINK] = [0xf000, 0xa000]

function partEntry(zip: ZipFile, part: Part, path: string, label: string): Entry {
  const shown = label + path
  const open = () => zip.openReadStreamPromise(part)
  return {
    path,
    label,
    size: part.uncompressedSize,
    read: async maxBytes => {
      if (part.uncompressedSize > maxBytes) throw tooLarge(maxBytes)
      try {
        return Buffer.concat(await Array.fromAsync(await open()))
      } catch (error) {
        throw damaged(shown, error)
      }
    },
    copyTo: async to => {
      try {
        await pipeline(await open(), createWriteStream(to, { flags: 'wx' }))
      } catch (error) {
        throw damaged(shown, error)
      }
    },
  }
}

function damaged(what: string, error: unknown): unknown {
  if (error instanceof Error && 'syscall' in error) return error
  const message = `cannot unpack ${what}: it is damaged or no ZIP archive (${errorMessage(error)})`
  return new OperationalError('source_unreadable', message, { cause: error })
}

/** Refuses an archive that unpacks to very many bytes, or to very many more than it has. */
function proveSize(file: string, entries: readonly Entry[]): void {
  const size = entries.reduce((sum, entry) => sum + entry.size, 0)
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
  const content = entries.filter(({ path }) => !path.startsWith('__MACOSX/'))
  const top = content[0]?.path.replace(/[^/]*$|(?<=\/).*/s, '')
  if (!top || !content.every(({ path }) => path.startsWith(top))) return
  for (const entry of content) entry.path = entry.path.slice(top.length)
  for (const row of leftOut)
    if (row.path.startsWith(label + top)) row.path = label + row.path.slice(label.length + top.length)
}
