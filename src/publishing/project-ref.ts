import type codes from '#brand/failure-codes.json'
import type { ProjectRef } from '#brand/ids.ts'
import { type Failed, failed, ok, type Result } from '#platform/base/result.ts'
import { findPlace, findProject, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { listCopies } from '#store/catalogue/copies.ts'
import { findRevision, type RevisionRecord } from '#store/catalogue/history.ts'
import { unknownMessage } from '#store/catalogue/unknown-message.ts'
import type { Queries } from '#store/database/database.ts'
import type { Store } from '#store/store.ts'

/** Finds a project that a command will change. Fails while it is being copied. */
export async function idleProject(queries: Queries, ref: ProjectRef): Outcome<ProjectRecord> {
  const lookup = await knownProject(queries, ref)
  const isBusy = lookup.ok && lookup.value.status === 'Processing'
  return isBusy ? failedWith('project_copying', copyingMessage(ref)) : lookup
}

/** Changes a project in one transaction. Fails while it is being copied. */
export function changeProject<Value>(
  { database }: Store,
  ref: ProjectRef,
  change: (queries: Queries, record: ProjectRecord) => Outcome<Value>,
): Outcome<Value> {
  return database.transaction(async queries => {
    const record = await idleProject(queries, ref)
    return record.ok ? change(queries, record.value) : record
  })
}

/** Finds a project that a command only reads. */
export async function knownProject(queries: Queries, { workspace, project }: ProjectRef): Outcome<ProjectRecord> {
  const record = await findProject(queries, workspace, project)
  if (record) return ok(record)
  return failedWith('project_unknown', await unknownMessage(queries, { workspace, project }))
}

/** Fails if a workspace or project does not exist. An empty selection means the whole store. */
export async function checkSelection(
  queries: Queries,
  { workspace, project }: Partial<ProjectRef>,
): Outcome<undefined> {
  if (workspace === undefined || (await findPlace(queries, { workspace, project }))) return ok(undefined)
  const code = project === undefined ? 'workspace_unknown' : 'project_unknown'
  return failedWith(code, await unknownMessage(queries, { workspace, project }))
}

export function unknownRevision({ workspace, project }: ProjectRef, number: number): Failed<CommandProblem> {
  const name = `${workspace}/${project}`
  return failedWith('revision_unknown', `${name} has no revision ${number}: see \`housestyle history ${name}\``)
}

/** A revision whose content the store still has; unless it is only compared, it must not be retracted. */
export async function usableRevision(
  queries: Queries,
  ref: ProjectRef,
  number: number,
  { isCompared = false } = {},
): Outcome<RevisionRecord> {
  const name = `${ref.workspace}/${ref.project}`
  const revision = await findRevision(queries, ref.workspace, ref.project, number)
  if (!revision) return unknownRevision(ref, number)
  if (revision.retractedAt && !isCompared)
    return failedWith('revision_retracted', `revision ${number} of ${name} was retracted: publish its content again`)
  if (!revision.freedAt) return ok(revision)
  return failedWith('revision_freed', `the content of revision ${number} of ${name} was freed by \`housestyle gc\``)
}

export function changedDraft({ workspace, project }: ProjectRef): Failed<CommandProblem> {
  return failedWith('draft_changed', `the draft of ${workspace}/${project} has changed meanwhile: look at it again`)
}

/** `missing` says who must still review it, if `project.yaml` asks for that. */
export function unapprovedDraft({ workspace, project }: ProjectRef, missing?: string): Failed<CommandProblem> {
  const name = `${workspace}/${project}`
  const problem =
    missing === undefined ? 'is not approved, or someone asks for changes' : `must still be reviewed by ${missing}`
  return failedWith('draft_unapproved', `the draft of ${name} ${problem}: see \`housestyle status ${name}\``)
}

/** Somebody asks for changes to a draft, and the publisher has not been told, or has not confirmed it. */
export function requestedChanges(
  { workspace, project }: ProjectRef,
  requests: readonly { who: string; comment: string | null }[],
): Failed<CommandProblem> {
  const all = requests.map(({ who, comment }) => who + (comment === null ? '' : ` (${JSON.stringify(comment)})`))
  const message = `${all.join(' and ')} asked for changes to the draft of ${workspace}/${project}`
  return failedWith('changes_requested', message)
}

/** Whether a project is the source or target of a running copy. The target need not exist yet. */
export async function isBeingCopied(queries: Queries, ref: ProjectRef): Promise<boolean> {
  const refs = (await listCopies(queries)).flatMap(({ source, target }) => [source, target])
  return refs.some(isOf(ref))
}

/** Whether something names this project. */
export function isOf({ workspace, project }: ProjectRef) {
  return (other: { workspace?: unknown; project?: unknown }) =>
    other.workspace === workspace && other.project === project
}

export function copyingMessage({ workspace, project }: ProjectRef): string {
  return `${workspace}/${project} is being copied: try again when that is done`
}

/** The reason for which a command changed nothing. The message is for the user. */
export type CommandProblem = { code: keyof typeof codes; message: string }

export type CommandResult<Value> = Result<Value, CommandProblem>

export type Outcome<Value> = Promise<CommandResult<Value>>

export function failedWith(code: CommandProblem['code'], message: string): Failed<CommandProblem> {
  return failed({ code, message })
}
