import type { BrandFile } from '#brand/file.ts'
import type { Hash } from '#brand/ids.ts'
import { listRevisions, type RevisionRecord } from '#store/catalogue/history.ts'
import { newFiles } from '#store/catalogue/snapshots.ts'
import type { Queries } from '#store/database/database.ts'
import { knownRevisions } from './earlier.ts'
import type { Publication } from './publications.ts'

/**
 * A version of a file that today's content has at no path: its path in the last revision that had it; of several, the
 * first one at which there is a file today.
 */
export type OldRevisionFile = Pick<BrandFile, 'path' | 'hash' | 'size' | 'contentType'> & { revision: number }

/**
 * Lists the old versions of a publication's files, newest revision first, each hash once: of `all` revisions in the
 * store, also retracted ones, or only of the `known` ones, which readers of the publication may know of. A draft is
 * compared as if it were published.
 */
export type ListOldFiles = (
  publication: Publication,
  options: { of: 'all' | 'known' },
) => Promise<readonly OldRevisionFile[]>

/** Lists old files from the history of the store. Revisions share most of their lists, and each is read once. */
export function createListOldFiles(database: Queries): ListOldFiles {
  return async ({ record, published, content }, { of }) => {
    const revisions = await listRevisions(database, record.workspace, record.project)
    const files = await content.files()
    const today = new Set(files.values().map(({ hash }) => hash))
    const old = new Map<Hash, OldRevisionFile>()
    const seen = new Set<Hash>()
    for (const revision of of === 'all' ? revisions : knownRevisions(revisions, published))
      for await (const { path, hash, size, contentType } of filesOf(database, record.workspace, revision, seen)) {
        const before = old.get(hash)
        const isBetter = before?.revision === revision.number && !files.has(before.path) && files.has(path)
        if (!today.has(hash) && (!before || isBetter))
          old.set(hash, { path, hash, size, contentType, revision: revision.number })
      }
    return [...old.values()]
  }
}

/** The first of the revisions that have a file without a gap up to the published one; undefined if that one has not. */
export async function firstRevisionWith(database: Queries, { record, published }: Publication, hash: string) {
  const revisions = await listRevisions(database, record.workspace, record.project)
  let first: number | undefined
  for (const revision of revisions.filter(({ number }) => number <= published.revision)) {
    const files = (await Array.fromAsync(filesOf(database, record.workspace, revision, new Set()))).flat()
    if (!files.some(file => file.hash === hash)) break
    first = revision.number
  }
  return first
}

/** The files of a revision in new chunks of its list. */
async function* filesOf(
  database: Queries,
  workspace: string,
  { snapshot }: RevisionRecord,
  seen: Set<Hash>,
): AsyncGenerator<BrandFile> {
  for await (const files of newFiles(database, workspace, snapshot, seen)) yield* files
}
