import { giveWay } from '../../base/steps.ts'
import type { Appearance } from '../../brand/appearance.ts'
import type { Color } from '../../brand/color.ts'
import type { Content } from '../../brand/draft.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { Hash } from '../../brand/ids.ts'
import type { Page } from '../../brand/page.ts'
import type { SnapshotRoot } from '../../brand/snapshot.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Queries } from '../database/database.ts'
import { getObject } from './objects.ts'

/** Reads the parts of a snapshot. What was frozen was valid, so nothing is validated again. */
export type SnapshotReader = {
  name: () => Promise<string>
  lang: () => Promise<string | undefined>
  appearance: () => Promise<Appearance>
  pages: () => Promise<Page[]>
  colors: () => Promise<Color[]>
  types: () => Promise<TypeStyle[]>
  files: () => Promise<BrandFile[]>
  /** The Markdown of a page. */
  text: (page: Page) => Promise<string>
}

/** Opens a snapshot of a workspace. Each part is read when it is asked for. */
export function readSnapshot(queries: Queries, workspace: string, snapshot: Hash): SnapshotReader {
  const text = (hash: Hash) => readText(queries, workspace, hash)
  const root = () => readRoot(queries, workspace, snapshot)
  const list = async <Entry>(part: 'pages' | 'colors' | 'types' | 'files'): Promise<Entry[]> =>
    readChunks(queries, workspace, (await root())[part])
  return {
    name: async () => (await root()).name,
    lang: async () => (await root()).lang,
    appearance: async () => (await root()).appearance ?? {},
    pages: () => list('pages'),
    colors: () => list('colors'),
    types: () => list('types'),
    files: () => list('files'),
    text: page => text(page.content),
  }
}

/** The files of several snapshots of a workspace, each once. Chunks that the snapshots share are read once. */
export async function readFiles(
  queries: Queries,
  workspace: string,
  snapshots: readonly Hash[],
): Promise<Iterable<BrandFile>> {
  const chunks = new Set<Hash>()
  for (const snapshot of snapshots)
    for (const chunk of (await readRoot(queries, workspace, snapshot)).files) chunks.add(chunk)
  const files = await readChunks<BrandFile>(queries, workspace, chunks)
  return new Map(files.map(file => [`${file.hash}/${file.path}`, file])).values()
}

async function readRoot(queries: Queries, workspace: string, snapshot: Hash): Promise<SnapshotRoot> {
  return JSON.parse(await readText(queries, workspace, snapshot))
}

/** In steps, so that the service answers other requests in between. */
async function readChunks<Entry>(queries: Queries, workspace: string, chunks: Iterable<Hash>): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const chunk of chunks) {
    const text = await readText(queries, workspace, chunk)
    await giveWay() // One page alone can have a megabyte of links.
    const more: Entry[] = JSON.parse(text)
    entries.push(...more)
    await giveWay()
  }
  return entries
}

async function readText(queries: Queries, workspace: string, hash: Hash): Promise<string> {
  return DECODER.decode(await getObject(queries, workspace, hash))
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The whole content of a snapshot except the texts of its pages. */
export async function readContent(queries: Queries, workspace: string, snapshot: Hash): Promise<Content> {
  const reader = readSnapshot(queries, workspace, snapshot)
  const lang = await reader.lang()
  return {
    name: await reader.name(),
    ...(lang !== undefined && { lang }),
    ...(await reader.appearance()),
    pages: await reader.pages(),
    colors: await reader.colors(),
    types: await reader.types(),
    files: await reader.files(),
  }
}
