import type { Hash } from './ids.ts'
import { hashOf, parseObject, type ReadObject, type SnapshotRoot } from './snapshot.ts'

/** The differences between two lists, as the keys of their entries. */
type ListChanges = { added: string[]; changed: string[]; removed: string[] }

/** The differences between two snapshots: the ids of pages and styles, and the paths of files. */
export type ContentChanges = { pages: ListChanges; styles: ListChanges; files: ListChanges }

/** Compares two snapshots. Without an earlier one, everything is added. Does not read the chunks that both have. */
export async function contentChanges(before: Hash | undefined, after: Hash, read: ReadObject): Promise<ContentChanges> {
  const from: Lists = before === undefined ? NOTHING : await parseObject(read, before)
  const to: Lists = await parseObject(read, after)
  const changes = (list: keyof Lists) => listChanges(from[list], to[list], read)
  return {
    pages: await changes('pages'),
    styles: both(await changes('colors'), await changes('types')),
    files: await changes('files'),
  }
}

/** The hash of each page's entry, keyed by page id. */
export type PageHashes = ReadonlyMap<string, Hash>

/** The page hashes of a snapshot, for comparing it with others. */
export async function pageHashes(snapshot: Hash, read: ReadObject): Promise<PageHashes> {
  const { pages } = await parseObject<Lists>(read, snapshot)
  return entryHashes(pages, read)
}

type Lists = Pick<SnapshotRoot, 'pages' | 'colors' | 'types' | 'files'>

const NOTHING: Lists = { pages: [], colors: [], types: [], files: [] }

function both(a: ListChanges, b: ListChanges): ListChanges {
  return {
    added: [...a.added, ...b.added],
    changed: [...a.changed, ...b.changed],
    removed: [...a.removed, ...b.removed],
  }
}

async function listChanges(before: readonly Hash[], after: readonly Hash[], read: ReadObject): Promise<ListChanges> {
  const removedChunks = [...new Set(before).difference(new Set(after))]
  const addedChunks = [...new Set(after).difference(new Set(before))]
  // An entry can only have changed if it was in a chunk that is gone.
  if (removedChunks.length === 0)
    return { added: await Array.fromAsync(entriesOf(addedChunks, read), entryKey), changed: [], removed: [] }
  const old = await entryHashes(removedChunks, read)
  const current = await entryHashes(addedChunks, read)
  return {
    added: [...current.keys()].filter(key => !old.has(key)),
    changed: [...current].filter(([key, hash]) => old.has(key) && old.get(key) !== hash).map(([key]) => key),
    removed: [...old.keys()].filter(key => !current.has(key)),
  }
}

/** The hash of each entry, keyed by id or path. Keeping the entries themselves could take too much memory. */
async function entryHashes(chunks: readonly Hash[], read: ReadObject): Promise<Map<string, Hash>> {
  const hashes = new Map<string, Hash>()
  for await (const entry of entriesOf(chunks, read))
    hashes.set(entryKey(entry), hashOf(new TextEncoder().encode(JSON.stringify(entry))))
  return hashes
}

async function* entriesOf(chunks: readonly Hash[], read: ReadObject): AsyncGenerator<Entry> {
  for (const chunk of chunks) yield* await parseObject<Entry[]>(read, chunk)
}

function entryKey({ id, path }: Entry): string {
  return id ?? path
}

/** A page or style has an id, a file has a path. */
type Entry = { id: string; path?: never } | { id?: never; path: string }
