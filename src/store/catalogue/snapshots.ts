import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Appearance } from '#brand/appearance.ts'
import type { Color } from '#brand/color.ts'
import type { Content, Translation } from '#brand/draft.ts'
import type { BrandFile, LastDay } from '#brand/file.ts'
import type { Hash } from '#brand/ids.ts'
import type { Page } from '#brand/page.ts'
import type { SnapshotRoot } from '#brand/snapshot.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import type { Queries } from '../database/database.ts'
import { getObject, getObjects, OBJECTS_AT_ONCE } from './objects.ts'

/** Reads the parts of a snapshot. Snapshots contain only valid data, so nothing is validated again. */
export type SnapshotReader = {
  name: () => Promise<string>
  lang: () => Promise<string | undefined>
  translation: () => Promise<Translation | undefined>
  appearance: () => Promise<Appearance>
  /** Whether a list has an entry; reads no entries. */
  has: (list: ListName) => Promise<boolean>
  /** The entries of a list in order, one chunk at a time. */
  pages: () => AsyncGenerator<Page[]>
  colors: () => AsyncGenerator<Color[]>
  types: () => AsyncGenerator<TypeStyle[]>
  files: () => AsyncGenerator<BrandFile[]>
  /** The Markdown of a page. */
  text: (page: Page) => Promise<string>
  /** The Markdown of many pages, in batches. */
  texts: (pages: readonly Page[]) => AsyncGenerator<string, undefined>
}

type ListName = 'pages' | 'colors' | 'types' | 'files'

/** Opens a snapshot of a workspace. Each part is read when it is needed. */
export function readSnapshot(queries: Queries, workspace: string, snapshot: Hash): SnapshotReader {
  const text = (hash: Hash) => readText(queries, workspace, hash)
  const root = () => readRoot(queries, workspace, snapshot)
  const list = async function* <Entry>(part: ListName): AsyncGenerator<Entry[]> {
    yield* readChunks<Entry>(queries, workspace, (await root())[part])
  }
  return {
    name: async () => (await root()).name,
    lang: async () => (await root()).lang,
    translation: async () => (await root()).translation,
    appearance: async () => (await root()).appearance ?? {},
    has: async part => (await root())[part].length > 0,
    pages: () => list('pages'),
    colors: () => list('colors'),
    types: () => list('types'),
    files: () => list('files'),
    text: page => text(page.content),
    texts: pages =>
      readTexts(
        queries,
        workspace,
        Array.from(pages, page => page.content),
      ),
  }
}

/** The distinct files of several snapshots of a workspace. Chunks that snapshots share are read once. */
export async function readFiles(
  queries: Queries,
  workspace: string,
  snapshots: readonly Hash[],
): Promise<Iterable<BrandFile>> {
  const chunks = new Set<Hash>()
  for (const snapshot of snapshots)
    for (const chunk of (await readRoot(queries, workspace, snapshot)).files) chunks.add(chunk)
  const files = (await Array.fromAsync(readChunks<BrandFile>(queries, workspace, [...chunks]))).flat()
  return new Map(files.map(file => [`${file.hash}/${file.path}`, file])).values()
}

/** The files of a snapshot, one chunk at a time, without the chunks in `seen`; adds the others to it. */
export async function* newFiles(
  queries: Queries,
  workspace: string,
  snapshot: Hash,
  seen: Set<Hash>,
): AsyncGenerator<BrandFile[]> {
  const chunks = (await readRoot(queries, workspace, snapshot)).files.filter(chunk => !seen.has(chunk))
  for (const chunk of chunks) seen.add(chunk)
  yield* readChunks<BrandFile>(queries, workspace, chunks)
}

/** The own files of a snapshot that have a last day; its original reports others. Chunks without any are not parsed. */
export async function readLastDays(queries: Queries, workspace: string, snapshot: Hash): Promise<LastDay[]> {
  const lastDays: LastDay[] = []
  for await (const text of readTexts(queries, workspace, (await readRoot(queries, workspace, snapshot)).files)) {
    const files: BrandFile[] = text.includes('"until":') ? JSON.parse(text) : []
    for (const { path, until, isInherited } of files)
      if (until !== undefined && !isInherited) lastDays.push({ path, until })
  }
  return lastDays
}

async function readRoot(queries: Queries, workspace: string, snapshot: Hash): Promise<SnapshotRoot> {
  return JSON.parse(await readText(queries, workspace, snapshot))
}

async function* readChunks<Entry>(
  queries: Queries,
  workspace: string,
  chunks: readonly Hash[],
): AsyncGenerator<Entry[]> {
  for await (const text of readTexts(queries, workspace, chunks)) {
    const entries: Entry[] = JSON.parse(text)
    yield entries
  }
}

/**
 * The strings of objects, in order, a batch at a time. Other requests get a turn between batches: SQLite reads in one go,
 * and readers work on each string at once.
 */
async function* readTexts(queries: Queries, workspace: string, hashes: readonly Hash[]): AsyncGenerator<string> {
  for (let at = 0; at < hashes.length; at += OBJECTS_AT_ONCE) {
    if (at > 0) await nextTurn()
    for (const bytes of await getObjects(queries, workspace, hashes.slice(at, at + OBJECTS_AT_ONCE)))
      yield DECODER.decode(bytes)
  }
}

async function readText(queries: Queries, workspace: string, hash: Hash): Promise<string> {
  return DECODER.decode(await getObject(queries, workspace, hash))
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The whole content of a snapshot except the Markdown of its pages. */
export async function readContent(queries: Queries, workspace: string, snapshot: Hash): Promise<Content> {
  const reader = readSnapshot(queries, workspace, snapshot)
  return {
    name: await reader.name(),
    ...withoutUndefined({ lang: await reader.lang(), translation: await reader.translation() }),
    ...(await reader.appearance()),
    pages: (await Array.fromAsync(reader.pages())).flat(),
    colors: (await Array.fromAsync(reader.colors())).flat(),
    types: (await Array.fromAsync(reader.types())).flat(),
    files: (await Array.fromAsync(reader.files())).flat(),
  }
}
