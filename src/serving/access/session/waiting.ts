import { DRAFT_PATH } from '#brand/contract/operations.ts'
import { perObject } from '#platform/base/object.ts'
import { seesDrafts } from '#store/access/sessions.ts'
import { isWaiting, listProjects, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { listReviews } from '#store/catalogue/reviews.ts'
import type { Queries } from '#store/database/database.ts'
import type { Pointers } from '../../pointers/pointers.ts'
import type { WorkspaceState } from '../../pointers/workspace-state.ts'
import type { AccessContext } from '../context.ts'
import { coversDraft, manages } from './rights.ts'
import type { Person } from './session-verifier.ts'

/** A draft that waits for a person, and the path of the page on which they publish or review it. */
export type Waiting = Pick<ProjectRecord, 'project' | 'updatedAt'> & { name: string; path: string; isReview: boolean }

/** The unpublished drafts that a person may publish, or may review and has not answered about. Read once per change. */
export async function waitingFor(
  { pointers, access }: { pointers: Pick<Pointers, 'workspace'>; access: Pick<AccessContext, 'database'> },
  person: Person,
): Promise<readonly Waiting[]> {
  const state = seesDrafts(person) ? await pointers.workspace(person.workspace) : undefined
  const drafts = state ? await unpublishedDrafts(state, access.database) : []
  return drafts.flatMap(({ record, answered }) => {
    const isReview = !manages(person, record)
    if (isReview && (answered.has(person.subject) || !coversDraft(person, record))) return []
    const { workspace, project, updatedAt, draft } = record
    const path = `/${workspace}/${project}${isReview ? `${DRAFT_PATH}/-/changes` : '/-/manage'}`
    return { project, updatedAt, name: draft.name, path, isReview }
  })
}

/** The projects of a workspace whose draft differs, with the reviewers who have answered about it. */
const unpublishedDrafts = perObject(async ({ id }: WorkspaceState, database: Queries) => {
  const records = await listProjects(database, id)
  const drafts: { record: ProjectRecord; answered: ReadonlySet<string> }[] = []
  for (const record of records.filter(isWaiting)) {
    const reviews = await listReviews(database, record)
    const current = reviews.filter(each => each.snapshot === record.draft.snapshot && !each.endedAt)
    drafts.push({ record, answered: new Set(current.map(({ reviewer }) => reviewer)) })
  }
  return drafts
})
