import { hash } from 'node:crypto'
import type { MaybePromise } from '../base/promise.ts'
import type { Appearance } from './appearance.ts'
import type { Freezable } from './draft.ts'
import { appearanceEntry, colorEntry, fileEntry, pageEntry, typeEntry } from './entries.ts'
import { type Hash, isHash } from './ids.ts'

/** Bytes and the SHA-256 that names them. */
export type StoredObject = { hash: Hash; bytes: Uint8Array }

/**
 * The root object of a snapshot; its hash is the name of the snapshot. Lists are stored in chunks: changing one entry
 * makes one new chunk and a new root, regardless of the number of entries.
 */
export type SnapshotRoot = {
  format: 1
  name: string
  lang?: string
  appearance?: Appearance
  pages: readonly Hash[]
  colors: readonly Hash[]
  types: readonly Hash[]
  files: readonly Hash[]
}

/** Stores an object. */
export type KeepObject = (object: StoredObject) => MaybePromise<void>

/**
 * Freezes content into objects and stores them one by one. The last one is the root, whose hash names the snapshot.
 * Equal content gives equal bytes on every machine.
 */
export async function freeze(content: Freezable, keep: KeepObject): Promise<Hash> {
  const appearance = appearanceEntry(content)
  const root: SnapshotRoot = {
    format: 1,
    name: content.name,
    ...(content.lang !== undefined && { lang: content.lang }),
    ...(appearance && { appearance }),
    pages: await keepChunks(content.pages, pageEntry, page => page.id, keep),
    colors: await keepChunks(content.colors, colorEntry, color => color.id, keep),
    types: await keepChunks(content.types, typeEntry, type => type.id, keep),
    files: await keepChunks(content.files, fileEntry, file => file.path, keep),
  }
  return keepText(JSON.stringify(root), keep)
}

/** Bytes as an object. */
export function storedObject(bytes: Uint8Array): StoredObject {
  return { hash: hashOf(bytes), bytes }
}

/** The SHA-256 of bytes. */
export function hashOf(bytes: Uint8Array): Hash {
  return parseHash(hash('sha256', bytes))
}

/** Parses a stored hash. Throws if it is invalid, which only happens in a damaged store. */
export function parseHash(text: string): Hash {
  if (!isHash(text)) throw new Error(`not a SHA-256 in hex: ${JSON.stringify(text.slice(0, 80))}`)
  return text
}

/**
 * The key of an entry decides whether a chunk ends there, on average after 64 entries, so an insertion shifts no other
 * chunk. A long chunk also ends, to limit memory.
 */
async function keepChunks<Entry>(
  entries: Iterable<Entry>,
  entryOf: (entry: Entry) => Entry,
  key: (entry: Entry) => string,
  keep: KeepObject,
): Promise<Hash[]> {
  const hashes: Hash[] = []
  let open: string[] = []
  let length = 0
  const close = async () => {
    hashes.push(await keepText(`[${open.join(',')}]`, keep))
    open = []
    length = 0
  }
  for (const entry of entries) {
    const text = JSON.stringify(entryOf(entry))
    open.push(text)
    length += text.length
    if (endsChunk(key(entry)) || open.length === MAX_CHUNK_ENTRIES || length > MAX_CHUNK_LENGTH) await close()
  }
  if (open.length > 0) await close()
  return hashes
}

const MAX_CHUNK_ENTRIES = 512
const MAX_CHUNK_LENGTH = 1 << 20

async function keepText(text: string, keep: KeepObject): Promise<Hash> {
  const object = storedObject(new TextEncoder().encode(text))
  await keep(object)
  return object.hash
}

function endsChunk(key: string): boolean {
  return (hash('sha256', key, 'buffer')[0] ?? 0) % 64 === 0
}
