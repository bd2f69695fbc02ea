import { createWriteStream, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { normalize } from 'node:path/posix'
import { pipeline } from 'node:stream/promises'
import { openZipFile, type ZipObstacle, type ZipPart } from '#formats/zip/zip.ts'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { compareStrings } from '#platform/base/text.ts'
import { type Entry, type Listing, proveCount, tooLarge } from './source.ts'

/**
 * Lists a ZIP archive. Its only top folder is its root, and an archive of archives, as some services make, has their files.
 * Closing `opened` closes it. Names that lead out of it are left out.
 *
 * @throws OperationalError if it is no ZIP, or unpacks to very many files or bytes
 */
export async function listArchive(file: string, label: string, opened: AsyncDisposableStack): Promise<Listing> {
  const parts: Parts = { entries: new Map(), leftOut: [] }
  await addParts(parts, file, label, opened)
  const archives = [...parts.entries.values()]
  if (archives.every(({ path }) => !path.includes('/') && isArchive(path))) {
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

/** Whether a file is an archive by the format in its name. */
export function isArchive(path: string): boolean {
  return extname(path).toLowerCase() === '.zip'
}

/** The files of an archive by path. */
type Parts = { entries: Map<string, Entry>; leftOut: Listing['leftOut'] }

async function addParts(parts: Parts, file: string, label: string, opened: AsyncDisposableStack): Promise<void> {
  const { entries, leftOut } = parts
  try {
    const zip = await openZipFile(file)
    opened.defer(zip.close)
    proveCount(zip.count, basename(file))
    for await (const part of zip.parts()) {
      const { name, obstacle } = part
      if (name.endsWith('/')) continue
      const path = normalize(name)
      if (obstacle !== undefined) leftOut.push({ path: label + name, reason: REASONS[obstacle] })
      else if (!entries.has(path)) entries.set(path, partEntry(part, path, label))
      else leftOut.push({ path: `${label}${path} (again)`, reason: 'the archive has this name twice' })
    }
  } catch (error) {
    throw error instanceof OperationalError ? error : damaged(basename(file), error)
  }
  proveSize(file, parts)
}

const REASONS: Readonly<Record<ZipObstacle, string>> = {
  outside: 'its name leads out of the archive',
  link: 'a link, which is never followed',
  encrypted: 'protected with a password',
  method: 'compressed in a way that is not read',
}

function partEntry(part: ZipPart, path: string, label: string): Entry {
  const fail = (error: unknown) => {
    throw damaged(label + path, error)
  }
  return {
    path,
    label,
    size: part.size,
    read: async maxBytes => {
      if (part.size > maxBytes) throw tooLarge(maxBytes)
      return part.read().catch(fail)
    },
    copyTo: async to => {
      const write = async () => pipeline(await part.stream(), createWriteStream(to, { flags: 'wx' }))
      await write().catch(fail)
    },
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
  if (size <= Math.min(MAX_BYTES, Math.max(MIN_BOMB, packed * MAX_RATIO))) return
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
  const [{ path } = { path: '' }] = content
  const top = path.slice(0, path.indexOf('/') + 1)
  if (!content.every(({ path }) => path.startsWith(top))) return
  for (const entry of content) entry.path = entry.path.slice(top.length)
  for (const row of leftOut)
    if (row.path.startsWith(label + top)) row.path = label + row.path.slice(label.length + top.length)
}
