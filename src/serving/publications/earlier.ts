import { listRevisions, type RevisionRecord } from '../../store/catalogue/history.ts'
import type { Queries } from '../../store/database/database.ts'
import type { OpenPublication, Publication } from './publications.ts'

/** The publisher's note on a revision, and the earlier revision to compare it with. */
type Comparison = {
  note?: string | undefined
  /** Undefined if there is none to compare with. */
  earlier?: EarlierPublication | undefined
}

/** An earlier revision, and whether it was public. */
export type EarlierPublication = { publication: Publication; wasPublic: boolean }

/**
 * Finds the note of a publication, and the latest earlier revision with different content that was neither retracted nor
 * freed. Everyone may see a public publication, so for one, only revisions that were public count. A draft is compared
 * with the published revision.
 */
export type FindEarlier = (publication: Publication) => Promise<Comparison | undefined>

/** Finds earlier revisions in the history of the store. */
export function createFindEarlier(database: Queries, openPublication: OpenPublication): FindEarlier {
  return async ({ record, published }) => {
    if (record.draftOf) return { earlier: current(openPublication(record.draftOf)) }
    const revisions = await listRevisions(database, record.workspace, record.project)
    const earlier = revisions.find(
      revision =>
        revision.number < published.revision &&
        revision.snapshot !== published.snapshot &&
        !revision.retractedAt &&
        !revision.freedAt &&
        (published.visibility === 'private' || wasPublic(revision)),
    )
    const note = revisions.find(({ number }) => number === published.revision)?.note
    if (!earlier) return { note }
    const { number, snapshot, name, publishedAt } = earlier
    const publication = openPublication({
      ...record,
      published: { ...published, revision: number, snapshot, name, publishedAt },
    })
    return { note, earlier: publication && { publication, wasPublic: wasPublic(earlier) } }
  }
}

function current(publication: Publication | undefined): EarlierPublication | undefined {
  return publication && { publication, wasPublic: publication.published.visibility === 'public' }
}

/** False if the visibility is unknown. */
function wasPublic({ visibility }: RevisionRecord): boolean {
  return visibility === 'public'
}
