import type { BrandFile } from '#brand/file.ts'
import type { Hash } from '#brand/ids.ts'
import { listRevisions, type RevisionRecord } from '#store/catalogue/history.ts'
import { newFiles } from '#store/catalogue/snapshots.ts'
import type { Queries } from '#store/database/database.ts'
import { knownRevisions } from './earlier.ts'
import type { Publication } from './publications.ts'

/**
 * A version of a file that today's content has at no path, and the newest revision that had it, with its path there. If
 * that revision had it at several paths, such as `logo.svg` and `old/logo.svg`, it is the first one at which there is a
 * file today, else the first one.
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
    const filesToday = await content.files()
    const hashesToday = new Set(filesToday.values().map(({ hash }) => hash))
    const oldFiles = new Map<Hash, OldRevisionFile>()
    const seenChunks = new Set<Hash>()
    // Newest first, so the first revision that has a hash is the newest one.
    for (const revision of of === 'all' ? revisions : knownRevisions(revisions, published))
      for await (const { path, hash, size, contentType } of filesOf(database, record.workspace, revision, seenChunks)) {
        if (hashesToday.has(hash)) continue
        const earlier = oldFiles.get(hash)
        const isOfSameRevision = earlier?.revision === revision.number
        const hasBetterPath = isOfSameRevision && !filesToday.has(earlier.path) && filesToday.has(path)
        if (!earlier || hasBetterPath) oldFiles.set(hash, { path, hash, size, contentType, revision: revision.number })
      }
    return [...oldFiles.values()]
  }
}

/**
 * The number of the first of the revisions that have a file without a gap up to the published one: 3 if revisions 1 and
 * 3 to 5 have it, and 5 is published. Undefined if the published one lacks it.
 */
export async function firstRevisionWith(database: Queries, { record, published }: Publication, hash: string) {
  const revisions = await listRevisions(database, record.workspace, record.project)
  let first: number | undefined
  // Newest first.
  for (const revision of revisions.filter(({ number }) => number <= published.revision)) {
    const files = await Array.fromAsync(filesOf(database, record.workspace, revision, new Set()))
    if (!files.some(file => file.hash === hash)) break
    first = revision.number
  }
  return first
}

/** The files of a revision in the chunks of its list that are not in `seen`, to which they are added. */
async function* filesOf(
  database: Queries,
  workspace: string,
  { snapshot }: RevisionRecord,
  seen: Set<Hash>,
): AsyncGenerator<BrandFile> {
  for await (const files of newFiles(database, workspace, snapshot, seen)) yield* files
}
