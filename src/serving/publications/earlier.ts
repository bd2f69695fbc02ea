import { listRevisions } from '../../store/catalogue/history.ts'
import type { Queries } from '../../store/database/database.ts'
import type { OpenPublication, Publication } from './publications.ts'

/** What was published before the content of a publication; undefined if that is the first, or what came before is gone. */
export type FindEarlier = (publication: Publication) => Promise<Publication | undefined>

/** Finds the last revision before this one with another content that was neither taken back nor freed. */
export function findsEarlier(database: Queries, openPublication: OpenPublication): FindEarlier {
  return async ({ record, published }) => {
    const revisions = await listRevisions(database, record.workspace, record.project)
    const earlier = revisions.find(
      ({ number, snapshot, retractedAt, freedAt }) =>
        number < published.revision && snapshot !== published.snapshot && !retractedAt && !freedAt,
    )
    if (!earlier) return undefined
    const { number, snapshot, name, publishedAt } = earlier
    return openPublication({ ...record, published: { ...published, revision: number, snapshot, name, publishedAt } })
  }
}
