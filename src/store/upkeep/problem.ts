import { errorMessage } from '#platform/base/error.ts'
import { withReason } from '#platform/base/reason.ts'
import { ACCESS_FIX, isAccessDenied, isDiskFull, LostStore, MissingStore, Outage } from '../store-error.ts'

/** A problem of a store, as `housestyle doctor --json` prints it. */
export type Problem = {
  /** A warning needs attention, but does not make `doctor` fail. */
  severity?: 'warning'
  check: 'unreachable' | 'rights' | 'space' | 'database' | 'clock' | 'key' | 'pointer' | 'object' | 'file'
  /** The affected item: a path, a project or a hash. */
  subject: string
  /** The rest of a sentence that begins with the subject. */
  message: string
  fix: string
}

/** The problem for an error that occurred while opening the store. */
export function openingProblem(error: unknown): Problem {
  if (error instanceof LostStore) {
    const check = error.code === 'files_lost' ? 'file' : 'database'
    return { check, subject: error.path, message: error.what, fix: error.fix }
  }
  if (error instanceof MissingStore)
    return { check: 'unreachable', subject: error.place, message: 'contains no store', fix: error.fix }
  if (error instanceof Outage)
    return {
      check: 'unreachable',
      subject: 'the store',
      message: withReason(`cannot be used: ${error.what}`, error.said),
      fix: error.fix,
    }
  const fix = openingFix(error instanceof Error ? error.cause : undefined)
  return { check: 'unreachable', subject: 'the store', message: `cannot be used: ${errorMessage(error)}`, fix }
}

function openingFix(cause: unknown): string {
  if (isDiskFull(cause)) return 'free space on its disk'
  return isAccessDenied(cause) ? ACCESS_FIX : 'restore it from a backup if it can no longer be opened'
}
