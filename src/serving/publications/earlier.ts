import { listRevisions, type RevisionRecord } from '../../store/catalogue/history.ts'
import type { Queries } from '../../store/database/database.ts'
import type { OpenPublication, Publication } from './publications.ts'

/** An earlier revision, and whether it was public. */
type EarlierPublication = { publication: Publication; wasPublic: boolean }

/**
 * Finds the latest earlier revision with different content that was neither retracted nor freed; undefined if there is
 * none. Everyone may see a public publication, so for one, only revisions that were public count.
 */
export type FindEarlier = (publication: Publication) => Promise<EarlierPublication | undefined>

/** Finds earlier revisions in the history of the store. */
export function createFindEarlier(database: Queries, openPublication: OpenPublication): FindEarlier {
  return async ({ record, published }) => {
    const revisions = await listRevisions(database, record.workspace, record.project)
    const earlier = revisions.find(
      revision =>
        revision.number < published.revision &&
        revision.snapshot !== published.snapshot &&
        !revision.retractedAt &&
        !revision.freedAt &&
        (published.visibility === 'private' || wasPublic(revision)),
    )
    if (!earlier) return undefined
    const { number, snapshot, name, publishedAt } = earlier
    const publication = openPublication({
      ...record,
      published: { ...published, revision: number, snapshot, name, publishedAt },
    })
    return publication && { publication, wasPublic: wasPublic(earlier) }
  }
}

/** False if the visibility is unknown. */
function wasPublic({ visibility }: RevisionRecord): boolean {
  return visibility === 'public'
}
