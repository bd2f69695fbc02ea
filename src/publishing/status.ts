import type { ProjectRef } from '#brand/ids.ts'
import {
  findOnlyWorkspace,
  isPublished,
  listProjects,
  listPublished,
  listSoundProjects,
  type ProjectRecord,
  type PublishedProject,
} from '#store/catalogue/catalogue.ts'
import { type DraftFinding, listDraftFindings } from '#store/catalogue/draft-findings.ts'
import { listRevisions, type PlanState } from '#store/catalogue/history.ts'
import { listPlans } from '#store/catalogue/plans.ts'
import { listLeasedUrls } from '#store/catalogue/services.ts'
import { listWorkspaceFields, type WorkspaceKey, workspaceChanges } from '#store/catalogue/workspace-fields.ts'
import type { Store } from '#store/store.ts'
import { listFeeders, sourceName } from './feeders.ts'
import { planState } from './plan.ts'
import { isOf } from './project-ref.ts'
import { listGiven, type Reviews, reviewsIn } from './review.ts'

/** The state of a project, as `housestyle status --json` prints it. */
export type ProjectState = {
  workspace: string
  project: string
  name: string
  status: string
  createdAt: string
  updatedAt: string
  publishedAt: string | null
  /** Snapshot hashes. */
  draft: string
  published: string | null
  revision: number | null
  /** The keys of `workspace.yaml` whose latest values are not published; absent if there are none. */
  workspaceChanges?: WorkspaceKey[]
  /** The findings in the import of the draft, if there are any. */
  findings?: readonly DraftFinding[]
  /** The numbers of pages that a translation lacks, and that changed since they were translated; absent for others. */
  translation?: { missing: number; stale: number }
  /** Its planned publication, also one that ended without a publication; absent without one. */
  planned?: PlanState
  /** The followed repository that filled the project and no longer has it; absent otherwise. */
  goneFrom?: string
} & Reviews

/** The states of a project, of the projects of a workspace, or of all. */
export async function projectStates(
  store: Store,
  { workspace, project }: Partial<ProjectRef>,
): Promise<ProjectState[]> {
  const records = await listProjects(store.database, workspace)
  const facts = await readFacts(store)
  const wanted = records.filter(record => project === undefined || record.project === project)
  return wanted.flatMap(record => stateOf(record, facts))
}

type Facts = Awaited<ReturnType<typeof readFacts>>

/** The facts in the store about all projects, in addition to their records. */
async function readFacts({ database, clock }: Store) {
  return {
    given: await listGiven(database),
    allFields: await listWorkspaceFields(database),
    plans: await listPlans(database),
    findingsOf: await listDraftFindings(database),
    feeders: await listFeeders(database),
    now: clock.date(),
  }
}

/** The state of a project; none if it is newer than the fields. */
function stateOf(record: ProjectRecord, facts: Facts): ProjectState[] {
  const { given, allFields, plans, findingsOf, feeders, now } = facts
  const fields = allFields.get(record.workspace)
  if (!fields) return []
  const { reviews: latest, ...reviewed } = reviewsIn(given, record, { fields, now })
  const reviews = latest.map(({ request: _request, ...review }) => review)
  const changes = workspaceChanges(fields)
  const findings = findingsOf(record) ?? []
  const plan = plans.find(isOf(record))
  const gone = feeders.find(feeder => feeder.gone.includes(`${record.workspace}/${record.project}`))
  const state = {
    ...ownState(record),
    ...(record.untranslated && { translation: record.untranslated }),
    ...(plan && { planned: planState(plan) }),
    ...(changes.length > 0 && { workspaceChanges: changes }),
    ...reviewed,
    reviews,
    ...(findings.length > 0 && { findings }),
    ...(gone && { goneFrom: sourceName(gone.source) }),
  }
  return [state]
}

/** The fields of a state that the record itself has. */
function ownState(record: ProjectRecord) {
  const { workspace, project, status, draft, published } = record
  return {
    workspace,
    project,
    name: draft.name,
    status,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    publishedAt: published?.publishedAt.toISOString() ?? null,
    draft: draft.snapshot,
    published: published?.snapshot ?? null,
    revision: published?.revision ?? null,
  }
}

/** The ids of the projects of a workspace that were unpublished: they have revisions, but none is published. */
export async function unpublishedIn({ database }: Store, workspace: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const record of await listSoundProjects(database, workspace)) {
    if (isPublished(record)) continue
    const revisions = await listRevisions(database, workspace, record.project)
    if (revisions.length > 0) ids.add(record.project)
  }
  return ids
}

export type ServedProject = ProjectRef & { isPrivate: boolean }

export async function servedProjects({ database }: Store, limit: number): Promise<ServedProject[]> {
  return (await listPublished(database, limit)).map(servedOf)
}

export async function servedIn({ database }: Store, workspace: string): Promise<ServedProject[]> {
  return (await listSoundProjects(database, workspace)).filter(isPublished).map(servedOf)
}

function servedOf({ workspace, project, published }: PublishedProject): ServedProject {
  return { workspace, project, isPrivate: published.visibility === 'private' }
}

export function soleWorkspace({ database }: Store): Promise<string | undefined> {
  return findOnlyWorkspace(database)
}

/** The addresses of the running services of this store, without a slash at the end; the newest service first. */
export function runningServices({ database }: Store, now: Date): Promise<string[]> {
  return listLeasedUrls(database, now.getTime())
}
