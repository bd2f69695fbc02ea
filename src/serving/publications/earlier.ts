import { listRevisions, pointerTo, type RevisionRecord } from '#store/catalogue/history.ts'
import type { Queries } from '#store/database/database.ts'
import type { OpenPublication, Publication } from './publications.ts'

/** The publisher's note on a revision, and the earlier revision to compare it with. */
type Comparison = {
  note?: string | undefined
  earlier?: EarlierPublication | undefined
  /** The chosen later revision, if it is not the publication itself. */
  later?: EarlierPublication | undefined
  /** The revisions that can be compared, newest first. */
  revisions: readonly (Pick<RevisionRecord, 'number' | 'publishedAt' | 'note'> & { wasPublic: boolean })[]
}

/** The numbers of the revisions to compare: by default a publication and the one before it. */
export type Chosen = { from?: number | undefined; to?: number | undefined }

/** A revision as a publication, and whether everyone could see it while it was current. */
export type EarlierPublication = { publication: Publication; wasPublic: boolean }

/**
 * Finds the note of a publication, and the latest earlier revision with different content that was neither retracted nor
 * freed. Everyone may see a public publication, so for one, only revisions that were public count. A draft is compared
 * with the published revision. Undefined if a chosen revision is unknown.
 */
export type FindEarlier = (publication: Publication, chosen?: Chosen) => Promise<Comparison | undefined>

export function createFindEarlier(database: Queries, openPublication: OpenPublication): FindEarlier {
  return async ({ record, published }, { from, to = published.revision } = {}) => {
    const allRevisions = await listRevisions(database, record.workspace, record.project)
    if (record.draftOf) {
      const withContent = allRevisions.filter(({ freedAt }) => !freedAt)
      return { earlier: publishedNow(openPublication(record.draftOf)), revisions: withContent.map(choiceOf) }
    }
    // People who manage a project compare all of its revisions.
    const visible = record.managedRevision === undefined ? knownRevisions(allRevisions, published) : allRevisions
    const comparable = visible.filter(({ number, freedAt }) => !freedAt || number === published.revision)
    const isPublication = to === published.revision
    const laterRevision = comparable.find(({ number }) => number === to)
    if (!laterRevision && !isPublication) return undefined
    const laterSnapshot = laterRevision?.snapshot ?? published.snapshot
    const isCompared = (revision: RevisionRecord) =>
      from === undefined ? isEarlier(revision, to, laterSnapshot) : revision.number === from
    // Newest first, so without a choice it is the latest one that differs.
    const earlierRevision = comparable.find(isCompared)
    if (from !== undefined && !earlierRevision) return undefined
    const open = (revision: RevisionRecord | undefined) =>
      revision && opened(openPublication, { record, published }, revision)
    return {
      note: allRevisions.find(({ number }) => number === to)?.note,
      earlier: open(earlierRevision),
      later: isPublication ? undefined : open(laterRevision),
      revisions: comparable.map(choiceOf),
    }
  }
}

function choiceOf(revision: RevisionRecord): Comparison['revisions'][number] {
  return { ...revision, wasPublic: wasPublic(revision) }
}

/** A revision that readers of a publication know of. Its content, and the earlier one, are absent if they were freed. */
export type KnownRevision = Pick<RevisionRecord, 'number' | 'publishedAt' | 'note'> & {
  content?: EarlierPublication | undefined
  earlier?: EarlierPublication | undefined
}

/** Lists the published revision and earlier ones, newest first: of a public publication only those that were public. */
export type ListKnown = (publication: Publication, limit: number) => Promise<readonly KnownRevision[]>

export function createListKnown(database: Queries, openPublication: OpenPublication): ListKnown {
  return async (publication, limit) => {
    const { record, published } = publication
    const records = await listRevisions(database, record.workspace, record.project)
    const revisions = knownRevisions(records, published)
    const open = (revision: RevisionRecord | undefined) => revision && opened(openPublication, publication, revision)
    return revisions.slice(0, limit).map(revision => {
      const earlier = revisions.find(each => isEarlier(each, revision.number, revision.snapshot))
      return { ...revision, content: revision.freedAt ? undefined : open(revision), earlier: open(earlier) }
    })
  }
}

/** The revisions up to the published one that were not retracted, and that its readers may know of. */
export function knownRevisions(
  revisions: readonly RevisionRecord[],
  published: Publication['published'],
): RevisionRecord[] {
  return revisions.filter(
    revision =>
      revision.number <= published.revision &&
      !revision.retractedAt &&
      (revision.number === published.revision || published.visibility === 'private' || wasPublic(revision)),
  )
}

/** Whether a revision is before the one with this number, and has other content, which still exists. */
function isEarlier(revision: RevisionRecord, number: number, snapshot: string): boolean {
  return revision.number < number && revision.snapshot !== snapshot && !revision.freedAt
}

/** An earlier revision as a publication; the visibility of today decides who may see it (see `pointerTo`). */
function opened(
  openPublication: OpenPublication,
  { record, published }: Pick<Publication, 'record' | 'published'>,
  revision: RevisionRecord,
): EarlierPublication | undefined {
  const pointer = pointerTo(revision, published)
  const publication = openPublication({ ...record, published: pointer })
  return publication && { publication, wasPublic: wasPublic(revision) }
}

function publishedNow(publication: Publication | undefined): EarlierPublication | undefined {
  return publication && { publication, wasPublic: publication.published.visibility === 'public' }
}

function wasPublic({ visibility }: RevisionRecord): boolean {
  return visibility === 'public'
}
