import { serial } from '../base/promise.ts'
import { findProject, type ProjectRecord } from '../store/catalogue/catalogue.ts'
import { listCopies, removeCopy } from '../store/catalogue/copies.ts'
import type { Queries } from '../store/database/database.ts'
import type { Store } from '../store/store.ts'
import type { OutageReporter } from '../telemetry/outage-log.ts'

/** Which project is meant. */
export type ProjectRef = { workspace: string; project: string }

/** Why a command does nothing: a stable code, and words for whoever gave it. */
export type Refused = { refused: { code: string; message: string } }

/** Says no. */
export function refused(code: string, message: string): Refused {
  return { refused: { code, message } }
}

/** A project that a command may change: it exists, and no copy from or to it is under way. */
export async function idleProject(
  queries: Queries,
  { workspace, project }: ProjectRef,
): Promise<ProjectRecord | Refused> {
  const record = await findProject(queries, workspace, project)
  if (!record)
    return refused(
      'not-found',
      `there is no project ${workspace}/${project}: import its folder first, or see housestyle status`,
    )
  if (record.status === 'Processing') return refused('copying', copying({ workspace, project }))
  return record
}

/** Whether a copy from or to a place is under way; a target need not be there yet. */
export async function isBeingCopied(queries: Queries, { workspace, project }: ProjectRef): Promise<boolean> {
  const places = (await listCopies(queries)).flatMap(({ source, target }) => [source, target])
  return places.some(place => place.workspace === workspace && place.project === project)
}

/** Says that a copy is in the way. */
export function copying({ workspace, project }: ProjectRef): string {
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
