import { once } from '../../base/promise.ts'
import type { Appearance } from '../../brand/appearance.ts'
import type { Color } from '../../brand/color.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import type { HeaderList } from '../../exchange/message.ts'
import type { ProjectRecord } from '../../store/catalogue/catalogue.ts'
import { readSnapshot, type SnapshotReader } from '../../store/catalogue/snapshots.ts'
import type { Database } from '../../store/database/database.ts'
import { contentKey, type Served } from '../replies/content-keys.ts'

/** A project together with what is served of it: one revision, whole. */
export type Publication = Served & { content: PublishedContent }

/** The content of one revision; each part is read from the store at most once while it is kept. */
type PublishedContent = {
  lang: () => Promise<string | undefined>
  appearance: () => Promise<Appearance>
  /** Whether it has colours, and type styles: told without reading them. */
  hasColors: () => Promise<boolean>
  hasTypes: () => Promise<boolean>
  /** By id, in reading order. */
  pages: () => Promise<ReadonlyMap<string, Page>>
  colors: () => Promise<readonly Color[]>
  types: () => Promise<readonly TypeStyle[]>
  /** By path. */
  files: () => Promise<ReadonlyMap<string, BrandFile>>
  /** The Markdown of a page as written. */
  text: (page: Page) => Promise<string>
  /** The same of many pages, one after the other. */
  texts: SnapshotReader['texts']
  /** Adds bytes to the size of the cached content, for values that are kept as long as it is. */
  grow: (bytes: number) => void
}

/** Opens what is published of a project; undefined if nothing is. */
export type OpenPublication = (record: ProjectRecord | undefined) => Publication | undefined

/** Keeps the contents of the revisions that were asked for last. */
export function openPublications(database: Database, caches: Caches): OpenPublication {
  const contents = caches.open<PublishedContent>('content')
  return record => {
    const published = record?.published
    if (!record || !published) return undefined
    const key = contentKey({ record, published })
    const known = contents.get(key)
    if (known) return { record, published, content: known }
    const reader = readSnapshot(database, record.workspace, published.snapshot)
    const content = publishedContent(reader, bytes => contents.grow(key, content, bytes))
    contents.set(key, content, CONTENT_BYTES)
    return { record, published, content }
  }
}

/** What of a content is there before any part of it is read. */
const CONTENT_BYTES = 3000

/** Reads each part once, and tells how many bytes it takes. */
function publishedContent(reader: SnapshotReader, grow: (bytes: number) => void): PublishedContent {
  const part = <Value>(read: () => Promise<Value>) =>
    once(async () => {
      const value = await read()
      grow(memoryOf(value))
      return value
    })
  const list = <Entry>(read: () => AsyncIterable<readonly Entry[]>) =>
    once(async () => {
      const all: Entry[] = []
      let bytes = 0
      for await (const entries of read()) {
        all.push(...entries)
        bytes += memoryOf(entries)
      }
      grow(bytes)
      return all
    })
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
  return {
    lang: part(reader.lang),
    appearance: part(reader.appearance),
    hasColors: part(() => reader.has('colors')),
    hasTypes: part(() => reader.has('types')),
    pages: map(reader.pages, page => page.id),
    colors: list(reader.colors),
    types: list(reader.types),
    files: map(reader.files, file => file.path),
    text: reader.text,
    texts: reader.texts,
    grow,
  }
}

/** The place of an entry in a map, whose key is a text of the entry. */
const MAP_ENTRY_BYTES = 36

/**
 * Who may keep what the website says of a project. A public one may be kept by everyone, who ask each time whether it
 * is current; a private one only by the client that asked for it, and by no search engine.
 */
export function cachingHeaders({ published }: Pick<Publication, 'published'>): HeaderList {
  return published.visibility === 'public' ? PUBLIC_CACHING : PRIVATE_CACHING
}

/** Everyone may keep it, and asks each time whether it is current. */
export const PUBLIC_CACHING: HeaderList = ['Cache-Control', 'public, no-cache', 'Vary', 'Accept-Encoding']
const PRIVATE_CACHING: HeaderList = [
  'Cache-Control',
  'private, no-cache',
  'Vary',
  'Authorization, Cookie, Accept-Encoding',
  'X-Robots-Tag',
  'noindex',
]
