import { perObject } from '../../base/object.ts'
import type { Pointers } from '../../serving/pointers/pointers.ts'
import type { WorkspaceState } from '../../serving/pointers/workspace-state.ts'
import { isServed, listUnpublished, type ProjectRecord } from '../../store/catalogue/catalogue.ts'
import { listReviews } from '../../store/catalogue/reviews.ts'
import type { Queries } from '../../store/database/database.ts'
import type { AccessContext } from '../context.ts'
import { coversDraft, manages } from './exercised-rights.ts'
import type { Person } from './session-verifier.ts'

/** A draft that a person may publish, or may review and has not answered about. */
export type Waiting = Pick<ProjectRecord, 'workspace' | 'project' | 'updatedAt'> & {
  name: string
  asksTo: 'publish' | 'review'
}

/** The drafts that differ from what is published and wait for a person. They are read once for each change. */
export async function waitingFor(
  { pointers, access }: { pointers: Pick<Pointers, 'workspace'>; access: Pick<AccessContext, 'database'> },
  person: Person,
): Promise<readonly Waiting[]> {
  const state = person.drafts || person.manages ? await pointers.workspace(person.workspace) : undefined
  if (!state) return []
  return (await changedDrafts(state, access.database)).flatMap(({ record, answered }) => {
    const { workspace, project, updatedAt, draft } = record
    const waiting = { workspace, project, updatedAt, name: draft.name }
    if (manages(person, record)) return { ...waiting, asksTo: 'publish' as const }
    return coversDraft(person, record) && !answered.has(person.subject) ? { ...waiting, asksTo: 'review' as const } : []
  })
}

/** The projects of a workspace whose draft differs, with the reviewers who have answered about it. */
const changedDrafts = perObject(async ({ id, published }: WorkspaceState, database: Queries) => {
  const changed = published.filter(each => !isServed(each.draft, each.published))
  const records: ProjectRecord[] = [...changed, ...(await listUnpublished(database, id))]
  const { records: reviews } = records.length > 0 ? await listReviews(database) : { records: [] }
  return records.map(record => {
    const own = reviews.filter(
      ({ workspace, project, snapshot, endedAt }) =>
        workspace === id && project === record.project && snapshot === record.draft.snapshot && !endedAt,
    )
    return { record, answered: new Set(own.map(({ reviewer }) => reviewer)) }
  })
})
