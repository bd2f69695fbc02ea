import { serial } from '../base/promise.ts'
import { type Failed, ok } from '../base/result.ts'
import { findProject, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { listCopies, removeCopy } from '../store/catalogue/copies.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import type { OutageReporter } from '../telemetry/outage-log.ts'
import { type CommandProblem, type CommandResult, failedWith } from './command-problem.ts'

/** Which project is meant. */
export type ProjectRef = { workspace: string; project: string }

/** A project that a command may change: it exists, and no copy from or to it is under way. */
export async function idleProject(
  queries: Queries,
  { workspace, project }: ProjectRef,
): Promise<CommandResult<ProjectRecord>> {
  const record = await findProject(queries, workspace, project)
  if (!record)
    return failedWith(
      'project_unknown',
      `there is no project ${workspace}/${project}: import its folder first, or see housestyle status`,
    )
  if (record.status === 'Processing') return failedWith('project_copying', copyingMessage({ workspace, project }))
  return ok(record)
}

/** A project that a command only reads: a copy from or to it may be under way. */
export async function knownProject(
  queries: Queries,
  { workspace, project }: ProjectRef,
): Promise<CommandResult<ProjectRecord>> {
  const record = await findProject(queries, workspace, project)
  if (record) return ok(record)
  return failedWith('project_unknown', `there is no project ${workspace}/${project}: see housestyle status`)
}

/** The project has no revision of this number. */
export function unknownRevision({ workspace, project }: ProjectRef, number: number): Failed<CommandProblem> {
  const name = `${workspace}/${project}`
  return failedWith('revision_unknown', `${name} has no revision ${number}: see housestyle history ${name}`)
}

/** The content of this revision is gone. */
export function freedRevision({ workspace, project }: ProjectRef, number: number): Failed<CommandProblem> {
  const message = `the content of revision ${number} of ${workspace}/${project} was freed by housestyle gc`
  return failedWith('revision_freed', message)
}

/** Whether a copy from or to a place is under way; a target need not be there yet. */
export async function isBeingCopied(queries: Queries, { workspace, project }: ProjectRef): Promise<boolean> {
  const places = (await listCopies(queries)).flatMap(({ source, target }) => [source, target])
  return places.some(place => place.workspace === workspace && place.project === project)
}

/** Says that a copy from or to a place is in the way. */
export function copyingMessage({ workspace, project }: ProjectRef): string {
  return `${workspace}/${project} is being copied: try again when that is done`
}

/** The name of the lock that whoever makes a copy holds. */
export function copyLock(id: string): string {
  return `copy ${id}`
}

/** Undoes copies whose makers are gone: nothing was moved yet, so only the note of them is removed. */
export async function undoAbandonedCopies({ database, locks }: Store): Promise<void> {
  for (const copy of await listCopies(database)) {
    const release = locks.take(copyLock(copy.id), 'exclusive')
    if (!release) continue
    try {
      await database.transaction(queries => removeCopy(queries, copy))
      locks.remove(copyLock(copy.id))
    } finally {
      release()
    }
  }
}

/**
 * Does so again and again until it is ended, so that a running service does not go on saying `Processing` for a copy that
 * was killed. Gives what ends it.
 */
export function keepUndoingCopies(store: Store, reporter: OutageReporter): () => Promise<void> {
  const inTurn = serial()
  const undo = () => undoAbandonedCopies(store).then(reporter.worked, reporter.failed)
  const timer = setInterval(() => void inTurn(undo), UNDO_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await inTurn(() => undefined)
  }
}

const UNDO_MS = 1000
