import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serial } from '../base/promise.ts'

/**
 * Bytes by name in a folder of this process's machine, which may be deleted at any time. The names are 64 hexadecimal
 * digits. Whoever reads an entry has to check it: others may have written it.
 */
export type DiskCache = {
  /** The bytes under a name, if there are any and at most so many. Never rejects. */
  read: (name: string, maxBytes: number) => Promise<Uint8Array | undefined>
  /** Keeps bytes. If they cannot be written, they are not kept. Never rejects. */
  write: (name: string, bytes: Uint8Array) => Promise<void>
  /** Ends once nothing is written any more. */
  close: () => Promise<void>
}

/**
 * Opens the cache in a folder (0700), which is made when something is first kept. All entries together take at most so many
 * bytes; those go first that were used longest ago.
 */
export function openDiskCache(folder: string, maxBytes: number): DiskCache {
  const inTurn = serial()
  let entries: Entries | undefined
  let isClosed = false
  const write = async (name: string, bytes: Uint8Array) => {
    if (isClosed || bytes.length > maxBytes) return
    await makeFolder(folder)
    entries ??= await listEntries(folder)
    await writeWhole(join(folder, name), bytes)
    entries.add(name, bytes.length)
    for (const gone of entries.takeBeyond(maxBytes)) await rm(join(folder, gone), { force: true })
    if (entries.isStale(maxBytes)) entries = undefined
  }
  return {
    read: async (name, most) => {
      const bytes = await orNothing(() => readPlain(folder, name, most))
      if (bytes) entries?.use(name)
      return bytes
    },
    write: (name, bytes) => inTurn(() => orNothing(() => write(name, bytes))),
    close: () => {
      isClosed = true
      return inTurn(async () => undefined)
    },
  }
}

/** A disk that is full, read-only or gone costs the cache alone. */
async function orNothing<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

/** Throws if something else than a folder of its own is in its place: a link would lead out of the data folder. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await assertFolder(folder)
}

async function assertFolder(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is no folder`)
}

/** Reads a plain file, and nothing else: no link, and no pipe, which would never end. Notes that it was used. */
async function readPlain(folder: string, name: string, maxBytes: number): Promise<Uint8Array | undefined> {
  await assertFolder(folder)
  await using file = await open(join(folder, name), PLAIN)
  const stat = await file.stat()
  if (!stat.isFile() || stat.size > maxBytes) return undefined
  const bytes = await readExactly(file, stat.size)
  const now = new Date()
  await orNothing(() => file.utimes(now, now))
  return bytes
}

const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Never more, however the file grows meanwhile. */
async function readExactly(file: FileHandle, size: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(size)
  const { bytesRead } = await file.read(bytes, 0, size, 0)
  return bytesRead === size ? bytes : undefined
}

/** Writes a file so that others see all of it or nothing. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}-${randomUUID()}`
  try {
    await using file = await open(unfinished, 'wx', 0o600)
    await file.writeFile(bytes)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The sizes of entries, those first that were used longest ago. */
type Entries = {
  add: (name: string, bytes: number) => void
  use: (name: string) => void
  /** Takes out as many as are too much. */
  takeBeyond: (maxBytes: number) => string[]
  /** Whether so much was added that other processes may have as well. */
  isStale: (maxBytes: number) => boolean
}

/** Lists a folder. What writing left unfinished an hour ago and more is removed; what has another name is left alone. */
async function listEntries(folder: string): Promise<Entries> {
  const found: { name: string; size: number; usedAt: number }[] = []
  for await (const { name } of await opendir(folder)) {
    if (!OWN_NAME.test(name)) continue
    const stat = await orNothing(() => lstat(join(folder, name)))
    if (!stat) continue
    if (name.length === NAME_LENGTH) found.push({ name, size: stat.size, usedAt: stat.mtimeMs })
    else if (Date.now() - stat.mtimeMs > UNFINISHED_MS) await rm(join(folder, name), { force: true })
  }
  found.sort((a, b) => a.usedAt - b.usedAt)
  return entriesOf(new Map(found.map(({ name, size }) => [name, size])))
}

const NAME_LENGTH = 64
const OWN_NAME = /^[0-9a-f]{64}(?:-[0-9a-f-]{36})?$/
const UNFINISHED_MS = 60 * 60_000

function entriesOf(sizes: Map<string, number>): Entries {
  let bytes = sizes.values().reduce((sum, size) => sum + size, 0)
  let added = 0
  const remove = (name: string) => {
    bytes -= sizes.get(name) ?? 0
    sizes.delete(name)
  }
  return {
    add: (name, size) => {
      remove(name)
      sizes.set(name, size)
      bytes += size
      added += size
    },
    use: name => {
      const size = sizes.get(name)
      if (size === undefined) return
      sizes.delete(name)
      sizes.set(name, size)
    },
    takeBeyond: maxBytes => {
      const gone: string[] = []
      for (const name of sizes.keys()) {
        if (bytes <= maxBytes) break
        remove(name)
        gone.push(name)
      }
      return gone
    },
    isStale: maxBytes => added > maxBytes / STALE_PARTS,
  }
}

/** Entries are listed again when a sixteenth of the bound was added. */
const STALE_PARTS = 16
