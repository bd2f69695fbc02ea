import { LRUCache } from 'lru-cache'
import type { Color } from '../brand/color.ts'
import type { BrandFile } from '../brand/file.ts'
import { once } from '../brand/once.ts'
import type { Page } from '../brand/page.ts'
import type { TypeStyle } from '../brand/type-style.ts'
import type { ProjectRecord, PublishedPointer } from '../store/catalogue.ts'
import type { Database } from '../store/database.ts'
import { readSnapshot } from '../store/snapshots.ts'

/** A project together with what is served of it: one revision, whole. */
export type Publication = { record: ProjectRecord; published: PublishedPointer; content: PublishedContent }

/** The content of one revision; each part is read from the store at most once while it is kept. */
type PublishedContent = {
  lang: () => Promise<string | undefined>
  /** By id, in reading order. */
  pages: () => Promise<ReadonlyMap<string, Page>>
  colors: () => Promise<readonly Color[]>
  types: () => Promise<readonly TypeStyle[]>
  /** By path. */
  files: () => Promise<ReadonlyMap<string, BrandFile>>
  /** The Markdown of a page as written. */
  text: (page: Page) => Promise<string>
}

/** Opens what is published of a project; undefined where nothing is. */
export type OpenPublication = (record: ProjectRecord | undefined) => Publication | undefined

/** Keeps the contents of the revisions that were asked for last. */
export function openPublications(database: Database): OpenPublication {
  const contents = new LRUCache<string, PublishedContent>({ max: MOST_KEPT })
  return record => {
    const published = record?.published
    if (!record || !published) return undefined
    const key = `${record.workspace}/${published.snapshot}`
    let content = contents.get(key)
    if (!content) {
      content = publishedContent(database, record.workspace, published)
      contents.set(key, content)
    }
    return { record, published, content }
  }
}

const MOST_KEPT = 500

function publishedContent(database: Database, workspace: string, { snapshot }: PublishedPointer): PublishedContent {
  const reader = readSnapshot(database, workspace, snapshot)
  return {
    lang: once(reader.lang),
    pages: once(async () => new Map((await reader.pages()).map(page => [page.id.toString(), page]))),
    colors: once(reader.colors),
    types: once(reader.types),
    files: once(async () => new Map((await reader.files()).map(file => [file.path, file]))),
    text: reader.text,
  }
}
