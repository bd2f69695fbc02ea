import { createHash } from 'node:crypto'
import type { Content } from './draft.ts'
import { colorEntry, fileEntry, pageEntry, typeEntry } from './entries.ts'
import { type Hash, isHash } from './ids.ts'

/** Bytes and the SHA-256 that names them. */
export type StoredObject = { hash: Hash; bytes: Uint8Array }

/**
 * The root object of a snapshot: its own hash is the snapshot's name. Lists stand in chunks of their own, so that a
 * change of one entry makes one new chunk and one new root, however many entries there are.
 */
export type SnapshotRoot = {
  format: 1
  name: string
  pages: readonly Hash[]
  colors: readonly Hash[]
  types: readonly Hash[]
  files: readonly Hash[]
}

/** Freezes content: the snapshot's hash and the objects that hold it. Equal content gives equal bytes on every machine. */
export function freeze(content: Content): { snapshot: Hash; objects: StoredObject[] } {
  const objects: StoredObject[] = []
  const keep = (value: unknown): Hash => {
    const object = storedObject(new TextEncoder().encode(JSON.stringify(value)))
    objects.push(object)
    return object.hash
  }
  const chunks = <Entry>(entries: readonly Entry[], key: (entry: Entry) => string) =>
    inChunks(entries, key).map(chunk => keep(chunk))
  const root: SnapshotRoot = {
    format: 1,
    name: content.name,
    pages: chunks(content.pages.map(pageEntry), page => page.id),
    colors: chunks(content.colors.map(colorEntry), color => color.id),
    types: chunks(content.types.map(typeEntry), type => type.id),
    files: chunks(content.files.map(fileEntry), file => file.path),
  }
  return { snapshot: keep(root), objects }
}

/** Names bytes by their SHA-256. */
export function storedObject(bytes: Uint8Array): StoredObject {
  return { hash: hashOf(bytes), bytes }
}

/** The SHA-256 of bytes. */
export function hashOf(bytes: Uint8Array): Hash {
  return parsedHash(createHash('sha256').update(bytes).digest('hex'))
}

/** A text known to be a hash; throws for anything else, since only a broken store gives that. */
export function parsedHash(text: string): Hash {
  if (!isHash(text)) throw new Error(`not a SHA-256 in hex: ${JSON.stringify(text.slice(0, 80))}`)
  return text
}

/** Chunks end where an entry's own key says so, on average every 64 entries: an insertion shifts no other chunk. */
function inChunks<Entry>(entries: readonly Entry[], key: (entry: Entry) => string): Entry[][] {
  const chunks: Entry[][] = []
  let open: Entry[] = []
  for (const entry of entries) {
    open.push(entry)
    if (endsChunk(key(entry)) || open.length === LARGEST_CHUNK) {
      chunks.push(open)
      open = []
    }
  }
  if (open.length > 0) chunks.push(open)
  return chunks
}

const LARGEST_CHUNK = 512

function endsChunk(key: string): boolean {
  return (createHash('sha256').update(key).digest()[0] ?? 0) % 64 === 0
}
