import { errorMessage } from '../base/error.ts'
import { isAccessDenied, isDiskFull, LostDatabase, RIGHTS_FIX } from '../store/store-error.ts'

/** Something that is wrong with a store, as `housestyle doctor --json` prints it. */
export type Problem = {
  check: 'unreachable' | 'rights' | 'space' | 'database' | 'clock' | 'pointer' | 'object' | 'file'
  /** What it is about: a path, a project, a hash. */
  subject: string
  /** What is the case, to be read after the subject. */
  message: string
  /** What to do. */
  fix: string
}

/** Why a store cannot be opened. */
export function openingProblem(error: unknown): Problem {
  if (error instanceof LostDatabase)
    return { check: 'database', subject: error.path, message: error.what, fix: error.fix }
  return unreachable('the store', error, openingFix(error instanceof Error ? error.cause : undefined))
}

function openingFix(cause: unknown): string {
  if (isDiskFull(cause)) return 'make room on its disk'
  return isAccessDenied(cause) ? RIGHTS_FIX : 'restore it from a backup where it cannot be opened any more'
}

/** That something cannot be used, with what it said. */
export function unreachable(subject: string, error: unknown, fix: string): Problem {
  const reason = errorMessage(error)
  return { check: 'unreachable', subject, message: `cannot be used: ${reason}`, fix }
}
