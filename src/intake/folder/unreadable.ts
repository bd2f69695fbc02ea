import { errorCode } from '../../base/error.ts'
import type { Problem } from '../../brand/finding.ts'
import { problem } from './findings.ts'

/** A file or folder of a brand folder cannot be read. The code is the system's, such as `EACCES`, or one of ours. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`cannot be read (${code})`, options)
    this.code = code
  }
}

/** The file or folder was moved, replaced or written to since it was found. */
export const CHANGED = 'changed'
/** A folder, a pipe or a device stands in the place of a file. */
export const NOT_A_FILE = 'not a file'

/** Runs the work, and throws an `Unreadable` with anything it throws as its cause. */
export function orUnreadable<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(codeOf(error), { cause: error })
  }
}

/** The system's code for an error, such as `EACCES`, or the error as a text. */
export function codeOf(error: unknown): string {
  return errorCode(error) || String(error)
}

/**
 * The problem with a file or folder that was found and then could not be read. Throws a `FolderError` if the cause is
 * not the folder but the system, such as too many open files. Throws any error but `Unreadable` as it is.
 */
export function unreadableProblem(error: unknown, path: string): Problem {
  if (!(error instanceof Unreadable)) throw error
  const { code } = error
  if (GONE.has(code)) return problem('changed-while-read', CHANGED_MEANWHILE)
  const fix = FIXES[code]
  if (fix !== undefined) return problem('unreadable', `cannot be read (${code}): ${fix}`)
  throw new FolderError(`cannot read ${path}: ${WHY[code] ?? systemReason(code)}`, { cause: error })
}

/** Reading stops, for a reason that is not in the brand folder. */
class FolderError extends Error {
  readonly code = 'folder_unreadable'
}

/** The codes of a file that was there a moment ago and is gone, or is another now. */
const GONE: ReadonlySet<string> = new Set([CHANGED, NOT_A_FILE, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])
const CHANGED_MEANWHILE =
  'was moved, replaced or written to while the folder was read, so nothing of it is kept: import again when nothing is writing to the folder'

const ALLOW = 'allow the user that runs housestyle to read it'
const FIXES: Readonly<Record<string, string>> = {
  EACCES: ALLOW,
  EPERM: ALLOW,
  ENAMETOOLONG: 'shorten its path',
}

const WHY: Readonly<Record<string, string>> = {
  EMFILE: 'this process may not have more files open (EMFILE); raise its limit, as with ulimit -n 1024, and try again',
  ENFILE: 'the system has too many files open (ENFILE); end what is not needed, or raise its limit, and try again',
}

function systemReason(code: string): string {
  return `the system cannot read it now (${code}); check that its disk works and is connected, and try again`
}
