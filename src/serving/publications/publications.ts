import type { Color } from '#brand/color.ts'
import { type BrandFile, dayOf } from '#brand/file.ts'
import type { Page } from '#brand/page.ts'
import type { PictureFacts } from '#brand/pictures/picture-facts.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { once } from '#platform/base/promise.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import type { HeaderList } from '#platform/exchange/message.ts'
import { findFacts } from '#store/catalogue/picture-facts.ts'
import { readSnapshot, type SnapshotReader } from '#store/catalogue/snapshots.ts'
import type { Database } from '#store/database/database.ts'
import { contentKey, type Served } from '../replies/content-keys.ts'

/** A project together with one served revision, as a whole. */
export type Publication = Served & { content: PublishedContent }

/** The content of one revision. Each part is read from the store at most once while it is cached. */
type PublishedContent = Pick<SnapshotReader, 'lang' | 'translation' | 'appearance' | 'text' | 'texts'> & {
  /** Whether it has colours, and type styles; does not read them. */
  hasColors: () => Promise<boolean>
  hasTypes: () => Promise<boolean>
  /** By id, in reading order. */
  pages: () => Promise<ReadonlyMap<string, Page>>
  colors: () => Promise<readonly Color[]>
  types: () => Promise<readonly TypeStyle[]>
  /** By path. */
  files: () => Promise<ReadonlyMap<string, BrandFile>>
  /** The measured facts of its pictures, keyed by hash. */
  pictures: () => Promise<ReadonlyMap<string, PictureFacts>>
  /** The current day in UTC: `2026-11-29`. */
  today: () => string
  /** Adds bytes to the size of the cached content, for values that are kept as long as it is. */
  grow: (bytes: number) => void
}

/** Opens the publication of a project; undefined if nothing is published. */
export type OpenPublication = (record: Served['record'] | undefined) => Publication | undefined

/** Caches the contents of recently used revisions. `clock` is the time of day in milliseconds. */
export function openPublications(database: Database, caches: Caches, clock: () => number = Date.now): OpenPublication {
  const contents = caches.open<PublishedContent>('content')
  return record => {
    const published = record?.published
    if (!record || !published) return undefined
    const key = contentKey({ record, published })
    const cached = contents.get(key)
    if (cached) return { record, published, content: cached }
    const { snapshot, facts } = published
    const reader = readSnapshot(database, record.workspace, snapshot)
    const findPictures = (files: Iterable<BrandFile>) => findFacts(database, record.workspace, facts, files)
    const content = publishedContent({ ...reader, findPictures }, clock, bytes => contents.grow(key, content, bytes))
    contents.set(key, content, CONTENT_BYTES)
    return { record, published, content }
  }
}

/** The memory of a content before any of its parts is read. */
const CONTENT_BYTES = 3000

function publishedContent(
  reader: SnapshotReader & { findPictures: (files: Iterable<BrandFile>) => ReturnType<typeof findFacts> },
  clock: () => number,
  grow: (bytes: number) => void,
): PublishedContent {
  const { part, list, map } = openParts(grow)
  const files = map(reader.files, file => file.path)
  return {
    lang: part(reader.lang),
    translation: part(reader.translation),
    appearance: part(reader.appearance),
    hasColors: part(() => reader.has('colors')),
    hasTypes: part(() => reader.has('types')),
    pages: map(reader.pages, page => page.id),
    colors: list(reader.colors),
    types: list(reader.types),
    files,
    pictures: part(async () => reader.findPictures((await files()).values())),
    text: reader.text,
    texts: reader.texts,
    today: () => dayOf(new Date(clock())),
    grow,
  }
}

/** Makes functions for the parts of a content. Each part is read once, and then counts as memory of the content. */
function openParts(grow: PublishedContent['grow']) {
  const part = <Value>(read: () => Promise<Value>) =>
    once(async () => {
      const value = await read()
      grow(memoryOf(value))
      return value
    })
  const list = <Entry>(read: () => AsyncIterable<readonly Entry[]>) =>
    part(async () => (await Array.fromAsync(read())).flat())
  const map = <Entry>(read: () => AsyncIterable<readonly Entry[]>, keyOf: (entry: Entry) => string) =>
    once(async () => {
      const all = new Map<string, Entry>()
      let bytes = 0
      for await (const entries of read()) {
        for (const entry of entries) all.set(keyOf(entry), entry)
        bytes += memoryOf(entries) + entries.length * MAP_ENTRY_BYTES
      }
      grow(bytes)
      return all
    })
  return { part, list, map }
}

/** The size of a map entry; its key is a string of the value. */
const MAP_ENTRY_BYTES = 36

/**
 * Every cache may store a public page, and must revalidate it each time. Only its client may store a private one, and
 * search engines must not index it.
 */
export function cachingHeaders({ published }: Served): HeaderList {
  return published.visibility === 'public' ? PUBLIC_CACHING : PRIVATE_CACHING
}

export const PUBLIC_CACHING: HeaderList = ['Cache-Control', 'public, no-cache', 'Vary', 'Accept-Encoding']
/** Only the reader's browser may store the reply, and must revalidate it each time. */
export const PRIVATE_CACHING: HeaderList = [
  'Cache-Control',
  'private, no-cache',
  'Vary',
  'Authorization, Cookie, Accept-Encoding',
  'X-Robots-Tag',
  'noindex',
]

/** The name of a project, with the name of its workspace in front unless it already begins with it. */
export function guideName({ publication, workspace }: { publication: Publication; workspace: string }): string {
  const { name } = publication.published
  return name.toLowerCase().startsWith(workspace.toLowerCase()) ? name : `${workspace} – ${name}`
}
