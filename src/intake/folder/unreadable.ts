import type { Problem } from '#brand/finding.ts'
import { errorCode } from '#platform/base/error.ts'
import { problem } from './findings.ts'

/** A file or folder cannot be read. The code is a system code such as `EACCES`, or one of the codes below. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`cannot be read (${code})`, options)
    this.code = code
  }
}

/** The file or folder was moved, replaced or changed after it was found. */
export const CHANGED = 'changed'
/** A folder, pipe or device instead of a file. */
export const NOT_A_FILE = 'not a file'

/** Runs the work, and wraps any error in an `Unreadable`. */
export function orUnreadable<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(codeOf(error), { cause: error })
  }
}

/** The system code of an error, such as `EACCES`, or the error as a string. */
export function codeOf(error: unknown): string {
  return errorCode(error) || String(error)
}

/**
 * The problem with a file or folder that was found but could not be read. Throws a `FolderError` if the cause is the
 * system, such as too many open files. Rethrows any error except `Unreadable`.
 */
export function unreadableProblem(error: unknown, path: string): Problem {
  if (!(error instanceof Unreadable)) throw error
  const { code } = error
  if (GONE_CODES.has(code)) return problem('changed-while-read', CHANGED_MESSAGE)
  const fix = FIXES[code]
  if (fix !== undefined) return problem('unreadable', `cannot be read (${code}): ${fix}`)
  const otherReason = `the system cannot read it now (${code}); check that the disk works and is connected, and try again`
  throw new FolderError(`cannot read ${path}: ${SYSTEM_REASONS[code] ?? otherReason}`, { cause: error })
}

/** Reading failed for a reason outside the brand folder. */
class FolderError extends Error {
  readonly code = 'folder_unreadable'
}

/** Codes for a file that was removed or replaced after it was found. */
const GONE_CODES: ReadonlySet<string> = new Set([CHANGED, NOT_A_FILE, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])
const CHANGED_MESSAGE =
  'was moved, replaced or changed while the folder was read, so it was not imported: import again once nothing writes to the folder'

const ALLOW = 'allow the user that runs housestyle to read it'
const FIXES: Readonly<Record<string, string>> = {
  EACCES: ALLOW,
  EPERM: ALLOW,
  ENAMETOOLONG: 'shorten its path',
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EMFILE:
    'this process has too many open files (EMFILE); raise its limit, for example with ulimit -n 1024, and try again',
  ENFILE: 'the system has too many open files (ENFILE); close other programs, or raise its limit, and try again',
}
