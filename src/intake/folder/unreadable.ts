import { errorCode } from '../../base/error.ts'
import type { Problem } from '../../brand/finding.ts'
import { problem } from './findings.ts'

/** Something of a brand folder cannot be read: the code is the system's, such as `EACCES`, or one of ours. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`cannot be read (${code})`, options)
    this.code = code
  }
}

/** It is not, or no longer, where and what it was found to be. */
export const CHANGED = 'changed'
/** It is a folder, a pipe or a device where a file should be. */
export const NOT_A_FILE = 'not a file'

/** What the work gives; what it throws becomes an `Unreadable`. */
export function orUnreadable<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(codeOf(error), { cause: error })
  }
}

/** The system's name for what went wrong, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return errorCode(error) || String(error)
}

/**
 * What to say of a file or folder that was found and then could not be read. Whatever is no fault of its own is thrown:
 * `FolderError`, where the system has not what reading takes.
 */
export function unreadableProblem(error: unknown, path: string): Problem {
  if (!(error instanceof Unreadable)) throw error
  const { code } = error
  if (GONE.has(code)) return problem('changed-while-read', CHANGED_MEANWHILE)
  const fix = FIXES[code]
  if (fix !== undefined) return problem('unreadable', `cannot be read (${code}): ${fix}`)
  throw new FolderError(`cannot read ${path}: ${WHY[code] ?? failing(code)}`, { cause: error })
}

/** A brand folder cannot be read to its end, for a reason that says nothing of what is in it. */
class FolderError extends Error {
  readonly code = 'ERR_FOLDER'
}

/** What is the case where something was there a moment ago. */
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

function failing(code: string): string {
  return `the system cannot read it now (${code}); see that its disk is well and connected, and try again`
}
